import { useTranslations } from 'use-intl'
import { Page } from '#components/layout/page'
import { UsersTable } from './users-table'

export function Component() {
  const say = useTranslations('users.list')
  return (
    <Page title={say('title')} description={say('about')}>
      <UsersTable title={say('all')} />
    </Page>
  )
}

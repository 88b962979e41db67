import { useTranslations } from 'use-intl'
import { Page } from '#components/layout/page'
import { listLoader } from '#components/table/list-loader'
import { usersQuery } from '#lib/identity/users.queries'
import { UsersTable, userListQuery, userListSpec } from './users-table'

export const loader = listLoader(userListSpec(false), (client, table) => {
  const { enterprise, query } = userListQuery(table)
  return client.prefetchQuery(usersQuery(enterprise, query))
})

export function Component() {
  const say = useTranslations('users.list')
  return (
    <Page title={say('title')} description={say('about')}>
      <UsersTable title={say('all')} />
    </Page>
  )
}

import { useTranslations } from 'use-intl'
import { Page } from '#components/layout/page'
import { Events } from './events'

export function Component() {
  const say = useTranslations('events')
  return (
    <Page title={say('title')} description={say('description')}>
      <Events />
    </Page>
  )
}

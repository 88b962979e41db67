import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { Page } from '#components/layout/page'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'

export function NotFound() {
  const { pathname } = useLocation()
  const follow = useFollow()
  const say = useTranslations('layout.notFound')
  const sayCommon = useTranslations('common')
  return (
    <Page title={say('title')}>
      <SpaceBetween size="l">
        <Box variant="p">{say.rich('text', { path: () => <Box variant="code">{pathname}</Box> })}</Box>
        <Button variant="primary" href={paths.home()} onFollow={follow}>
          {sayCommon('home')}
        </Button>
      </SpaceBetween>
    </Page>
  )
}

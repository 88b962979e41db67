import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useLocation } from 'react-router'
import { useFollow } from '#components/layout/app-link'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'

export function NotFound() {
  const { pathname } = useLocation()
  const follow = useFollow()
  return (
    <Page title="Nothing here">
      <SpaceBetween size="l">
        <Box variant="p">
          There is no screen at <Box variant="code">{pathname}</Box>. The address may have been mistyped, or
          the screen may have moved.
        </Box>
        <Button variant="primary" href={paths.home()} onFollow={follow}>
          Go to home
        </Button>
      </SpaceBetween>
    </Page>
  )
}

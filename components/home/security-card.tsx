import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslations } from 'use-intl'
import { AppLink, useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'

/** Two factor: is it on, and what to do next. */
export function SecurityCard() {
  const { twoFactorProvider, scratchCodesLeft } = useSession()
  const say = useTranslations('home.signIn')
  return (
    <Container header={<Header variant="h2">{say('title')}</Header>}>
      {twoFactorProvider ? <On scratchCodes={scratchCodesLeft} /> : <Off />}
    </Container>
  )
}

function Off() {
  const follow = useFollow()
  const say = useTranslations('home.signIn')
  return (
    <SpaceBetween size="m">
      <div>
        <StatusIndicator type="warning">{say('off')}</StatusIndicator>
        <Box variant="p" color="text-body-secondary">
          {say('offWhy')}
        </Box>
      </div>
      <Button href={paths.twoFactor()} onFollow={follow}>
        {say('setUp')}
      </Button>
    </SpaceBetween>
  )
}

const fewCodes = 3

function On({ scratchCodes }: { scratchCodes: number }) {
  const say = useTranslations('home.signIn')
  const codesLeft = say('codesLeft', { count: scratchCodes })
  return (
    <SpaceBetween size="xs">
      <StatusIndicator type="success">{say('on')}</StatusIndicator>
      {scratchCodes < fewCodes ? (
        <StatusIndicator type="warning" wrapText>
          {codesLeft} {say('newCodes')}
        </StatusIndicator>
      ) : (
        <Box color="text-body-secondary">{codesLeft}</Box>
      )}
      <AppLink to={paths.account()}>{say('account')}</AppLink>
    </SpaceBetween>
  )
}

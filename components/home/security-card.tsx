import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { AppLink, useFollow } from '#components/layout/app-link'
import { useSession } from '#components/layout/session'
import { paths } from '#components/paths'

/** Two factor: is it on, and what to do next. */
export function SecurityCard() {
  const { twoFactorProvider, scratchCodesLeft } = useSession()
  return (
    <Container header={<Header variant="h2">Your sign-in</Header>}>
      {twoFactorProvider ? <On scratchCodes={scratchCodesLeft} /> : <Off />}
    </Container>
  )
}

function Off() {
  const follow = useFollow()
  return (
    <SpaceBetween size="m">
      <div>
        <StatusIndicator type="warning">Two factor is off</StatusIndicator>
        <Box variant="p" color="text-body-secondary">
          Your password alone opens this account. With an authenticator app on your phone a stolen password is
          not enough. Setting it up takes two minutes.
        </Box>
      </div>
      <Button href={paths.twoFactor()} onFollow={follow}>
        Set up two factor
      </Button>
    </SpaceBetween>
  )
}

const fewCodes = 3

const codesLeft = (count: number): string => {
  if (count === 0) return 'No scratch code is left. Without your phone you could not sign in.'
  return count === 1 ? 'One scratch code is left.' : `${count} scratch codes are left.`
}

const On = ({ scratchCodes }: { scratchCodes: number }) => (
  <SpaceBetween size="xs">
    <StatusIndicator type="success">Two factor is on</StatusIndicator>
    {scratchCodes < fewCodes ? (
      <StatusIndicator type="warning" wrapText>
        {codesLeft(scratchCodes)} My account gives you ten new ones.
      </StatusIndicator>
    ) : (
      <Box color="text-body-secondary">{codesLeft(scratchCodes)}</Box>
    )}
    <AppLink to={paths.account()}>My account</AppLink>
  </SpaceBetween>
)

import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { LeaveGuard } from '#components/layout/leave-guard'
import { paths } from '#components/paths'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import { useTakeBack } from './take-back'

const always = () => true

type EnrolmentGuardProps = {
  provider: TwoFactorProvider
  isKept: boolean
  /** Absent while there is nothing yet that could be taken back. */
  onTakenBack?: () => void
}

/** While an enrolment is not proved, leaving it asks first. */
export const EnrolmentGuard = ({ provider, isKept, onTakenBack }: EnrolmentGuardProps) => (
  <LeaveGuard loses={always} header="Leave before you have tried a code?">
    <SpaceBetween size="m">
      <Box>
        <strong>Two factor authentication is on already.</strong> Your next sign-in asks for a code{' '}
        {sources[provider]} or for a scratch code. Without either you cannot sign in.
      </Box>
      <Box>{isKept ? unproved[provider] : unkept[provider]}</Box>
      {onTakenBack && <TakeBack onTakenBack={onTakenBack} />}
    </SpaceBetween>
  </LeaveGuard>
)

const sources: Record<TwoFactorProvider, string> = {
  APP_AUTHENTICATOR: 'of your app',
  EMAIL: 'that is mailed to you',
}

const unproved: Record<TwoFactorProvider, string> = {
  APP_AUTHENTICATOR:
    'You have kept the scratch codes. Whether your app gives the right codes is not known yet.',
  EMAIL: 'You have kept the scratch codes. Whether the mails reach you is not known yet.',
}

const unkept: Record<TwoFactorProvider, string> = {
  APP_AUTHENTICATOR:
    'You have not shown yet that you keep the scratch codes, and neither they nor the key can be shown again.',
  EMAIL: 'You have not shown yet that you keep the scratch codes, and they cannot be shown again.',
}

function TakeBack({ onTakenBack }: { onTakenBack: () => void }) {
  const { start, isPending, error } = useTakeBack(onTakenBack)
  return (
    <SpaceBetween size="m">
      <Button onClick={start} loading={isPending} loadingText="Turning off">
        Leave and turn it off
      </Button>
      {error && <Failure error={error} />}
    </SpaceBetween>
  )
}

/** Goes back to the account, past the question above. */
export function LeaveButton() {
  const follow = useFollow()
  return (
    <Button variant="link" href={paths.account()} onFollow={follow}>
      Leave
    </Button>
  )
}

import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { LeaveGuard } from '#components/forms/leave-guard'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
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
export function EnrolmentGuard({ provider, isKept, onTakenBack }: EnrolmentGuardProps) {
  const say = useTranslations('account.enrolment.leaving')
  const sayTwoFactor = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack(onTakenBack)
  return (
    <LeaveGuard
      loses={always}
      header={say('title')}
      otherWay={
        onTakenBack && (
          <Button onClick={start} loading={isPending} loadingText={sayTwoFactor('turningOff')}>
            {say('turnOff')}
          </Button>
        )
      }
    >
      <SpaceBetween size="m">
        <Box>{say.rich(`on.${provider}`, { strong: (inside) => <strong>{inside}</strong> })}</Box>
        <Box>{say(`${isKept ? 'unproved' : 'unkept'}.${provider}`)}</Box>
        {error && <Failure error={error} />}
      </SpaceBetween>
    </LeaveGuard>
  )
}

/** Goes back to the account, past the question above. */
export function LeaveButton() {
  const say = useTranslations('account.enrolment')
  const follow = useFollow()
  return (
    <Button variant="link" href={paths.account()} onFollow={follow}>
      {say('leave')}
    </Button>
  )
}

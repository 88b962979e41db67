import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { LeaveGuard } from '#components/forms/leave-guard'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import { useTakeBack } from './unproved'

const always = () => true

type EnrolmentGuardProps = {
  provider: TwoFactorProvider
  isKept: boolean
  /** Absent until the server has turned two factor on. */
  onTakenBack?: () => void
}

/** Asks before the user leaves an enrolment that is not proved. */
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

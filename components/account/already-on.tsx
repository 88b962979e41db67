import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { paths } from '#components/paths'
import { useTakeBack } from './take-back'

/** There is nothing to set up; whoever reloaded in the middle learns the way on. */
export const AlreadyOn = ({ canTakeBack }: { canTakeBack: boolean }) =>
  canTakeBack ? <Unproved /> : <Proved />

function Proved() {
  const say = useTranslations('account.enrolment.already')
  return (
    <Alert type="info" header={say('proved')} action={<ToAccount />}>
      {say('provedText')}
    </Alert>
  )
}

function Unproved() {
  const say = useTranslations('account.enrolment.already')
  const sayTwoFactor = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack()
  return (
    <SpaceBetween size="l">
      <Alert
        type="warning"
        header={say('unproved')}
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <ToAccount />
            <Button onClick={start} loading={isPending} loadingText={sayTwoFactor('turningOff')}>
              {say('anew')}
            </Button>
          </SpaceBetween>
        }
      >
        {say('unprovedText')}
      </Alert>
      {error && <Failure error={error} />}
    </SpaceBetween>
  )
}

function ToAccount() {
  const say = useTranslations('account.enrolment.already')
  const follow = useFollow()
  return (
    <Button href={paths.account()} onFollow={follow}>
      {say('toAccount')}
    </Button>
  )
}

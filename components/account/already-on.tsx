import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import type { SessionDocument } from '#lib/auth/session.schema'
import { useTakeBack } from './take-back'
import { ProveDialog } from './two-factor-dialogs'

/** There is nothing to set up; a reload in the middle of the enrolment ends here, and this is the way on. */
export const AlreadyOn = ({ session }: { session: SessionDocument }) =>
  session.canTakeBack || session.mustEnableTwoFactor ? <Unproved session={session} /> : <Proved />

function Proved() {
  const say = useTranslations('account.enrolment.already')
  return (
    <Alert type="info" header={say('proved')} action={<ToAccount />}>
      {say('provedText')}
    </Alert>
  )
}

function Unproved({ session }: { session: SessionDocument }) {
  const say = useTranslations('account.enrolment.already')
  const sayTwoFactor = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack()
  const [isProving, setProving] = useState(false)
  const close = () => setProving(false)
  return (
    <SpaceBetween size="l">
      <Alert
        type="warning"
        header={say('unproved')}
        action={
          <SpaceBetween direction="horizontal" size="xs">
            {session.mustEnableTwoFactor ? (
              <Button onClick={() => setProving(true)}>{sayTwoFactor('prove')}</Button>
            ) : (
              <ToAccount />
            )}
            {session.canTakeBack && (
              <Button onClick={start} loading={isPending} loadingText={sayTwoFactor('turningOff')}>
                {say('anew')}
              </Button>
            )}
          </SpaceBetween>
        }
      >
        {say(session.canTakeBack ? 'unprovedText' : 'unprovedElsewhere')}
      </Alert>
      {error && <Failure error={error} />}
      <ProveDialog session={session} visible={isProving} onCancel={close} onDone={close} />
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

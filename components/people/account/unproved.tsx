import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { LeaveGuard } from '#components/base/forms/leave-guard'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Button } from '#components/kit/button'
import { Row, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import type { SessionDocument, TwoFactorProvider } from '#lib/caller/auth/session.schema'
import { takeBackTwoFactor } from '#lib/people/identity/two-factor.queries'
import { ProveDialog } from './two-factor-dialogs'

/** In place of the enrolment where two factor is on already, as after a reload in the middle of it. */
export const AlreadyOn = ({ session }: { session: SessionDocument }) =>
  session.canTakeBack || session.mustEnableTwoFactor ? <Unproved session={session} /> : <Proved />

function Proved() {
  const say = useTranslations('account.enrolment.already')
  return (
    <Notice title={say('proved')} action={<ToAccount />}>
      {say('provedText')}
    </Notice>
  )
}

function Unproved({ session }: { session: SessionDocument }) {
  const say = useTranslations('account.enrolment.already')
  const sayTwoFactor = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack()
  const [isProving, setProving] = useState(false)
  const close = () => setProving(false)
  return (
    <Stack gap="l">
      <Notice
        kind="warn"
        title={say('unproved')}
        action={
          <Row>
            {session.mustEnableTwoFactor ? (
              <Button onPress={() => setProving(true)}>{sayTwoFactor('prove')}</Button>
            ) : (
              <ToAccount />
            )}
            {session.canTakeBack && (
              <Button busy={isPending} busyText={sayTwoFactor('turningOff')} onPress={start}>
                {say('anew')}
              </Button>
            )}
          </Row>
        }
      >
        {say(session.canTakeBack ? 'unprovedText' : 'unprovedElsewhere')}
      </Notice>
      {error && <Failure error={error} />}
      <ProveDialog session={session} visible={isProving} onCancel={close} onDone={close} />
    </Stack>
  )
}

function ToAccount() {
  const say = useTranslations('account.enrolment.already')
  return <AppButton to={paths.account()}>{say('toAccount')}</AppButton>
}

/** On the account page, after an unfinished enrolment: finish it, or undo it. */
export function UnprovedWarning({ onProve, onTakenBack }: { onProve: () => void; onTakenBack: () => void }) {
  const say = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack(onTakenBack)
  return (
    <Stack>
      <Notice
        kind="warn"
        title={say('unproved')}
        action={
          <Row>
            <Button busy={isPending} busyText={say('turningOff')} onPress={start}>
              {say('takeBack')}
            </Button>
            <Button onPress={onProve}>{say('prove')}</Button>
          </Row>
        }
      >
        {say('unprovedText')}
      </Notice>
      {error && <Failure error={error} />}
    </Stack>
  )
}

/** Undoes an enrolment that was never confirmed by a code. */
function useTakeBack(onTakenBack?: () => void) {
  const guard = useOneAtATime()
  const takeBack = useMutation({
    ...takeBackTwoFactor(),
    // Not a callback of `mutate`: the component that offers it may be unmounted by then.
    onSettled: (_data, error) => {
      if (!error) onTakenBack?.()
    },
  })
  const start = () => guard(() => takeBack.mutateAsync())
  return { start, isPending: takeBack.isPending, error: takeBack.error }
}

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
          <Button busy={isPending} busyText={sayTwoFactor('turningOff')} onPress={start}>
            {say('turnOff')}
          </Button>
        )
      }
    >
      <Stack>
        <div>{say.rich(`on.${provider}`, { strong: (inside) => <strong>{inside}</strong> })}</div>
        <div>{say(`${isKept ? 'unproved' : 'unkept'}.${provider}`)}</div>
        {error && <Failure error={error} />}
      </Stack>
    </LeaveGuard>
  )
}

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
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { takeBackTwoFactor } from '#lib/people/identity/two-factor.queries'
import { ProveDialog } from './two-factor-dialogs'

/** In place of the enrolment where two factor is on already and cannot be set up again here. */
export const AlreadyOn = ({ session }: { session: SessionDocument }) =>
  session.mustEnableTwoFactor ? <CodeOwed session={session} /> : <Proved />

function Proved() {
  const say = useTranslations('account.enrolment.already')
  return (
    <Notice title={say('proved')} action={<AppButton to={paths.account()}>{say('toAccount')}</AppButton>}>
      {say('provedText')}
    </Notice>
  )
}

/** Two factor was set up elsewhere, and this session has sent no code yet. */
function CodeOwed({ session }: { session: SessionDocument }) {
  const say = useTranslations('account.enrolment.already')
  const sayTwoFactor = useTranslations('account.twoFactor')
  const [isProving, setProving] = useState(false)
  const close = () => setProving(false)
  return (
    <>
      <Notice
        kind="warn"
        title={say('unproved')}
        action={<Button onPress={() => setProving(true)}>{sayTwoFactor('prove')}</Button>}
      >
        {say('unprovedElsewhere')}
      </Notice>
      <ProveDialog session={session} visible={isProving} onCancel={close} onDone={close} />
    </>
  )
}

type UnfinishedProps = {
  session: SessionDocument
  /** The link to the enrolment, on other screens. */
  isElsewhere?: boolean
  onTakenBack: () => void
}

/** After an enrolment that was left before a code was right: go on, or undo it. */
export function Unfinished({ session, isElsewhere = false, onTakenBack }: UnfinishedProps) {
  const say = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack(onTakenBack)
  return (
    <Stack>
      <Notice
        kind="warn"
        title={say('unfinished')}
        action={
          <Row>
            {session.canTakeBack && (
              <Button busy={isPending} busyText={say('turningOff')} onPress={start}>
                {say('takeBack')}
              </Button>
            )}
            {isElsewhere && <AppButton to={paths.twoFactor()}>{say('goOn')}</AppButton>}
          </Row>
        }
      >
        {say('unfinishedText')}
      </Notice>
      {error && <Failure error={error} />}
    </Stack>
  )
}

/** Undoes an enrolment that was never confirmed by a code. */
function useTakeBack(onTakenBack: (() => void) | undefined) {
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
  /** A code was right. */
  isProved: boolean
  /** Absent until the server has made the key. */
  onTakenBack?: () => void
}

/** Asks before the user leaves an enrolment whose code or scratch codes are missing. */
export function EnrolmentGuard({ isProved, onTakenBack }: EnrolmentGuardProps) {
  const say = useTranslations('account.enrolment.leaving')
  const sayTwoFactor = useTranslations('account.twoFactor')
  const { start, isPending, error } = useTakeBack(onTakenBack)
  return (
    <LeaveGuard
      loses={always}
      header={say('title')}
      otherWay={
        onTakenBack &&
        !isProved && (
          <Button busy={isPending} busyText={sayTwoFactor('turningOff')} onPress={start}>
            {say('turnOff')}
          </Button>
        )
      }
    >
      <Stack>
        <div>{say(isProved ? 'unkept' : 'unproved')}</div>
        {error && <Failure error={error} />}
      </Stack>
    </LeaveGuard>
  )
}

import { useMutation, useMutationState } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { mailCode, mailedCodes } from '#lib/people/identity/two-factor.queries'
import { useSecondsLeft } from './waiting-time'

/** Codes by mail, and the seconds until another may be sent. All parts of the console share the wait. */
export function useCodeMail() {
  const mail = useMutation(mailCode())
  const times = useMutationState({ filters: mailedCodes, select: ({ state }) => Number(state.data) })
  const wait = useSecondsLeft(Math.max(0, ...times))
  return { mail, wait }
}

type SendCodeProps = ReturnType<typeof useCodeMail> & {
  email: string
  /** Takes the focus as its dialog opens, unless a code was just sent. */
  takesFocus?: boolean
  onSent: () => void
}

/** The button that sends a code by mail, with the address. */
export function SendCode({ mail, wait, email, takesFocus = false, onSent }: SendCodeProps) {
  const say = useTranslations('account.code.mail')
  const guard = useOneAtATime()
  const state = mail.isSuccess ? 'sent' : wait > 0 ? 'sentBefore' : 'unsent'
  const send = () => {
    if (wait === 0) guard(() => mail.mutateAsync(undefined, { onSuccess: onSent }))
  }
  return (
    <Stack>
      <div role="status">{say.rich(state, { email: () => <strong>{email}</strong> })}</div>
      <Button
        icon={screenIcons.envelope}
        disabled={wait > 0}
        busy={mail.isPending}
        busyText={say('sending')}
        onPress={send}
        autoFocus={takesFocus && wait === 0}
      >
        {wait > 0 ? say('anotherIn', { seconds: wait }) : say(state === 'unsent' ? 'send' : 'another')}
      </Button>
      {mail.isError && <Failure error={mail.error} />}
    </Stack>
  )
}

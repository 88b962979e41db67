import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useTitle } from '#components/layout/title'
import { requestPasswordReset, signInWaysQuery } from '#lib/auth/session.queries'
import { ApiFailure } from '#lib/client/api'
import { useFieldFocus } from '../layout/use-field-focus'
import { waitAfter } from './attempt'
import { Card, Heading, Outcome } from './card'
import { usePlace } from './place'
import { BackToSignIn } from './place-link'
import { SendForm } from './send-form'
import { useCountdown } from './use-countdown'

/** Has a link for a new password mailed. */
export function ForgotPassword() {
  const { data: ways } = useQuery(signInWaysQuery)
  const [outcome, setOutcome] = useState<'mailed' | 'no-mail'>()
  useTitle('Forgot your password')
  return (
    <Card>
      <SpaceBetween size="l">
        {outcome === 'mailed' ? (
          <Mailed />
        ) : outcome === 'no-mail' || ways?.passwordReset === false ? (
          <NoMail />
        ) : (
          <AskForLink onMailed={() => setOutcome('mailed')} onNoMail={() => setOutcome('no-mail')} />
        )}
        <BackToSignIn />
      </SpaceBetween>
    </Card>
  )
}

const Mailed = () => (
  <Outcome title="Look into your mail">
    If there is such a user with an e-mail address, a link is on its way. It is good for 30 minutes.
  </Outcome>
)

const NoMail = () => (
  <Outcome title="This does not work here">
    This installation sends no mail. Ask your administrator for a new password.
  </Outcome>
)

type AskForLinkProps = { onMailed: () => void; onNoMail: () => void }

function AskForLink({ onMailed, onNoMail }: AskForLinkProps) {
  const { handed } = usePlace()
  const form = useRef<HTMLFormElement>(null)
  const [nick, setNick] = useState(handed.nick ?? '')
  const [fault, setFault] = useState<{ nick: string }>()
  const [wait, beginWait] = useCountdown()
  const { error, isPending, mutate } = useMutation({
    mutationFn: requestPasswordReset,
    gcTime: 0,
    onSuccess: onMailed,
    onError: (refused) => {
      beginWait(waitAfter(refused) ?? 0)
      if (refused instanceof ApiFailure && refused.has('SIGN-IN-6')) onNoMail()
    },
  })
  useFieldFocus(form, 'shown')
  useFieldFocus(form, fault)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || wait > 0) return
    const isEmpty = nick.trim() === ''
    setFault(isEmpty ? { nick: 'Enter your nick.' } : undefined)
    if (!isEmpty) mutate({ nick })
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      <SpaceBetween size="l">
        <Heading title="Forgot your password?">
          Tell us your nick, and we mail you a link to set a new one.
        </Heading>
        <FormField label="Nick" errorText={fault?.nick} i18nStrings={{ errorIconAriaLabel: 'Error' }}>
          <Input
            name="nick"
            autoComplete="username"
            disableBrowserAutocorrect
            spellcheck={false}
            readOnly={isPending}
            value={nick}
            onChange={({ detail }) => setNick(detail.value)}
          />
        </FormField>
        <SendForm
          text="Mail me a link"
          loadingText="Asking for a link"
          isSending={isPending}
          failure={waitAfter(error) ? null : error}
          wait={wait}
          tooMany="Too many links were asked for from here."
        />
      </SpaceBetween>
    </form>
  )
}

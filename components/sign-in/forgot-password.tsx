import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFieldFocus } from '#components/forms/use-field-focus'
import { useTitle } from '#components/layout/title'
import { useCountdown } from '#components/session/waiting-time'
import { requestPasswordReset, signInWaysQuery } from '#lib/auth/session.queries'
import { ApiFailure } from '#lib/client/api'
import { waitAfter } from './attempt'
import { Card, Heading, Outcome } from './card'
import { NickField } from './nick-field'
import { usePlace } from './place'
import { BackToSignIn } from './place-link'
import { SendForm } from './send-form'

/** Sends a mail with a link to set a new password. */
export function ForgotPassword() {
  const { data: ways } = useQuery(signInWaysQuery)
  const [outcome, setOutcome] = useState<'mailed' | 'no-mail'>()
  useTitle(useTranslations('signIn.forgot')('tab'))
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

function Mailed() {
  const say = useTranslations('signIn.forgot')
  return <Outcome title={say('mailed')}>{say('mailedLead')}</Outcome>
}

function NoMail() {
  const say = useTranslations('signIn.forgot')
  return <Outcome title={say('noMail')}>{say('noMailLead')}</Outcome>
}

type AskForLinkProps = { onMailed: () => void; onNoMail: () => void }

function AskForLink({ onMailed, onNoMail }: AskForLinkProps) {
  const { handed } = usePlace()
  const say = useTranslations('signIn')
  const sayForgot = useTranslations('signIn.forgot')
  const form = useRef<HTMLFormElement>(null)
  const [nick, setNick] = useState(handed.nick ?? '')
  const [fault, setFault] = useState<{ nick: 'missing' }>()
  const [wait, beginWait] = useCountdown()
  const { error, isPending, mutate } = useMutation({
    mutationFn: requestPasswordReset,
    gcTime: 0,
    onSuccess: onMailed,
    onError: (refused) => {
      beginWait(waitAfter(refused) ?? 0)
      if (refused instanceof ApiFailure && refused.has('SIGN-IN-8')) onNoMail()
    },
  })
  useFieldFocus(form, 'shown')
  useFieldFocus(form, fault)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || wait > 0) return
    const isEmpty = nick.trim() === ''
    setFault(isEmpty ? { nick: 'missing' } : undefined)
    if (!isEmpty) mutate({ nick })
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      <SpaceBetween size="l">
        <Heading title={sayForgot('title')}>{sayForgot('lead')}</Heading>
        <NickField
          error={fault && say('missing.nick')}
          readOnly={isPending}
          value={nick}
          onChange={setNick}
        />
        <SendForm
          text={sayForgot('send')}
          loadingText={sayForgot('busy')}
          isSending={isPending}
          failure={waitAfter(error) ? null : error}
          wait={wait}
          tooMany={sayForgot('tooMany')}
        />
      </SpaceBetween>
    </form>
  )
}

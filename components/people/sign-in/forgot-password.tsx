import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import { useAttemptForm } from '#components/base/session/use-attempt-form'
import { OpenPage } from '#components/frame/layout/open-page'
import { useTitle } from '#components/frame/layout/title'
import { requestPasswordReset, signInWaysQuery } from '#lib/caller/auth/session.queries'
import { ApiFailure } from '#lib/client/api'
import { Heading, Outcome } from './heading'
import { NickField } from './nick-field'
import { usePlace } from './place'
import { BackToSignIn } from './place-link'
import { SendForm } from './send-form'
import styles from './sign-in.module.css'

/** Sends a mail with a link to set a new password. */
export function ForgotPassword() {
  const { data: ways } = useQuery(signInWaysQuery)
  const [outcome, setOutcome] = useState<'mailed' | 'no-mail'>()
  useTitle(useTranslations('signIn.forgot')('tab'))
  return (
    <OpenPage>
      <div className={styles.stack}>
        {outcome === 'mailed' ? (
          <Mailed />
        ) : outcome === 'no-mail' || ways?.passwordReset === false ? (
          <NoMail />
        ) : (
          <AskForLink onMailed={() => setOutcome('mailed')} onNoMail={() => setOutcome('no-mail')} />
        )}
        <BackToSignIn />
      </div>
    </OpenPage>
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
  const { form, field, ...attempt } = useAttemptForm({
    first: { nick: handed.nick ?? '' },
    mutation: useMutation({
      mutationFn: requestPasswordReset,
      gcTime: 0,
      onSuccess: onMailed,
      onError: (error) => error instanceof ApiFailure && error.has('SIGN-IN-8') && onNoMail(),
    }),
    check: ({ nick }): { nick?: string } => (nick.trim() === '' ? { nick: say('missing.nick') } : {}),
  })
  useFieldFocus(form.ref, 'shown')
  return (
    <form {...form} className={styles.stack}>
      <Heading title={sayForgot('title')}>{sayForgot('lead')}</Heading>
      <NickField {...field('nick')} />
      <SendForm
        {...attempt}
        text={sayForgot('send')}
        loadingText={sayForgot('busy')}
        tooMany={sayForgot('tooMany')}
      />
    </form>
  )
}

import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { CodeField, useCodeForm } from '#components/base/session/code-form'
import { SendCode, useCodeMail } from '#components/base/session/send-code'
import { isFreshCode } from '#components/base/session/verification-code'
import { Stack } from '#components/kit/layout'
import type { TwoFactorProvider } from '#lib/caller/auth/session.schema'
import { proveCode } from '#lib/people/identity/two-factor.queries'
import { StepFrame } from './step-frame'
import styles from './two-factor.module.css'

type ProofForm = ReturnType<typeof useCodeForm>

export const useProof = (onProved: () => void): ProofForm =>
  useCodeForm({ accepts: isFreshCode, mutation: useMutation(proveCode()), onAccepted: onProved })

type ProofFrameProps = {
  form: ProofForm
  provider: TwoFactorProvider
  step: 'app' | 'proof'
  description: string
  children: ReactNode
}

/** The step that ends with the first right code, which turns two factor on. */
export function ProofFrame({ form, provider, step, description, children }: ProofFrameProps) {
  const say = useTranslations('account.enrolment')
  return (
    <StepFrame
      provider={provider}
      step={step}
      focusHeading={step === 'app'}
      description={description}
      back={{ label: say('leave') }}
      next={{
        label: say('proof.turnOn'),
        busyLabel: say('proof.checking'),
        isBusy: form.isPending,
        isDisabled: form.wait > 0,
      }}
      onNext={form.submit}
    >
      {children}
    </StepFrame>
  )
}

type CodeProps = {
  form: ProofForm
  provider: TwoFactorProvider
  /** Where the code comes from. */
  source: string
  hints: ReactNode
  autoFocus?: boolean
}

export function Code({ form, provider, source, hints, autoFocus = false }: CodeProps) {
  const say = useTranslations('account.enrolment.proof')
  const sayCode = useTranslations('account.code')
  return (
    <CodeField
      form={form}
      description={source}
      incomplete={sayCode(`notFresh.${provider}`)}
      wrong={say('wrong')}
      hints={hints}
      autoFocus={autoFocus}
    />
  )
}

/** Mails a first code as it opens. */
export function MailStep({ email, onProved }: { email: string; onProved: () => void }) {
  const say = useTranslations('account.enrolment.proof')
  const form = useProof(onProved)
  const codeMail = useCodeMail()
  const guard = useOneAtATime()
  const { isIdle, mutateAsync } = codeMail.mail
  useEffect(() => {
    if (isIdle) guard(() => mutateAsync())
  }, [isIdle, mutateAsync, guard])
  return (
    <ProofFrame form={form} provider="EMAIL" step="proof" description={say('about')}>
      <Stack gap="l">
        <SendCode {...codeMail} email={email} onSent={() => form.input.current?.focus()} />
        <Code form={form} provider="EMAIL" source={say('fromMail')} hints={<MailHints />} autoFocus />
      </Stack>
    </ProofFrame>
  )
}

export function AppHints() {
  const say = useTranslations('account.enrolment.proof')
  return (
    <div className={styles.helps}>
      <h3>{say('helps')}</h3>
      <ul>
        <li>{say('helpsApp.newest')}</li>
        <li>{say('helpsApp.clock')}</li>
        <li>{say('helpsApp.entry')}</li>
      </ul>
    </div>
  )
}

function MailHints() {
  const say = useTranslations('account.enrolment.proof')
  return (
    <div className={styles.helps}>
      <h3>{say('helps')}</h3>
      <ul>
        <li>{say('helpsMail.newest')}</li>
        <li>{say('helpsMail.dead')}</li>
        <li>{say('helpsMail.unwanted')}</li>
      </ul>
    </div>
  )
}

import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { CodeField, useCodeForm } from '#components/base/session/code-form'
import { isFreshCode } from '#components/base/session/verification-code'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import type { TwoFactorProvider } from '#lib/caller/auth/session.schema'
import { proveCode } from '#lib/people/identity/two-factor.queries'
import { StepFrame } from './step-frame'
import styles from './two-factor.module.css'

type ProofStepProps = {
  provider: TwoFactorProvider
  /** The description of the field: where the code comes from. */
  source: string
  /** The button that sends a code, for codes by mail. */
  sender?: (onSent: () => void) => ReactNode
  hints: ReactNode
  onBack: () => void
  onProved: () => void
}

export function ProofStep({ provider, source, sender, hints, onBack, onProved }: ProofStepProps) {
  const say = useTranslations('account.enrolment.proof')
  const sayCode = useTranslations('account.code')
  const sayCommon = useTranslations('common')
  const prove = useMutation(proveCode())
  const form = useCodeForm({ accepts: isFreshCode, mutation: prove, onAccepted: onProved })
  return (
    <StepFrame
      provider={provider}
      step="proof"
      description={say('about')}
      back={{ label: sayCommon('back'), onClick: onBack }}
      next={{
        label: say('finish'),
        busyLabel: say('checking'),
        isBusy: prove.isPending,
        isDisabled: form.wait > 0,
      }}
      onNext={form.submit}
    >
      <Stack gap="l">
        {sender?.(() => form.input.current?.focus())}
        <CodeField
          form={form}
          description={source}
          incomplete={sayCode(`notFresh.${provider}`)}
          wrong={say('wrong')}
          hints={hints}
          autoFocus
        />
      </Stack>
    </StepFrame>
  )
}

export function AppHints({ onScanAgain }: { onScanAgain: () => void }) {
  const say = useTranslations('account.enrolment.proof')
  return (
    <Stack>
      <div className={styles.helps}>
        <h3>{say('helps')}</h3>
        <ul>
          <li>{say('helpsApp.newest')}</li>
          <li>{say('helpsApp.clock')}</li>
          <li>{say('helpsApp.entry')}</li>
        </ul>
      </div>
      <Button onPress={onScanAgain}>{say('qrAgain')}</Button>
    </Stack>
  )
}

export function MailHints() {
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

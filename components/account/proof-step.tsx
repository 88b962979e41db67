import Button from '@cloudscape-design/components/button'
import type { InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TextContent from '@cloudscape-design/components/text-content'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { CodeForm } from '#components/session/code-form'
import { useWait } from '#components/session/too-many'
import { isFreshCode } from '#components/session/verification-code'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import { proveCode } from '#lib/auth/two-factor.queries'
import { StepFrame } from './step-frame'

const formId = 'prove-a-code'

type ProofStepProps = {
  provider: TwoFactorProvider
  /** Where the code comes from, said exactly. */
  source: string
  /** What brings the code, if it does not come by itself. */
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
  const wait = useWait(prove)
  const input = useRef<InputProps.Ref>(null)
  return (
    <StepFrame
      provider={provider}
      step="proof"
      description={say('about')}
      actions={
        <>
          <Button variant="link" onClick={onBack}>
            {sayCommon('back')}
          </Button>
          <Button
            variant="primary"
            form={formId}
            loading={prove.isPending}
            loadingText={say('checking')}
            disabled={wait > 0}
          >
            {say('finish')}
          </Button>
        </>
      }
    >
      <SpaceBetween size="l">
        {sender?.(() => input.current?.focus())}
        <CodeForm
          id={formId}
          description={source}
          accepts={isFreshCode}
          incomplete={sayCode(`notFresh.${provider}`)}
          wrong={say('wrong')}
          hints={hints}
          input={input}
          autoFocus
          mutation={prove}
          wait={wait}
          onAccepted={onProved}
        />
      </SpaceBetween>
    </StepFrame>
  )
}

export function AppHints({ onScanAgain }: { onScanAgain: () => void }) {
  const say = useTranslations('account.enrolment.proof')
  return (
    <SpaceBetween size="m">
      <TextContent>
        <h3>{say('helps')}</h3>
        <ul>
          <li>{say('helpsApp.newest')}</li>
          <li>{say('helpsApp.clock')}</li>
          <li>{say('helpsApp.entry')}</li>
        </ul>
      </TextContent>
      <Button onClick={onScanAgain}>{say('qrAgain')}</Button>
    </SpaceBetween>
  )
}

export function MailHints() {
  const say = useTranslations('account.enrolment.proof')
  return (
    <TextContent>
      <h3>{say('helps')}</h3>
      <ul>
        <li>{say('helpsMail.newest')}</li>
        <li>{say('helpsMail.dead')}</li>
        <li>{say('helpsMail.unwanted')}</li>
      </ul>
    </TextContent>
  )
}

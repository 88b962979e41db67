import Button from '@cloudscape-design/components/button'
import type { InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TextContent from '@cloudscape-design/components/text-content'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import { proveCode } from '#lib/auth/two-factor.queries'
import { CodeForm } from './code-form'
import { codeWords } from './code-words'
import { StepFrame } from './step-frame'
import { useWait } from './too-many'
import { isFreshCode } from './verification-code'

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
  const prove = useMutation(proveCode())
  const wait = useWait(prove)
  const input = useRef<InputProps.Ref>(null)
  return (
    <StepFrame
      provider={provider}
      step="proof"
      description="The last step: see that the right codes reach you, so that your next sign-in works."
      actions={
        <>
          <Button variant="link" onClick={onBack}>
            Back
          </Button>
          <Button
            variant="primary"
            form={formId}
            loading={prove.isPending}
            loadingText="Checking"
            disabled={wait > 0}
          >
            Finish
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
          incomplete={codeWords[provider].notFresh}
          wrong="This code is not right. What helps is said below."
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

export const AppHints = ({ onScanAgain }: { onScanAgain: () => void }) => (
  <SpaceBetween size="m">
    <TextContent>
      <h3>What helps</h3>
      <ul>
        <li>Type the newest code: it changes every 30 seconds, and each works once.</li>
        <li>Let your phone set its clock by itself: a clock that is a minute off gives wrong codes.</li>
        <li>Have you more than one entry for this account? Delete the older one.</li>
      </ul>
    </TextContent>
    <Button onClick={onScanAgain}>Show the QR code again</Button>
  </SpaceBetween>
)

export const MailHints = () => (
  <TextContent>
    <h3>What helps</h3>
    <ul>
      <li>Take the newest mail: once another code is sent, the one before works no more.</li>
      <li>After five wrong tries, or ten minutes, a code is dead: have another one sent.</li>
      <li>Does no mail come? Look among the unwanted mail.</li>
    </ul>
  </TextContent>
)

import Button from '@cloudscape-design/components/button'
import type { InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TextContent from '@cloudscape-design/components/text-content'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { proveCode } from '#lib/auth/two-factor.queries'
import { CodeForm } from './code-form'
import type { ScratchCodeOwner } from './scratch-codes'
import { StepFrame } from './step-frame'
import { isAppCode } from './verification-code'

const formId = 'prove-a-code'

type ProofStepProps = {
  owner: ScratchCodeOwner
  onBack: () => void
  onScanAgain: () => void
  onProved: () => void
}

export function ProofStep({ owner, onBack, onScanAgain, onProved }: ProofStepProps) {
  const prove = useMutation(proveCode())
  const input = useRef<InputProps.Ref>(null)
  return (
    <StepFrame
      step="proof"
      description="The last step: see that your app gives the right codes, so that your next sign-in works."
      actions={
        <>
          <Button variant="link" onClick={onBack}>
            Back
          </Button>
          <Button variant="primary" form={formId} loading={prove.isPending} loadingText="Checking">
            Finish
          </Button>
        </>
      }
    >
      <CodeForm
        id={formId}
        label="Verification code"
        description={`The six digits that your app shows now for ${owner.account}${owner.issuer && ` at ${owner.issuer}`}.`}
        accepts={isAppCode}
        incomplete="Type the six digits that your app shows."
        wrong="This code is not right. What helps is said below."
        hints={<Hints onScanAgain={onScanAgain} />}
        input={input}
        autoFocus
        mutation={prove}
        onAccepted={onProved}
      />
    </StepFrame>
  )
}

const Hints = ({ onScanAgain }: { onScanAgain: () => void }) => (
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

import Button from '@cloudscape-design/components/button'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import { LeaveButton } from './leave-guard'
import type { ScratchCodeOwner } from './scratch-codes'
import { ScratchCodes } from './scratch-codes-list'
import { StepFrame } from './step-frame'

type CodesStepProps = {
  provider: TwoFactorProvider
  codes: readonly string[]
  owner: ScratchCodeOwner
  /** Absent at the first step after the choice, which cannot be made again. */
  onBack?: () => void
  onNext: () => void
}

export const CodesStep = ({ provider, codes, owner, onBack, onNext }: CodesStepProps) => (
  <StepFrame
    provider={provider}
    step="codes"
    focusHeading
    description={`Each of these signs you in once when ${misfortunes[provider]}. They are shown only now: keep them in a safe place.`}
    actions={
      <>
        {onBack ? (
          <Button variant="link" onClick={onBack}>
            Back
          </Button>
        ) : (
          <LeaveButton />
        )}
        <Button variant="primary" onClick={onNext}>
          Next
        </Button>
      </>
    }
  >
    <ScratchCodes codes={codes} owner={owner} />
  </StepFrame>
)

const misfortunes: Record<TwoFactorProvider, string> = {
  APP_AUTHENTICATOR: 'your phone is lost or broken',
  EMAIL: 'no mail reaches you',
}

import Button from '@cloudscape-design/components/button'
import { useTranslations } from 'use-intl'
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

export function CodesStep({ provider, codes, owner, onBack, onNext }: CodesStepProps) {
  const say = useTranslations('account.enrolment.codes')
  const sayCommon = useTranslations('common')
  return (
    <StepFrame
      provider={provider}
      step="codes"
      focusHeading
      description={say(`about.${provider}`)}
      actions={
        <>
          {onBack ? (
            <Button variant="link" onClick={onBack}>
              {sayCommon('back')}
            </Button>
          ) : (
            <LeaveButton />
          )}
          <Button variant="primary" onClick={onNext}>
            {sayCommon('next')}
          </Button>
        </>
      }
    >
      <ScratchCodes codes={codes} owner={owner} />
    </StepFrame>
  )
}

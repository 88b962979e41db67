import { useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { paths } from '#components/base/screens/paths'
import type { SessionDocument, TwoFactorCredentials } from '#lib/caller/auth/session.schema'
import { AppStep } from './app-step'
import { readAuthenticatorUrl } from './authenticator-url'
import { KeptStep } from './kept-step'
import { MailStep } from './proof-step'
import { ScratchCodes } from './scratch-codes-list'
import { StepFrame } from './step-frame'
import { EnrolmentGuard } from './unproved'

type EnrolmentStep = 'proof' | 'codes' | 'kept' | 'end'

type EnrolmentProps = {
  credentials: TwoFactorCredentials
  session: SessionDocument
  /** Two factor is off again, as before the enrolment. */
  onTakenBack: () => void
}

/** Sign-in asks for codes once the first one was right. The next steps make sure that the user keeps the scratch codes. */
export function Enrolment({ credentials, session, onTakenBack }: EnrolmentProps) {
  const { provider, authenticatorURL = '', scratchCodes = [] } = credentials
  const say = useTranslations('account.enrolment')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
  const [step, setStep] = useState<EnrolmentStep>('proof')
  const [codeToType] = useState(() => Math.floor(Math.random() * scratchCodes.length))
  const key = readAuthenticatorUrl(authenticatorURL)
  const owner = {
    issuer: key?.issuer ?? '',
    account: key?.account ?? session.nick,
    host: window.location.host,
  }
  const proved = () => {
    notify(say(`proof.done.${provider}`))
    setStep('codes')
  }
  if (step === 'end') return <Navigate to={paths.account()} replace />
  return (
    <>
      <EnrolmentGuard isProved={step !== 'proof'} onTakenBack={onTakenBack} />
      {step === 'proof' &&
        (provider === 'EMAIL' ? (
          <MailStep email={session.email} onProved={proved} />
        ) : (
          <AppStep address={authenticatorURL} authenticatorKey={key} onProved={proved} />
        ))}
      {step === 'codes' && (
        <StepFrame
          provider={provider}
          step="codes"
          focusHeading
          description={say(`codes.about.${provider}`)}
          back={{ label: say('leave') }}
          next={{ label: sayCommon('next') }}
          onNext={() => setStep('kept')}
        >
          <ScratchCodes codes={scratchCodes} owner={owner} />
        </StepFrame>
      )}
      {step === 'kept' && (
        <KeptStep
          provider={provider}
          codes={scratchCodes}
          indexToType={codeToType}
          onBack={() => setStep('codes')}
          onKept={() => setStep('end')}
        />
      )}
    </>
  )
}

import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { paths } from '#components/base/screens/paths'
import { SendCode, useCodeMail } from '#components/base/session/send-code'
import type { SessionDocument, TwoFactorCredentials } from '#lib/caller/auth/session.schema'
import { AppStep } from './app-step'
import { readAuthenticatorUrl } from './authenticator-url'
import { KeptStep } from './kept-step'
import { AppHints, MailHints, ProofStep } from './proof-step'
import { ScratchCodes } from './scratch-codes-list'
import { StepFrame } from './step-frame'
import { EnrolmentGuard } from './unproved'

type EnrolmentStep = 'app' | 'codes' | 'kept' | 'proof'

type EnrolmentProps = {
  credentials: TwoFactorCredentials
  session: SessionDocument
  /** Two factor is off again, as before the enrolment. */
  onTakenBack: () => void
}

/** Two factor is already on at the server. These steps make sure that the user can sign in with it. */
export function Enrolment({ credentials, session, onTakenBack }: EnrolmentProps) {
  const { provider, authenticatorURL = '', scratchCodes = [] } = credentials
  const byMail = provider === 'EMAIL'
  const say = useTranslations('account.enrolment')
  const notify = useFlash()
  const [step, setStep] = useState<EnrolmentStep>(byMail ? 'codes' : 'app')
  const [codeToType] = useState(() => Math.floor(Math.random() * scratchCodes.length))
  const [isKept, setKept] = useState(false)
  const [isProved, setProved] = useState(false)
  const codeMail = useCodeMail()
  const guard = useOneAtATime()
  const key = readAuthenticatorUrl(authenticatorURL)
  const owner = {
    issuer: key?.issuer ?? '',
    account: key?.account ?? session.nick,
    host: window.location.host,
  }

  const toProof = () => {
    setKept(true)
    setStep('proof')
    if (byMail && codeMail.mail.isIdle) guard(() => codeMail.mail.mutateAsync())
  }
  const finish = () => {
    notify(say(`proof.done.${provider}`))
    setProved(true)
  }
  return (
    <>
      {isProved ? (
        <Navigate to={paths.account()} replace />
      ) : (
        <EnrolmentGuard provider={provider} isKept={isKept} onTakenBack={onTakenBack} />
      )}
      {step === 'app' && (
        <AppStep address={authenticatorURL} authenticatorKey={key} onNext={() => setStep('codes')} />
      )}
      {step === 'codes' && (
        <CodesStep
          provider={provider}
          onBack={() => setStep('app')}
          onNext={isKept ? toProof : () => setStep('kept')}
        >
          <ScratchCodes codes={scratchCodes} owner={owner} />
        </CodesStep>
      )}
      {step === 'kept' && (
        <KeptStep
          provider={provider}
          codes={scratchCodes}
          indexToType={codeToType}
          onBack={() => setStep('codes')}
          onKept={toProof}
        />
      )}
      {step === 'proof' && (
        <ProofStep
          provider={provider}
          onBack={() => setStep('codes')}
          onProved={finish}
          source={
            byMail ? say('proof.fromMail') : say(owner.issuer ? 'proof.fromAppAt' : 'proof.fromApp', owner)
          }
          sender={
            byMail ? (onSent) => <SendCode {...codeMail} email={session.email} onSent={onSent} /> : undefined
          }
          hints={byMail ? <MailHints /> : <AppHints onScanAgain={() => setStep('app')} />}
        />
      )}
    </>
  )
}

type CodesStepProps = {
  provider: TwoFactorCredentials['provider']
  onBack: () => void
  onNext: () => void
  children: ReactNode
}

function CodesStep({ provider, onBack, onNext, children }: CodesStepProps) {
  const say = useTranslations('account.enrolment')
  const sayCommon = useTranslations('common')
  // By mail this is the first step: the choice of the provider cannot be made again.
  const back = provider === 'EMAIL' ? { label: say('leave') } : { label: sayCommon('back'), onClick: onBack }
  return (
    <StepFrame
      provider={provider}
      step="codes"
      focusHeading
      description={say(`codes.about.${provider}`)}
      back={back}
      next={{ label: sayCommon('next') }}
      onNext={onNext}
    >
      {children}
    </StepFrame>
  )
}

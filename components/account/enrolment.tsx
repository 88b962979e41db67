import { useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { paths } from '#components/screens/paths'
import { SendCode, useCodeMail } from '#components/session/send-code'
import type { SessionDocument, TwoFactorCredentials } from '#lib/auth/session.schema'
import { AppStep } from './app-step'
import { readAuthenticatorUrl } from './authenticator-url'
import { KeptStep } from './kept-step'
import { AppHints, MailHints, ProofStep } from './proof-step'
import { ScratchCodes } from './scratch-codes-list'
import { StepFrame } from './step-frame'
import { EnrolmentGuard } from './unproved'

type Step = 'app' | 'codes' | 'kept' | 'proof'

type EnrolmentProps = {
  credentials: TwoFactorCredentials
  session: SessionDocument
  /** Two factor is off again, as before the enrolment. */
  onTakenBack: () => void
}

/** Two factor is already on at the server. These steps make sure that the user can sign in with it. */
export function Enrolment({ credentials, session, onTakenBack }: EnrolmentProps) {
  const { provider, authenticatorURL = '', scratchCodes } = credentials
  const byMail = provider === 'EMAIL'
  const say = useTranslations('account.enrolment')
  const sayCommon = useTranslations('common')
  const notify = useFlash()
  const [step, setStep] = useState<Step>(byMail ? 'codes' : 'app')
  const [codeToType] = useState(() => Math.floor(Math.random() * scratchCodes.length))
  const [isKept, setKept] = useState(false)
  const [isProved, setProved] = useState(false)
  const codeMail = useCodeMail()
  const key = readAuthenticatorUrl(authenticatorURL)
  const owner = {
    issuer: key?.issuer ?? '',
    account: key?.account ?? session.nick,
    host: window.location.host,
  }

  const toProof = () => {
    setKept(true)
    setStep('proof')
    if (byMail && codeMail.mail.isIdle) codeMail.mail.mutate()
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
        <StepFrame
          provider={provider}
          step="codes"
          focusHeading
          description={say(`codes.about.${provider}`)}
          // By mail it is the first step after the choice of the provider, which cannot be made again.
          back={
            byMail ? { label: say('leave') } : { label: sayCommon('back'), onClick: () => setStep('app') }
          }
          next={{ label: sayCommon('next') }}
          onNext={isKept ? toProof : () => setStep('kept')}
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
          onKept={toProof}
        />
      )}
      {step === 'proof' && (
        <ProofStep
          provider={provider}
          onBack={() => setStep('codes')}
          onProved={finish}
          {...(byMail
            ? {
                source: say('proof.fromMail'),
                sender: (onSent) => <SendCode {...codeMail} email={session.email} onSent={onSent} />,
                hints: <MailHints />,
              }
            : {
                source: say(owner.issuer ? 'proof.fromAppAt' : 'proof.fromApp', owner),
                hints: <AppHints onScanAgain={() => setStep('app')} />,
              })}
        />
      )}
    </>
  )
}

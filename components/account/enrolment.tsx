import { useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { paths } from '#components/screens/paths'
import { SendCode, useCodeMail } from '#components/session/send-code'
import type { SessionDocument, TwoFactorCredentials } from '#lib/auth/session.schema'
import { AppStep } from './app-step'
import { readAuthenticatorUrl } from './authenticator-url'
import { CodesStep } from './codes-step'
import { KeptStep } from './kept-step'
import { EnrolmentGuard } from './leave-guard'
import { AppHints, MailHints, ProofStep } from './proof-step'

type Step = 'app' | 'codes' | 'kept' | 'proof'

type EnrolmentProps = {
  credentials: TwoFactorCredentials
  session: SessionDocument
  /** It is off again, as it was before. */
  onTakenBack: () => void
}

/** Two factor is on at the server; these steps see to it that its user can still sign in tomorrow. */
export function Enrolment({ credentials, session, onTakenBack }: EnrolmentProps) {
  const { provider, authenticatorURL = '', scratchCodes } = credentials
  const byMail = provider === 'EMAIL'
  const say = useTranslations('account.enrolment.proof')
  const notify = useFlash()
  const [step, setStep] = useState<Step>(byMail ? 'codes' : 'app')
  const [asked] = useState(() => Math.floor(Math.random() * scratchCodes.length))
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
    notify({ type: 'success', content: say(`done.${provider}`) })
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
          codes={scratchCodes}
          owner={owner}
          {...(!byMail && { onBack: () => setStep('app') })}
          onNext={isKept ? toProof : () => setStep('kept')}
        />
      )}
      {step === 'kept' && (
        <KeptStep
          provider={provider}
          codes={scratchCodes}
          asked={asked}
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
                source: say('fromMail'),
                sender: (onSent) => <SendCode {...codeMail} email={session.email} onSent={onSent} />,
                hints: <MailHints />,
              }
            : {
                source: say(owner.issuer ? 'fromAppAt' : 'fromApp', owner),
                hints: <AppHints onScanAgain={() => setStep('app')} />,
              })}
        />
      )}
    </>
  )
}

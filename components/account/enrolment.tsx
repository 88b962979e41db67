import { useState } from 'react'
import type { TwoFactorCredentials } from '#lib/auth/session.schema'
import { AppStep } from './app-step'
import { readAuthenticatorUrl } from './authenticator-url'
import { CodesStep } from './codes-step'
import { LeaveGuard } from './leave-guard'
import { ProofStep } from './proof-step'

type EnrolmentProps = { credentials: TwoFactorCredentials; nick: string; onProved: () => void }

/** Two factor is on at the server; these steps see to it that its user can still sign in tomorrow. */
export function Enrolment({ credentials, nick, onProved }: EnrolmentProps) {
  const [step, setStep] = useState<'app' | 'codes' | 'proof'>('app')
  const [isKept, setKept] = useState(false)
  const { authenticatorURL = '', scratchCodes } = credentials
  const key = readAuthenticatorUrl(authenticatorURL)
  const owner = { issuer: key?.issuer ?? '', account: key?.account ?? nick, host: window.location.host }
  return (
    <>
      <LeaveGuard isKept={isKept} />
      {step === 'app' && (
        <AppStep address={authenticatorURL} authenticatorKey={key} onNext={() => setStep('codes')} />
      )}
      {step === 'codes' && (
        <CodesStep
          codes={scratchCodes}
          owner={owner}
          isKept={isKept}
          onKeep={setKept}
          onBack={() => setStep('app')}
          onNext={() => setStep('proof')}
        />
      )}
      {step === 'proof' && (
        <ProofStep
          owner={owner}
          onBack={() => setStep('codes')}
          onScanAgain={() => setStep('app')}
          onProved={onProved}
        />
      )}
    </>
  )
}

import { useState } from 'react'
import { Navigate } from 'react-router'
import { useFlash } from '#components/layout/flash'
import { paths } from '#components/paths'
import type { TwoFactorCredentials } from '#lib/auth/session.schema'
import { AppStep } from './app-step'
import { readAuthenticatorUrl } from './authenticator-url'
import { CodesStep } from './codes-step'
import { EnrolmentGuard } from './leave-guard'
import { ProofStep } from './proof-step'

/** Two factor is on at the server; these steps see to it that its user can still sign in tomorrow. */
export function Enrolment({ credentials, nick }: { credentials: TwoFactorCredentials; nick: string }) {
  const notify = useFlash()
  const [step, setStep] = useState<'app' | 'codes' | 'proof'>('app')
  const [isKept, setKept] = useState(false)
  const [isProved, setProved] = useState(false)
  const { authenticatorURL = '', scratchCodes } = credentials
  const key = readAuthenticatorUrl(authenticatorURL)
  const owner = { issuer: key?.issuer ?? '', account: key?.account ?? nick, host: window.location.host }

  const finish = () => {
    notify({
      type: 'success',
      content: 'Two factor authentication is on, and your app gives the right codes.',
    })
    setProved(true)
  }
  return (
    <>
      {isProved ? <Navigate to={paths.account()} replace /> : <EnrolmentGuard isKept={isKept} />}
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
          onProved={finish}
        />
      )}
    </>
  )
}

import { lazy, Suspense, useEffect, useState } from 'react'
import { answerProof, onProofNeeded } from '#lib/client/proof'

const ProofDialog = lazy(() => import('./proof-dialog'))

/** Opens the dialog that asks who is signed in, over whatever is open, when a request needs a proof. */
export function ProofHost() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  useEffect(() => onProofNeeded(() => setState('open')), [])
  if (state === 'never') return null
  // The dialog stays mounted: Cloudscape gives the focus back to where it was.
  return (
    <Suspense>
      <ProofDialog
        visible={state === 'open'}
        onEnd={(isProved) => {
          setState('closed')
          answerProof(isProved)
        }}
      />
    </Suspense>
  )
}

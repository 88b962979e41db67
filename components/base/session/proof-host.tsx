import { lazy, Suspense, useEffect, useState } from 'react'
import { proof } from '#lib/client/waiting'

const ProofDialog = lazy(() => import('./proof-dialog'))

/** Opens the dialog that asks for the password or a code when a request needs a proof. */
export function ProofHost() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  useEffect(() => proof.listen(() => setState('open')), [])
  if (state === 'never') return null
  // The dialog stays mounted, so that the focus returns to what asked.
  return (
    <Suspense>
      <ProofDialog
        visible={state === 'open'}
        onEnd={(isProved) => {
          setState('closed')
          proof.answer(isProved)
        }}
      />
    </Suspense>
  )
}

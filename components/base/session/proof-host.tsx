import { useEffect, useState } from 'react'
import { deferredOver } from '#components/kit/deferred-over'
import { proof } from '#lib/client/waiting'

const ProofDialog = deferredOver(async () => (await import('./proof-dialog')).ProofDialog)

/** Opens the dialog that asks for the password or a code when a request needs a proof. */
export function ProofHost() {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  useEffect(() => proof.listen(() => setState('open')), [])
  if (state === 'never') return null
  const end = (isProved: boolean) => {
    setState('closed')
    proof.answer(isProved)
  }
  // The dialog stays mounted, so that the focus returns to what asked.
  return <ProofDialog visible={state === 'open'} onClose={() => end(false)} onProved={() => end(true)} />
}

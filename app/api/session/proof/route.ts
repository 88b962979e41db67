import { proofInput } from '#lib/caller/auth/session.schema'
import { proveSelf, tryProof } from '#lib/people/identity/own-proof.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(proveSelf, {
  summary:
    'Prove your identity in the console by password, code or passkey; the proof is valid for some minutes',
  who: { anyOf: 'user', despiteDuty: 'inConsole', ownAccount: 'always' },
  takes: { as: 'proof', body: proofInput },
  prepare: tryProof,
  answers: { status: 204 },
  event: null,
  refuses: ['SIGN-IN-3', 'PASSKEY-2', 'PASSKEY-4', '2FA-7', '2FA-8'],
})

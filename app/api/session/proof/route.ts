import { proofInput } from '#lib/auth/session.schema'
import { proveSelf, tryProof } from '#lib/identity/own-proof.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Prove your identity in the console by password or code; the proof is valid for some minutes',
    anyOf: 'user',
    despiteDuty: 'inConsole',
    takes: 'proof',
    body: proofInput,
    prepare: tryProof,
    status: 204,
    refuses: ['SIGN-IN-3', '2FA-7', '2FA-8'],
    ownAccount: 'always',
    event: null,
  },
  proveSelf,
)

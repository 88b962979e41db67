import { codeInput } from '#lib/auth/session.schema'
import { proveCode, tryCode } from '#lib/identity/own-two-factor.server'
import { writes } from '#lib/pipeline/endpoint.server'

export const POST = writes(
  {
    summary: 'Prove a verification code',
    anyOf: 'user',
    despiteDuty: 'inSession',
    takes: 'code',
    body: codeInput,
    prepare: tryCode,
    status: 204,
    refuses: ['2FA-7', '2FA-8'],
    ownAccount: 'always',
    event: null,
  },
  proveCode,
)

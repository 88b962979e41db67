import { proveCode, tryCode } from '#lib/auth/console-session.server'
import { codeInput } from '#lib/auth/session.schema'
import { writes } from '#lib/http/endpoint.server'

export const POST = writes(
  {
    summary: "Prove a code of one's own authenticator",
    anyOf: 'user',
    whileEnrolling: 'inConsole',
    takes: 'code',
    body: codeInput,
    prepare: tryCode,
    status: 204,
    refuses: ['2FA-7', '2FA-8'],
    event: null,
  },
  proveCode,
)

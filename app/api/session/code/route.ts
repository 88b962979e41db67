import { codeInput } from '#lib/caller/auth/session.schema'
import { proveCode, tryCode } from '#lib/people/identity/own-two-factor.server'
import { writes } from '#lib/request/pipeline/endpoint.server'

export const POST = writes(proveCode, {
  summary: 'Verify a code of your second factor',
  who: { anyOf: 'user', despiteDuty: 'inSession', ownAccount: 'always' },
  takes: { as: 'code', body: codeInput },
  prepare: tryCode,
  answers: { status: 204 },
  event: null,
  refuses: ['2FA-7', '2FA-8'],
})

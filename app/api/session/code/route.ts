import { proveCode } from '#lib/auth/console-session.server'
import { codeInput } from '#lib/auth/session.schema'
import { writes } from '#lib/http/endpoint.server'

export const POST = writes({ anyOf: 'user', takes: 'code', body: codeInput, status: 204 }, proveCode)

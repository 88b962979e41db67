import { signOut } from '#lib/auth/session.server'
import { writes } from '#lib/http/endpoint.server'

export const POST = writes({ anyOf: 'user', endsSession: true }, signOut)

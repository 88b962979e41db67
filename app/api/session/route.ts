import { currentSession, signIn } from '#lib/auth/console-session.server'
import { signOut } from '#lib/auth/session.server'
import { writes } from '#lib/http/endpoint.server'
import { open } from '#lib/http/open.server'

export const GET = open(currentSession)

export const POST = open(signIn)

export const DELETE = writes({ anyOf: 'user', endsSession: true }, signOut)

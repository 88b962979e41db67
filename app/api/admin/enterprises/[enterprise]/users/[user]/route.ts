import { reads } from '#lib/http/endpoint.server'
import { readUser } from '#lib/identity/users.server'

export const GET = reads(
  {
    summary: 'Read a user',
    anyOf: 'user',
    ids: { enterprise: 'EN-0', user: 'USER-0' },
    wildcard: 'enterprise',
    answers: 'user',
  },
  readUser,
)

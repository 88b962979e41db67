import { readApplication, removeApplication } from '#lib/applications/applications.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

const ids = { enterprise: 'EN-0', user: 'USER-0', application: 'USER-23' } as const
const wildcard = 'enterprise'

export const GET = reads(
  {
    summary: 'Read an OAuth application; its secret is shown to its owner alone, who has proved who they are',
    anyOf: ['USERS_MANAGE_APPLICATIONS'],
    orOwn: 'user',
    ids,
    wildcard,
    proof: 'forSecrets',
    answers: 'application',
  },
  readApplication,
)

export const DELETE = writes(
  {
    summary: 'Delete an OAuth application: everything that was authorized for it ends',
    anyOf: ['USERS_MANAGE_APPLICATIONS'],
    orOwn: 'user',
    ids,
    wildcard,
    exists: readApplication,
    ownAccount: 'whenCaller',
    event: 'application',
  },
  removeApplication,
)

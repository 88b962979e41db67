import { applicationTarget, readApplication, removeApplication } from '#lib/applications/applications.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'Read an OAuth application; only its owner sees the secret, with a proof of identity',
    anyOf: ['USERS_MANAGE_APPLICATIONS'],
    orOwn: 'user',
    target: applicationTarget,
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
    target: applicationTarget,
    ownAccount: 'whenCaller',
    event: 'application',
  },
  removeApplication,
)

import {
  applicationTarget,
  readApplication,
  removeApplication,
} from '#lib/people/applications/applications.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readApplication, {
  summary: 'Read an OAuth application; only its owner sees the secret, with a proof of identity',
  who: {
    anyOf: ['USERS_MANAGE_APPLICATIONS'],
    orOwn: 'user',
    proof: 'forSecrets',
    ownAccount: 'whenCaller',
  },
  target: applicationTarget,
  answers: { as: 'application' },
})

export const DELETE = writes(removeApplication, {
  summary: 'Delete an OAuth application and revoke all its authorizations',
  who: { anyOf: ['USERS_MANAGE_APPLICATIONS'], orOwn: 'user', ownAccount: 'whenCaller' },
  target: applicationTarget,
  event: { entity: 'application', cannotUndo: 'keys' },
})

import { listFailures, ownApplicationTarget } from '#lib/people/applications/applications.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listFailures, {
  summary:
    'List the refused signatures of your own application in the last hour, with the base string of the server',
  who: { anyOf: ['USERS_MANAGE_APPLICATIONS'], orOwn: 'user', ownAccount: 'whenCaller' },
  target: ownApplicationTarget,
  answers: { as: 'signaturefailures' },
})

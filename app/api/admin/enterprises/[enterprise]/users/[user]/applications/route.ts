import { z } from 'zod'
import { applicationInput } from '#lib/people/applications/applications.schema'
import {
  applicationReferences,
  createApplication,
  listApplications,
} from '#lib/people/applications/applications.server'
import { userTarget } from '#lib/people/identity/users.server'
import { reads, writes } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(listApplications, {
  summary: 'List the OAuth applications of a user, or the one behind a request token',
  who: { anyOf: ['USERS_MANAGE_APPLICATIONS'], orOwn: 'user', ownAccount: 'whenCaller' },
  target: userTarget,
  query: z.object({ oauth_token: z.string().max(128).optional() }),
  answers: { as: 'applications' },
})

export const POST = writes(createApplication, {
  summary: 'Register an OAuth application; without privilege links it gets all privileges of the user',
  who: { anyOf: ['USERS_MANAGE_APPLICATIONS'], orOwn: 'user', ownAccount: 'whenCaller' },
  target: userTarget,
  takes: { as: 'application', body: applicationInput, references: applicationReferences },
  answers: { as: 'application' },
  event: { entity: 'application', cannotUndo: 'keys' },
  refuses: ['GEN-15', 'PRIVILEGE-0', 'CONSTR-PATTERN'],
})

import { z } from 'zod'
import { applicationInput } from '#lib/applications/applications.schema'
import {
  applicationReferences,
  createApplication,
  listApplications,
} from '#lib/applications/applications.server'
import { userTarget } from '#lib/identity/users.server'
import { reads, writes } from '#lib/pipeline/endpoint.server'

export const GET = reads(
  {
    summary: 'List the OAuth applications of a user, or the one behind a request token',
    anyOf: ['USERS_MANAGE_APPLICATIONS'],
    orOwn: 'user',
    target: userTarget,
    query: z.object({ oauth_token: z.string().max(128).optional() }),
    answers: 'applications',
  },
  listApplications,
)

export const POST = writes(
  {
    summary: 'Register an OAuth application; without privilege links it gets all of the user’s',
    anyOf: ['USERS_MANAGE_APPLICATIONS'],
    orOwn: 'user',
    target: userTarget,
    takes: 'application',
    body: applicationInput,
    references: applicationReferences,
    answers: 'application',
    refuses: ['GEN-15', 'PRIVILEGE-0', 'CONSTR-PATTERN'],
    ownAccount: 'whenCaller',
    event: 'application',
  },
  createApplication,
)

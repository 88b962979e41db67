import { z } from 'zod'
import { readSelf } from '#lib/people/identity/users.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => readSelf(context, context.query.expand), {
  summary: 'Sign in: the user behind the credentials',
  who: { anyOf: 'user', ownAccount: 'always' },
  query: z.object({ expand: z.string().optional() }),
  answers: { as: 'user' },
})

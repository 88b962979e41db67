import { z } from 'zod'
import { reads } from '#lib/http/endpoint.server'
import { readSelf } from '#lib/identity/users.server'

export const GET = reads(
  {
    summary: 'Sign in: the user behind the credentials',
    anyOf: 'user',
    query: z.object({ expand: z.string().optional() }),
    answers: 'user',
  },
  (context) => readSelf(context, context.query.expand),
)

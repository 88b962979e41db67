import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { coded, idInHref, linksOf, text } from '#lib/ground/http/input.schema'
import { pageQuery } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type AskedMethod = (typeof methods)[number]

const USER_PATH = patternOf(kinds.user)

/** An id, as a number or as text (XML), or the address of a user. */
const userNamed = z
  .union([z.int().min(1), text(1, 1024)])
  .transform((named, context): number => {
    const id =
      typeof named === 'number' || /^[1-9]\d{0,14}$/.test(named) ? Number(named) : idInHref(named, USER_PATH)
    if (id) return id
    context.addIssue({
      code: 'custom',
      ...coded('CONSTR-PATTERN', 'must be the id or the address of a user'),
      input: named,
    })
    return z.NEVER
  })
  .optional()
  .meta({ description: 'The id or the address of a user. A link `user` does the same' })

const address = text(1, 2048)

/** The question whether a user may do something. */
export const accessQuestion = z
  .object({
    user: userNamed,
    method: z.enum(methods),
    path: address.meta({
      description: 'A path of the API, with or without `/api` and a query, or an address',
      example: '/api/admin/scopes/1',
    }),
    links: linksOf({ user: { path: USER_PATH } }),
  })
  .superRefine(({ user, links: named }, context) => {
    if (user === undefined && named.user === undefined)
      context.addIssue({
        code: 'custom',
        path: ['user'],
        ...coded('CONSTR-NOTNULL', 'must not be missing'),
        input: user,
      })
  })
export type AccessQuestion = z.infer<typeof accessQuestion>

/** Why a user may or may not do something (docs/api/authorization.md, "Why may they"). */
export const accessExplanation = z.object({
  links,
  granted: z.boolean(),
  status: z.int().meta({ description: 'The status that the request would get' }),
  privileges: z.array(z.string()).meta({ description: 'Any one of them grants it. Empty: it needs none' }),
  held: z.array(z.string()).meta({ description: 'Those of the privileges that the user holds' }),
  visible: z.boolean().meta({ description: 'Whether the user sees what the path names' }),
  active: z.boolean(),
  locked: z.boolean(),
  owesPassword: z
    .boolean()
    .meta({ description: 'The user must first replace a password in the console. It binds no program' }),
  owesTwoFactor: z.boolean().meta({ description: 'The user must first set up two factor authentication' }),
  missing: z.array(z.string()).meta({
    description:
      'All privileges that the user lacks for it. Where any one of several would do, they are in one text, separated by `|`',
  }),
})
export type AccessExplanation = z.infer<typeof accessExplanation>

/** Query of the users who may do something. */
export const whoQuery = pageQuery('nick', 'id', 'name').extend({
  method: z.enum(methods, `method must be one of ${methods.join(', ')}`).default('GET'),
  path: z.string().max(2048, 'path is too long').default('').meta({
    description: 'A path of the API, with or without `/api`, or an address',
    example: '/api/admin/scopes/1',
  }),
})
export type WhoQuery = z.infer<typeof whoQuery>

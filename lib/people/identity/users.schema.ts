import { z } from 'zod'
import { password } from '#lib/caller/auth/password.schema'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { tagChanges, tagged } from '#lib/caller/kinds/notes.schema'
import { clientNetwork } from '#lib/ground/http/client-network'
import { ends, endsBefore } from '#lib/ground/http/ends.schema'
import type { Values } from '#lib/ground/http/fields.schema'
import { coded, linksOf, text } from '#lib/ground/http/input.schema'
import { changed, flag, pageQuery, queryId } from '#lib/ground/http/paging'
import { secret } from '#lib/ground/http/secrets'
import { tag } from '#lib/ground/http/tags.schema'
import { bulkSelection, requireOneSelection } from '#lib/record/bulk/bulk.schema'

const userOrders = ['nick', 'id', 'name'] as const

/** Query of the user list. */
export const userQuery = pageQuery(...userOrders).extend({
  changed,
  tag,
  active: flag('active').optional(),
  locked: flag('locked').optional(),
  twofactor: flag('twofactor').optional().meta({ description: 'Whether two factor authentication is on' }),
  service: flag('service').optional().meta({ description: 'Whether it is a service account' }),
  idScope: queryId('idScope')
    .optional()
    .meta({ description: 'Only users with this scope of their own, not by default of their enterprise' }),
  role: queryId('role').optional().meta({ description: 'Only users with this role' }),
  endsbefore: endsBefore,
})
export type UserQuery = z.infer<typeof userQuery>

/** Query of the numbers of users. */
export const userCountQuery = z.object({
  of: z.enum(['role', 'enterprise'], 'of must be role or enterprise'),
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,99}$/, 'ids must be 1 to 100 ids, separated by commas')
    .transform((ids) => ids.split(',').map(Number))
    .meta({
      pattern: undefined,
      description: 'At most 100 ids of roles or enterprises, separated by commas',
    }),
})
export type UserCountQuery = z.infer<typeof userCountQuery>

/** Only a new nick is judged by all rules (`nickProblem`): a PUT or an undo may send an older one. */
const nick = text(1, 128).refine(
  (value) => !/[:\t\r\n]/.test(value),
  coded('CONSTR-PATTERN', 'must not contain a colon, tab or line break'),
)

const email = text(0, 254).refine(
  (value) => value === '' || z.regexes.email.test(value),
  coded('CONSTR-EMAIL', 'must be an e-mail address, or empty'),
)

/** A language, or a language and a country, in any case; empty means missing (docs/api/conventions.md, "Values"). */
const locale = z
  .string()
  .regex(/^([A-Za-z]{2,3}(_[A-Za-z]{2})?)?$/, 'must be a language as in en, or with a country as in en_US')
  .transform((value) => {
    const [language = '', country] = value.split('_')
    const written = [language.toLowerCase(), ...(country ? [country.toUpperCase()] : [])].join('_')
    return written || 'en_US'
  })
  .default('en_US')

/** Networks of clients. Empty: all. */
export const allowedCIDRs = z
  .array(clientNetwork('CONSTR-PATTERN'))
  .max(100, 'must have 100 entries at most')
  .transform((networks) => [...new Set(networks)])
  .default([])

/** The fields that are columns. */
export const userFields = {
  nick,
  name: text(1, 128),
  surname: text(0, 128).default(''),
  description: text(0, 1024).default(''),
  email: email.default(''),
  locale,
  active: z.boolean().default(true),
  locked: z.boolean().default(false),
  /** Networks from which the user may sign in. Empty: from everywhere. */
  allowedCIDRs,
  ...tagged,
}
export type UserFields = Values<typeof userFields>

const fields = {
  ...userFields,
  ends: ends.optional(),
  links: linksOf({
    role: { path: patternOf(kinds.role), missing: 'USER-1' },
    scope: { path: patternOf(kinds.scope) },
    enterprise: { path: patternOf(kinds.enterprise) },
  }),
}

/** `authType` of a user who is a program: it has no password and signs in nowhere, and acts by access tokens. */
export const SERVICE = 'SERVICE'

const isInvited = ({ invite: how }: { invite?: unknown }): boolean => how === true || how === 'link'

const isService = ({ authType }: { authType?: unknown }): boolean => authType === SERVICE

/** `link`: the answer has the link. Otherwise it is mailed, if it can be. */
const invite = z.union([z.literal('link'), z.boolean()])
export type Invite = true | 'link'

/** Body of the action `invite`. */
export const invitationInput = z.object({
  invite: z.union([z.literal('link'), z.literal(true)]).optional(),
})
export type InvitationInput = z.infer<typeof invitationInput>

/** Body of POST. With `authType` SERVICE a service account, otherwise a user with a password or an invitation. */
export const newUserInput = z
  .object({
    ...fields,
    authType: z.string().max(64).optional(),
    ...secret('password', password.optional()),
    /** A link by which the user chooses how to sign in. */
    invite: invite.optional(),
  })
  .refine((user) => isService(user) || user.password !== undefined || isInvited(user), {
    path: ['password'],
    // Checked beside faults of other fields.
    when: ({ value }) => typeof value === 'object' && value !== null,
    ...coded('CONSTR-NOTNULL', 'must not be missing'),
  })
  .refine((user) => !isService(user) || user.password === undefined, {
    path: ['password'],
    when: ({ value }) => typeof value === 'object' && value !== null,
    ...coded('USER-26'),
  })
  .refine((user) => !isInvited(user) || (!isService(user) && user.password === undefined), {
    path: ['invite'],
    when: ({ value }) => typeof value === 'object' && value !== null,
    ...coded('CONSTR-PATTERN', 'must not stand beside a password, nor in a service account'),
  })
export type NewUserInput = z.infer<typeof newUserInput>

/** Body of PUT. Without a password the current one stays. Changing one's own needs `oldPassword`. */
export const userInput = z.object({
  ...fields,
  ...secret('password', password.optional()),
  ...secret('oldPassword', z.string().optional()),
})
export type UserInput = z.infer<typeof userInput>

/** Body of a bulk change of users. Missing fields keep their values. */
export const usersChangeInput = z
  .object({
    links: linksOf({ role: { path: patternOf(kinds.role) } }),
    ...bulkSelection,
    active: z.boolean().optional(),
    locked: z.boolean().optional(),
    ...tagChanges,
  })
  .superRefine(requireOneSelection)
export type UsersChangeInput = z.infer<typeof usersChangeInput>

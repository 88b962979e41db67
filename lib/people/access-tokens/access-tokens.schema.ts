import { z } from 'zod'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { text } from '#lib/ground/http/input.schema'
import { flag, pageQuery } from '#lib/ground/http/paging'
import { secret } from '#lib/ground/http/secrets'
import { links } from '#lib/ground/http/view'
import { allowedCIDRs } from '#lib/people/identity/users.schema'

const moment = z.iso.datetime({ precision: 3 })

/** A key with which a program acts for a user. The token is in the response that makes it, and nowhere else. */
export const accessTokenDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  /** The privileges that the token was created with. At a request, it has those of them that its user holds then. */
  privileges: z.array(z.string()),
  created: moment,
  expires: moment,
  /** Networks from which it may be used. Empty: all. The user's own networks apply too. */
  allowedCIDRs: z.array(z.string()),
  /** At most a minute old. */
  lastUsed: moment.optional(),
  lastUsedFrom: z.string().optional(),
  ...secret('token', z.string().optional()),
})
export type AccessTokenDocument = z.infer<typeof accessTokenDocument>

/** Body of POST. Without `privileges` the token gets all that the user has at this moment; with an empty list none. */
export const accessTokenInput = z.object({
  name: text(1, 128),
  privileges: z
    .array(z.enum(allPrivileges, 'must be the name of a privilege'))
    .max(allPrivileges.length, 'has more entries than there are privileges')
    .optional(),
  /** Default: in 90 days. */
  expires: z.iso
    .datetime({ offset: true, error: 'must be a time with a zone, such as 2027-01-31T00:00:00Z' })
    .optional(),
  allowedCIDRs,
  /** docs/api/two-factor.md, "Proof of identity". */
  ...secret('oldPassword', z.string().optional()),
})
export type AccessTokenInput = z.infer<typeof accessTokenInput>

export const accessTokenOrders = ['name', 'id', 'created', 'expires', 'lastused'] as const

export const accessTokenQuery = pageQuery(...accessTokenOrders).extend({
  expired: flag('expired').optional().meta({ description: 'Whether the token has ended' }),
})
export type AccessTokenQuery = z.infer<typeof accessTokenQuery>

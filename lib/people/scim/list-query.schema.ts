import { z } from 'zod'

/* Queries of SCIM (RFC 7644 §3.4.2), in the address or in the message of `.search`. */

export const MOST_RESULTS = 200
const USUAL_RESULTS = 100
/** Each is compared with each attribute of each resource. */
const MOST_NAMES = 100

const whole = (name: string) =>
  z.coerce.number({ error: `${name} must be a whole number` }).int(`${name} must be a whole number`)

/** Names of attributes: separated by commas in an address, a list in a message. */
const names = z
  .union([z.string().transform((text) => text.split(',')), z.array(z.string())])
  .transform((all) => all.map((name) => name.trim()).filter(Boolean))
  .refine((all) => all.length <= MOST_NAMES, `A request can name ${MOST_NAMES} attributes at most`)

export const projectionQuery = z.object({
  attributes: names.optional(),
  excludedAttributes: names.optional(),
})
export type Projection = z.infer<typeof projectionQuery>

export const listQuery = projectionQuery.extend({
  filter: z.string().optional(),
  sortBy: z.string().optional(),
  sortOrder: z.enum(['ascending', 'descending'], 'sortOrder must be ascending or descending').optional(),
  /** RFC 7644 §3.4.2.4: less than 1 counts as 1, a negative count as 0. */
  startIndex: whole('startIndex')
    .transform((index) => Math.min(Math.max(index, 1), 2 ** 31))
    .optional(),
  count: whole('count')
    .transform((count) => Math.min(Math.max(count, 0), MOST_RESULTS))
    .default(USUAL_RESULTS),
})
export type ListQuery = z.infer<typeof listQuery>

/** A message that its handler reads: names of attributes ignore case, so no schema can name them (RFC 7643 §2.1). */
export const message = z.looseObject({})
export type Message = z.infer<typeof message>

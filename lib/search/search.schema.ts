import { z } from 'zod'
import { pageQuery } from '#lib/http/paging'
import { links } from '#lib/http/view'

/** The kinds of things that the search finds, in the order of its answer; each is the name of its media type. */
export const searchTypes = [
  'scope',
  'enterprise',
  'datacenter',
  'natnetwork',
  'natip',
  'user',
  'role',
  'device',
  'virtualdatacenter',
] as const
export type SearchType = (typeof searchTypes)[number]

/** What the search has found; the link `self` leads to it. */
export const searchHit = z.object({
  links,
  type: z.enum(searchTypes),
  id: z.int(),
  name: z.string(),
  /** What tells it from others of a like name. */
  detail: z.string().optional(),
  /** The ids of the datacenter and of the enterprise that it belongs to. */
  datacenter: z.int().optional(),
  enterprise: z.int().optional(),
})
export type SearchHit = z.infer<typeof searchHit>

/** What the search is asked; spaces around the text do not count. */
export const searchInput = z.object({
  has: pageQuery('name')
    .shape.has.transform((text) => text.trim())
    .meta({ description: 'The text, or an address or the beginning of one; without it there are no hits' }),
  limit: z
    .string()
    .regex(/^([1-9]|1\d|20)$/, 'limit must be 1 to 20')
    .transform(Number)
    .default(5)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 20,
      pattern: undefined,
      description: 'How many of each kind at most',
    }),
})
export type SearchInput = z.infer<typeof searchInput>

import { z } from 'zod'
import { allKinds, type kinds } from '#lib/caller/kinds/kinds'
import { pageQuery } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

type Named = {
  [Name in keyof typeof kinds]: (typeof kinds)[Name] extends { found: object } ? Name : never
}[keyof typeof kinds]

/** The kinds of resources that the search finds, each the name of a media type. NAT IPs and NAT rules are found by their address. */
export type SearchType = Named | 'natip' | 'natrule'

const first = [
  'scope',
  'enterprise',
  'datacenter',
  'natnetwork',
  'natip',
  'natrule',
  'user',
  'role',
] as const satisfies SearchType[]

/** In the order of the answer. */
export const searchTypes = [
  ...new Set<SearchType>([
    ...first,
    ...allKinds.filter(({ found }) => found !== undefined).map(({ name }) => name as Named),
  ]),
] as [SearchType, ...SearchType[]]

/** A hit. Its link `self` leads to the resource. */
export const searchHit = z.object({
  links,
  type: z.enum(searchTypes),
  id: z.int(),
  name: z.string(),
  /** Distinguishes hits with similar names. */
  detail: z.string().optional(),
  /** Ids of the datacenter and the enterprise to which the hit belongs. */
  datacenter: z.int().optional(),
  enterprise: z.int().optional(),
})
export type SearchHit = z.infer<typeof searchHit>

/** Query of the search. Spaces around the text are ignored. */
export const searchInput = z.object({
  has: pageQuery('name')
    .shape.has.transform((text) => text.trim())
    .meta({ description: 'The text, or an address or its beginning. Without it there are no hits' }),
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
      description: 'Maximum number of hits of each kind',
    }),
})
export type SearchInput = z.infer<typeof searchInput>

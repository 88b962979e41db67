import { z } from 'zod'
import { pageQuery } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

/** A name in use, and the number of resources with it. */
export const tagDocument = z.object({ links, name: z.string(), count: z.int() })
export type TagDocument = z.infer<typeof tagDocument>

export const tagsQuery = pageQuery('name', 'count')
export type TagsQuery = z.infer<typeof tagsQuery>

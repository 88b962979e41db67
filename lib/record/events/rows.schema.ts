import { z } from 'zod'
import { pageQuery } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'
import { type Change, changeDocument, entityFilter, entityTypes } from '#lib/record/events/events.schema'

/** One resource that an event touched (docs/api/events.md, "The rows of an event"). */
export const eventRowDocument = z.object({
  links,
  entityType: z.enum(entityTypes),
  entityId: z.int().optional(),
  entityName: z.string(),
  action: z.string(),
  changes: z.record(z.string(), changeDocument),
})
export type EventRowDocument = z.infer<typeof eventRowDocument>

/** The document before rendering, as that of an event. */
export type EventRowView = Omit<EventRowDocument, 'changes'> & { changes: Map<string, Change> }

export const eventRowQuery = pageQuery('id').extend({ entity: entityFilter })
export type EventRowQuery = z.infer<typeof eventRowQuery>

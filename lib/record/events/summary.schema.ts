import { z } from 'zod'
import { queryNumber } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'
import { entityTypes } from '#lib/record/events/events.schema'

export const eventSummaryQuery = z.object({
  days: queryNumber('days', { most: 31, usual: 7 }),
  users: queryNumber('users', { most: 25, usual: 8 }),
})
export type EventSummaryQuery = z.infer<typeof eventSummaryQuery>

/** The changes of a user to the objects of one kind, and the number of these objects. */
const doneDocument = z.object({
  action: z.string(),
  entityType: z.enum(entityTypes),
  count: z.int(),
})
export type DoneDocument = z.infer<typeof doneDocument>

const userSummaryDocument = z.object({
  links,
  id: z.int(),
  user: z.string(),
  /** Name and surname, for callers who may view users. */
  name: z.string().optional(),
  count: z.int(),
  changes: z.array(doneDocument),
})
export type UserSummaryDocument = z.infer<typeof userSummaryDocument>

/** The users with the most changes, and their changes. `from` is later than the requested time if there are too many events. */
export const eventSummaryDocument = z.object({
  links,
  from: z.iso.datetime({ precision: 3 }),
  totalUsers: z.int(),
  users: z.array(userSummaryDocument),
})
export type EventSummaryDocument = z.infer<typeof eventSummaryDocument>

import { z } from 'zod'
import { coded } from '#lib/http/input.schema'
import { pageQuery, queryId } from '#lib/http/paging'
import { links } from '#lib/http/view'

/** The kinds of things that events tell of; each is the name of its media type. */
export const entityTypes = [
  'application',
  'datacenter',
  'device',
  'enterprise',
  'natip',
  'natnetwork',
  'natrule',
  'privateip',
  'role',
  'scope',
  'user',
  'virtualappliance',
  'virtualdatacenter',
  'virtualmachine',
  'virtualmachinetemplate',
] as const
export type EntityType = (typeof entityTypes)[number]

/** What happened to one field. Of a list: what left it and what came to it. Absent: there was, or is, no value. */
const changeDocument = z.object({
  before: z.string().optional(),
  after: z.string().optional(),
  /** There was, or is, something that the reader does not see. */
  beforeHidden: z.boolean().optional(),
  afterHidden: z.boolean().optional(),
})
export type Change = z.infer<typeof changeDocument>

/** What an event looks like to clients (docs/api.md, "Events"). */
export const eventDocument = z.object({
  links,
  id: z.int(),
  timestamp: z.iso.datetime({ precision: 3 }),
  action: z.string(),
  entityType: z.enum(entityTypes),
  entityId: z.int().optional(),
  entityName: z.string(),
  changes: z.record(z.string(), changeDocument),
  /** The nick of who did it. */
  user: z.string().optional(),
  /** Somebody whom the reader does not see did it. */
  userHidden: z.boolean().optional(),
  enterprise: z.string().optional(),
  requestId: z.string(),
  ip: z.string(),
})
export type EventDocument = z.infer<typeof eventDocument>

/** The document with its map as what it is: the names in it are not the API's. */
export type EventView = Omit<EventDocument, 'changes'> & { changes: Map<string, Change> }

export const eventOrders = ['timestamp', 'id'] as const

const DAY = 24 * 60 * 60 * 1000

/** A time, or a day: from its first millisecond, to its last. */
const time = (name: 'from' | 'to') =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], `${name} must be a time or a day in ISO 8601`)
    .transform((value) => Date.parse(value) + (name === 'to' && !value.includes('T') ? DAY - 1 : 0))

export const eventQuery = pageQuery(...eventOrders).extend({
  user: queryId('user').optional(),
  enterprise: queryId('enterprise').optional(),
  entity: z
    .string()
    .transform((value, context) => {
      const type = entityTypes.find((name) => name === value.toLowerCase())
      if (type) return type
      const message = `entity must be one of ${entityTypes.join(', ')}`
      context.addIssue({ code: 'custom', ...coded('GEN-22', message), input: value })
      return z.NEVER
    })
    .optional(),
  entityid: queryId('entityid').optional(),
  action: z.string().max(64).optional(),
  from: time('from').optional(),
  to: time('to').optional(),
})
export type EventQuery = z.infer<typeof eventQuery>

import { z } from 'zod'
import { allKinds, type kinds } from '#lib/caller/kinds/kinds'
import { coded } from '#lib/ground/http/input.schema'
import { flag, pageQuery, queryId } from '#lib/ground/http/paging'
import { links, type MediaName } from '#lib/ground/http/view'

type KindName = keyof typeof kinds

const kindsBut = <Name extends KindName>(...others: Name[]) =>
  allKinds
    .map(({ name }) => name as KindName)
    .filter((name) => !others.some((other) => other === name))
    .sort() as [Exclude<KindName, Name>, ...Exclude<KindName, Name>[]]

/** The kinds of resources in events. Each is the name of a media type. */
export const entityTypes = kindsBut('location', 'webhookdelivery')
export type EntityType = (typeof entityTypes)[number]

/** Access tokens, plans and webhooks are in no history: their events show no documents as they were. */
const kept = kindsBut('accesstoken', 'location', 'plan', 'webhook', 'webhookdelivery')

/** The kinds of documents that events show as they were. */
export const documented = [...kept, 'enterpriseproperties'] as const satisfies readonly MediaName[]

/** The change of one field: its values before and after, if any. For a list: the items removed and added. */
export const changeDocument = z.object({
  before: z.string().optional(),
  after: z.string().optional(),
  /** True if a value, or an item of a list, is hidden from the reader. */
  beforeHidden: z.boolean().optional(),
  afterHidden: z.boolean().optional(),
})
export type Change = z.infer<typeof changeDocument>

/** docs/api/events.md, "Events". */
export const eventDocument = z.object({
  links,
  /** Missing in a dry run of an undo. */
  id: z.int().optional(),
  timestamp: z.iso.datetime({ precision: 3 }),
  action: z.string(),
  entityType: z.enum(entityTypes),
  entityId: z.int().optional(),
  entityName: z.string(),
  changes: z.record(z.string(), changeDocument),
  /** The nick of the user who made the change. */
  user: z.string().optional(),
  /** True if the user who made the change is hidden from the reader. */
  userHidden: z.boolean().optional(),
  enterprise: z.string().optional(),
  requestId: z.string(),
  ip: z.string().optional(),
  /** How many resources it touched, of those that the reader sees. */
  count: z.int(),
})
export type EventDocument = z.infer<typeof eventDocument> & { id: number }

/** The document before rendering. A map, because the names of the fields are data. */
export type EventView = Omit<EventDocument, 'changes'> & { changes: Map<string, Change> }

/** The actions that change nothing but sessions. */
export const sessionActions = [
  'sign-in',
  'sign-in-refused',
  'sign-out',
  'end-session',
  'end-other-sessions',
  'ask-password-reset',
] as const

export const eventOrders = ['timestamp', 'id'] as const

const DAY = 24 * 60 * 60 * 1000

/** A time or a day. `from` a day means its first millisecond, `to` its last. */
const time = (name: 'from' | 'to') =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], `${name} must be a time or a day in ISO 8601`)
    .transform((value) => Date.parse(value) + (name === 'to' && !value.includes('T') ? DAY - 1 : 0))

/** The kind of the resource. */
export const entityFilter = z
  .string()
  .transform((value, context) => {
    const type = entityTypes.find((name) => name === value.toLowerCase())
    if (type) return type
    const message = `entity must be one of ${entityTypes.join(', ')}`
    context.addIssue({ code: 'custom', ...coded('GEN-22', message), input: value })
    return z.NEVER
  })
  .optional()

export const eventQuery = pageQuery(...eventOrders).extend({
  user: queryId('user').optional(),
  enterprise: queryId('enterprise').optional(),
  entity: entityFilter,
  entityid: queryId('entityid').optional(),
  natnetwork: queryId('natnetwork')
    .optional()
    .meta({ description: 'About this NAT network, its NAT IPs or their NAT rules' }),
  action: z.string().max(64).optional(),
  signins: flag('signins')
    .optional()
    .meta({ description: 'true: only sign-ins, sign-outs and refused sign-ins; false: all other events' }),
  from: time('from').optional(),
  to: time('to').optional(),
})
export type EventQuery = z.infer<typeof eventQuery>

/** The filters of the list, and the cursor after which the stream begins. */
export const eventStreamQuery = eventQuery
  .omit({ limit: true, startwith: true, by: true, asc: true })
  .extend({ after: z.string().max(64).optional().describe('The `id` of the last event that is known') })
export type EventStreamQuery = z.infer<typeof eventStreamQuery>
export type EventFilters = Omit<EventStreamQuery, 'after'>

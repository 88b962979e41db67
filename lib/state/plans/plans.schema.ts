import { z } from 'zod'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted, tagged } from '#lib/caller/kinds/notes.schema'
import { scopeFields } from '#lib/caller/scopes/scopes.schema'
import { natNetworkInput } from '#lib/cloud/nat/networks.schema'
import { natProtocols, ruleSettings } from '#lib/cloud/nat/rules.schema'
import { ends } from '#lib/ground/http/ends.schema'
import { shown, wanted } from '#lib/ground/http/fields.schema'
import { text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'
import { addressText } from '#lib/ground/net/addresses'
import { enterpriseFields } from '#lib/people/identity/identity.schema'
import { allowedCIDRs, type UserFields, userInput } from '#lib/people/identity/users.schema'

/* A cloud by names, not ids: the present state (docs/api/plans.md, "Export") and the desired one (docs/api/plans.md, "Plans"). */

/** The parent of a scope comes after its name. */
const { name: _scopeName, ...scopeFlags } = scopeFields

const names = z.array(z.string())

/** The name of another item. Empty: none. */
const reference = z.string()

const scope = z.object({
  name: z.string(),
  parent: reference,
  ...shown(scopeFlags),
  enterprises: names,
  datacenters: names,
})

const enterprise = z.object({ ...shown(enterpriseFields), scope: reference })

const role = z.object({
  name: z.string(),
  enterprise: reference,
  scope: reference,
  privileges: names,
  ...shown(noted),
})

/** The members of users have an order of their own. */
type UserMembers = Record<keyof UserFields | 'ends', z.ZodType> & Record<string, z.ZodType>

const user = z.object({
  nick: z.string(),
  name: z.string(),
  surname: z.string(),
  email: z.string(),
  description: z.string(),
  enterprise: z.string(),
  role: reference,
  scope: reference,
  locale: z.string(),
  authType: z.string(),
  active: z.boolean(),
  locked: z.boolean(),
  allowedCIDRs: names,
  ends: z.string(),
  tags: names,
} satisfies UserMembers)

const natNetwork = z.object({
  datacenter: z.string(),
  name: z.string(),
  cidr: z.string(),
  device: z.string(),
  ...shown(noted),
})

const natIp = z.object({
  datacenter: z.string(),
  network: z.string(),
  ip: z.string(),
  available: z.boolean(),
  quarantine: z.boolean(),
  defaultSnat: z.boolean(),
  virtualDatacenter: reference,
  enterprise: reference,
  ...shown(noted),
  ends: z.string(),
})

const natRule = z.object({
  datacenter: z.string(),
  network: z.string(),
  type: z.enum(['SNAT', 'DNAT']),
  protocol: z.enum(natProtocols).optional(),
  original: z.string(),
  originalPort: z.int().optional(),
  translated: z.string(),
  originalPortEnd: z.int().optional(),
  translatedPort: z.int().optional(),
  sources: names.optional(),
  enabled: z.boolean(),
  ends: z.string().optional(),
  virtualDatacenter: z.string(),
  virtualMachine: z.string(),
  ...shown(noted),
})

/** The lists of an export, in the order in which one may refer to another. */
export const exportItems = {
  enterprises: enterprise,
  scopes: scope,
  roles: role,
  users: user,
  natnetworks: natNetwork,
  natips: natIp,
  natrules: natRule,
} as const

export type ExportEntity = keyof typeof exportItems
export const exportEntities = Object.keys(exportItems) as [ExportEntity, ...ExportEntity[]]
export type ExportItem<Entity extends ExportEntity> = z.infer<(typeof exportItems)[Entity]>

const listsOf = <Lists extends Record<ExportEntity, z.ZodType>>(lists: Lists) =>
  Object.fromEntries(exportEntities.map((entity) => [entity, z.array(lists[entity]).optional()])) as {
    [Entity in ExportEntity]: z.ZodOptional<z.ZodArray<Lists[Entity]>>
  }

/** A list that the caller may not read is left out. */
export const exportDocument = z.object({ links, ...listsOf(exportItems) })

const entity = z.enum(exportEntities, `entity must be one of ${exportEntities.join(', ')}`)

export const exportQuery = z.object({
  entity: entity.optional().meta({ description: 'Only this list' }),
})
export type ExportQuery = z.infer<typeof exportQuery>

export const planQuery = z.object({
  entity: entity.optional().meta({ description: 'The list in a body of CSV' }),
  mode: z.enum(['merge', 'replace'], 'mode must be merge or replace').optional().meta({
    description: 'The mode of a body of CSV. By default merge',
  }),
})

/* The desired state. Missing members keep their values, so every member except those of the identity is optional. */

const name = text(1, 128)
const sortedNames = z
  .array(name)
  .max(10_000)
  .transform((all) => [...new Set(all)].sort())
const named = text(0, 128)
const flag = z.boolean()
const port = z.int().min(1).max(65_535)
/** 0 ends the range: null in the item, which is kept as JSON. */
const portEnd = z
  .int()
  .min(0)
  .max(65_535)
  .transform((last) => last || null)
  .meta({ description: 'The last port of a range; 0: no range' })

/** By itself, `merge` deletes nothing. */
const absence = {
  absent: flag
    .optional()
    .meta({ description: 'true: it is deleted if it is there; its other members do not count' }),
}

/** The items of each list in a plan. Lists of names are sorted, and addresses are in their canonical form, so that they can be compared. */
export const wantedItems = {
  enterprises: z.strictObject({
    ...absence,
    ...wanted(enterpriseFields, kinds.enterprise.identity),
    scope: named.optional(),
  }),
  scopes: z.strictObject({
    ...absence,
    name,
    parent: named.optional(),
    ...wanted(scopeFlags),
    enterprises: sortedNames.optional(),
    datacenters: sortedNames.optional(),
  }),
  roles: z.strictObject({
    ...absence,
    name,
    enterprise: named.optional(),
    scope: named.optional(),
    privileges: sortedNames.optional(),
    ...wanted(noted),
  }),
  users: z.strictObject({
    ...absence,
    nick: name,
    name: userInput.shape.name.optional(),
    surname: text(0, 128).optional(),
    email: text(0, 254).optional(),
    description: text(0, 1024).optional(),
    enterprise: name.optional(),
    role: named.optional(),
    scope: named.optional(),
    locale: userInput.shape.locale.unwrap().optional(),
    authType: text(0, 64).optional(),
    active: flag.optional(),
    locked: flag.optional(),
    allowedCIDRs: allowedCIDRs.unwrap().optional(),
    ends: ends.optional(),
    ...wanted(tagged),
    password: userInput.shape.password,
  } satisfies UserMembers),
  natnetworks: z.strictObject({
    ...absence,
    datacenter: name,
    name,
    cidr: natNetworkInput.shape.cidr.optional(),
    device: name.optional(),
    ...wanted(noted),
  }),
  natips: z.strictObject({
    ...absence,
    datacenter: name,
    network: name,
    ip: addressText,
    available: flag.optional(),
    quarantine: flag.optional(),
    defaultSnat: flag.optional(),
    virtualDatacenter: named.optional(),
    enterprise: named.optional(),
    ...wanted(noted),
    ends: ends.optional(),
  }),
  natrules: z.strictObject({
    ...absence,
    datacenter: name,
    network: name.optional(),
    type: z.enum(['SNAT', 'DNAT']),
    protocol: z.enum(natProtocols).optional(),
    original: addressText.meta({ example: '203.0.113.7' }),
    originalPort: port.optional(),
    originalPortEnd: portEnd.optional(),
    translated: addressText.meta({ example: '192.168.1.10' }),
    translatedPort: port.optional(),
    sources: ruleSettings.sources,
    enabled: flag.optional(),
    ends: ends.optional(),
    virtualDatacenter: name.optional(),
    virtualMachine: name.optional(),
    ...wanted(noted),
  }),
} as const satisfies Record<ExportEntity, z.ZodType>

export const planModes = ['merge', 'replace'] as const
export type PlanMode = (typeof planModes)[number]

/** Body of POST, as the description shows it. The server reads it item by item (read.server.ts). */
export const planInput = z.object({
  mode: z.enum(planModes).default('merge').meta({
    description: 'replace: what is missing from a list of the document is deleted',
  }),
  ...listsOf(wantedItems),
})

const changed = z.object({
  field: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
})
export type Changed = z.infer<typeof changed>

export const operationKinds = ['create', 'update', 'delete'] as const
export type OperationKind = (typeof operationKinds)[number]

const line = z.int().optional().meta({
  description:
    'The line of the document; in CSV the header is line 1. Missing for what a document does not list',
})

const planOperation = z.object({
  operation: z.enum(operationKinds),
  entity,
  name: z.string(),
  place: z.string().optional().meta({ description: 'The datacenter and the NAT network of a NAT thing' }),
  line,
  changes: z.array(changed).meta({ description: 'Values as in a cell of CSV: names are parted by |' }),
})
export type PlanOperation = z.infer<typeof planOperation>

const planRefusal = z.object({
  line,
  entity: entity.optional(),
  name: z.string().optional(),
  field: z.string().optional(),
  code: z.string(),
  message: z.string(),
})
export type PlanRefusal = z.infer<typeof planRefusal>

const planTotal = z.object({
  entity,
  create: z.int(),
  update: z.int(),
  delete: z.int(),
  none: z.int(),
})
export type PlanTotal = z.infer<typeof planTotal>

export const planDocument = z.object({
  links,
  id: z.int(),
  mode: z.enum(planModes),
  created: z.iso.datetime({ precision: 3 }),
  expires: z.iso.datetime({ precision: 3 }),
  applied: z.iso.datetime({ precision: 3 }).optional(),
  totals: z
    .array(planTotal)
    .meta({ description: 'For each list of the document. none: already as it should be' }),
  refused: z.int().meta({ description: 'The number of refusals, of which at most 1,000 are shown' }),
  incomplete: z.literal(true).optional().meta({
    description: 'The trial stopped at 1,000 refusals: there may be more',
  }),
  refusals: z.array(planRefusal),
  operations: z.array(planOperation),
})
export type PlanDocument = z.infer<typeof planDocument>

/** A plan without its lists. */
export type PlanHead = Omit<PlanDocument, 'operations' | 'refusals'>

import { randomBytes } from 'node:crypto'
import { unknownPassword } from '#lib/caller/auth/passwords.server'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { Attempt } from '#lib/db/savepoints.server'
import { slicesOf } from '#lib/db/slices.server'
import { ApiError, fault, fieldFault } from '#lib/ground/http/errors'
import { clearPrivileges } from '#lib/people/identity/role-changes.server'
import { SERVICE } from '#lib/people/identity/users.schema'
import type { Inner } from '#lib/record/events/operation.server'
import { type Applying, batchesOf, idIn, isBatched } from '#lib/state/plans/batches.server'
import {
  type Difference,
  merged,
  mergedRule,
  type Operation,
  type Wish,
} from '#lib/state/plans/compare.server'
import { nameOf } from '#lib/state/plans/items'
import {
  centerOf,
  deviceOf,
  type IpRow,
  idOf,
  idsOf,
  ipsAt,
  networkOf,
  privilegeOf,
  rulesAt,
} from '#lib/state/plans/lookup.server'
import type { ExportEntity } from '#lib/state/plans/plans.schema'

/* Operations of a plan as operations of the API: with their privileges, rules and events. */

/** One of a batch has parts instead of an operation. */
export type Step = Attempt & { operation?: Operation }

const presentPath = ({ present }: Operation): string => present?.path ?? ''

const to = (rel: string, path: string) => ({ rel, href: `/api${path}` })

/** What is made or goes has documents only with that event: before or after the others of the transaction there is none. */
const perform = ({ operate, part }: Applying, { kind }: Operation, inner: Inner) =>
  operate({ ...inner, part: { changes: part, hasDocuments: kind === 'update' || inner.method !== 'PUT' } })

const remove = (context: Applying, operation: Operation) =>
  perform(context, operation, { method: 'DELETE', path: presentPath(operation) })

/** The link to what has this name; none for the empty name. */
async function linkTo(
  context: Applying,
  kind: typeof kinds.scope | typeof kinds.enterprise | typeof kinds.role,
  { rel, field = rel, name }: { rel: string; field?: string; name: string | undefined },
) {
  if (name === undefined || name === '') return []
  return [to(rel, pathOf(kind, { id: await idOf(context, kind, { field, name }) }))]
}

async function enterpriseDocument(context: Applying, operation: Operation) {
  const item = merged<'enterprises'>(operation)
  const links = await linkTo(context, kinds.scope, { rel: 'scope', name: item.scope })
  return { name: item.name, twoFactorAuthenticationMandatory: item.twoFactorAuthenticationMandatory, links }
}

const saved = (context: Applying, operation: Operation, collection: string, document: object) =>
  perform(
    context,
    operation,
    operation.present
      ? { method: 'PUT', path: operation.present.path, document }
      : { method: 'POST', path: collection, document },
  )

const saveEnterprise = async (context: Applying, operation: Operation) =>
  saved(context, operation, collectionOf(kinds.enterprise), await enterpriseDocument(context, operation))

/** A new enterprise whose default scope contains it: without the scope at first. */
async function makeEnterpriseFirst(context: Applying, operation: Operation) {
  const { name, twoFactorAuthenticationMandatory } = merged<'enterprises'>(operation)
  await perform(context, operation, {
    method: 'POST',
    path: collectionOf(kinds.enterprise),
    document: { name, twoFactorAuthenticationMandatory },
  })
}

async function setDefaultScope(context: Applying, operation: Operation) {
  const document = await enterpriseDocument(context, operation)
  const id = await idOf(context, kinds.enterprise, { field: 'name', name: document.name })
  await perform(context, operation, { method: 'PUT', path: pathOf(kinds.enterprise, { id }), document })
}

async function scopeDocument(context: Applying, item: Wish<'scopes'>) {
  const { enterprises = [], datacenters = [] } = item
  const entities = async (
    kind: typeof kinds.enterprise | typeof kinds.datacenter,
    type: string,
    names: readonly string[],
  ) => (await idsOf(context, kind, { field: kind.table, names })).map((idResource) => ({ idResource, type }))
  return {
    name: item.name,
    automaticAddDatacenter: item.automaticAddDatacenter,
    automaticAddEnterprise: item.automaticAddEnterprise,
    scopeEntities: [
      ...(await entities(kinds.enterprise, 'ENTERPRISE', enterprises)),
      ...(await entities(kinds.datacenter, 'DATACENTER', datacenters)),
    ],
    links: await linkTo(context, kinds.scope, { rel: 'scopeParent', field: 'parent', name: item.parent }),
  }
}

const saveScope = async (context: Applying, operation: Operation) =>
  saved(
    context,
    operation,
    collectionOf(kinds.scope),
    await scopeDocument(context, merged<'scopes'>(operation)),
  )

/** Out of the way of scopes that change places: a root with what it contains now. */
async function detachScope(context: Applying, { present }: Operation) {
  if (!present) throw new ApiError('SCOPE-1')
  const document = await scopeDocument(context, { ...(present.item as Wish<'scopes'>), parent: '' })
  await context.operate({ method: 'PUT', path: present.path, document })
}

async function saveRole(context: Applying, operation: Operation) {
  const item = merged<'roles'>(operation)
  const { privileges = [] } = item
  const links = [
    ...(await linkTo(context, kinds.enterprise, { rel: 'enterprise', name: item.enterprise })),
    ...(await linkTo(context, kinds.scope, { rel: 'scope', name: item.scope })),
    ...privileges.map((name, index) => to(`privilege${index}`, `/config/privileges/${privilegeOf(name)}`)),
  ]
  const document = { name: item.name, links }
  await saved(context, operation, collectionOf(kinds.role), document)
  const had = (operation.present?.item as Wish<'roles'> | undefined)?.privileges ?? []
  if (privileges.length === 0 && had.length > 0) await clearPrivileges(context, idIn(presentPath(operation)))
}

async function saveUser(context: Applying, operation: Operation) {
  const { wanted, present } = operation
  const { enterprise, role, scope, authType, ...profile } = merged<'users'>(operation)
  if (enterprise === undefined)
    throw new ApiError(fieldFault('CONSTR-NOTNULL', 'enterprise', 'must not be missing'))
  const enterpriseId = await idOf(context, kinds.enterprise, { field: 'enterprise', name: enterprise })
  const links = [
    to('enterprise', pathOf(kinds.enterprise, { id: enterpriseId })),
    ...(await linkTo(context, kinds.role, { rel: 'role', name: role })),
    ...(await linkTo(context, kinds.scope, { rel: 'scope', name: scope })),
  ]
  if (present) return saved(context, operation, '', { ...profile, links })
  const isService = authType === SERVICE
  // The hash of the password is what counts. Without one nobody knows the password.
  const password = randomBytes(32).toString('base64url')
  return perform(context, operation, {
    method: 'POST',
    path: collectionOf(kinds.user, { enterprise: enterpriseId }),
    document: { ...profile, links, ...(isService ? { authType } : { password }) },
    prepared: isService ? {} : { hash: wanted?.hash ?? (await unknownPassword()) },
  })
}

async function saveNetwork(context: Applying, operation: Operation) {
  const { datacenter, name, cidr, device } = merged<'natnetworks'>(operation)
  const id = await idOf(context, kinds.datacenter, { field: 'datacenter', name: datacenter })
  const links =
    device === undefined
      ? []
      : [to('device', pathOf(kinds.device, { datacenter: id, id: await deviceOf(context, id, device) }))]
  await saved(context, operation, collectionOf(kinds.natnetwork, { datacenter: id }), { name, cidr, links })
}

const natIpsOf = (center: number): string => `${pathOf(kinds.virtualdatacenter, { id: center })}/natips`

/** What gets a virtual datacenter is available at first, and becomes what it should be once it has its rules. */
async function saveIp(context: Applying, operation: Operation) {
  const item = merged<'natips'>(operation)
  const network = await networkOf(context, item)
  const path = collectionOf(kinds.natip, { datacenter: network.datacenter_id, natnetwork: network.id })
  const { ip, available = true, quarantine = false } = item
  const isHeld = item.virtualDatacenter !== undefined && item.virtualDatacenter !== ''
  const isAttached = isHeld && changesHolder(operation)
  const flags = isHeld ? { available: true, quarantine: false } : { available, quarantine }
  if (!operation.present)
    await perform(context, operation, { method: 'POST', path, document: { ip, ...flags } })
  const row = (await ipsAt(context, network.id, [ip]))(ip)
  const document = {
    available: available || isAttached || row.available === 1,
    quarantine: quarantine && !isAttached && row.quarantine === 1,
  }
  if (document.available !== (row.available === 1) || document.quarantine !== (row.quarantine === 1))
    await perform(context, operation, { method: 'PUT', path: `${path}/${row.id}`, document })
  await moveIp(context, { operation, datacenter: network.datacenter_id, row })
}

const changesHolder = ({ changes }: Operation): boolean =>
  changes.some(({ field }) => field === 'virtualDatacenter' || field === 'enterprise')

type Moving = {
  operation: Operation
  datacenter: number
  row: IpRow
}

/** Releases the IP, attaches it, and makes it the default SNAT. */
async function moveIp(context: Applying, { operation, datacenter, row }: Moving) {
  const { virtualDatacenter: name, enterprise, defaultSnat } = { ...operation.wanted?.item } as Wish<'natips'>
  const changed = new Set(operation.changes.map(({ field }) => field))
  const isMoved = changesHolder(operation)
  const holder = row.virtual_datacenter_id ?? undefined
  let center = holder
  if (isMoved && (name === undefined || name === '')) {
    if (name === undefined)
      throw new ApiError(fieldFault('CONSTR-NOTNULL', 'virtualDatacenter', 'must not be missing'))
    if (holder !== undefined) await release(context, operation, { center: holder, ip: row.id })
    center = undefined
  } else if (isMoved && name !== undefined) {
    center = await centerOf(context, { datacenter, name, holder, ...(enterprise !== '' && { enterprise }) })
    if (holder !== undefined && holder !== center)
      await release(context, operation, { center: holder, ip: row.id })
    if (holder !== center)
      await perform(context, operation, { method: 'PUT', path: `${natIpsOf(center)}/topurchase/${row.id}` })
  }
  if (defaultSnat === undefined || !changed.has('defaultSnat')) return
  if (center !== undefined)
    await perform(context, operation, {
      method: 'PUT',
      path: `${natIpsOf(center)}/${row.id}`,
      document: { defaultSnat },
    })
  else if (defaultSnat) throw new ApiError(fault('NAT-IP-8'))
}

const release = (context: Applying, operation: Operation, { center, ip }: { center: number; ip: number }) =>
  perform(context, operation, { method: 'PUT', path: `${natIpsOf(center)}/purchased/${ip}` })

/** Withdraws the IP: no longer available, or in quarantine. It keeps what it has. */
async function withdrawIp(context: Applying, operation: Operation) {
  const item = merged<'natips'>(operation)
  const network = await networkOf(context, item)
  const row = (await ipsAt(context, network.id, [item.ip]))(item.ip)
  const { available = true, quarantine = false } = item
  if ((row.available === 1) === available && (row.quarantine === 1) === quarantine) return
  const path = pathOf(kinds.natip, { datacenter: network.datacenter_id, natnetwork: network.id, id: row.id })
  await perform(context, operation, { method: 'PUT', path, document: { available, quarantine } })
}

async function removeIp(context: Applying, operation: Operation) {
  const { present } = operation
  if (present?.holder !== undefined)
    await release(context, operation, { center: present.holder, ip: idIn(present.path) })
  await remove(context, operation)
}

async function addRule(context: Applying, operation: Operation) {
  const item = mergedRule(operation)
  const network = await networkOf(context, { datacenter: item.datacenter, network: item.network ?? '' })
  for (const { path, document } of await rulesAt(context, network.id, [item]))
    await perform(context, operation, { method: 'POST', path, document })
}

type Run = (context: Applying, operation: Operation) => Promise<unknown>

/** The order in which steps run at first: what others need comes early, and what others use goes late. */
const ranks = [
  'removeRule',
  'removeIp',
  'removeNetwork',
  'makeEnterprise',
  'saveScope',
  'saveEnterprise',
  'saveRole',
  'saveUser',
  'removeUser',
  'removeRole',
  'removeEnterprise',
  'removeScope',
  'saveNetwork',
  'saveIp',
  'addRule',
  'withdrawIp',
] as const
type Rank = (typeof ranks)[number]

const runs: Record<Rank, Run> = {
  removeRule: remove,
  removeIp,
  removeNetwork: remove,
  makeEnterprise: makeEnterpriseFirst,
  saveScope,
  saveEnterprise,
  saveRole,
  saveUser,
  removeUser: remove,
  removeRole: remove,
  removeEnterprise: remove,
  removeScope: remove,
  saveNetwork,
  saveIp,
  addRule,
  withdrawIp,
}

const removals: Record<ExportEntity, Rank> = {
  enterprises: 'removeEnterprise',
  scopes: 'removeScope',
  roles: 'removeRole',
  users: 'removeUser',
  natnetworks: 'removeNetwork',
  natips: 'removeIp',
  natrules: 'removeRule',
}

/** The steps of an operation, by their ranks. */
function ranksOf({ kind, entity, wanted, present }: Operation): Rank[] {
  if (kind === 'delete') return [removals[entity]]
  if (entity === 'scopes') return ['saveScope']
  if (entity === 'roles') return ['saveRole']
  if (entity === 'users') return ['saveUser']
  if (entity === 'natnetworks') return ['saveNetwork']
  if (entity === 'natrules') return present ? ['removeRule', 'addRule'] : ['addRule']
  if (entity === 'enterprises') {
    const { scope = '' } = { ...wanted?.item } as Wish<'enterprises'>
    return kind === 'create' && scope !== '' ? ['makeEnterprise', 'saveEnterprise'] : ['saveEnterprise']
  }
  const { available = true, quarantine = false } = { ...present?.item, ...wanted?.item } as Wish<'natips'>
  return available && !quarantine ? ['saveIp'] : ['saveIp', 'withdrawIp']
}

/** The steps of all operations, parents first and children of what goes first. */
export async function stepsOf(context: Applying, { operations, parents }: Difference): Promise<Step[]> {
  const byRank = new Map<Rank, Operation[]>(ranks.map((rank) => [rank, []]))
  for await (const some of slicesOf(operations))
    for (const operation of some) for (const rank of ranksOf(operation)) byRank.get(rank)?.push(operation)
  const { depths } = ancestryIn(parents)
  const depthOf = ({ wanted, present }: Operation) =>
    depths.get(nameOf('scopes', { ...present?.item, ...wanted?.item }) ?? '') ?? 0
  byRank.get('saveScope')?.sort((one, other) => depthOf(one) - depthOf(other))
  byRank.get('removeScope')?.sort((one, other) => depthOf(other) - depthOf(one))
  const steps: Step[][] = []
  for (const rank of ranks) steps.push(await stepsOfRank(context, rank, byRank.get(rank) ?? []))
  return steps.flat()
}

/** Many operations that are alike are one step. */
async function stepsOfRank(context: Applying, rank: Rank, operations: Operation[]): Promise<Step[]> {
  const one = (operation: Operation) => stepOf(context, rank, operation)
  return isBatched(rank) ? batchesOf(context, rank, { operations, one }) : operations.map(one)
}

function stepOf(context: Applying, rank: Rank, operation: Operation): Step {
  const isMade = rank === 'saveEnterprise' && ranksOf(operation).includes('makeEnterprise')
  const run = () => (isMade ? setDefaultScope : runs[rank])(context, operation)
  const detour = rank === 'saveScope' && operation.present && (() => detachScope(context, operation))
  return { operation, run, ...(detour && { detour }) }
}

/** The number of scopes above each scope, and the scopes that would be above themselves. Each scope is visited once. */
export function ancestryIn(parents: ReadonlyMap<string, string>) {
  const depths = new Map<string, number>()
  const circular = new Set<string>()
  for (const name of parents.keys()) {
    const path = new Set<string>()
    let above = name
    while (parents.has(above) && !depths.has(above) && !path.has(above)) {
      path.add(above)
      above = parents.get(above) ?? ''
    }
    const below = [...path]
    if (path.has(above)) for (const each of below.slice(below.indexOf(above))) circular.add(each)
    let depth = path.has(above) ? 0 : (depths.get(above) ?? -1)
    for (const each of below.reverse()) {
      depth += 1
      depths.set(each, depth)
    }
  }
  return { depths, circular }
}

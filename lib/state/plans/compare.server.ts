import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { seesEverything } from '#lib/caller/auth/privileges'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database } from '#lib/db/db.server'
import { slicesOf } from '#lib/db/slices.server'
import { ApiError, fault, fieldFault } from '#lib/ground/http/errors'
import { addressKeyOf } from '#lib/ground/net/addresses'
import type { Context } from '#lib/record/events/operation.server'
import { cellOf, identityOf, keyOf, nameOf, natAddress, placeOf } from '#lib/state/plans/items'
import {
  type Changed,
  type ExportEntity,
  exportEntities,
  type OperationKind,
  type PlanMode,
  type PlanOperation,
  type PlanRefusal,
  type PlanTotal,
  type wantedItems,
} from '#lib/state/plans/plans.schema'
import { type Narrowed, type Present, presentOf, visibleNetworks } from '#lib/state/plans/present.server'
import { type Checked, refusalOf, refuse, type Wanted, type WantedLists } from '#lib/state/plans/read.server'

/* The difference between the desired and the present state. */

/** One difference, with the data that is needed to apply it. */
export type PlannedOperation = {
  kind: OperationKind
  entity: ExportEntity
  wanted?: Wanted
  present?: Present
  changes: Changed[]
}

export type WantedItem<Entity extends ExportEntity> = z.infer<(typeof wantedItems)[Entity]>

/** The desired members over the present ones. */
export const merged = <Entity extends ExportEntity>({
  present,
  wanted,
}: Pick<PlannedOperation, 'present' | 'wanted'>): WantedItem<Entity> =>
  ({ ...present?.item, ...wanted?.item }) as WantedItem<Entity>

/** A rule that is created again. Its virtual machine follows from the private IP, so the old one's machine does not count. */
export function mergedRule(operation: Pick<PlannedOperation, 'present' | 'wanted'>): WantedItem<'natrules'> {
  const { virtualDatacenter: _center, virtualMachine: _machine, ...rule } = merged<'natrules'>(operation)
  const { virtualDatacenter, virtualMachine } = { ...operation.wanted?.item } as Partial<
    WantedItem<'natrules'>
  >
  return {
    ...rule,
    ...(virtualDatacenter !== undefined && { virtualDatacenter }),
    ...(virtualMachine !== undefined && { virtualMachine }),
  }
}

export type Difference = {
  operations: PlannedOperation[]
  totals: PlanTotal[]
  /** Equal for equal operations. */
  fingerprint: string
  /** The parent of each scope, as it is and as it should be. */
  parents: Map<string, string>
}

/** A plan has this many operations at most. */
const MOST_OPERATIONS = 100_000

/** The connection for reads: on SQLite the scan thread, because only this transaction can write. On PostgreSQL the transaction itself. */
const readingIn = ({ caller, db }: ReadContext): ReadContext => ({
  caller,
  db: database().engine === 'sqlite' ? database().scan : db,
})

export const shownOperation = ({
  kind,
  entity,
  wanted,
  present,
  changes,
}: PlannedOperation): PlanOperation => {
  const item = { ...present?.item, ...wanted?.item }
  const place = placeOf(item)
  return {
    operation: kind,
    entity,
    name: nameOf(entity, item) ?? '',
    ...(entity.startsWith('nat') && place !== undefined && { place }),
    ...(wanted?.line !== undefined && { line: wanted.line }),
    changes,
  }
}

/** The meaning of an empty name for limited callers: their scopes are below their own one, and their roles belong to their enterprise. */
type Default = { field: string; name: string | undefined; isFree: (item: Item) => boolean }

async function defaultOf({ caller, db }: ReadContext, entity: ExportEntity): Promise<Default | undefined> {
  const { scope, enterpriseId } = caller
  const nameIn = async (table: 'scopes' | 'enterprises', id: number) =>
    (await db.selectFrom(table).where('id', '=', id).select('name').executeTakeFirst())?.name
  if (entity === 'scopes' && !seesEverything(scope)) {
    const name = await nameIn('scopes', scope.id)
    return { field: 'parent', name, isFree: (item) => item.name !== name && !isUnlimited(item) }
  }
  if (entity === 'roles' && !scope.allEnterprises)
    return { field: 'enterprise', name: await nameIn('enterprises', enterpriseId), isFree: () => true }
  return undefined
}

const isUnlimited = ({ automaticAddDatacenter, automaticAddEnterprise }: Item): boolean =>
  automaticAddDatacenter === true || automaticAddEnterprise === true

/** Names the default, except for existing items without it. */
function nameDefault({ field, name, isFree }: Default, { item }: Wanted, present: Item | undefined): void {
  if (item[field] === '' && present?.[field] !== '' && isFree(item)) item[field] = name
}

/** Throws 413 if there are more than 100,000 operations. */
export async function differenceOf(
  { caller, db, report }: Pick<Context, 'caller' | 'db' | 'report'>,
  { mode, lists }: { mode: PlanMode; lists: WantedLists },
): Promise<Difference> {
  const on = readingIn({ caller, db })
  const rows = Object.values(lists).reduce((sum, wanted) => sum + wanted.length, 0)
  let done = 0
  report({ phase: 'compare', done, total: rows })
  const hash = createHash('sha256')
  const difference: Difference = { operations: [], totals: [], fingerprint: '', parents: new Map() }
  const add = (operation: PlannedOperation, total: PlanTotal) => {
    total[operation.kind] += 1
    hash.update(JSON.stringify(shownOperation(operation)))
    if (difference.operations.push(operation) > MOST_OPERATIONS)
      throw new ApiError(
        fault('413-PAYLOAD-TOO-LARGE', `The plan would have more than ${MOST_OPERATIONS} operations`),
      )
  }
  for (const entity of exportEntities) {
    const wanted = lists[entity]
    if (!wanted) continue
    const total: PlanTotal = { entity, create: 0, update: 0, delete: 0, none: 0 }
    difference.totals.push(total)
    for await (const operation of operationsOf(on, { entity, wanted, mode })) {
      if (entity === 'scopes' && !operation.wanted?.absent) noteParent(difference.parents, operation)
      if (isOperation(operation)) add(operation, total)
      else if (operation.wanted) total.none += 1
      if (operation.wanted) done += 1
      report({ phase: 'compare', done, total: rows })
    }
  }
  return { ...difference, fingerprint: hash.digest('base64url') }
}

/** An existing item, and the desired one, if the document lists it; or one that is absent as it should be. */
type Pair = { present: Present; wanted?: Wanted } | { present?: undefined; wanted: Wanted }

const isOperation = (each: PlannedOperation | Pair): each is PlannedOperation => 'kind' in each

function noteParent(parents: Map<string, string>, { present, wanted }: PlannedOperation | Pair): void {
  const { name, parent } = { ...present?.item, ...wanted?.item } as { name: string; parent?: string }
  parents.set(name, parent ?? '')
}

type List = { entity: ExportEntity; wanted: readonly Wanted[]; mode: PlanMode }

/** Deletions in the order of existing items, then new and changed items in the order of the document. */
async function* operationsOf(
  context: ReadContext,
  { entity, wanted, mode }: List,
): AsyncGenerator<PlannedOperation | Pair> {
  const byKey = new Map<string, Wanted>()
  for await (const some of slicesOf(wanted))
    for (const each of some) byKey.set(keyOf(entity, each.item), each)
  const found = new Map<Wanted, Present>()
  const narrowed = mode === 'merge' ? await narrowedTo(context, entity, wanted) : undefined
  for await (const batch of presentOf(entity, context, narrowed)) {
    await setImmediate()
    for (const present of batch) {
      const same = byKey.get(keyOf(entity, present.item))
      if (same) found.set(same, present)
      if (same?.absent) yield deletionOf(entity, present, same.line)
      if (!same) yield mode === 'merge' ? { present } : deletionOf(entity, present)
    }
  }
  const unnamed = await defaultOf(context, entity)
  for await (const some of slicesOf(wanted))
    for (const each of some) {
      if (each.absent) {
        if (!found.has(each)) yield { wanted: each }
        continue
      }
      const present = found.get(each)
      if (unnamed) nameDefault(unnamed, each, present?.item)
      const changes = changesOf(entity, present?.item, each.item)
      if (!present) yield { kind: 'create', entity, wanted: each, changes }
      else if (changes.length > 0) yield { kind: 'update', entity, wanted: each, present, changes }
      else yield { present, wanted: each }
    }
}

type Item = Readonly<Record<string, unknown>>

const deletionOf = (entity: ExportEntity, present: Present, line?: number): PlannedOperation => ({
  kind: 'delete',
  entity,
  present,
  ...(line !== undefined && { wanted: { line, item: {} } }),
  changes: changesOf(entity, present.item, undefined),
})

/** How a user signs in cannot change. */
const FIXED = 'authType'

/** The members that differ. Of a new or a deleted item: all but those of its identity. */
function changesOf(entity: ExportEntity, present: Item | undefined, wanted: Item | undefined): Changed[] {
  const identity = identityOf(entity)
  const names = Object.keys(wanted ?? present ?? {}).filter((name) => !identity.includes(name))
  return names.flatMap((field) => {
    const [before, after] = [cellOf(present?.[field]), cellOf(wanted?.[field])]
    const isFixed = field === FIXED && present && wanted
    if (isFixed || (before ?? '') === (after ?? '')) return []
    return [{ field, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
  })
}

/** For NAT IPs and rules: the addresses that the document lists, by the id of their network. */
async function narrowedTo(
  context: ReadContext,
  entity: ExportEntity,
  wanted: readonly Wanted[],
): Promise<Narrowed | undefined> {
  if (entity !== 'natips' && entity !== 'natrules') return undefined
  const networks = await visibleNetworks(context)
  const ids = new Map(networks.map(({ id, datacenter, name }) => [JSON.stringify([datacenter, name]), id]))
  const keys = new Map<number, Set<string>>()
  for await (const some of slicesOf(wanted))
    for (const { item } of some) {
      const id = ids.get(JSON.stringify([item.datacenter, item.network]))
      const key = addressKeyOf(entity === 'natips' ? item.ip : natAddress(item))
      if (id !== undefined && key !== undefined) keys.set(id, (keys.get(id) ?? new Set()).add(key))
    }
  return new Map([...keys].map(([id, each]) => [id, [...each].sort()]))
}

/** Finds the networks of rules that name none: that of the NAT IP with this address, in the document or in the datacenter. */
export async function findNetworks(context: ReadContext, checked: Checked): Promise<void> {
  const { lists } = checked
  const unplaced = (lists.natrules ?? []).filter(({ item }) => item.network === undefined)
  if (unplaced.length === 0) return
  const known = new Map<string, Set<string>>()
  const note = (datacenter: unknown, ip: unknown, network: unknown) => {
    const key = JSON.stringify([datacenter, ip])
    known.set(key, (known.get(key) ?? new Set()).add(String(network)))
  }
  for (const { item } of lists.natips ?? []) note(item.datacenter, item.ip, item.network)
  const networks = new Map((await visibleNetworks(context)).map((network) => [network.id, network]))
  for (const row of await ipsAt(context.db, unplaced)) {
    const network = networks.get(row.nat_network_id)
    if (network) note(network.datacenter, row.ip, network.name)
  }
  const refusals: PlanRefusal[] = []
  lists.natrules = (lists.natrules ?? []).filter((rule) => {
    if (rule.item.network !== undefined) return true
    const [network, ...others] =
      known.get(JSON.stringify([rule.item.datacenter, natAddress(rule.item)])) ?? []
    if (network !== undefined && others.length === 0) {
      rule.item.network = network
      return true
    }
    const about = { line: rule.line, entity: 'natrules' as const, name: nameOf('natrules', rule.item) }
    const each =
      network === undefined
        ? fault('NAT-IP-0', `The NAT IP ${natAddress(rule.item)} was not found in this datacenter`)
        : fieldFault('CONSTR-NOTNULL', 'network', `several NAT networks have ${natAddress(rule.item)}`)
    refusals.push(refusalOf(about, each))
    return false
  })
  refuse(checked, refusals)
}

async function ipsAt(db: Db, rules: readonly Wanted[]) {
  const keys = [...new Set(rules.flatMap(({ item }) => addressKeyOf(natAddress(item)) ?? []))]
  const rows: { ip: string; nat_network_id: number }[] = []
  for (const some of chunksOf(keys))
    rows.push(
      ...(await db
        .selectFrom('nat_ips')
        .where('ip_key', 'in', some)
        .select(['ip', 'nat_network_id'])
        .execute()),
    )
  return rows
}

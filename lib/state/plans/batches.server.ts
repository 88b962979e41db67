import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { attachIps } from '#lib/cloud/nat/attachments.server'
import { createListedIps } from '#lib/cloud/nat/ip-creation.server'
import { addMachinesRules, deleteRules, ruleOf } from '#lib/cloud/nat/machine-rules.server'
import { ipsOfNetwork, releaseManyIps, removeManyIps, setManyIps } from '#lib/cloud/nat/many-ips.server'
import { natRuleInput } from '#lib/cloud/nat/rules.schema'
import { inBatches } from '#lib/db/batches.server'
import type { Trx } from '#lib/db/db.server'
import type { Attempt } from '#lib/db/savepoints.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Context } from '#lib/record/events/operation.server'
import { insertEvent } from '#lib/record/events/record.server'
import type { StoredChanges } from '#lib/record/events/stored'
import { merged, mergedRule, type Operation, type Wish } from '#lib/state/plans/compare.server'
import { centerOf, ipsAt, networkOf, rulesAt } from '#lib/state/plans/lookup.server'

/* NAT IPs and rules by the hundred: the rules and privileges of the single operations, in a few statements. */

/** `part`: what the events of all steps have in common. `counted`: what batches changed, for their events. */
export type Applying = Pick<Context, 'caller' | 'operate' | 'permit' | 'request'> & {
  db: Trx
  part: StoredChanges
  counted: Map<string, Counted>
}

type Counted = { action: string; datacenter: { id: number; name: string }; count: number }

export const idIn = (path: string): number => Number(path.split('/').at(-1))

const idsIn = (operations: readonly Operation[]): number[] =>
  operations.map(({ present }) => idIn(present?.path ?? ''))

type Network = Awaited<ReturnType<typeof networkOf>>

type Work = { network: Network; operations: Operation[]; path: string }

/** A kind of batch: which operations are alike, and what changes them all. */
type Kind = {
  /** Undefined: not in a batch. Null: nothing to do. */
  alike: (operation: Operation) => string | null | undefined
  action: (operation: Operation) => string
  run: (context: Applying, work: Work) => Promise<void>
}

type Ip = Wish<'natips'>

const flagsOf = ({ available = true, quarantine = false }: Pick<Ip, 'available' | 'quarantine'>) => ({
  available,
  quarantine,
})

const fieldsOf = ({ changes }: Operation): Set<string> => new Set(changes.map(({ field }) => field))

const isHeld = ({ virtualDatacenter = '' }: Ip): boolean => virtualDatacenter !== ''

/** An IP that is there becomes available first, and is withdrawn last. */
function flagsAtFirst(operation: Operation) {
  const [was, is] = [flagsOf(operation.present?.item as Ip), flagsOf(merged<'natips'>(operation))]
  return { available: is.available || was.available, quarantine: is.quarantine && was.quarantine }
}

function alikeToSave(operation: Operation): string | null | undefined {
  const item = merged<'natips'>(operation)
  const fields = fieldsOf(operation)
  if (operation.kind === 'create') {
    if (fields.has('defaultSnat') && item.defaultSnat) return undefined
    return `create ${JSON.stringify([item.virtualDatacenter, item.enterprise])}`
  }
  if (fields.has('defaultSnat') || fields.has('virtualDatacenter') || fields.has('enterprise'))
    return undefined
  const [was, first] = [flagsOf(operation.present?.item as Ip), flagsAtFirst(operation)]
  return JSON.stringify(was) === JSON.stringify(first) ? null : `set ${JSON.stringify(first)}`
}

async function createIps(context: Applying, { network, operations, path }: Work) {
  await context.permit({ method: 'POST', path })
  const items = operations.map((operation) => merged<'natips'>(operation))
  const [first] = items
  const held = first && isHeld(first) ? first : undefined
  const ips = items.map((item) => ({
    ip: item.ip,
    ...(held ? { available: true, quarantine: false } : flagsOf(item)),
  }))
  await createListedIps(context.db, network, ips)
  if (!held) return
  const { virtualDatacenter: name = '', enterprise } = held
  const center = await centerOf(context, {
    datacenter: network.datacenter_id,
    name,
    ...(enterprise !== '' && { enterprise }),
  })
  const rowOf = await ipsAt(
    context,
    network.id,
    items.map(({ ip }) => ip),
  )
  const ids = items.map(({ ip }) => rowOf(ip).id)
  await context.permit({
    method: 'PUT',
    path: `${pathOf(kinds.virtualdatacenter, { id: center })}/natips/topurchase/${ids[0]}`,
  })
  await attachIps(context.db, { network: network.id, virtualDatacenter: center }, ids)
}

async function setIps(
  context: Applying,
  { network, operations, path }: Work,
  flags: ReturnType<typeof flagsOf>,
): Promise<void> {
  const ips = operations.map((operation) => merged<'natips'>(operation).ip)
  const rowOf = await ipsAt(context, network.id, ips)
  const ids = ips.map((ip) => rowOf(ip).id)
  await context.permit({ method: 'PUT', path: `${path}/${ids[0]}` })
  await setManyIps(context.db, await ipsOfNetwork(context.db, network.id, ids), flags)
}

async function saveIps(context: Applying, work: Work): Promise<void> {
  const [first] = work.operations
  if (first?.kind === 'create') await createIps(context, work)
  else if (first) await setIps(context, work, flagsAtFirst(first))
}

async function withdrawIps(context: Applying, work: Work): Promise<void> {
  const [first] = work.operations
  if (first) await setIps(context, work, flagsOf(merged<'natips'>(first)))
}

async function removeIps(context: Applying, { network, operations, path }: Work) {
  const ids = idsIn(operations)
  const present = () => ipsOfNetwork(context.db, network.id, ids)
  await context.permit({ method: 'DELETE', path: `${path}/${ids[0]}` })
  const holder = operations[0]?.present?.holder
  if (holder !== undefined) {
    await context.permit({
      method: 'PUT',
      path: `${pathOf(kinds.virtualdatacenter, { id: holder })}/natips/purchased/${ids[0]}`,
    })
    await releaseManyIps(context.db, await present())
  }
  await removeManyIps(context.db, await present())
}

async function removeRules({ db, permit }: Applying, { operations }: Work) {
  await permit({ method: 'DELETE', path: operations[0]?.present?.path ?? '' })
  const rows = await db
    .selectFrom('nat_rules')
    .where('id', 'in', idsIn(operations))
    .select(['id', 'nat_network_id', 'snat', 'ip_key'])
    .execute()
  if (rows.length < operations.length) throw new ApiError('NAT-RULE-0')
  await deleteRules(db, rows)
}

async function addRules(context: Applying, { network, operations }: Work) {
  const items = operations.map(mergedRule)
  const found = await rulesAt(context, network.id, items)
  await context.permit({ method: 'POST', path: found[0]?.path ?? '' })
  await addMachinesRules(
    context.db,
    found.map(({ machine, document }) => {
      const { data: rule } = natRuleInput.safeParse(document)
      // The single operation says why.
      if (!rule) throw new ApiError('CONSTR-PATTERN')
      return { machine, rule: ruleOf(rule) }
    }),
  )
}

const batches = {
  removeRule: { alike: () => '', action: () => 'delete-natrules', run: removeRules },
  removeIp: {
    alike: ({ present }) => `${present?.holder}`,
    action: () => 'delete-natips',
    run: removeIps,
  },
  saveIp: {
    alike: alikeToSave,
    action: ({ kind }) => (kind === 'create' ? 'create-natips' : 'change-natips'),
    run: saveIps,
  },
  addRule: { alike: () => '', action: () => 'create-natrules', run: addRules },
  withdrawIp: {
    alike: (operation) => {
      const item = merged<'natips'>(operation)
      return operation.kind === 'create' && !isHeld(item) ? null : JSON.stringify(flagsOf(item))
    },
    action: () => 'change-natips',
    run: withdrawIps,
  },
} satisfies Record<string, Kind>

type Batched = keyof typeof batches

export const isBatched = (rank: string): rank is Batched => Object.hasOwn(batches, rank)

/** The steps of operations of this rank: many that are alike are one step. */
export function batchesOf<Step extends Attempt>(
  context: Applying,
  rank: Batched,
  { operations, one }: { operations: readonly Operation[]; one: (operation: Operation) => Step },
): Promise<(Step | Attempt)[]> {
  const kind: Kind = batches[rank]
  return inBatches(operations, {
    alike: (operation) => {
      const alike = kind.alike(operation)
      const { datacenter, network } = merged<'natips'>(operation)
      return typeof alike === 'string' ? JSON.stringify([datacenter, network, alike]) : alike
    },
    one,
    many: (some) => runBatch(context, kind, some),
  })
}

async function runBatch(context: Applying, kind: Kind, operations: Operation[]): Promise<void> {
  const [first] = operations
  if (!first) return
  const { datacenter: name, network: networkName } = merged<'natips'>(first)
  const network = await networkOf(context, { datacenter: name, network: networkName })
  const path = collectionOf(kinds.natip, { datacenter: network.datacenter_id, natnetwork: network.id })
  await kind.run(context, { network, operations, path })
  const action = kind.action(first)
  const key = `${action} ${network.datacenter_id}`
  const counted = context.counted.get(key) ?? {
    action,
    datacenter: { id: network.datacenter_id, name },
    count: 0,
  }
  context.counted.set(key, { ...counted, count: counted.count + operations.length })
}

/** One event for each datacenter and kind of change. */
export async function recordBatches({ db, caller, request, part, counted }: Applying): Promise<void> {
  for (const { action, datacenter, count } of counted.values())
    await insertEvent(db, {
      request,
      action,
      changes: { count: { after: String(count) }, ...part },
      by: caller,
      entity: {
        type: 'datacenter',
        ...datacenter,
        path: pathOf(kinds.datacenter, { id: datacenter.id }),
        place: { datacenter: datacenter.id },
      },
      undoable: false,
    })
}

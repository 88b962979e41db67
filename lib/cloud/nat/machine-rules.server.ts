import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { type CountedRule, recount } from '#lib/cloud/nat/counts.server'
import {
  conflicts,
  fieldIn,
  isHeavier,
  type Located,
  requireFewRanged,
  sourceFaults,
  takenFault,
} from '#lib/cloud/nat/rule-conflicts.server'
import { changedSettings } from '#lib/cloud/nat/rule-settings.server'
import type { NatRuleDocument, NatRuleInput } from '#lib/cloud/nat/rules.schema'
import { insertRules, type NewRule, ruleViews } from '#lib/cloud/nat/rules.server'
import {
  keyOf,
  type Rule,
  ruleOf,
  rulesIn,
  type StoredRule,
  writeSettings,
} from '#lib/cloud/nat/stored-rules.server'
import { chunksOf } from '#lib/db/chunks'
import type { Db, Trx } from '#lib/db/db.server'
import { endAfter, endFaults } from '#lib/ground/http/ends.schema'
import { ApiError, type Fault, fault } from '#lib/ground/http/errors'
import { noteEnd } from '#lib/record/mail/end-notices.server'

/* The NAT rules in the documents of virtual machines. */

type Machine = { id: number; virtual_datacenter_id: number }

/** The rules of these machines, in the order of their NAT IPs. The machines must be visible to the caller. */
export async function rulesOfMachines(
  context: ReadContext,
  machines: readonly number[],
): Promise<Map<number, NatRuleDocument[]>> {
  if (machines.length === 0) return new Map()
  const rows = await context.db
    .selectFrom('nat_rules')
    .where('virtual_machine_id', 'in', machines)
    .select(['id', 'virtual_machine_id'])
    .orderBy('ip_key')
    .orderBy('id')
    .execute()
  if (rows.length === 0) return new Map()
  const views = new Map((await ruleViews(context, rows)).map((view) => [view.id, view]))
  const byMachine = Map.groupBy(rows, ({ virtual_machine_id }) => virtual_machine_id)
  return new Map(
    [...byMachine].map(([machine, own]) => [machine, own.flatMap(({ id }) => views.get(id) ?? [])]),
  )
}

/** Replaces the rules of the machine. Those that stay keep their ids, and the settings that were not sent. */
export async function replaceMachineRules(
  { caller, db }: WriteContext,
  machine: Machine,
  sent: readonly NatRuleInput[],
): Promise<void> {
  const wanted = sent.map((input, index) => ({ rule: ruleOf(input), machine, at: `natrules.${index}` }))
  const byKey = new Map<string, Placed>()
  // A rule that is sent twice conflicts with itself.
  const twice = wanted.filter((each) => byKey.size === byKey.set(keyOf(each.rule), each).size)
  if (twice.length > 0) throw new ApiError(twice.map((each) => takenFault(each)))
  const before = await rulesIn(db, 'virtual_machine_id', [machine.id])
  const present = new Set(before.map(keyOf))
  const staying = before.filter((rule) => byKey.has(keyOf(rule)))
  await deleteRules(
    db,
    before.filter((rule) => !byKey.has(keyOf(rule))),
  )
  await changeStored(
    { caller, db },
    staying.map((rule) => {
      const { rule: sent = rule, at } = byKey.get(keyOf(rule)) ?? {}
      return { before: rule, after: { ...rule, ...withoutUnset(sent) }, at }
    }),
  )
  await addMachinesRules(
    { caller, db },
    wanted.filter(({ rule }) => !present.has(keyOf(rule))),
  )
}

/** Settings without a value stay as they are. */
const withoutUnset = (rule: Rule): Partial<Rule> =>
  Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined))

/** A stored rule as it should be, and where the document has it, if it is not the document. */
export type Changing = { before: StoredRule; after: Rule; at?: string | undefined }

/** ENDS-1, unless the end stays as it is. */
const ruleEndFaults = (placed: Located, before?: StoredRule): Fault[] =>
  endFaults(placed.rule.ends, endAfter(before?.ends)).map((each) => ({
    ...each,
    field: fieldIn(placed, 'ends'),
  }))

const planRuleEnd = ({ caller, db }: WriteContext, id: number, ends: string): Promise<void> =>
  noteEnd(db, { entity: 'natrule', id, endsAt: endAfter(ends), by: caller.id })

/** Changes the settings that differ. Throws ENDS-1, NAT-RULE-3, NAT-RULE-17 and NAT-RULE-18. */
export async function changeStored(
  { caller, db }: WriteContext,
  changing: readonly Changing[],
): Promise<void> {
  const changes = changing.flatMap(({ before, after, at }) => {
    const changed = changedSettings(before, after)
    return Object.keys(changed).length === 0 ? [] : [{ id: before.id, before, rule: after, changed, at }]
  })
  const moved = changes.filter(({ changed }) => 'originalPort' in changed || 'originalPortEnd' in changed)
  const faults = changes.flatMap((each) => [
    ...sourceFaults(each, each.before.ip_key),
    ...ruleEndFaults(each, each.before),
  ])
  if (faults.length === 0)
    faults.push(...(await conflicts({ caller, db }, moved, new Set(moved.map(({ id }) => id)))))
  if (faults.length > 0) throw new ApiError(faults)
  for (const { id, changed } of changes) {
    await writeSettings(db, id, changed)
    if (changed.ends !== undefined) await planRuleEnd({ caller, db }, id, changed.ends)
  }
  const heavier = changes.filter(({ before, rule }) => isHeavier(rule, before))
  await requireFewRanged(db, [...new Set(heavier.map(({ before }) => before.nat_network_id))])
}

/** A stored rule may change its settings. Throws NAT-RULE-1, NAT-RULE-2 where another field differs, NAT-RULE-3, NAT-RULE-17 and NAT-RULE-18. */
export async function changeRule(
  { caller, db }: WriteContext,
  { id, virtual_machine_id: machine }: { id: number; virtual_machine_id: number },
  sent: NatRuleInput,
): Promise<void> {
  const before = (await rulesIn(db, 'virtual_machine_id', [machine])).find((rule) => rule.id === id)
  if (!before) throw new ApiError('NAT-RULE-0')
  const rule = ruleOf(sent)
  const faults = otherEnds(before, rule)
  if (faults.length > 0) throw new ApiError(faults)
  const { originalPort, originalPortEnd, translatedPort } = rule
  const after = { ...before, originalPort, originalPortEnd, translatedPort, ...withoutUnset(rule) }
  await changeStored({ caller, db }, [{ before, after }])
}

/** A rule with other addresses or another protocol would be another rule. */
function otherEnds(before: Rule, after: Rule): Fault[] {
  const isSame = (field: keyof Rule) => before[field] === after[field]
  const [outer, inner] = before.snat
    ? (['translated', 'original'] as const)
    : (['original', 'translated'] as const)
  const codes = { original: 'NAT-RULE-1', translated: 'NAT-RULE-2' } as const
  const other = (end: 'original' | 'translated', field: string, what: string): Fault =>
    fault(codes[end], `The ${what} of a NAT rule cannot be changed: delete it and create another one`, field)
  return [
    ...(isSame('snat') ? [] : [other('original', 'snat', 'kind')]),
    ...(isSame('natIp') ? [] : [other(outer, outer, 'NAT IP')]),
    ...(isSame('privateIp') ? [] : [other(inner, inner, 'private IP')]),
    ...(isSame('protocol') ? [] : [other('original', 'protocol', 'protocol')]),
  ]
}

/** Adds one rule to the machine and returns its id. */
export async function addMachineRule(
  { caller, db }: WriteContext,
  machine: Machine,
  sent: NatRuleInput,
): Promise<number> {
  const [id] = await addMachinesRules({ caller, db }, [{ rule: ruleOf(sent), machine }])
  if (id === undefined) throw new Error('The database returned no id for a new NAT rule')
  return id
}

export const removeRulesOfMachine = async (trx: Trx, machine: number): Promise<void> =>
  deleteRules(trx, await rulesIn(trx, 'virtual_machine_id', [machine]))

export async function deleteRules(trx: Trx, rules: readonly (CountedRule & { id: number })[]): Promise<void> {
  for (const ids of chunksOf(rules.map(({ id }) => id)))
    await trx.deleteFrom('nat_rules').where('id', 'in', ids).execute()
  await recount(trx, { before: rules })
}

type NatIp = {
  id: number
  ip_key: string
  nat_network_id: number
  datacenter_id: number
  quarantine: number
  virtual_datacenter_id: number | null
}

/** With the machine that gets it. */
type Placed = Located & { machine: Machine }

/** Adds rules to many machines and returns their ids. If any rule is invalid, throws the faults of all and writes nothing. */
export async function addMachinesRules(
  { caller, db }: WriteContext,
  placed: readonly Placed[],
): Promise<number[]> {
  if (placed.length === 0) return []
  const natIps = await natIpsOf(db, placed)
  const privateIps = await privateIpsOf(db, placed)
  const faults = placed.flatMap((each) => [
    ...natIpFaults(each, natIps.get(each.rule.natIp)),
    ...sourceFaults(each, natIps.get(each.rule.natIp)?.ip_key),
    ...privateIpFaults(each, privateIps.get(each.rule.privateIp)),
    ...ruleEndFaults(each),
  ])
  if (faults.length === 0) faults.push(...(await conflicts({ caller, db }, placed)))
  if (faults.length > 0) throw new ApiError(faults)
  const ids: number[] = []
  const networkOf = ({ rule }: Placed) => natIps.get(rule.natIp)?.nat_network_id ?? 0
  for (const [network, own] of Map.groupBy(placed, networkOf)) {
    const datacenter = natIps.get(own[0]?.rule.natIp ?? 0)?.datacenter_id ?? 0
    const rows = own.map(({ rule, machine }) => newRule(rule, machine, natIps.get(rule.natIp)))
    const made = await insertRules(db, { datacenter, network }, rows)
    for (const [index, { rule }] of own.entries())
      if (rule.ends) await planRuleEnd({ caller, db }, made[index] ?? 0, rule.ends)
    ids.push(...made)
    if (own.some(({ rule }) => isHeavier(rule))) await requireFewRanged(db, [network])
  }
  return ids
}

const newRule = ({ natIp: id, privateIp, ...rule }: Rule, machine: Machine, natIp?: NatIp): NewRule => ({
  ...rule,
  natIp: { id, ip_key: natIp?.ip_key ?? '' },
  privateIpId: privateIp,
  virtualMachineId: machine.id,
})

/** NAT IPs of the machines' datacenters. Those of other datacenters count as missing, visible or not (docs/api/conventions.md, "Links"). */
async function natIpsOf(db: Db, placed: readonly Placed[]): Promise<Map<number, NatIp>> {
  const rows = await db
    .selectFrom('nat_ips')
    .where(
      'id',
      'in',
      placed.map(({ rule }) => rule.natIp),
    )
    .where('datacenter_id', 'in', (on) =>
      on
        .selectFrom('virtual_datacenters')
        .where('virtual_datacenters.id', 'in', centersOf(placed))
        .select('virtual_datacenters.datacenter_id'),
    )
    .select(['id', 'ip_key', 'nat_network_id', 'datacenter_id', 'quarantine', 'virtual_datacenter_id'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const centersOf = (placed: readonly Placed[]): number[] => [
  ...new Set(placed.map(({ machine }) => machine.virtual_datacenter_id)),
]

/** The private IPs of the machines' virtual datacenters, with the machine that each is attached to. */
async function privateIpsOf(db: Db, placed: readonly Placed[]) {
  const rows = await db
    .selectFrom('private_ips')
    .where(
      'id',
      'in',
      placed.map(({ rule }) => rule.privateIp),
    )
    .where('virtual_datacenter_id', 'in', centersOf(placed))
    .select(['id', 'virtual_machine_id'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function natIpFaults(placed: Placed, natIp: NatIp | undefined): Fault[] {
  const { rule, machine } = placed
  const field = fieldIn(placed, rule.snat ? 'translated' : 'original')
  if (!natIp) return [fault('NAT-IP-0', `The NAT IP ${rule.natIp} was not found`, field)]
  if (natIp.virtual_datacenter_id !== machine.virtual_datacenter_id)
    return [fault('NAT-IP-8', undefined, field)]
  return natIp.quarantine === 1 ? [fault('NAT-RULE-12', undefined, field)] : []
}

function privateIpFaults(
  placed: Placed,
  privateIp: { virtual_machine_id: number | null } | undefined,
): Fault[] {
  const field = fieldIn(placed, placed.rule.snat ? 'original' : 'translated')
  if (!privateIp) return [fault('PRIVATEIP-0', undefined, field)]
  const isOwn = privateIp.virtual_machine_id === placed.machine.id
  return isOwn ? [] : [fault('NAT-RULE-11', undefined, field)]
}

import type { Selectable } from 'kysely'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { type CountedRule, recount } from '#lib/cloud/nat/counts.server'
import {
  isProtocol,
  type NatProtocol,
  type NatRuleDocument,
  type NatRuleInput,
} from '#lib/cloud/nat/rules.schema'
import { insertRules, type NewRule, ruleViews } from '#lib/cloud/nat/rules.server'
import { chunksOf } from '#lib/db/chunks'
import type { Db, Trx } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'
import { ApiError, type Fault, fault } from '#lib/ground/http/errors'

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

/** A rule with every field present. Port 0 means all ports. Without `enabled` it stays as it is, and a new one is enabled. */
export type Rule = {
  snat: boolean
  natIp: number
  privateIp: number
  protocol: NatProtocol | ''
  originalPort: number
  translatedPort: number
  enabled?: boolean | undefined
}

const keyOf = (rule: Rule): string =>
  [rule.snat, rule.natIp, rule.privateIp, rule.protocol, rule.originalPort, rule.translatedPort].join()

export function ruleOf({
  snat,
  protocol = '',
  originalPort = 0,
  translatedPort = 0,
  enabled,
  links,
}: NatRuleInput): Rule {
  const [natIp, privateIp] = snat ? [links.translated, links.original] : [links.original, links.translated]
  return {
    snat,
    natIp: natIp?.id ?? 0,
    privateIp: privateIp?.id ?? 0,
    protocol: isProtocol(protocol) ? protocol : '',
    originalPort,
    translatedPort,
    enabled,
  }
}

type RuleColumns = Pick<
  Selectable<Tables['nat_rules']>,
  'snat' | 'nat_ip_id' | 'private_ip_id' | 'protocol' | 'original_port' | 'translated_port'
>

export const ruleInRow = (row: RuleColumns): Rule => ({
  snat: row.snat === 1,
  natIp: row.nat_ip_id,
  privateIp: row.private_ip_id,
  protocol: row.protocol !== null && isProtocol(row.protocol) ? row.protocol : '',
  originalPort: row.original_port ?? 0,
  translatedPort: row.translated_port ?? 0,
})

type StoredRule = Rule & {
  id: number
  nat_network_id: number
  datacenter_id: number
  ip_key: string
  disabled_at: number | null
}

async function rulesIn(
  db: Db,
  column: 'virtual_machine_id' | 'nat_ip_id',
  ids: number[],
): Promise<StoredRule[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('nat_rules')
    .where(column, 'in', ids)
    .select([
      'id',
      'nat_network_id',
      'datacenter_id',
      'ip_key',
      'snat',
      'nat_ip_id',
      'private_ip_id',
      'protocol',
    ])
    .select(['original_port', 'translated_port', 'disabled_at'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    nat_network_id: row.nat_network_id,
    datacenter_id: row.datacenter_id,
    ip_key: row.ip_key,
    ...ruleInRow(row),
    disabled_at: row.disabled_at,
  }))
}

/** Enables or disables the rules, and returns the ids of those that it changed. */
export async function switchRules(
  trx: Trx,
  rules: readonly { id: number; disabled_at: number | null }[],
  enabled: boolean,
): Promise<number[]> {
  const differing = rules.filter(({ disabled_at }) => (disabled_at === null) !== enabled).map(({ id }) => id)
  for (const ids of chunksOf(differing))
    await trx
      .updateTable('nat_rules')
      .set({ disabled_at: enabled ? null : Date.now() })
      .where('id', 'in', ids)
      .execute()
  return differing
}

/** Replaces the rules of the machine. Those that stay keep their ids. */
export async function replaceMachineRules(
  context: WriteContext,
  machine: Machine,
  sent: readonly NatRuleInput[],
): Promise<void> {
  const before = await rulesIn(context.db, 'virtual_machine_id', [machine.id])
  const wanted = sent.map(ruleOf)
  const keys = wanted.map(keyOf)
  const present = new Set(before.map(keyOf))
  const added = wanted.flatMap((rule, index) =>
    present.has(keys[index] ?? '') ? [] : [{ rule, machine, at: `natrules.${index}` }],
  )
  const wantedKeys = new Set(keys)
  const removed = before.filter((rule) => !wantedKeys.has(keyOf(rule)))
  const switched = new Map(wanted.map((rule, index) => [keys[index], rule.enabled]))
  // A rule that is sent twice conflicts with itself.
  const twice = wanted.flatMap((rule, index) =>
    keys.indexOf(keys[index] ?? '') < index ? [{ rule, machine, at: `natrules.${index}` }] : [],
  )
  if (twice.length > 0) throw new ApiError(twice.map(takenFault))
  await deleteRules(context.db, removed)
  for (const enabled of [true, false])
    await switchRules(
      context.db,
      before.filter((rule) => switched.get(keyOf(rule)) === enabled),
      enabled,
    )
  await addMachinesRules(context.db, added)
}

/** A stored rule may change its ports, and be enabled or disabled. Throws NAT-RULE-1, NAT-RULE-2 where another field differs, and NAT-RULE-3. */
export async function changeRule(
  { db }: WriteContext,
  { id, virtual_machine_id: machine }: { id: number; virtual_machine_id: number },
  sent: NatRuleInput,
): Promise<void> {
  const before = (await rulesIn(db, 'virtual_machine_id', [machine])).find((rule) => rule.id === id)
  if (!before) throw new ApiError('NAT-RULE-0')
  const rule = ruleOf(sent)
  const faults = otherEnds(before, rule)
  if (faults.length > 0) throw new ApiError(faults)
  if (before.originalPort !== rule.originalPort || before.translatedPort !== rule.translatedPort) {
    const taken = await conflicts(db, [{ rule }], id)
    if (taken.length > 0) throw new ApiError(taken)
    const ports = { original_port: rule.originalPort || null, translated_port: rule.translatedPort || null }
    await db.updateTable('nat_rules').set(ports).where('id', '=', id).execute()
  }
  if (rule.enabled !== undefined) await switchRules(db, [before], rule.enabled)
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
  { db }: WriteContext,
  machine: Machine,
  sent: NatRuleInput,
): Promise<number> {
  const [id] = await addMachinesRules(db, [{ rule: ruleOf(sent), machine }])
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

/** A rule, and where it is in the document, if it is not the document. */
type Located = { rule: Rule; at?: string }
/** With the machine that gets it. */
type Placed = Located & { machine: Machine }

const fieldIn = ({ at }: Located, name: string): string => (at === undefined ? name : `${at}.${name}`)

/** Adds rules to many machines and returns their ids. If any rule is invalid, throws the faults of all and writes nothing. */
export async function addMachinesRules(db: Trx, placed: readonly Placed[]): Promise<number[]> {
  if (placed.length === 0) return []
  const natIps = await natIpsOf(db, placed)
  const privateIps = await privateIpsOf(db, placed)
  const faults = placed.flatMap((each) => [
    ...natIpFaults(each, natIps.get(each.rule.natIp)),
    ...privateIpFaults(each, privateIps.get(each.rule.privateIp)),
  ])
  if (faults.length === 0) faults.push(...(await conflicts(db, placed)))
  if (faults.length > 0) throw new ApiError(faults)
  const ids: number[] = []
  const networkOf = ({ rule }: Placed) => natIps.get(rule.natIp)?.nat_network_id ?? 0
  for (const [network, own] of Map.groupBy(placed, networkOf)) {
    const datacenter = natIps.get(own[0]?.rule.natIp ?? 0)?.datacenter_id ?? 0
    const rows = own.map(({ rule, machine }) => newRule(rule, machine, natIps.get(rule.natIp)))
    ids.push(...(await insertRules(db, { datacenter, network }, rows)))
  }
  return ids
}

const newRule = (rule: Rule, machine: Machine, natIp: NatIp | undefined): NewRule => {
  const ends = {
    natIp: { id: rule.natIp, ip_key: natIp?.ip_key ?? '' },
    privateIpId: rule.privateIp,
    virtualMachineId: machine.id,
    enabled: rule.enabled,
  }
  if (rule.snat || rule.protocol === '') return { ...ends, snat: true }
  const ports =
    rule.originalPort === 0 ? {} : { originalPort: rule.originalPort, translatedPort: rule.translatedPort }
  return { ...ends, snat: false, protocol: rule.protocol, ...ports }
}

/** NAT IPs of the machines' datacenters. Those of other datacenters count as missing, visible or not (docs/api.md, "Links"). */
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

/** The private IP has a SNAT rule, or the port of the NAT IP a DNAT rule. */
const takenFault = (placed: Located): Fault =>
  placed.rule.snat
    ? fault('NAT-RULE-14', undefined, fieldIn(placed, 'original'))
    : fault('NAT-RULE-3', undefined, fieldIn(placed, 'originalPort'))

const overlap = (one: Rule, other: Rule): boolean =>
  one.natIp === other.natIp &&
  (one.protocol === other.protocol || one.protocol === 'ANY' || other.protocol === 'ANY') &&
  (one.originalPort === other.originalPort || one.originalPort === 0 || other.originalPort === 0)

/** NAT-RULE-14 and NAT-RULE-3. ANY means every protocol, and no port means every port. `except`: the id of a rule that changes. */
async function conflicts(db: Db, placed: readonly Located[], except?: number): Promise<Fault[]> {
  const snat = placed.filter(({ rule }) => rule.snat)
  const taken = await snatOf(
    db,
    snat.map(({ rule }) => rule.privateIp),
  )
  const firsts = new Map(snat.toReversed().map((each) => [each.rule.privateIp, each]))
  const second = snat.filter(
    (each) => taken.has(each.rule.privateIp) || firsts.get(each.rule.privateIp) !== each,
  )
  const dnat = placed.filter(({ rule }) => !rule.snat)
  const there = await rulesIn(db, 'nat_ip_id', [...new Set(dnat.map(({ rule }) => rule.natIp))])
  const byIp = Map.groupBy<number, Rule>(
    [...there.filter((rule) => !rule.snat && rule.id !== except), ...dnat.map(({ rule }) => rule)],
    ({ natIp }) => natIp,
  )
  const used = dnat.filter(({ rule }) =>
    byIp.get(rule.natIp)?.some((other) => other !== rule && overlap(rule, other)),
  )
  return [...second, ...used].map(takenFault)
}

async function snatOf(db: Db, privateIps: number[]): Promise<Set<number>> {
  if (privateIps.length === 0) return new Set()
  const rows = await db
    .selectFrom('nat_rules')
    .where('private_ip_id', 'in', privateIps)
    .where('snat', '=', 1)
    .select('private_ip_id')
    .execute()
  return new Set(rows.map(({ private_ip_id }) => private_ip_id))
}

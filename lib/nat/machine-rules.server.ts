import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import type { Db, Trx } from '#lib/db/db.server'
import { ApiError, type Fault, fault } from '#lib/http/errors'
import { isProtocol, type NatProtocol, type NatRuleDocument, type NatRuleInput } from '#lib/nat/rules.schema'
import { countRules, insertRules, type NewRule, ruleViews } from '#lib/nat/rules.server'

/* The rules of virtual machines, as their documents carry them. */

type Machine = { id: number; virtual_datacenter_id: number }

/** The rules of machines that the caller was found to see, in the order of their NAT IPs. */
export async function rulesOfMachines(
  asked: ReadContext,
  machines: readonly number[],
): Promise<Map<number, NatRuleDocument[]>> {
  if (machines.length === 0) return new Map()
  const rows = await asked.db
    .selectFrom('nat_rules')
    .where('virtual_machine_id', 'in', machines)
    .select(['id', 'virtual_machine_id'])
    .orderBy('ip_key')
    .orderBy('id')
    .execute()
  if (rows.length === 0) return new Map()
  const views = new Map((await ruleViews(asked, rows)).map((view) => [view.id, view]))
  const byMachine = Map.groupBy(rows, ({ virtual_machine_id }) => virtual_machine_id)
  return new Map(
    [...byMachine].map(([machine, own]) => [machine, own.flatMap(({ id }) => views.get(id) ?? [])]),
  )
}

/** A rule as the database holds it; ports are 0 where all are meant. */
type Rule = {
  snat: boolean
  natIp: number
  privateIp: number
  protocol: NatProtocol | ''
  originalPort: number
  translatedPort: number
}

const keyOf = (rule: Rule): string =>
  [rule.snat, rule.natIp, rule.privateIp, rule.protocol, rule.originalPort, rule.translatedPort].join()

function ruleOf({ snat, protocol = '', originalPort = 0, translatedPort = 0, links }: NatRuleInput): Rule {
  const [natIp, privateIp] = snat ? [links.translated, links.original] : [links.original, links.translated]
  return {
    snat,
    natIp: natIp?.id ?? 0,
    privateIp: privateIp?.id ?? 0,
    protocol: isProtocol(protocol) ? protocol : '',
    originalPort,
    translatedPort,
  }
}

type Kept = Rule & { id: number; network: number; ip_key: string }

async function rulesIn(db: Db, column: 'virtual_machine_id' | 'nat_ip_id', ids: number[]): Promise<Kept[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('nat_rules')
    .where(column, 'in', ids)
    .select(['id', 'nat_network_id', 'ip_key', 'snat', 'nat_ip_id', 'private_ip_id', 'protocol'])
    .select(['original_port', 'translated_port'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    network: row.nat_network_id,
    ip_key: row.ip_key,
    snat: row.snat === 1,
    natIp: row.nat_ip_id,
    privateIp: row.private_ip_id,
    protocol: row.protocol !== null && isProtocol(row.protocol) ? row.protocol : '',
    originalPort: row.original_port ?? 0,
    translatedPort: row.translated_port ?? 0,
  }))
}

/** Makes these the rules of the machine; those that stay keep their ids. */
export async function replaceMachineRules(
  asking: WriteContext,
  machine: Machine,
  sent: readonly NatRuleInput[],
): Promise<void> {
  const before = await rulesIn(asking.db, 'virtual_machine_id', [machine.id])
  const wanted = sent.map(ruleOf)
  const keys = wanted.map(keyOf)
  const there = new Set(before.map(keyOf))
  const added = wanted.filter((_, index) => !there.has(keys[index] ?? ''))
  const stay = new Set(keys)
  const gone = before.filter((rule) => !stay.has(keyOf(rule)))
  // One that is sent twice is in its own way.
  const twice = wanted.filter((_, index) => keys.indexOf(keys[index] ?? '') < index)
  if (twice.length > 0)
    throw new ApiError(twice.map(({ snat }) => fault(snat ? 'NAT-RULE-14' : 'NAT-RULE-3')))
  await deleteRules(asking.db, gone)
  await addRules(asking.db, machine, added)
}

/** Adds one rule to the machine, and gives its id. */
export async function addMachineRule(
  { db }: WriteContext,
  machine: Machine,
  sent: NatRuleInput,
): Promise<number> {
  await addRules(db, machine, [ruleOf(sent)])
  const { id } = await db
    .selectFrom('nat_rules')
    .where('virtual_machine_id', '=', machine.id)
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return Number(id)
}

/** The machine's rules go with it. */
export const removeRulesOfMachine = async (trx: Trx, machine: number): Promise<void> =>
  deleteRules(trx, await rulesIn(trx, 'virtual_machine_id', [machine]))

export async function deleteRules(
  trx: Trx,
  rules: readonly Pick<Kept, 'id' | 'network' | 'snat' | 'ip_key'>[],
): Promise<void> {
  for (const [network, own] of Map.groupBy(rules, (rule) => rule.network)) {
    for (let start = 0; start < own.length; start += 1000) {
      const ids = own.slice(start, start + 1000).map(({ id }) => id)
      await trx.deleteFrom('nat_rules').where('id', 'in', ids).execute()
    }
    await countRules(trx, network, own, -1)
  }
}

type NatIp = {
  id: number
  ip_key: string
  nat_network_id: number
  datacenter_id: number
  quarantine: number
  virtual_datacenter_id: number | null
}

/** Throws all that is wrong with any of the rules; then writes them. */
async function addRules(db: Trx, machine: Machine, rules: Rule[]): Promise<void> {
  if (rules.length === 0) return
  const natIps = await natIpsOf(db, machine, rules)
  const privateIps = await privateIpsOf(db, machine, rules)
  const faults = [
    ...rules.flatMap((rule) =>
      endFaults(rule, machine, natIps.get(rule.natIp), privateIps.get(rule.privateIp)),
    ),
  ]
  if (faults.length === 0) faults.push(...(await conflicts(db, rules)))
  if (faults.length > 0) throw new ApiError(faults)
  for (const [network, own] of Map.groupBy(rules, ({ natIp }) => natIps.get(natIp)?.nat_network_id ?? 0)) {
    const datacenter = natIps.get(own[0]?.natIp ?? 0)?.datacenter_id ?? 0
    const rows = own.map((rule) => newRule(rule, machine, natIps.get(rule.natIp)))
    await insertRules(db, { datacenter, network }, rows)
  }
}

const newRule = (rule: Rule, machine: Machine, natIp: NatIp | undefined): NewRule => {
  const ends = {
    natIp: { id: rule.natIp, ip_key: natIp?.ip_key ?? '' },
    privateIpId: rule.privateIp,
    virtualMachineId: machine.id,
  }
  if (rule.snat || rule.protocol === '') return { ...ends, snat: true }
  const ports =
    rule.originalPort === 0 ? {} : { originalPort: rule.originalPort, translatedPort: rule.translatedPort }
  return { ...ends, snat: false, protocol: rule.protocol, ...ports }
}

/** NAT IPs of the machine's datacenter. One of another datacenter counts as missing, visible or not (docs/api.md, "Links"). */
async function natIpsOf(db: Db, machine: Machine, rules: Rule[]): Promise<Map<number, NatIp>> {
  const rows = await db
    .selectFrom('nat_ips')
    .where(
      'id',
      'in',
      rules.map(({ natIp }) => natIp),
    )
    .where('datacenter_id', '=', (on) =>
      on
        .selectFrom('virtual_datacenters')
        .where('virtual_datacenters.id', '=', machine.virtual_datacenter_id)
        .select('virtual_datacenters.datacenter_id'),
    )
    .select(['id', 'ip_key', 'nat_network_id', 'datacenter_id', 'quarantine', 'virtual_datacenter_id'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The private IPs of the machine's virtual datacenter, with the machine that each is attached to. */
async function privateIpsOf(db: Db, machine: Machine, rules: Rule[]) {
  const rows = await db
    .selectFrom('private_ips')
    .where(
      'id',
      'in',
      rules.map(({ privateIp }) => privateIp),
    )
    .where('virtual_datacenter_id', '=', machine.virtual_datacenter_id)
    .select(['id', 'virtual_machine_id'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A NAT IP of another datacenter or network that nobody attached here is not told from one that does not exist. */
function endFaults(
  { natIp: id }: Rule,
  machine: Machine,
  natIp: NatIp | undefined,
  privateIp: { virtual_machine_id: number | null } | undefined,
): Fault[] {
  const faults: Fault[] = []
  if (!natIp) faults.push(fault('NAT-IP-0', `The NAT IP ${id} was not found`))
  else if (natIp.virtual_datacenter_id !== machine.virtual_datacenter_id) faults.push(fault('NAT-IP-8'))
  else if (natIp.quarantine === 1) faults.push(fault('NAT-RULE-12'))
  if (!privateIp) faults.push(fault('PRIVATEIP-0'))
  else if (privateIp.virtual_machine_id !== machine.id) faults.push(fault('NAT-RULE-11'))
  return faults
}

const overlap = (one: Rule, other: Rule): boolean =>
  one.natIp === other.natIp &&
  (one.protocol === other.protocol || one.protocol === 'ANY' || other.protocol === 'ANY') &&
  (one.originalPort === other.originalPort || one.originalPort === 0 || other.originalPort === 0)

/** NAT-RULE-14 and NAT-RULE-3: ANY is every protocol, and no port is every port. */
async function conflicts(db: Db, rules: Rule[]): Promise<Fault[]> {
  const snat = rules.filter((rule) => rule.snat)
  const taken = await snatOf(
    db,
    snat.map(({ privateIp }) => privateIp),
  )
  const second = snat.filter(
    ({ privateIp }, index) =>
      taken.has(privateIp) || snat.findIndex((rule) => rule.privateIp === privateIp) < index,
  )
  const dnat = rules.filter((rule) => !rule.snat)
  const there = await rulesIn(db, 'nat_ip_id', [...new Set(dnat.map(({ natIp }) => natIp))])
  const byIp = Map.groupBy<number, Rule>(
    [...there.filter((rule) => !rule.snat), ...dnat],
    ({ natIp }) => natIp,
  )
  const used = dnat.filter((rule) =>
    byIp.get(rule.natIp)?.some((other) => other !== rule && overlap(rule, other)),
  )
  return [...second.map(() => fault('NAT-RULE-14')), ...used.map(() => fault('NAT-RULE-3'))]
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

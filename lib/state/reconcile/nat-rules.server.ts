import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesMachine } from '#lib/caller/scopes/visibility.server'
import { countedColumns } from '#lib/cloud/nat/counts.server'
import { addMachinesRules, changeStored, deleteRules } from '#lib/cloud/nat/machine-rules.server'
import { setManyIps } from '#lib/cloud/nat/many-ips.server'
import { findNetwork } from '#lib/cloud/nat/networks.server'
import { type RuleSettings, settingsIn } from '#lib/cloud/nat/rule-settings.server'
import { natRuleInput } from '#lib/cloud/nat/rules.schema'
import { type Rule, ruleColumns, ruleInRow } from '#lib/cloud/nat/stored-rules.server'
import { ApiError } from '#lib/ground/http/errors'
import { validate } from '#lib/request/pipeline/validate.server'
import {
  change,
  type Reconciling,
  type Several,
  underIds,
  type Way,
  type Wished,
} from '#lib/state/reconcile/steps.server'

/* NAT rules, which come by the thousand. */

export type RuleWish = Wished & {
  kind: typeof kinds.natrule
  /** Equal for rules of one NAT network. */
  network: string
  /** Its id. */
  is: number | null
  /** Settings are those that change, even without a value. */
  should: Places | RuleSettings | null
}

type Places = {
  /**
   * Finds the resources of all these wishes when the step runs, because an earlier step may have created them. A method, so that its maker can
   * declare the type of the wishes.
   */
  find(all: readonly unknown[]): Promise<Placed[]>
}

/** A rule and its virtual machine. */
export type Placed = { rule: Rule; machine: number }

const isPlaced = (should: RuleWish['should']): should is Places => should !== null && 'find' in should
const isChange = (should: RuleWish['should']): should is RuleSettings =>
  should !== null && !('find' in should)

/** A rule with other addresses is another one. */
export const ruleWays = {
  remove: {
    of: ({ is, should }) => is !== null && !isChange(should),
    alike: ({ network }) => network,
    action: () => 'delete-natrules',
    run: removeRules,
  },
  add: {
    of: ({ should }) => isPlaced(should),
    alike: ({ network }) => network,
    action: () => 'create-natrules',
    run: addRules,
  },
  change: {
    of: ({ should }) => isChange(should),
    alike: ({ network }) => network,
    action: () => 'change-natrules',
    run: changeRules,
  },
} as const satisfies Record<string, Way<RuleWish>>

/** The rules of visible machines. Throws NAT-RULE-0 if one is missing. */
async function presentRules({ caller, db }: Reconciling, wishes: Several<RuleWish>) {
  const ids = wishes.flatMap(({ is }) => is ?? [])
  const rows = await db
    .selectFrom('nat_rules')
    .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
    .where('nat_rules.id', 'in', ids)
    .where(seesMachine(caller))
    .select(['nat_rules.id', 'nat_rules.nat_network_id', 'nat_rules.datacenter_id', 'nat_rules.ip_key'])
    .select(ruleColumns.map((column) => `nat_rules.${column}` as const))
    .select(['virtual_machines.id as virtualmachine'])
    .select(['virtual_machines.virtual_datacenter_id as virtualdatacenter'])
    .select(['virtual_machines.virtual_appliance_id as virtualappliance'])
    .execute()
  const [first] = rows
  if (!first || rows.length < ids.length) throw new ApiError('NAT-RULE-0')
  return { first, rows }
}

async function removeRules(context: Reconciling, wishes: Several<RuleWish>): Promise<void> {
  const { first, rows } = await presentRules(context, wishes)
  const inner = { method: 'DELETE', path: pathOf(kinds.natrule, first) } as const
  await change({ context, wishes }, inner, () => deleteRules(context.db, rows))
}

/** All in one step: two rules may exchange their ports. */
async function changeRules(context: Reconciling, wishes: Several<RuleWish>): Promise<void> {
  const { first, rows } = await presentRules(context, wishes)
  const shoulds = new Map(wishes.map(({ is, should }) => [is, should]))
  const changing = rows.map((row) => {
    const { id, nat_network_id, datacenter_id, ip_key } = row
    const before = { id, nat_network_id, datacenter_id, ip_key, ...ruleInRow(row) }
    const after = { ...before, ...(shoulds.get(id) as RuleSettings) }
    return { before, after, rule: after, machine: { virtual_datacenter_id: row.virtualdatacenter } }
  })
  const [one] = changing
  if (!one) return
  const inner = { method: 'PUT', path: pathOf(kinds.natrule, first), document: documentOf(one) } as const
  await change({ context, wishes }, inner, () => {
    requireSound(changing)
    return changeStored(context, changing)
  })
}

/** Throws the faults of the first rule that has some. */
function requireSound(all: readonly Documented[]): void {
  for (const each of all) {
    const result = validate(natRuleInput, documentOf(each))
    if ('faults' in result) throw new ApiError(result.faults)
  }
}

/** The virtual machines of these ids. Throws VM-0 if the caller does not see one of them. */
async function machinesOf({ caller, db }: Reconciling, placed: readonly Placed[]) {
  const ids = [...new Set(placed.map(({ machine }) => machine))]
  const found = await db
    .selectFrom('virtual_machines')
    .where('id', 'in', ids)
    .where(seesMachine(caller))
    .select(['id', 'virtual_datacenter_id', 'id as virtualmachine'])
    .select(['virtual_datacenter_id as virtualdatacenter', 'virtual_appliance_id as virtualappliance'])
    .execute()
  const byId = new Map(found.map((machine) => [machine.id, machine]))
  return placed.map(({ rule, machine: id }) => {
    const machine = byId.get(id)
    if (!machine) throw new ApiError('VM-0')
    return { rule, machine }
  })
}

async function addRules(context: Reconciling, wishes: Several<RuleWish>): Promise<void> {
  const { should } = wishes[0]
  const found = isPlaced(should) ? await should.find(wishes.map(({ about }) => about)) : []
  const placed = await machinesOf(context, found)
  const [first] = placed
  if (!first) return
  const document = documentOf(first)
  const inner = { method: 'POST', path: collectionOf(kinds.natrule, first.machine), document } as const
  const add = () =>
    change({ context, wishes }, inner, async () => {
      requireSound(placed)
      await addMachinesRules(context, placed)
    })
  const natIps = new Set(placed.map(({ rule }) => rule.natIp))
  const work = () => (context.restores ? outOfQuarantine(context, [...natIps], add) : add())
  await underIds({ context, wishes }, work)
}

type Documented = { rule: Rule; machine: { virtual_datacenter_id: number } }

function documentOf({ rule, machine }: Documented): object {
  const home = pathOf(kinds.virtualdatacenter, { id: machine.virtual_datacenter_id })
  const { snat, natIp, privateIp, protocol } = rule
  const [outer, inner] = [`/api${home}/natips/${natIp}`, `/api${home}/privateips/${privateIp}`]
  const settings = Object.entries(settingsIn(rule)).filter(([, value]) => value !== undefined)
  return {
    snat,
    ...(protocol !== '' && { protocol }),
    ...Object.fromEntries(settings),
    links: [
      { rel: 'original', href: snat ? inner : outer },
      { rel: 'translated', href: snat ? outer : inner },
    ],
  }
}

/**
 * NAT IPs in quarantine keep their rules but get no new ones. A restored rule existed before, so its IP leaves the quarantine meanwhile.
 */
async function outOfQuarantine(
  { caller, db, permit }: Reconciling,
  ids: readonly number[],
  work: () => Promise<void>,
): Promise<void> {
  const held = await db
    .selectFrom('nat_ips')
    .where('id', 'in', ids)
    .where('quarantine', '=', 1)
    .select(['id', ...countedColumns])
    .execute()
  const alike = Map.groupBy(held, (row) => `${row.nat_network_id} ${row.available}`)
  const setAll = async (quarantine: boolean) => {
    for (const [row, ...others] of alike.values()) {
      if (!row) continue
      const { datacenter_id: datacenter, nat_network_id: natnetwork, id } = row
      await permit({ method: 'PUT', path: pathOf(kinds.natip, { datacenter, natnetwork, id }) })
      await findNetwork({ caller, db }, datacenter, natnetwork)
      const rows = [row, ...others].map((each) => ({ ...each, quarantine: quarantine ? 0 : 1 }))
      await setManyIps(db, rows, { available: row.available === 1, quarantine })
    }
  }
  await setAll(false)
  await work()
  await setAll(true)
}

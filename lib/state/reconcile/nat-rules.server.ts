import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesMachine } from '#lib/caller/scopes/visibility.server'
import { countedColumns } from '#lib/cloud/nat/counts.server'
import { addMachinesRules, deleteRules, type Rule } from '#lib/cloud/nat/machine-rules.server'
import { setManyIps } from '#lib/cloud/nat/many-ips.server'
import { findNetwork } from '#lib/cloud/nat/networks.server'
import { natRuleInput } from '#lib/cloud/nat/rules.schema'
import { ApiError } from '#lib/ground/http/errors'
import {
  change,
  idIn,
  type Reconciling,
  type Step,
  stepsFor,
  underIds,
  type Wished,
} from '#lib/state/reconcile/steps.server'

/* NAT rules, which come by the thousand. */

export type RuleWish<About> = Wished<About> & {
  kind: typeof kinds.natrule
  /** Equal for those of one NAT network. */
  network: string
  /** Its path below {api}. */
  is: string | null
  /** All of these rules with their machines, found when the step runs: an earlier step may have made what they name. */
  should: ((all: readonly About[]) => Promise<Placed[]>) | null
}

export type Placed = { rule: Rule; machine: Machine }

/** A virtual machine that the caller sees. */
type Machine = { id: number; virtual_datacenter_id: number; virtual_appliance_id: number }

export const removedRules = <About>(
  context: Reconciling,
  wishes: readonly RuleWish<About>[],
): Promise<Step<About>[]> =>
  stepsFor(
    wishes.filter(({ is }) => is !== null),
    {
      alike: ({ network }) => network,
      action: () => 'delete-natrules',
      run: (some) => removeRules(context, some),
    },
  )

/** A rule that changes is another one. */
export const addedRules = <About>(
  context: Reconciling,
  wishes: readonly RuleWish<About>[],
): Promise<Step<About>[]> =>
  stepsFor(
    wishes.filter(({ should }) => should),
    {
      alike: ({ network }) => network,
      action: () => 'create-natrules',
      run: (some) => addRules(context, some),
    },
  )

const removeRules = <About>(context: Reconciling, wishes: readonly RuleWish<About>[]): Promise<void> =>
  change(context, wishes, {
    inner: { method: 'DELETE', path: wishes[0]?.is ?? '' },
    many: async () => {
      const rows = await context.db
        .selectFrom('nat_rules')
        .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
        .where(
          'nat_rules.id',
          'in',
          wishes.map(({ is }) => idIn(is ?? '')),
        )
        .where(seesMachine(context.caller))
        .select(['nat_rules.id', 'nat_rules.nat_network_id', 'nat_rules.snat', 'nat_rules.ip_key'])
        .execute()
      if (rows.length < wishes.length) throw new ApiError('NAT-RULE-0')
      await deleteRules(context.db, rows)
    },
  })

async function addRules<About>(context: Reconciling, wishes: readonly RuleWish<About>[]): Promise<void> {
  const placed = (await wishes[0]?.should?.(wishes.map(({ about }) => about))) ?? []
  const documents = placed.map(documentOf)
  const { id, virtual_datacenter_id, virtual_appliance_id } = placed[0]?.machine ?? noMachine
  const path = `${pathOf(kinds.virtualmachine, {
    virtualdatacenter: virtual_datacenter_id,
    virtualappliance: virtual_appliance_id,
    id,
  })}/natrules`
  const add = () =>
    change(context, wishes, {
      inner: { method: 'POST', path, document: documents[0] },
      many: async () => {
        if (!documents.every((document) => natRuleInput.safeParse(document).success))
          throw new ApiError('CONSTR-PATTERN')
        await addMachinesRules(context.db, placed)
      },
    })
  const natIps = new Set(placed.map(({ rule }) => rule.natIp))
  await underIds(context, wishes, () =>
    context.restores ? outOfQuarantine(context, [...natIps], add) : add(),
  )
}

const noMachine: Machine = { id: 0, virtual_datacenter_id: 0, virtual_appliance_id: 0 }

function documentOf({ rule, machine }: Placed): object {
  const home = pathOf(kinds.virtualdatacenter, { id: machine.virtual_datacenter_id })
  const { snat, natIp, privateIp, protocol, originalPort, translatedPort } = rule
  const [outer, inner] = [`/api${home}/natips/${natIp}`, `/api${home}/privateips/${privateIp}`]
  return {
    snat,
    ...(protocol !== '' && { protocol }),
    ...(originalPort !== 0 && { originalPort }),
    ...(translatedPort !== 0 && { translatedPort }),
    links: [
      { rel: 'original', href: snat ? inner : outer },
      { rel: 'translated', href: snat ? outer : inner },
    ],
  }
}

/** NAT IPs in quarantine keep their rules but get no new ones. A rule that comes back was there before, so they leave it meanwhile. */
async function outOfQuarantine(
  { caller, db, permit }: Reconciling,
  ids: readonly number[],
  work: () => Promise<void>,
): Promise<void> {
  const held = await db
    .selectFrom('nat_ips')
    .where('id', 'in', ids)
    .where('quarantine', '=', 1)
    .select(['id', 'datacenter_id', ...countedColumns])
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

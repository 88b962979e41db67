import { sql } from 'kysely'
import { can } from '#lib/caller/auth/privileges'
import { seesEnterprise, type Visibility } from '#lib/caller/scopes/visibility.server'
import { machineRuleTarget, removeMachineRule } from '#lib/cloud/machines/natrules.server'
import { type bulkDatacenter, eventOfDatacenter } from '#lib/cloud/nat/bulk-ips.server'
import { datacenterRuleQuery } from '#lib/cloud/nat/rules.schema'
import { matchingRules } from '#lib/cloud/nat/rules.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database } from '#lib/db/db.server'
import { isAmong } from '#lib/db/dialect.server'
import { ApiError } from '#lib/ground/http/errors'
import type { BulkReport } from '#lib/record/bulk/bulk.schema'
import { type BulkContext, changeMany, filterAs, holdersIn, noImpact } from '#lib/record/bulk/bulk.server'

type Context = BulkContext & { found: Awaited<ReturnType<typeof bulkDatacenter.find>> }

/** Deletes rules of a datacenter. A rule of a machine that the caller does not see is NAT-RULE-0. */
export function deleteManyRules(context: Context): Promise<BulkReport> {
  const { caller, db, body, found: datacenter } = context
  return changeMany(context, {
    event: eventOfDatacenter(datacenter, 'delete-natrules'),
    matching: async (filter) => {
      if (!can(caller, ['PHYS_DC_RETRIEVE_DETAILS'])) throw new ApiError('403-FORBIDDEN')
      return matchingRules(
        { caller, db },
        { datacenter: datacenter.id },
        filterAs(datacenterRuleQuery, filter),
      )
    },
    rows: (trx, ids) => ruleRows(trx, caller, { datacenter: datacenter.id, ids }),
    missing: 'NAT-RULE-0',
    change: async (trx, { id, ...path }) => {
      const rule = await machineRuleTarget.find({ caller, db: trx }, { ...path, natrule: id })
      await removeMachineRule({ caller, db: trx, found: rule, body })
      return true
    },
    impact: async (ids) => ({ ...noImpact, rules: ids.length, ...(await ownersOf(caller, ids)) }),
  })
}

/** The rules of visible machines, with the path of each. */
const ruleRows = (db: Db, caller: Visibility, { datacenter, ids }: { datacenter: number; ids: number[] }) =>
  db
    .selectFrom('nat_rules')
    .innerJoin('nat_ips', 'nat_ips.id', 'nat_rules.nat_ip_id')
    .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
    .where('nat_rules.id', 'in', ids)
    // No plain column: SQLite would read all rules of the datacenter by its index.
    .where(sql`nat_rules.datacenter_id + 0`, '=', datacenter)
    .where(seesEnterprise(caller, 'virtual_machines.enterprise_id'))
    .select(['nat_rules.id', 'nat_ips.ip as name', 'virtual_machines.id as virtualmachine'])
    .select('virtual_machines.virtual_appliance_id as virtualappliance')
    .select('virtual_machines.virtual_datacenter_id as virtualdatacenter')
    .execute()

/** Rules whose owners one statement counts. */
const COUNTED = 20_000

/** The visible enterprises whose machines have the rules. */
async function ownersOf(caller: Visibility, ids: number[]) {
  const owners = new Map<number, string>()
  const { scan, engine } = database()
  for (const chunk of chunksOf(ids, COUNTED)) {
    const rows = await scan
      .selectFrom('nat_rules')
      .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
      .innerJoin('enterprises', 'enterprises.id', 'virtual_machines.enterprise_id')
      .where(isAmong(engine, 'nat_rules.id', chunk))
      .where(seesEnterprise(caller, 'enterprises.id'))
      .select(['enterprises.id', 'enterprises.name'])
      .distinct()
      .execute()
    for (const { id, name } of rows) owners.set(id, name)
  }
  return holdersIn(owners)
}

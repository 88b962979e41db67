import { sql } from 'kysely'
import { can } from '#lib/caller/auth/privileges'
import { alikeByTags } from '#lib/caller/kinds/tag-changes.server'
import { seesEnterprise, type Visibility } from '#lib/caller/scopes/visibility.server'
import { machineRuleTarget, removeMachineRule } from '#lib/cloud/machines/natrules.server'
import { type bulkDatacenter, eventOfDatacenter, setTo } from '#lib/cloud/nat/bulk-ips.server'
import { datacenterRuleQuery, type NatRulesChangeInput } from '#lib/cloud/nat/rules.schema'
import { matchingRules } from '#lib/cloud/nat/rules.server'
import { switchRules, writeSettings } from '#lib/cloud/nat/stored-rules.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { isAmong } from '#lib/db/dialect.server'
import { ApiError } from '#lib/ground/http/errors'
import type { BulkInput, BulkReport } from '#lib/record/bulk/bulk.schema'
import {
  type Bulk,
  type BulkContext,
  changeMany,
  filterAs,
  holdersIn,
  noImpact,
} from '#lib/record/bulk/bulk.server'

type Context<Body extends BulkInput = BulkInput> = BulkContext<Body> & {
  found: Awaited<ReturnType<typeof bulkDatacenter.find>>
}

type RuleRow = Awaited<ReturnType<typeof ruleRows>>[number]

/** The common part of all bulk changes of rules. A rule of a machine that the caller does not see is NAT-RULE-0. */
const ofRules = ({
  caller,
  db,
  found: datacenter,
}: Context): Pick<Bulk<RuleRow>, 'matching' | 'rows' | 'missing' | 'impact'> => ({
  matching: async (filter) => {
    if (!can(caller, ['PHYS_DC_RETRIEVE_DETAILS'])) throw new ApiError('403-FORBIDDEN')
    return matchingRules({ caller, db }, { datacenter: datacenter.id }, filterAs(datacenterRuleQuery, filter))
  },
  rows: (trx, ids) => ruleRows(trx, caller, { datacenter: datacenter.id, ids }),
  missing: 'NAT-RULE-0',
  impact: async (ids) => ({ ...noImpact, rules: ids.length, ...(await ownersOf(caller, ids)) }),
})

/** Enables or disables rules of a datacenter, and changes their tags. */
export function changeManyRules(context: Context<NatRulesChangeInput>): Promise<BulkReport> {
  const { body, found: datacenter } = context
  const { enabled } = body
  const changeAll = async (trx: Trx, rules: readonly RuleRow[]) => {
    const switched = enabled === undefined ? [] : await switchRules(trx, rules, enabled)
    const alike = alikeByTags(rules, body)
    for (const { ids, tags } of alike) for (const id of ids) await writeSettings(trx, id, { tags })
    return [...new Set([...switched, ...alike.flatMap(({ ids }) => ids)])]
  }
  return changeMany(context, {
    ...ofRules(context),
    event: eventOfDatacenter(datacenter, 'change-natrules', setTo({ enabled })),
    change: async (trx, rule) => (await changeAll(trx, [rule])).length > 0,
    changeAll,
  })
}

/** Deletes rules of a datacenter. */
export function deleteManyRules(context: Context): Promise<BulkReport> {
  const { caller, body, found: datacenter } = context
  return changeMany(context, {
    ...ofRules(context),
    event: eventOfDatacenter(datacenter, 'delete-natrules'),
    change: async (trx, { id, ...path }) => {
      const rule = await machineRuleTarget.find({ caller, db: trx }, { ...path, natrule: id })
      await removeMachineRule({ caller, db: trx, found: rule, body })
      return true
    },
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
    .select([
      'nat_rules.id',
      'nat_rules.disabled_at',
      'nat_rules.tags',
      'nat_ips.ip as name',
      'virtual_machines.id as virtualmachine',
    ])
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

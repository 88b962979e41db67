import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { writeSettings } from '#lib/cloud/nat/stored-rules.server'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { endsText } from '#lib/ground/http/ends.schema'
import { type Ended, isOver, type Verdict } from '#lib/record/events/ending.server'
import type { NewEvent } from '#lib/record/events/record.server'

/* NAT rules that are disabled by themselves (docs/api/ends.md, "Ends"). */

/** Those of these rules whose time is over, and that no other process disables at the moment. */
export async function claimRules(trx: Trx, ids: readonly number[], now: number) {
  const rules = await trx
    .selectFrom('nat_rules')
    .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
    .where('nat_rules.id', 'in', ids)
    .where(isOver('nat_rules.ends_at', now))
    .select(['nat_rules.id', 'nat_rules.ends_at as at', 'nat_rules.disabled_at'])
    .select(['nat_rules.datacenter_id as datacenter'])
    .select(['virtual_machines.id as virtualmachine', 'virtual_machines.enterprise_id as enterprise'])
    .select(['virtual_machines.virtual_datacenter_id as virtualdatacenter'])
    .select(['virtual_machines.virtual_appliance_id as virtualappliance'])
    .$if(database().engine === 'postgres', (query) => query.forUpdate('nat_rules').skipLocked())
    .execute()
  return rules.map((rule) => {
    const path = pathOf(kinds.natrule, rule)
    return { ...rule, seenAt: path, changedAt: path }
  })
}

type ClaimedRule = Awaited<ReturnType<typeof claimRules>>[number]

/** The path of the rule; undefined if it does not exist. */
export async function pathOfRule(db: Db, id: number): Promise<string | undefined> {
  const place = await db
    .selectFrom('nat_rules')
    .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
    .where('nat_rules.id', '=', id)
    .select(['virtual_machines.id as virtualmachine'])
    .select(['virtual_machines.virtual_datacenter_id as virtualdatacenter'])
    .select(['virtual_machines.virtual_appliance_id as virtualappliance'])
    .executeTakeFirst()
  return place && pathOf(kinds.natrule, { ...place, id })
}

/** The rule is disabled, as by hand, if the user who set the end may still do so, and has no end any more. */
export function endRule(trx: Trx, rule: ClaimedRule, { refused }: Verdict): Ended {
  const { id, enterprise, datacenter, seenAt: path } = rule
  const isEnabled = rule.disabled_at === null
  const reason = isEnabled ? refused : undefined
  const place = { enterprise, datacenter }
  const event: NewEvent = {
    action: reason === undefined ? 'end' : 'end-refused',
    changes: {
      ...(reason === undefined && { ends: { before: endsText(rule.at) } }),
      ...(isEnabled && reason === undefined && { enabled: { before: 'true', after: 'false' } }),
      ...(reason !== undefined && { reason: { after: reason } }),
    },
    by: undefined,
    entity: { type: 'natrule', id, name: '', path, place, was: place },
    documentPath: path,
    undoable: reason === undefined,
  }
  if (reason !== undefined) return { event }
  return { event, write: () => writeSettings(trx, id, { ends: '', ...(isEnabled && { enabled: false }) }) }
}

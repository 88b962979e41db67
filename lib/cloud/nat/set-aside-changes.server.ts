import { type SqlBool, sql } from 'kysely'
import type { Change, Creation, ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import type { DatacenterRow } from '#lib/cloud/infrastructure/datacenters.server'
import { inFindingKey, type NatFinding, type NatFindingCode } from '#lib/cloud/nat/check.schema'
import { type Found, queries } from '#lib/cloud/nat/check-queries.server'
import { viewsOf } from '#lib/cloud/nat/check-views.server'
import { findingPrivileges } from '#lib/cloud/nat/finding-privileges'
import type { NatSetAsideInput, NewNatSetAsideInput } from '#lib/cloud/nat/set-asides.schema'
import {
  findSetAside,
  isSetAside,
  type SetAsideRow,
  setAsidesInForce,
  setAsideView,
} from '#lib/cloud/nat/set-asides.server'
import type { Trx } from '#lib/db/db.server'
import { insertRow } from '#lib/db/unique.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { linkOf } from '#lib/ground/http/view'

/** Who may remove the cause of a finding may set it aside. Throws GEN-15. */
async function requireFixer({ caller, db }: ReadContext, code: string, subject: number): Promise<void> {
  const anyOf = findingPrivileges[code as NatFindingCode]
  if (!can(caller, anyOf))
    throw new ApiError(fault('GEN-15', `To set this finding aside, you need ${anyOf.join(' or ')}`))
  if (code === 'NATCHECK-2' && (await isOfHiddenMachine({ caller, db }, subject)))
    throw new ApiError(fault('GEN-15', 'Only who sees the machine of the rule can set this finding aside'))
}

/** Callers who do not see the machine of a rule see that its address is in quarantine, but could not remove the rule. */
async function isOfHiddenMachine({ caller, db }: ReadContext, rule: number): Promise<boolean> {
  const hidden = await db
    .selectFrom('nat_rules')
    .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
    .where('nat_rules.id', '=', rule)
    .where(sql<SqlBool>`not ${seesEnterprise(caller, 'virtual_machines.enterprise_id')}`)
    .select('nat_rules.id')
    .executeTakeFirst()
  return hidden !== undefined
}

/** The finding as the caller sees it now, and whether it is set aside. Throws NAT-CHECK-1. */
async function findFinding({ caller, db }: ReadContext, datacenter: number, key: string) {
  const { code, ids } = inFindingKey(key) ?? {}
  if (!code || !ids) throw new ApiError('NAT-CHECK-1')
  const found = queries[code]({ datacenter, network: undefined, caller, has: '', only: ids })
  const inForce = await setAsidesInForce(db, datacenter)
  const row = await db
    .selectFrom(sql<Found>`(${found})`.as('found'))
    .where('found.id', '=', ids.id)
    .where('found.other', '=', ids.other)
    .where('found.third', '=', ids.third)
    .selectAll('found')
    .select(isSetAside(code, inForce).as('aside'))
    .executeTakeFirstOrThrow(() => new ApiError('NAT-CHECK-1'))
  const [view] = await viewsOf[code]({ caller, db }, [{ ...row, times: Number(row.times) }])
  if (!view) throw new ApiError('NAT-CHECK-1')
  return { code, row, view }
}

/** The name of what the finding is about. */
const nameOf = (finding: NatFinding): string =>
  ['natip', 'natnetwork', 'privateip', 'device']
    .flatMap((rel) => linkOf(finding, rel)?.title ?? [])
    .find((title) => title !== '') ?? finding.identity

/** Throws GEN-15, NAT-CHECK-1, NAT-CHECK-2, NAT-CHECK-3. */
export async function createSetAside({
  caller,
  db,
  found: { id: datacenter },
  body: { finding: key, reason, until },
}: Creation<NewNatSetAsideInput> & { found: DatacenterRow }) {
  const context = { caller, db }
  const { code: named = '', ids } = inFindingKey(key) ?? {}
  await requireFixer(context, named, ids?.id ?? 0)
  const { code, row, view } = await findFinding(context, datacenter, key)
  if (row.aside) throw new ApiError('NAT-CHECK-2')
  if (row.enterprise === -1) throw new ApiError('NAT-CHECK-3')
  const id = await insertRow(db, 'nat_setasides', {
    datacenter_id: datacenter,
    enterprise_id: row.enterprise === 0 ? null : row.enterprise,
    code,
    subject_id: row.id,
    other_id: row.other,
    third_id: row.third,
    mark: row.mark,
    name: nameOf(view),
    reason,
    until_day: until,
    set_by: caller.id,
  })
  return setAsideView(await findSetAside(context, datacenter, id))
}

/** Throws GEN-15. */
export async function updateSetAside({
  caller,
  db,
  found: { id, code, subject_id },
  body: { reason, until },
}: Change<SetAsideRow, NatSetAsideInput>): Promise<void> {
  await requireFixer({ caller, db }, code, subject_id)
  // The reason is that of the user who wrote it.
  const changed = { reason, until_day: until, set_by: caller.id }
  await db.updateTable('nat_setasides').set(changed).where('id', '=', id).execute()
}

/** The finding is in the list again. Throws GEN-15. */
export async function removeSetAside({
  caller,
  db,
  found: { id, code, subject_id },
}: Change<SetAsideRow>): Promise<void> {
  await requireFixer({ caller, db }, code, subject_id)
  await db.deleteFrom('nat_setasides').where('id', '=', id).execute()
}

/** A finding that an undo sets aside again was set aside by this user. */
export async function restoreSetter(trx: Trx, id: number, user: number): Promise<void> {
  await trx.updateTable('nat_setasides').set({ set_by: user }).where('id', '=', id).execute()
}

import { sql } from 'kysely'
import type { Change, Creation, ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
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
function requireFixer({ caller }: ReadContext, code: string): void {
  const anyOf = findingPrivileges[code as NatFindingCode]
  if (can(caller, anyOf)) return
  throw new ApiError(fault('GEN-15', `To set this finding aside, you need ${anyOf.join(' or ')}`))
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
  requireFixer(context, inFindingKey(key)?.code ?? '')
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
  found: { id, code },
  body: { reason, until },
}: Change<SetAsideRow, NatSetAsideInput>): Promise<void> {
  requireFixer({ caller, db }, code)
  await db.updateTable('nat_setasides').set({ reason, until_day: until }).where('id', '=', id).execute()
}

/** The finding is in the list again. Throws GEN-15. */
export async function removeSetAside({
  caller,
  db,
  found: { id, code },
}: Change<SetAsideRow>): Promise<void> {
  requireFixer({ caller, db }, code)
  await db.deleteFrom('nat_setasides').where('id', '=', id).execute()
}

/** A finding that an undo sets aside again was set aside by this user. */
export async function restoreSetter(trx: Trx, id: number, user: number): Promise<void> {
  await trx.updateTable('nat_setasides').set({ set_by: user }).where('id', '=', id).execute()
}

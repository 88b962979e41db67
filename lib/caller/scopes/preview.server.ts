import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { scopesOfAdministrators } from '#lib/caller/auth/administrators.server'
import type { ReadContext, Referring } from '#lib/caller/auth/context.server'
import { type Caller, seesEverything } from '#lib/caller/auth/privileges'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Entities, type EntityRow, entitiesOf } from '#lib/caller/scopes/entities.server'
import { lineOf } from '#lib/caller/scopes/family.server'
import {
  children,
  defaultOf,
  holders,
  machines,
  type Refusal,
  refusalBy,
  refusalWithout,
  rolesOf,
  sameName,
} from '#lib/caller/scopes/refusals.server'
import { GLOBAL_SCOPE, type ScopeInput } from '#lib/caller/scopes/scopes.schema'
import { findScope, type ScopeRow, type scopeReferences } from '#lib/caller/scopes/scopes.server'

/*
 * The preview of a change of a scope: its refusals, and the resulting scope. A change without refusals is made as previewed, and the impact
 * operation reports the preview, so the prediction and the change agree.
 */

/** The enterprises or the datacenters of a scope: all, or these ids. */
type Held = { all: boolean; ids: number[] }

/** A scope as it stands in the tree. */
export type Shape = { parent: number | null; enterprises: Held; datacenters: Held }

export type Preview = {
  scope: ScopeRow
  refusals: Refusal[]
  before: Shape
  /** undefined: the scope is removed. */
  after: Shape | undefined
}

/** Without a parent link a limited caller's scope stays below their own (docs/api/scopes.md, "Scope documents"). */
export function parentFor(
  caller: Caller,
  { automaticAddDatacenter, automaticAddEnterprise }: ScopeInput,
  sent: number | undefined,
): number | null {
  const limited = !automaticAddDatacenter && !automaticAddEnterprise
  return sent ?? (limited && !seesEverything(caller.scope) ? caller.scope.id : null)
}

/** SCOPE-20 and SCOPE-21: the users who may set each flag, and that an unlimited scope is a root. */
export function flagRefusals(caller: Caller, input: ScopeInput, parent: number | null): Refusal[] {
  const { automaticAddDatacenter: datacenters, automaticAddEnterprise: enterprises } = input
  const beyond = [
    ...(datacenters && !caller.scope.allDatacenters ? ['automaticAddDatacenter'] : []),
    ...(enterprises && !caller.scope.allEnterprises ? ['automaticAddEnterprise'] : []),
  ]
  const below = (datacenters || enterprises) && parent !== null
  return [
    ...(beyond.length > 0 ? [refusalWithout('SCOPE-21', undefined, beyond[0])] : []),
    ...(below ? [refusalWithout('SCOPE-20')] : []),
  ]
}

const idsOf = (rows: EntityRow[]): Entities => ({
  enterprises: rows.flatMap(({ enterprise_id }) => enterprise_id ?? []),
  datacenters: rows.flatMap(({ datacenter_id }) => datacenter_id ?? []),
})

function shapeOf(scope: ScopeRow, rows: EntityRow[]): Shape {
  const { enterprises, datacenters } = idsOf(rows)
  return {
    parent: scope.hidden_parent_id,
    enterprises: { all: scope.all_enterprises === 1, ids: enterprises },
    datacenters: { all: scope.all_datacenters === 1, ids: datacenters },
  }
}

export async function previewUpdate(
  { references, ...context }: ReadContext & Referring<typeof scopeReferences>,
  scope: ScopeRow,
  input: ScopeInput,
): Promise<Preview & { entities: { before: EntityRow[]; after: Entities } }> {
  const { caller } = context
  const { parent: sent, entities: wanted } = references
  const own = scope.id === caller.scope.id && !seesEverything(caller.scope)
  const entities = await entitiesOf(context, scope.id, wanted)
  const before = shapeOf(scope, entities.before)
  const parent = own && sent === undefined ? before.parent : parentFor(caller, input, sent)
  const after: Shape = {
    parent,
    enterprises: { all: input.automaticAddEnterprise, ids: entities.after.enterprises },
    datacenters: { all: input.automaticAddDatacenter, ids: entities.after.datacenters },
  }
  // The global scope cannot change at all, so further refusals would not help.
  if (scope.id === GLOBAL_SCOPE)
    return { scope, refusals: [refusalWithout('SCOPE-3')], entities, before, after }
  const refusals = [
    ...flagRefusals(caller, input, parent),
    ...(await cycleRefusal(context, scope, parent)),
    ...(await lossRefusals(context, scope.id, { before: before.enterprises, after: after.enterprises })),
    ...(await refusalBy('SCOPE-0', sameName(context, scope.id, input.name))),
    ...(await limitRefusals(context, scope, { before, after })),
  ]
  return { scope, refusals, entities, before, after }
}

/** SCOPE-8, SCOPE-10, SCOPE-13: resources that depend on an enterprise that would leave the scope. */
async function lossRefusals(
  context: ReadContext,
  id: number,
  { before, after }: { before: Held; after: Held },
): Promise<Refusal[]> {
  const remaining = new Set(after.ids)
  if (after.all || !(before.all || before.ids.some((held) => !remaining.has(held)))) return []
  const lost = (column: string) => isLost(column, before, after)
  return [
    ...(await refusalBy('SCOPE-8', holders(context, id, lost('users.enterprise_id')))),
    ...(await refusalBy('SCOPE-10', machines(context, id, lost('virtual_machines.enterprise_id')))),
    ...(await refusalBy('SCOPE-13', defaultOf(context, id, lost('enterprises.id')))),
  ]
}

/** USER-25: all cloud administrators who see everything do so by this scope. */
async function limitRefusals(
  { db }: ReadContext,
  { id }: ScopeRow,
  { before, after }: { before: Shape; after: Shape },
): Promise<Refusal[]> {
  const isUnlimited = ({ enterprises, datacenters }: Shape) => enterprises.all && datacenters.all
  if (!isUnlimited(before) || isUnlimited(after)) return []
  const scopes = await scopesOfAdministrators(db)
  const field = after.enterprises.all ? 'automaticAddDatacenter' : 'automaticAddEnterprise'
  return scopes.size === 1 && scopes.has(id) ? [refusalWithout('USER-25', undefined, field)] : []
}

async function cycleRefusal(
  { caller, db }: ReadContext,
  scope: ScopeRow,
  parent: number | null,
): Promise<Refusal[]> {
  if (parent === null || !(await lineOf(db, parent)).includes(scope.id)) return []
  const { id, name } = await findScope({ caller, db }, parent)
  return [{ ...refusalWithout('SCOPE-18'), links: [linkTo(kinds.scope, { id }, name, 'blocker')] }]
}

export async function previewRemoval(context: ReadContext, scope: ScopeRow): Promise<Preview> {
  const { id } = scope
  const rows = await context.db
    .selectFrom('scope_entities')
    .where('scope_id', '=', id)
    .select(['id', 'scope_id', 'enterprise_id', 'datacenter_id'])
    .execute()
  const before = shapeOf(scope, rows)
  if (id === GLOBAL_SCOPE) return { scope, refusals: [refusalWithout('SCOPE-2')], before, after: undefined }
  const shared = sql<SqlBool>`virtual_machines.enterprise_id <> templates.enterprise_id`
  const any = sql<SqlBool>`1 = 1`
  const refusals = [
    ...(await refusalBy('SCOPE-5', rolesOf(context, id))),
    ...(await refusalBy('SCOPE-11', machines(context, id, shared))),
    ...(await refusalBy('SCOPE-12', defaultOf(context, id, any))),
    ...(await refusalBy('SCOPE-17', holders(context, id, any))),
    ...(await refusalBy('SCOPE-19', children(context, id))),
  ]
  return { scope, refusals, before, after: undefined }
}

/** A condition on rows that the scope held before and not after. Swapped arguments give the gain. */
export function isLost(column: string, before: Held, after: Held): RawBuilder<SqlBool> {
  if (after.all) return sql`1 = 0`
  const among = (ids: number[]) =>
    ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${sql.ref(column)} in (${sql.join(ids)})`
  if (before.all) return sql`not (${among(after.ids)})`
  const remaining = new Set(after.ids)
  return among(before.ids.filter((id) => !remaining.has(id)))
}

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, seesEverything } from '#lib/caller/auth/privileges'
import type { Kind } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type SeenColumns, seesAmong } from '#lib/db/changed.server'
import { database } from '#lib/db/db.server'
import { textIn } from '#lib/db/dialect.server'
import { statement } from '#lib/db/statements.server'
import { ApiError } from '#lib/ground/http/errors'

type Condition = RawBuilder<SqlBool>

const everything: Condition = sql`1 = 1`

/*
 * The visibility of resources (docs/api/authorization.md, "Visibility"). Each `sees…` is a condition on a column of ids. A query with that condition
 * cannot show, count or find a resource that the caller does not see.
 */

/** The properties of a caller that the conditions below use. */
export type Visibility = Pick<Caller, 'scope' | 'enterpriseId' | 'inPast'>

/** The part of a caller that decides their visibility. */
export const visibilityOf = ({ scope, enterpriseId, inPast }: Caller): Visibility => ({
  scope,
  enterpriseId,
  ...(inPast && { inPast }),
})

/** A column of ids, or an expression. */
type Column = string | RawBuilder<unknown>

const toSql = (column: Column): RawBuilder<unknown> => (typeof column === 'string' ? sql.ref(column) : column)

/** The datacenters of the scope, or all if the scope is unlimited in datacenters. */
export const seesDatacenter = ({ scope }: Pick<Visibility, 'scope'>, column: Column): Condition =>
  scope.allDatacenters
    ? everything
    : sql`${toSql(column)} in (select datacenter_id from present_scope_entities where scope_id = ${scope.id} and datacenter_id is not null)`

/** The enterprises of the scope and the caller's own, or all if the scope is unlimited in enterprises. */
export const seesEnterprise = ({ scope, enterpriseId }: Visibility, column: Column): Condition =>
  scope.allEnterprises
    ? everything
    : sql`(${toSql(column)} = ${enterpriseId} or ${toSql(column)} in
        (select enterprise_id from present_scope_entities where scope_id = ${scope.id} and enterprise_id is not null))`

/**
 * The caller's scope and its descendants, or all scopes if it is unlimited in both dimensions. Callers who are unlimited in one dimension
 * also see the roots that are unlimited in that dimension only, because they may create such scopes.
 */
export function seesScope(caller: Pick<Visibility, 'scope'>, column: Column): Condition {
  if (seesEverything(caller.scope)) return everything
  const { id, allDatacenters, allEnterprises } = caller.scope
  const below = sql<SqlBool>`${toSql(column)} in (
    with recursive below (id) as (
      select id from present_scopes where id = ${id}
      union all select child.id from present_scopes child join below on child.parent_id = below.id
    ) select id from below)`
  if (!allDatacenters && !allEnterprises) return below
  const dimension = sql.ref(allDatacenters ? 'all_datacenters' : 'all_enterprises')
  const other = sql.ref(allDatacenters ? 'all_enterprises' : 'all_datacenters')
  return sql`(${below} or ${toSql(column)} in (select id from present_scopes where parent_id is null and ${dimension} = 1 and ${other} = 0))`
}

/** A change of the hidden column, which names a scope, counts if the caller sees one of the two scopes. */
export const seenWithScope = (caller: Visibility, column: string): SeenColumns | undefined =>
  seesEverything(caller.scope)
    ? undefined
    : { [column]: seesAmong(sql`select scopes.id from scopes where ${seesScope(caller, 'scopes.id')}`) }

/** The notes and the end of a NAT IP belong to its holder; everybody sees the notes of an IP without one. `sees`: the holders. */
export function seenWithHolder(sees: (holder: RawBuilder<unknown>) => Condition): SeenColumns {
  const by = 'virtual_datacenter_id'
  return {
    [by]: sees,
    ends_at: { by, sees },
    description: { by, sees, otherwise: '' },
    tags: { by, sees, otherwise: '[]' },
  }
}

/** A column of a place, by its table. The row that another belongs to is joined as `via`. */
export const placeColumn = ({ table }: Pick<Kind, 'table'>, column: string): string =>
  column.startsWith('via.') ? column : `${table}.${column}`

/** The resources of a kind that are in visible places. A row that belongs to another is visible with it. */
export function seesKind(caller: Visibility, kind: Kind): Condition {
  const { place = {} } = kind
  const { enterprise, datacenter, scope, orEveryEnterprise = false } = place
  const inEnterprise = (column: string) =>
    orEveryEnterprise
      ? sql<SqlBool>`(${sql.ref(column)} is null or ${seesEnterprise(caller, column)})`
      : seesEnterprise(caller, column)
  const conditions = [
    ...(enterprise ? [inEnterprise(placeColumn(kind, enterprise))] : []),
    ...(datacenter ? [seesDatacenter(caller, placeColumn(kind, datacenter))] : []),
    ...(scope ? [seesScope(caller, placeColumn(kind, scope))] : []),
  ]
  return conditions.length === 0 ? everything : sql`(${sql.join(conditions, sql` and `)})`
}

/**
 * True if the caller does not see the present enterprise of a user or a role, or, if it was deleted, its last one. To have seen a resource
 * before it moved away is no permission to see its past (docs/api/as-of.md, "As of a moment").
 */
export function hasMovedAway(caller: Visibility, { table }: Pick<Kind, 'table'>, id: Column): Condition {
  if (caller.scope.allEnterprises) return sql`1 = 0`
  const there = sql`select 1 from ${sql.table(`present_${table}`)} there where there.id = ${toSql(id)}`
  const last = sql`select ${pastEnterprise('gone')} as enterprise_id from past_rows gone
    where gone.source = ${sql.lit(table)} and gone.id = ${toSql(id)} and gone.part = '' and gone.ended = 1
    order by gone.until desc limit 1`
  const isHidden = (column: string) =>
    sql`${sql.ref(column)} is not null and not ${seesEnterprise(caller, column)}`
  return sql`(exists (${there} and ${isHidden('there.enterprise_id')}) or (not exists (${there})
    and exists (select 1 from (${last}) as place where ${isHidden('place.enterprise_id')})))`
}

const pastEnterprise = (row: string): RawBuilder<unknown> =>
  sql`cast(${textIn(database().engine, `${row}.content`, ['enterprise_id'])} as bigint)`

const hasStayed = (caller: Visibility, kind: Pick<Kind, 'table'>, id: string): Condition =>
  caller.inPast ? sql`not ${hasMovedAway(caller, kind, id)}` : everything

/** The roles of no enterprise, and those of the visible enterprises. */
export const seesRole = (caller: Visibility): Condition =>
  sql`(${seesKind(caller, kinds.role)} and ${hasStayed(caller, kinds.role, 'roles.id')})`

/** The users of the visible enterprises. `users`: their name in the query. */
export const seesUser = (caller: Visibility, users = 'users'): Condition =>
  sql`(${seesEnterprise(caller, `${users}.enterprise_id`)} and ${hasStayed(caller, kinds.user, `${users}.id`)})`

/** The virtual machines whose enterprise and datacenter are visible. */
export const seesMachine = (caller: Caller): Condition =>
  sql`(${seesEnterprise(caller, 'virtual_machines.enterprise_id')} and exists (
    select 1 from virtual_datacenters where virtual_datacenters.id = virtual_machines.virtual_datacenter_id
      and ${seesDatacenter(caller, 'virtual_datacenters.datacenter_id')}))`

const visibleEnterprise = statement(
  'enterprise',
  (db, { id, visibility }: { id: number; visibility: Visibility }) =>
    db
      .selectFrom('enterprises')
      .where('id', '=', id)
      .where(seesEnterprise(visibility, 'id'))
      .select(['id', 'name']),
)

/** The enterprise, if the caller sees it. Throws EN-0. */
export async function requireEnterprise({ caller, db }: ReadContext, id: number) {
  const [enterprise] = await visibleEnterprise(db, { id, visibility: visibilityOf(caller) })
  if (!enterprise) throw new ApiError('EN-0')
  return enterprise
}

/** Throws VM-0 if the caller does not see the virtual machine. */
export async function requireMachine({ caller, db }: ReadContext, id: number): Promise<void> {
  await db
    .selectFrom('virtual_machines')
    .where('id', '=', id)
    .where(seesMachine(caller))
    .select('id')
    .executeTakeFirstOrThrow(() => new ApiError('VM-0'))
}

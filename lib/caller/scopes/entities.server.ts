import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type ScopeDocument, type ScopeInput, scopeEntityTypes } from '#lib/caller/scopes/scopes.schema'
import {
  seesDatacenter,
  seesEnterprise,
  type Visibility,
  visibilityOf,
} from '#lib/caller/scopes/visibility.server'
import { changedSince } from '#lib/db/changed.server'
import { chunksOf } from '#lib/db/chunks'
import { database, type Trx } from '#lib/db/db.server'
import { textIn } from '#lib/db/dialect.server'
import { paddedIds, statement } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'
import { formerId } from '#lib/db/unique.server'
import { ApiError, fault } from '#lib/ground/http/errors'

/** The ids of the enterprises and datacenters in a scope. */
export type Entities = { enterprises: number[]; datacenters: number[] }

export type EntityRow = {
  id: number
  scope_id: number
  enterprise_id: number | null
  datacenter_id: number | null
}

/** True of entities that the caller sees. */
const seesEntity = (on: ExpressionBuilder<Tables, 'scope_entities'>, visibility: Visibility) =>
  on.or([
    on.and([on('enterprise_id', 'is not', null), seesEnterprise(visibility, 'enterprise_id')]),
    on.and([on('datacenter_id', 'is not', null), seesDatacenter(visibility, 'datacenter_id')]),
  ])

const entitiesOfScopes = statement(
  'entities of scopes',
  (db, { ids, visibility }: { ids: number[]; visibility: Visibility }) =>
    db
      .selectFrom('scope_entities')
      .where('scope_id', 'in', ids)
      .where((on) => seesEntity(on, visibility))
      .select(['id', 'scope_id', 'enterprise_id', 'datacenter_id'])
      .orderBy('id'),
)

/** The visible entities of these scopes, in a stable order. */
export async function visibleEntities({ caller, db }: ReadContext, scopes: number[]): Promise<EntityRow[]> {
  if (scopes.length === 0) return []
  const ids = paddedIds(scopes.map((id) => ({ id })))
  return entitiesOfScopes(db, { ids, visibility: visibilityOf(caller) })
}

/** The ids of the scopes that gained or lost an entity that the caller sees, since the time of the filter. */
export function scopesOfChanged(visibility: Visibility, changed: string): RawBuilder<unknown> {
  const { engine, moment } = database()
  const kept = (name: string) =>
    sql`coalesce(${sql.ref(`live.${name}`)}, cast(${textIn(engine, 'past_rows.content', [name])} as bigint))`
  const byNow = moment === undefined ? sql`1 = 1` : sql`past_rows.until <= ${moment}`
  return sql`select entity.scope_id from (
      select ${kept('scope_id')} as scope_id, ${kept('enterprise_id')} as enterprise_id, ${kept('datacenter_id')} as datacenter_id
      from past_rows left join scope_entities live on live.id = past_rows.id
      where past_rows.source = 'scope_entities' and past_rows.until >= ${changedSince(changed) * 60_000_000} and ${byNow}
    ) entity where entity.scope_id is not null and (
      (entity.enterprise_id is not null and ${seesEnterprise(visibility, 'entity.enterprise_id')})
      or (entity.datacenter_id is not null and ${seesDatacenter(visibility, 'entity.datacenter_id')}))`
}

export const entityViews = (
  scope: { id: number; name: string },
  rows: EntityRow[],
): ScopeDocument['scopeEntities'] =>
  rows.map((row) => ({
    links: [linkTo(kinds.scope, { id: scope.id }, scope.name)],
    id: row.id,
    idResource: row.enterprise_id ?? row.datacenter_id ?? 0,
    type: row.enterprise_id === null ? 'DATACENTER' : 'ENTERPRISE',
  }))

/** The entities of a document. Throws SCOPE-7 for each of an unknown type, and for each that the caller does not see. */
export async function resolveEntities(
  { caller, db }: ReadContext,
  sent: ScopeInput['scopeEntities'],
): Promise<Entities> {
  const idsOf = (type: string) => [
    ...new Set(sent.filter((entity) => entity.type === type).map((entity) => entity.idResource)),
  ]
  const wanted: Entities = { enterprises: idsOf('ENTERPRISE'), datacenters: idsOf('DATACENTER') }
  const existing = async (table: keyof Entities, isVisible: RawBuilder<SqlBool>) => {
    const found = new Set<number>()
    for (const ids of chunksOf(wanted[table])) {
      const rows = await db.selectFrom(table).where('id', 'in', ids).where(isVisible).select('id').execute()
      for (const { id } of rows) found.add(id)
    }
    return found
  }
  const known = {
    ENTERPRISE: await existing('enterprises', seesEnterprise(caller, 'id')),
    DATACENTER: await existing('datacenters', seesDatacenter(caller, 'id')),
  }
  const faults = sent.flatMap(({ type, idResource }, index) => {
    const field = `scopeEntities.${index}`
    const kind = scopeEntityTypes.find((name) => name === type)
    if (!kind)
      return [
        fault(
          'SCOPE-7',
          `Invalid scope entity: the type ${type.slice(0, 32)} is not ENTERPRISE or DATACENTER`,
          `${field}.type`,
        ),
      ]
    return known[kind].has(idResource)
      ? []
      : [
          fault(
            'SCOPE-7',
            `Invalid scope entity: there is no ${kind.toLowerCase()} ${idResource}`,
            `${field}.idResource`,
          ),
        ]
  })
  if (faults.length > 0) throw new ApiError(faults)
  return wanted
}

/** The scope's entities before and after the change. Entities that the caller does not see stay. */
export async function entitiesOf(
  { caller, db }: ReadContext,
  scope: number,
  sent: Entities,
): Promise<{ before: EntityRow[]; after: Entities }> {
  const before = await db
    .selectFrom('scope_entities')
    .where('scope_id', '=', scope)
    .select(['id', 'scope_id', 'enterprise_id', 'datacenter_id'])
    .select((on) => seesEntity(on, caller).as('visible'))
    .execute()
  const hidden = before.filter(({ visible }) => !visible)
  const after: Entities = {
    enterprises: [
      ...new Set([...hidden.flatMap(({ enterprise_id }) => enterprise_id ?? []), ...sent.enterprises]),
    ],
    datacenters: [
      ...new Set([...hidden.flatMap(({ datacenter_id }) => datacenter_id ?? []), ...sent.datacenters]),
    ],
  }
  return { before, after }
}

/** Writes only the difference, so that unchanged entities keep their ids. */
export async function replaceEntities(
  db: Trx,
  scope: number,
  { before, after }: { before: EntityRow[]; after: Entities },
): Promise<void> {
  const keptEnterprises = new Set(after.enterprises)
  const keptDatacenters = new Set(after.datacenters)
  const gone = before.filter(({ enterprise_id, datacenter_id }) =>
    enterprise_id === null ? !keptDatacenters.has(datacenter_id ?? 0) : !keptEnterprises.has(enterprise_id),
  )
  const hadEnterprises = new Set(before.map(({ enterprise_id }) => enterprise_id))
  const hadDatacenters = new Set(before.map(({ datacenter_id }) => datacenter_id))
  const added = [
    ...after.enterprises
      .filter((id) => !hadEnterprises.has(id))
      .map((enterprise_id) => ({ scope_id: scope, enterprise_id, datacenter_id: null })),
    ...after.datacenters
      .filter((id) => !hadDatacenters.has(id))
      .map((datacenter_id) => ({ scope_id: scope, enterprise_id: null, datacenter_id })),
  ]
  for (const ids of chunksOf(gone.map(({ id }) => id)))
    await db.deleteFrom('scope_entities').where('id', 'in', ids).execute()
  for (const rows of chunksOf(added)) {
    const placed = rows.map((row) => ({ ...row, ...formerId(db, 'scope_entities', row) }))
    await db.insertInto('scope_entities').values(placed).execute()
  }
}

type NewEntity = { enterprise: number } | { datacenter: number }

/** A limited caller's scope gains what they create, or they could not see it (docs/api/authorization.md, "Visibility"). */
export async function addToOwnScope({ caller, db }: WriteContext, created: NewEntity): Promise<void> {
  const { id: scope_id, allEnterprises, allDatacenters } = caller.scope
  const [entity, isIncluded] =
    'enterprise' in created
      ? [{ enterprise_id: created.enterprise, datacenter_id: null }, allEnterprises]
      : [{ enterprise_id: null, datacenter_id: created.datacenter }, allDatacenters]
  if (!isIncluded)
    await db
      .insertInto('scope_entities')
      .values({ scope_id, ...entity, ...formerId(db, 'scope_entities', { scope_id, ...entity }) })
      .execute()
}

/** Takes a removed enterprise or datacenter out of every scope. */
export const removeFromScopes = async (
  trx: Trx,
  column: 'enterprise_id' | 'datacenter_id',
  id: number,
): Promise<void> => {
  await trx.deleteFrom('scope_entities').where(column, '=', id).execute()
}

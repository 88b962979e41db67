import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  type Entities,
  entityViews,
  resolveEntities,
  scopesOfChanged,
  visibleEntities,
} from '#lib/caller/scopes/entities.server'
import {
  type ScopeDocument,
  type ScopeEntityType,
  type ScopeInput,
  scopeFields,
} from '#lib/caller/scopes/scopes.schema'
import {
  requireEnterprise,
  seenWithScope,
  seesScope,
  type Visibility,
  visibilityOf,
} from '#lib/caller/scopes/visibility.server'
import { changedAs } from '#lib/db/changed.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import { statement } from '#lib/db/statements.server'
import { type Csv, fields, linked, namesCell, noteColumns } from '#lib/ground/http/csv'
import { ApiError, about, gather } from '#lib/ground/http/errors'
import type { ChangedPaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { linkIf } from '#lib/ground/http/view'

export type ScopeRow = Awaited<ReturnType<typeof findScope>>

export const scopeColumns = columns(kinds.scope, scopeFields, {
  automaticAddDatacenter: 'all_datacenters',
  automaticAddEnterprise: 'all_enterprises',
})

export const visibleScopes = (db: Db, caller: Visibility) =>
  db
    .selectFrom('scopes')
    .leftJoin('scopes as parents', (join) =>
      join.onRef('parents.id', '=', 'scopes.parent_id').on(seesScope(caller, 'parents.id')),
    )
    .where(seesScope(caller, 'scopes.id'))
    .select([
      'scopes.id',
      ...scopeColumns.select,
      // Regardless of visibility; the parent below is the one that the caller sees.
      'scopes.parent_id as hidden_parent_id',
      'parents.id as parent_id',
      'parents.name as parent_name',
    ])

const visibleScope = statement('scope', (db, { id, visibility }: { id: number; visibility: Visibility }) =>
  visibleScopes(db, visibility).where('scopes.id', '=', id),
)

/** The scope, if the caller sees it. Throws SCOPE-1. */
export async function findScope({ caller, db }: ReadContext, id: number) {
  const [scope] = await visibleScope(db, { id, visibility: visibilityOf(caller) })
  if (!scope) throw new ApiError('SCOPE-1')
  return scope
}

/** The scope that a document links, if the caller sees it. Throws SCOPE-1. */
export async function scopeReference(
  context: ReadContext,
  { links }: { links?: { scope?: number | undefined } | undefined },
): Promise<{ scope: number | undefined }> {
  if (links?.scope === undefined) return { scope: undefined }
  return { scope: (await about('scope', findScope(context, links.scope))).id }
}

const scopeView = (row: ScopeRow, scopeEntities: ScopeDocument['scopeEntities']): ScopeDocument => ({
  links: [
    linkTo(kinds.scope, { id: row.id }, row.name, 'edit'),
    ...linkIf(row.parent_id, linkTo(kinds.scope, { id: row.parent_id }, row.parent_name, 'scopeParent')),
  ],
  id: row.id,
  ...scopeColumns.read(row),
  scopeEntities,
})

async function scopeViews(db: Db, caller: Caller, rows: ScopeRow[]): Promise<ScopeDocument[]> {
  const entities = await visibleEntities(
    { caller, db },
    rows.map(({ id }) => id),
  )
  return rows.map((row) =>
    scopeView(
      row,
      entityViews(
        row,
        entities.filter((entity) => entity.scope_id === row.id),
      ),
    ),
  )
}

export const showScope = async (row: ScopeRow, { caller, db }: ReadContext): Promise<ScopeDocument> =>
  scopeView(row, entityViews(row, await visibleEntities({ caller, db }, [row.id])))

export const scopeTarget = {
  ids: { scope: 'SCOPE-1' },
  find: (context: ReadContext, { scope }: { scope: number }) => findScope(context, scope),
  view: showScope,
} as const

/** True if the scope contains the enterprise, by name or because it contains all. */
export const containsEnterprise = (enterprise: number) =>
  sql<boolean>`(scopes.all_enterprises = 1 or exists (
    select 1 from scope_entities where scope_id = scopes.id and enterprise_id = ${enterprise}))`

const entities = ({ scopeEntities }: ScopeDocument, wanted: ScopeEntityType): number[] =>
  scopeEntities.flatMap(({ type, idResource }) => (type === wanted ? [idResource] : []))

type NamedScope = ScopeDocument & Record<'enterprises' | 'datacenters', string[]>

/** The entries of scopes have no names. The document contains only the visible ones. */
async function namesIn(table: 'enterprises' | 'datacenters', scopes: ScopeDocument[]) {
  const type = table === 'enterprises' ? 'ENTERPRISE' : 'DATACENTER'
  const names = new Map<number, string>()
  for (const ids of chunksOf([...new Set(scopes.flatMap((scope) => entities(scope, type)))]))
    for (const { id, name } of await namesOf(database().read, table, ids)) names.set(id, name)
  return (scope: ScopeDocument): string[] =>
    entities(scope, type)
      .flatMap((id) => names.get(id) ?? [])
      .sort()
}

const namesOf = (db: Db, table: 'enterprises' | 'datacenters', ids: number[]) =>
  db.selectFrom(table).where('id', 'in', ids).select(['id', 'name']).execute()

async function withNames(scopes: ScopeDocument[]): Promise<NamedScope[]> {
  const enterprises = await namesIn('enterprises', scopes)
  const datacenters = await namesIn('datacenters', scopes)
  return scopes.map((scope) => ({
    ...scope,
    enterprises: enterprises(scope),
    datacenters: datacenters(scope),
  }))
}

export const scopeCsv: Csv<ScopeDocument, NamedScope> = {
  filename: 'scopes',
  rows: withNames,
  columns: [
    ...fields<ScopeDocument>('id', 'name'),
    ...linked('parent', 'scopeParent'),
    ...fields<ScopeDocument>('automaticAddEnterprise', 'automaticAddDatacenter'),
    { name: 'enterprises', of: (scope) => namesCell(scope.enterprises) },
    { name: 'enterpriseIds', of: (scope) => entities(scope, 'ENTERPRISE').join(' ') },
    { name: 'datacenters', of: (scope) => namesCell(scope.datacenters) },
    { name: 'datacenterIds', of: (scope) => entities(scope, 'DATACENTER').join(' ') },
    ...noteColumns,
  ],
}

/** A scope also changes with the enterprises and datacenters in it. */
export function scopeChangedAs(caller: Caller, changed: string): RawBuilder<SqlBool> {
  const own = changedAs('scopes.id', changed, seenWithScope(caller, 'parent_id'))
  const changes = scopesOfChanged(visibilityOf(caller), changed)
  return changed.startsWith('<')
    ? sql`(${own} or scopes.id in (${changes}))`
    : sql`(${own} and scopes.id in (select kept.id from scopes kept except ${changes}))`
}

export async function listScopes(
  { caller, db }: ReadContext,
  paging: ChangedPaging & { enterprise?: number },
): Promise<Listing> {
  const { enterprise } = paging
  if (enterprise !== undefined) await about('enterprise', requireEnterprise({ caller, db }, enterprise))
  return namedList({
    table: 'scopes',
    from: (on, { visibility, enterprise }) =>
      visibleScopes(on, visibility).$if(enterprise !== undefined, (query) =>
        query.where(containsEnterprise(enterprise ?? 0)),
      ),
    changes: (changed) => scopeChangedAs(caller, changed),
    once: { name: 'scopes', values: { visibility: visibilityOf(caller), enterprise } },
    paging,
    views: (rows) => scopeViews(db, caller, rows),
    path: collectionOf(kinds.scope),
  })
}

/** Finds the parent and the entities of the document. Throws SCOPE-1 and SCOPE-7 for those that the caller does not see. */
export async function scopeReferences(
  context: ReadContext,
  { links, scopeEntities }: Partial<ScopeInput>,
): Promise<{ parent: number | undefined; entities: Entities }> {
  const sent = links?.scopeParent
  const [parent, entities] = await gather(
    sent === undefined ? Promise.resolve(undefined) : about('scopeParent', findScope(context, sent)),
    resolveEntities(context, scopeEntities ?? []),
  )
  return { parent: parent?.id, entities }
}

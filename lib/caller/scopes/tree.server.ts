import { type RawBuilder, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, can, type Privilege, seesEverything } from '#lib/caller/auth/privileges'
import { collectionOf, linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { containsEnterprise, findScope, scopeChangedAs } from '#lib/caller/scopes/scopes.server'
import {
  requireEnterprise,
  seesDatacenter,
  seesEnterprise,
  seesScope,
  seesUser,
} from '#lib/caller/scopes/visibility.server'
import { type Db, database } from '#lib/db/db.server'
import { hasText } from '#lib/db/list.server'
import { hasTags } from '#lib/db/tags.server'
import { about } from '#lib/ground/http/errors'
import { clampStart, pageLinks } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import type { LinkDocument } from '#lib/ground/http/view'

type TreeQuery = {
  scope?: number
  parent?: number
  enterprise?: number
  changed?: string | undefined
  tag?: string[] | undefined
  has: string
  startwith: number
  limit: number
}

const PATH = `${collectionOf(kinds.scope)}/action/tree`

const nodes = (db: Db, caller: Caller) => db.selectFrom('scopes').where(seesScope(caller, 'scopes.id'))

/** A visible scope whose parent is not visible is a root to this caller. */
const isRoot = (caller: Caller) =>
  seesEverything(caller.scope)
    ? sql<boolean>`scopes.parent_id is null`
    : sql<boolean>`(scopes.parent_id is null or scopes.id = ${caller.scope.id})`

/** The roots, one node, the children of one node, or the hits of a search with their ancestors: never the whole tree. */
export async function scopeTree(
  context: ReadContext,
  { scope, parent, enterprise, changed, tag, has, startwith, limit }: TreeQuery,
): Promise<Listing> {
  const { caller } = context
  if (scope !== undefined) await findScope(context, scope)
  if (parent !== undefined) await findScope(context, parent)
  if (enterprise !== undefined) await about('enterprise', requireEnterprise(context, enterprise))
  const searches = has !== '' || [enterprise, changed, tag].some((filter) => filter !== undefined)
  const db = searches ? database().scan : context.db
  const level = levelOf(caller, { scope, parent })
  const found = nodes(db, caller)
    .where(searches ? hasText('scopes.name_key', has) : level)
    .$if(enterprise !== undefined, (scopes) => scopes.where(containsEnterprise(enterprise ?? 0)))
    .where(changed === undefined ? sql<boolean>`1 = 1` : scopeChangedAs(caller, changed))
    .where(hasTags('scopes.id', tag))
  const { total } = await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const start = clampStart(startwith, limit, Number(total))
  const page = await found
    .select('scopes.id')
    .orderBy('scopes.natural_key')
    .orderBy('scopes.id')
    .limit(limit)
    .offset(start)
    .execute()
  const hits = page.map(({ id }) => id)
  const shown = searches ? await withAncestors(db, caller, hits) : hits
  const filters = { scope, parent, enterprise, changed, tag }
  const paging = { ...filters, startwith: start, limit, has, by: 'name', asc: true }
  return {
    links: pageLinks(PATH, paging, Number(total)),
    totalSize: Number(total),
    collection: await treeNodes(context, shown, new Set(searches ? hits : [])),
  }
}

function levelOf(caller: Caller, { scope, parent }: Pick<TreeQuery, 'scope' | 'parent'>) {
  if (scope !== undefined) return sql<boolean>`scopes.id = ${scope}`
  return parent === undefined ? isRoot(caller) : sql<boolean>`scopes.parent_id = ${parent}`
}

/** The scopes and their visible ancestors. */
async function withAncestors(db: Db, caller: Caller, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with recursive upwards (id, parent_id) as (
      select id, parent_id from scopes where id in (${sql.join(ids)})
      union select above.id, above.parent_id from scopes above join upwards on above.id = upwards.parent_id
    ) select id from upwards where ${seesScope(caller, 'upwards.id')}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The nodes in the natural order of their names. Their counts include only visible resources. */
async function treeNodes(
  { caller, db }: ReadContext,
  ids: number[],
  hits: Set<number>,
): Promise<ScopeTreeNode[]> {
  if (ids.length === 0) return []
  const rows = await nodes(db, caller)
    .where('scopes.id', 'in', ids)
    .select([
      'scopes.id',
      'scopes.name',
      'scopes.parent_id',
      'scopes.all_datacenters',
      'scopes.all_enterprises',
    ])
    .select(sql<number>`case when ${isRoot(caller)} then 1 else 0 end`.as('root'))
    .orderBy('scopes.natural_key')
    .orderBy('scopes.id')
    .execute()
  const counts = await countsOf({ caller, db }, ids)
  const named = await firstNamed({ caller, db }, ids)
  return rows.map(({ id, name, parent_id, root, all_datacenters, all_enterprises }) => ({
    links: [linkTo(kinds.scope, { id }, name), ...(named.get(id) ?? [])],
    id,
    name,
    ...(root === 0 && parent_id !== null && { parent: parent_id }),
    automaticAddDatacenter: all_datacenters === 1,
    automaticAddEnterprise: all_enterprises === 1,
    children: counts.children.get(id) ?? 0,
    enterprises: counts.enterprises.get(id) ?? 0,
    datacenters: counts.datacenters.get(id) ?? 0,
    users: counts.users.get(id) ?? 0,
    usersBelow: counts.usersBelow.get(id) ?? 0,
    match: hits.has(id),
  }))
}

/** The visible content of each scope, by its id. */
async function countsOf({ caller, db }: ReadContext, ids: number[]) {
  const count = sql<number>`count(*)`.as('count')
  const entities = db
    .selectFrom('scope_entities')
    .where('scope_id', 'in', ids)
    .select(['scope_id as id', count])
    .groupBy('scope_id')
  return {
    children: await counted(
      nodes(db, caller).where('parent_id', 'in', ids).select(['parent_id as id', count]).groupBy('parent_id'),
    ),
    enterprises: await counted(
      entities.where('enterprise_id', 'is not', null).where(seesEnterprise(caller, 'enterprise_id')),
    ),
    datacenters: await counted(
      entities.where('datacenter_id', 'is not', null).where(seesDatacenter(caller, 'datacenter_id')),
    ),
    users: await counted(
      db
        .selectFrom('users')
        .where('scope_id', 'in', ids)
        .where(seesUser(caller))
        .select(['scope_id as id', count])
        .groupBy('scope_id'),
    ),
    usersBelow: await counted(usersBelow(caller, ids)),
  }
}

/** A node has links to at most this many enterprises, datacenters and users. */
const mostNamed = 3

type Named = { id: number; name: string; enterprise: number }

/** Links to the first enterprises, datacenters and users of each scope that the caller may read, by the id of the scope. */
async function firstNamed({ caller, db }: ReadContext, ids: number[]): Promise<Map<number, LinkDocument[]>> {
  const links = new Map<number, LinkDocument[]>()
  const add = async (
    kind: { readers: readonly Privilege[] },
    source: RawBuilder<unknown>,
    linkOf: (row: Named) => LinkDocument,
  ) => {
    if (!can(caller, kind.readers)) return
    const { rows } = await sql<Named & { scope: number }>`
      select scope, id, name, enterprise from (
        select source.*, row_number() over (partition by scope order by rank, id) as place
        from (${source}) source where scope in (${sql.join(ids)})
      ) ranked where place <= ${mostNamed} order by scope, place`.execute(db)
    for (const row of rows) links.set(row.scope, [...(links.get(row.scope) ?? []), linkOf(row)])
  }
  await add(
    kinds.enterprise,
    sql`select entities.scope_id as scope, named.id, named.name, named.name_key as rank, named.id as enterprise
      from scope_entities entities join enterprises named on named.id = entities.enterprise_id
      where ${seesEnterprise(caller, 'named.id')}`,
    ({ id, name }) => linkTo(kinds.enterprise, { id }, name),
  )
  await add(
    kinds.datacenter,
    sql`select entities.scope_id as scope, named.id, named.name, named.name_key as rank, 0 as enterprise
      from scope_entities entities join datacenters named on named.id = entities.datacenter_id
      where ${seesDatacenter(caller, 'named.id')}`,
    ({ id, name }) => linkTo(kinds.datacenter, { id }, name),
  )
  await add(
    kinds.user,
    sql`select scope_id as scope, id, nick as name, nick_key as rank, enterprise_id as enterprise
      from users where ${seesUser(caller)}`,
    ({ id, name, enterprise }) => linkTo(kinds.user, { enterprise, id }, name),
  )
  return links
}

/** Users of all descendants. On the scan thread, because the descendants of a root are most scopes. */
const usersBelow = (caller: Caller, ids: number[]): CountQuery => ({
  execute: async () => {
    const { rows } = await sql<{ id: number; count: number }>`
      with recursive below (top, id) as (
        select parent_id, id from scopes where parent_id in (${sql.join(ids)})
        union all select below.top, child.id from scopes child join below on child.parent_id = below.id
      )
      select below.top as id, count(*) as count from below join users on users.scope_id = below.id
      where ${seesUser(caller)} and ${seesScope(caller, 'below.id')}
      group by below.top`.execute(database().scan)
    return rows
  },
})

type CountQuery = { execute: () => Promise<{ id: number | null; count: number }[]> }

async function counted(query: CountQuery): Promise<Map<number, number>> {
  const rows = await query.execute()
  return new Map(rows.map(({ id, count }) => [id ?? 0, Number(count)]))
}

import { sql } from 'kysely'
import { type Caller, seesEverything } from '#lib/auth/privileges'
import type { Db, Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { hasText, list } from '#lib/db/page.server'
import { unlessTaken } from '#lib/db/unique.server'
import { ApiError, type ErrorCode, type Fault, fault, gather } from '#lib/http/errors'
import type { Paging } from '#lib/http/paging'
import type { Listing } from '#lib/http/render.server'
import { link } from '#lib/http/view'
import { requireEnterprise } from '#lib/identity/enterprises.server'
import {
  type Entities,
  entitiesOf,
  entityViews,
  replaceEntities,
  resolveEntities,
  visibleEntities,
} from '#lib/scopes/entities.server'
import { GLOBAL_SCOPE, type ScopeDocument, type ScopeInput } from '#lib/scopes/scopes.schema'
import { seesScope } from '#lib/scopes/visibility.server'

type Asked = { caller: Caller; db: Db }

type ScopeRow = Awaited<ReturnType<typeof findScope>>

const visibleScopes = (db: Db, caller: Caller) =>
  db
    .selectFrom('scopes')
    .leftJoin('scopes as parents', (join) =>
      join.onRef('parents.id', '=', 'scopes.parent_id').on(seesScope(caller, 'parents.id')),
    )
    .where(seesScope(caller, 'scopes.id'))
    .select([
      'scopes.id',
      'scopes.name',
      'scopes.all_datacenters',
      'scopes.all_enterprises',
      'parents.id as parent_id',
      'parents.name as parent_name',
    ])

/** The scope, if the caller sees it. Throws SCOPE-1. */
export async function findScope({ caller, db }: Asked, id: number) {
  const scope = await visibleScopes(db, caller).where('scopes.id', '=', id).executeTakeFirst()
  if (!scope) throw new ApiError('SCOPE-1')
  return scope
}

const scopeView = (row: ScopeRow, scopeEntities: ScopeDocument['scopeEntities']): ScopeDocument => ({
  links: [
    link('edit', `/admin/scopes/${row.id}`, 'scope', row.name),
    ...(row.parent_id === null
      ? []
      : [link('scopeParent', `/admin/scopes/${row.parent_id}`, 'scope', row.parent_name ?? '')]),
  ],
  id: row.id,
  name: row.name,
  automaticAddDatacenter: row.all_datacenters === 1,
  automaticAddEnterprise: row.all_enterprises === 1,
  scopeEntities,
})

async function scopeViews(db: Db, caller: Caller, rows: ScopeRow[]): Promise<ScopeDocument[]> {
  const entities = await visibleEntities(
    { caller, db },
    rows.map(({ id }) => id),
  )
  return rows.map((row) =>
    scopeView(row, entityViews(entities.filter((entity) => entity.scope_id === row.id))),
  )
}

export async function readScope(asked: Asked & { params: { scope: number } }): Promise<ScopeDocument> {
  const row = await findScope(asked, asked.params.scope)
  const [view] = await scopeViews(asked.db, asked.caller, [row])
  return view ?? scopeView(row, [])
}

export const scopeOrders = ['name', 'id'] as const

export async function listScopes(
  { caller, db }: Asked,
  { enterprise, ...paging }: Paging<(typeof scopeOrders)[number]> & { enterprise?: number },
): Promise<Listing> {
  if (enterprise !== undefined) await requireEnterprise({ caller, db }, enterprise)
  const contains = sql<boolean>`(scopes.all_enterprises = 1 or exists (
    select 1 from scope_entities where scope_id = scopes.id and enterprise_id = ${enterprise}))`
  return list({
    from: (on) =>
      visibleScopes(on, caller)
        .$if(enterprise !== undefined, (query) => query.where(contains))
        .where(hasText('scopes.name_key', paging.has)),
    orders: { name: ['scopes.name_key'], id: [] },
    id: 'scopes.id',
    paging,
    views: (rows) => scopeViews(db, caller, rows),
    path: '/admin/scopes',
    filters: { enterprise },
  })
}

/** What the document names: the parent and the entities, as far as the caller sees them. Throws SCOPE-1 and SCOPE-7. */
export async function scopeReferences(
  asked: Asked,
  { links, scopeEntities }: Partial<ScopeInput>,
): Promise<{ parent: number | undefined; entities: Entities }> {
  const sent = links?.scopeParent
  const [parent, entities] = await gather(
    sent === undefined ? Promise.resolve(undefined) : findScope(asked, sent),
    resolveEntities(asked, scopeEntities ?? []),
  )
  return { parent: parent?.id, entities }
}

/** Without a parent link a limited caller's scope stays below his own (settled, points 2 and 3). */
function parentFor(
  caller: Caller,
  { automaticAddDatacenter, automaticAddEnterprise }: ScopeInput,
  sent: number | undefined,
) {
  const limited = !automaticAddDatacenter && !automaticAddEnterprise
  return sent ?? (limited && !seesEverything(caller.scope) ? caller.scope.id : null)
}

const refuse = (refused: [boolean, ErrorCode][]): void => {
  const faults: Fault[] = refused.filter(([applies]) => applies).map(([, code]) => fault(code))
  if (faults.length > 0) throw new ApiError(faults)
}

/** SCOPE-20 and SCOPE-21: who may set which flag, and that an unlimited scope is a root. */
function requireAllowedFlags(caller: Caller, input: ScopeInput, parent: number | null): void {
  const { automaticAddDatacenter: datacenters, automaticAddEnterprise: enterprises } = input
  refuse([
    [
      (datacenters && !caller.scope.allDatacenters) || (enterprises && !caller.scope.allEnterprises),
      'SCOPE-21',
    ],
    [(datacenters || enterprises) && parent !== null, 'SCOPE-20'],
  ])
}

const columnsOf = (input: ScopeInput, parent: number | null) => ({
  name: input.name,
  name_key: fold(input.name),
  parent_id: parent,
  all_datacenters: input.automaticAddDatacenter ? (1 as const) : (0 as const),
  all_enterprises: input.automaticAddEnterprise ? (1 as const) : (0 as const),
})

type Asking = { caller: Caller; db: Trx }

export async function createScope({
  caller,
  db,
  body,
}: Asking & { body: ScopeInput }): Promise<ScopeDocument> {
  const { parent: sent, entities } = await scopeReferences({ caller, db }, body)
  const parent = parentFor(caller, body, sent)
  requireAllowedFlags(caller, body, parent)
  const { id } = await unlessTaken(
    'scopes',
    'SCOPE-0',
    db.insertInto('scopes').values(columnsOf(body, parent)).returning('id').executeTakeFirstOrThrow(),
  )
  await replaceEntities(db, id, [], entities)
  return readScope({ caller, db, params: { scope: id } })
}

type Updating = Asking & { params: { scope: number }; body: ScopeInput }

export async function updateScope({ caller, db, params, body }: Updating): Promise<ScopeDocument> {
  const scope = await findScope({ caller, db }, params.scope)
  if (scope.id === GLOBAL_SCOPE) throw new ApiError('SCOPE-3')
  const { parent: sent, entities } = await scopeReferences({ caller, db }, body)
  const own = scope.id === caller.scope.id && !seesEverything(caller.scope)
  const parent = own && sent === undefined ? await parentOf(db, scope.id) : parentFor(caller, body, sent)
  requireAllowedFlags(caller, body, parent)
  if (parent !== null && (await isWithin(db, parent, scope.id))) throw new ApiError('SCOPE-18')
  const { before, after } = await entitiesOf({ caller, db }, scope.id, entities)
  await requireNothingLost(db, scope, body, after.enterprises)
  await unlessTaken(
    'scopes',
    'SCOPE-0',
    db.updateTable('scopes').set(columnsOf(body, parent)).where('id', '=', scope.id).execute(),
  )
  await replaceEntities(db, scope.id, before, after)
  return readScope({ caller, db, params })
}

async function parentOf(db: Trx, id: number): Promise<number | null> {
  const { parent_id } = await db
    .selectFrom('scopes')
    .where('id', '=', id)
    .select('parent_id')
    .executeTakeFirstOrThrow()
  return parent_id
}

/** Whether `id` is `ancestor` itself or somewhere below it. */
async function isWithin(db: Trx, id: number, ancestor: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with recursive upwards (id, parent_id) as (
      select id, parent_id from scopes where id = ${id}
      union select above.id, above.parent_id from scopes above join upwards on above.id = upwards.parent_id
    ) select id from upwards where id = ${ancestor}`.execute(db)
  return rows.length > 0
}

/** SCOPE-8, -10, -13: an enterprise that the scope contained and will not must not depend on it. */
async function requireNothingLost(
  db: Trx,
  scope: ScopeRow,
  input: ScopeInput,
  kept: number[],
): Promise<void> {
  if (input.automaticAddEnterprise) return
  /* Lost: contained until now, not kept. */
  const lost = (column: string) => {
    const contained =
      scope.all_enterprises === 1
        ? sql`1 = 1`
        : sql`${sql.ref(column)} in (select enterprise_id from scope_entities where scope_id = ${scope.id} and enterprise_id is not null)`
    const gone = kept.length === 0 ? sql`1 = 1` : sql`${sql.ref(column)} not in (${sql.join(kept)})`
    return sql<boolean>`(${contained} and ${gone})`
  }
  const [user, machine, enterprise] = [
    await db
      .selectFrom('users')
      .where('scope_id', '=', scope.id)
      .where(lost('enterprise_id'))
      .select('id')
      .limit(1)
      .executeTakeFirst(),
    await db
      .selectFrom('virtual_machines')
      .innerJoin('templates', 'templates.id', 'virtual_machines.template_id')
      .where('templates.scope_id', '=', scope.id)
      .where(lost('virtual_machines.enterprise_id'))
      .select('virtual_machines.id')
      .limit(1)
      .executeTakeFirst(),
    await db
      .selectFrom('enterprises')
      .where('default_scope_id', '=', scope.id)
      .where(lost('id'))
      .select('id')
      .limit(1)
      .executeTakeFirst(),
  ]
  refuse([
    [user !== undefined, 'SCOPE-8'],
    [machine !== undefined, 'SCOPE-10'],
    [enterprise !== undefined, 'SCOPE-13'],
  ])
}

export async function removeScope({
  caller,
  db,
  params,
}: Asking & { params: { scope: number } }): Promise<void> {
  const { id } = await findScope({ caller, db }, params.scope)
  if (id === GLOBAL_SCOPE) throw new ApiError('SCOPE-2')
  const holds = async (table: 'roles' | 'users') =>
    (await db.selectFrom(table).where('scope_id', '=', id).select('id').limit(1).executeTakeFirst()) !==
    undefined
  const children = await db
    .selectFrom('scopes')
    .where('parent_id', '=', id)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  const enterprise = await db
    .selectFrom('enterprises')
    .where('default_scope_id', '=', id)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  const shared = await db
    .selectFrom('virtual_machines')
    .innerJoin('templates', 'templates.id', 'virtual_machines.template_id')
    .where('templates.scope_id', '=', id)
    .whereRef('virtual_machines.enterprise_id', '<>', 'templates.enterprise_id')
    .select('virtual_machines.id')
    .limit(1)
    .executeTakeFirst()
  refuse([
    [await holds('roles'), 'SCOPE-5'],
    [shared !== undefined, 'SCOPE-11'],
    [enterprise !== undefined, 'SCOPE-12'],
    [await holds('users'), 'SCOPE-17'],
    [children !== undefined, 'SCOPE-19'],
  ])
  await db.updateTable('templates').set({ scope_id: null }).where('scope_id', '=', id).execute()
  await db.deleteFrom('scope_entities').where('scope_id', '=', id).execute()
  await db.deleteFrom('scopes').where('id', '=', id).execute()
}

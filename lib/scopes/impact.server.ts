import { type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/auth/context.server'
import { database } from '#lib/db/db.server'
import { ApiError } from '#lib/http/errors'
import { link, type MediaName } from '#lib/http/view'
import { lineOf } from '#lib/scopes/family.server'
import { isLost, type Plan, planRemoval, planUpdate, type Shape } from '#lib/scopes/plan.server'
import {
  IMPACT_SHOWN,
  type ImpactEntry,
  type ImpactEntryType,
  type ScopeImpact,
  type ScopeInput,
} from '#lib/scopes/scopes.schema'
import type { ScopeRow } from '#lib/scopes/scopes.server'
import { seesDatacenter, seesEnterprise, seesRole } from '#lib/scopes/visibility.server'

type Entries = { entries: ImpactEntry[]; total: number }

/** What a PUT of this document, or without one a DELETE, would do. Nothing is written. */
export async function impactOf({
  caller,
  found: scope,
  body,
}: ReadContext & { found: ScopeRow; body: ScopeInput | undefined }): Promise<ScopeImpact> {
  // Large scopes have many users to look at.
  const asked = { caller, db: database().scan }
  const links = [link('scope', `/admin/scopes/${scope.id}`, 'scope', scope.name)]
  try {
    const plan = body ? await planUpdate(asked, scope, body) : await planRemoval(asked, scope)
    return { links, refusals: plan.refusals, ...(await effectsOf(asked, plan)) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The document names what does not exist: the change would be refused before anything else is looked at.
    return { links, refusals: error.faults.map((fault) => ({ ...fault, links: [] })), ...nothing }
  }
}

const none: Entries = { entries: [], total: 0 }

const lists = (found: Record<keyof ScopeImpact['totals'], Entries>) => {
  const { gained, lost, users, roles, templates, enterprises } = found
  return {
    gained: gained.entries,
    lost: lost.entries,
    users: users.entries,
    roles: roles.entries,
    templates: templates.entries,
    enterprises: enterprises.entries,
    totals: {
      gained: gained.total,
      lost: lost.total,
      users: users.total,
      roles: roles.total,
      templates: templates.total,
      enterprises: enterprises.total,
    },
  }
}

const nothing = lists({
  gained: none,
  lost: none,
  users: none,
  roles: none,
  templates: none,
  enterprises: none,
})

const gone: Shape = {
  parent: null,
  enterprises: { all: false, ids: [] },
  datacenters: { all: false, ids: [] },
}

const isUnlimited = ({ enterprises, datacenters }: Shape): string => `${enterprises.all} ${datacenters.all}`

async function effectsOf(asked: ReadContext, plan: Plan): Promise<Omit<ScopeImpact, 'links' | 'refusals'>> {
  const { before, after = gone, scope } = plan
  const [gained, lost] = [await difference(asked, after, before), await difference(asked, before, after)]
  const changed = gained.total + lost.total > 0 || isUnlimited(before) !== isUnlimited(after)
  const viewers = await viewersOf(asked, plan)
  const users = await usersOf(asked, changed ? [scope.id, ...viewers] : viewers)
  const tied = changed || plan.after === undefined
  return lists({
    gained,
    lost,
    users,
    roles: tied ? await rolesOf(asked, scope.id) : none,
    templates: tied ? await templatesOf(asked, scope.id) : none,
    enterprises: tied ? await enterprisesOf(asked, scope.id) : none,
  })
}

/** What `from` holds and `to` does not, as far as the caller sees it. */
async function difference({ caller, db }: ReadContext, from: Shape, to: Shape): Promise<Entries> {
  const lostEnterprise = isLost('enterprises.id', from.enterprises, to.enterprises)
  const enterprises = await entriesOf('ENTERPRISE', (limit) =>
    db
      .selectFrom('enterprises')
      .where(lostEnterprise)
      .where(seesEnterprise(caller, 'enterprises.id'))
      .select(['id', 'name', counted])
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  const lostDatacenter = isLost('datacenters.id', from.datacenters, to.datacenters)
  const datacenters = await entriesOf('DATACENTER', (limit) =>
    db
      .selectFrom('datacenters')
      .where(lostDatacenter)
      .where(seesDatacenter(caller, 'datacenters.id'))
      .select(['id', 'name', counted])
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  return {
    entries: [...enterprises.entries, ...datacenters.entries],
    total: enterprises.total + datacenters.total,
  }
}

const counted = sql<number>`count(*) over ()`.as('total')

type Row = { id: number; name: string; path?: string; total: number }

const kinds: Record<ImpactEntryType, { type: MediaName; path: string }> = {
  ENTERPRISE: { type: 'enterprise', path: '/admin/enterprises' },
  DATACENTER: { type: 'datacenter', path: '/admin/datacenters' },
  USER: { type: 'user', path: '' },
  ROLE: { type: 'role', path: '/admin/roles' },
  TEMPLATE: { type: 'virtualmachinetemplate', path: '' },
}

async function entriesOf(type: ImpactEntryType, find: (limit: number) => Promise<Row[]>): Promise<Entries> {
  const rows = await find(IMPACT_SHOWN)
  const kind = kinds[type]
  const entries = rows.map(({ id, name, path = `${kind.path}/${id}` }) => ({
    links: [link(kind.type, path, kind.type, name)],
    type,
    id,
    name,
  }))
  return { entries, total: Number(rows[0]?.total ?? 0) }
}

/**
 * The scopes whose holders see this one only before or only after the change: its ancestors, and the scopes that are unlimited in one
 * dimension and see a root like it (docs/api.md, "Visibility"). Holders who are unlimited in both dimensions see it either way.
 */
async function viewersOf({ db }: ReadContext, { scope, before, after }: Plan): Promise<number[]> {
  // A scope that is gone has no children: nobody loses sight of anything but itself.
  if (!after) return []
  const lines = [await lineOf(db, before.parent), await lineOf(db, after.parent)]
  const flags = [halfUnlimited(before), halfUnlimited(after)]
  const above = [...new Set(lines.flat())].filter(
    (id) => id !== scope.id && lines.filter((line) => line.includes(id)).length === 1,
  )
  const like = flags[0] === flags[1] ? [] : flags.filter((condition) => condition !== undefined)
  if (above.length === 0 && like.length === 0) return []
  const rows = await db
    .selectFrom('scopes')
    .where('id', '<>', scope.id)
    .where((on) => on.or([on('all_datacenters', '=', 0), on('all_enterprises', '=', 0)]))
    .where((on) =>
      on.or([...(above.length > 0 ? [on('id', 'in', above)] : []), ...like.map((flag) => conditions[flag])]),
    )
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

const conditions = {
  datacenters: sql<SqlBool>`(all_datacenters = 1 and all_enterprises = 0)`,
  enterprises: sql<SqlBool>`(all_datacenters = 0 and all_enterprises = 1)`,
}

/** The one dimension in which a root is unlimited. */
function halfUnlimited({ parent, datacenters, enterprises }: Shape): keyof typeof conditions | undefined {
  if (parent !== null || datacenters.all === enterprises.all) return undefined
  return datacenters.all ? 'datacenters' : 'enterprises'
}

/** The users who hold one of the scopes, as their own or by their enterprise's default. */
async function usersOf({ caller, db }: ReadContext, scopes: number[]): Promise<Entries> {
  if (scopes.length === 0) return none
  const holding = sql<boolean>`(users.scope_id in (${sql.join(scopes)}) or (users.scope_id is null and users.enterprise_id in
    (select id from enterprises where default_scope_id in (${sql.join(scopes)}))))`
  return entriesOf('USER', async (limit) => {
    const rows = await db
      .selectFrom('users')
      .where(holding)
      .where(seesEnterprise(caller, 'users.enterprise_id'))
      .select(['id', 'nick as name', 'enterprise_id', counted])
      .orderBy('nick_key')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...row, path: `/admin/enterprises/${row.enterprise_id}/users/${row.id}` }))
  })
}

const rolesOf = ({ caller, db }: ReadContext, scope: number): Promise<Entries> =>
  entriesOf('ROLE', (limit) =>
    db
      .selectFrom('roles')
      .where('scope_id', '=', scope)
      .where(seesRole(caller))
      .select(['id', 'name', counted])
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

const enterprisesOf = ({ caller, db }: ReadContext, scope: number): Promise<Entries> =>
  entriesOf('ENTERPRISE', (limit) =>
    db
      .selectFrom('enterprises')
      .where('default_scope_id', '=', scope)
      .where(seesEnterprise(caller, 'enterprises.id'))
      .select(['id', 'name', counted])
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

const templatesOf = ({ caller, db }: ReadContext, scope: number): Promise<Entries> =>
  entriesOf('TEMPLATE', async (limit) => {
    const rows = await db
      .selectFrom('templates')
      .where('scope_id', '=', scope)
      .where(seesEnterprise(caller, 'templates.enterprise_id'))
      .where(seesDatacenter(caller, 'templates.datacenter_id'))
      .select(['id', 'name', 'enterprise_id', 'datacenter_id', counted])
      .orderBy('name_key')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map((row) => ({
      ...row,
      path: `/admin/enterprises/${row.enterprise_id}/datacenterrepositories/${row.datacenter_id}/virtualmachinetemplates/${row.id}`,
    }))
  })

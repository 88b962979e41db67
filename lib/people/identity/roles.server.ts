import type { ReadContext } from '#lib/caller/auth/context.server'
import { allPrivileges, isPrivilege, type Privilege, privileges } from '#lib/caller/auth/privileges'
import { columns } from '#lib/caller/kinds/columns.server'
import { collectionOf, linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { findScope } from '#lib/caller/scopes/scopes.server'
import {
  seenWithScope,
  seesRole,
  seesScope,
  type Visibility,
  visibilityOf,
} from '#lib/caller/scopes/visibility.server'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { namedList } from '#lib/db/list.server'
import { statement } from '#lib/db/statements.server'
import { insertRow } from '#lib/db/unique.server'
import { type Csv, fields, linked, namesCell, noteColumns } from '#lib/ground/http/csv'
import { ApiError } from '#lib/ground/http/errors'
import { clampStart, type Paging, pageLinks, type TaggedPaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link, linkIf } from '#lib/ground/http/view'
import {
  type PrivilegeDocument,
  type RoleDocument,
  type RoleFields,
  roleFields,
} from '#lib/people/identity/identity.schema'

export const roleColumns = columns(kinds.role, roleFields, {})

export const visibleRoles = (db: Db, caller: Visibility) =>
  db
    .selectFrom('roles')
    .leftJoin('enterprises', 'enterprises.id', 'roles.enterprise_id')
    .leftJoin('scopes', (join) =>
      join.onRef('scopes.id', '=', 'roles.scope_id').on(seesScope(caller, 'scopes.id')),
    )
    .where(seesRole(caller))
    .select([
      'roles.id',
      ...roleColumns.select,
      'roles.blocked',
      'enterprises.id as enterprise_id',
      'enterprises.name as enterprise_name',
      'scopes.id as scope_id',
      'scopes.name as scope_name',
    ])

export type RoleRow = Awaited<ReturnType<typeof findRole>>

type Wanted = { id: number; visibility: Visibility }

const visibleRole = statement('role', (db, { id, visibility }: Wanted) =>
  visibleRoles(db, visibility).where('roles.id', '=', id),
)

/** The role, if the caller sees it. Throws ROLE-0. */
export async function findRole({ caller, db }: ReadContext, id: number) {
  const [role] = await visibleRole(db, { id, visibility: visibilityOf(caller) })
  if (!role) throw new ApiError('ROLE-0')
  return role
}

export const roleView = (row: RoleRow): RoleDocument => ({
  links: [
    linkTo(kinds.role, { id: row.id }, row.name, 'edit'),
    link('privileges', `${pathOf(kinds.role, { id: row.id })}/action/privileges`, 'privileges'),
    ...linkIf(row.enterprise_id, linkTo(kinds.enterprise, { id: row.enterprise_id }, row.enterprise_name)),
    ...linkIf(row.scope_id, linkTo(kinds.scope, { id: row.scope_id }, row.scope_name)),
  ],
  id: row.id,
  ...roleColumns.read(row),
  blocked: row.blocked === 1,
})

export const roleTarget = {
  ids: { role: 'ROLE-0' },
  find: (context: ReadContext, { role }: { role: number }) => findRole(context, role),
  view: roleView,
} as const

type RoleQuery = TaggedPaging & { identerprise?: number; idScope?: number }

type RoleWithPrivileges = RoleDocument & { privileges: string[] }

async function withPrivileges(roles: RoleDocument[]): Promise<RoleWithPrivileges[]> {
  const ids = roles.map(({ id }) => id)
  const rows = await database()
    .read.selectFrom('role_privileges')
    .where('role_id', 'in', ids)
    .select(['role_id', 'privilege'])
    .execute()
  const byRole = Map.groupBy(rows, ({ role_id }) => role_id)
  return roles.map((role) => ({
    ...role,
    privileges: (byRole.get(role.id) ?? []).map(({ privilege }) => privilege).sort(),
  }))
}

export const roleCsv: Csv<RoleDocument, RoleWithPrivileges> = {
  filename: 'roles',
  rows: async (roles) => (roles.length === 0 ? [] : withPrivileges(roles)),
  columns: [
    ...fields<RoleWithPrivileges>('id', 'name', 'blocked'),
    ...linked('enterprise'),
    ...linked('scope'),
    { name: 'privileges', of: ({ privileges }) => namesCell(privileges) },
    ...noteColumns,
  ],
}

/** `idScope`: only roles that are tied to this scope. Throws SCOPE-1. */
export async function listRoles(context: ReadContext, paging: RoleQuery): Promise<Listing> {
  const { identerprise, idScope } = paging
  if (idScope !== undefined) await findScope(context, idScope)
  return namedList({
    table: 'roles',
    from: (db, { visibility, enterprise, scope }) =>
      visibleRoles(db, visibility)
        .$if(enterprise !== undefined, (query) => query.where('roles.enterprise_id', '=', enterprise ?? 0))
        .$if(scope !== undefined, (query) => query.where('roles.scope_id', '=', scope ?? 0)),
    once: {
      name: 'roles',
      values: { visibility: visibilityOf(context.caller), enterprise: identerprise, scope: idScope },
    },
    paging,
    seen: seenWithScope(context.caller, 'scope_id'),
    views: (rows) => rows.map(roleView),
    path: collectionOf(kinds.role),
  })
}

/** The id of a privilege is its position in the product's list, from 1. */
export const privilegeView = (name: Privilege): PrivilegeDocument & { name: Privilege } => {
  const id = allPrivileges.indexOf(name) + 1
  return {
    links: [
      link('self', `/config/privileges/${id}`, 'privilege', name),
      link('privilege', `/config/privileges/${id}`, 'privilege', name),
    ],
    id,
    name,
    description: privileges[name],
  }
}

/** Throws PRIVILEGE-0. */
export function readPrivilege(id: number): PrivilegeDocument & { name: Privilege } {
  const name = allPrivileges[id - 1]
  if (!name) throw new ApiError('PRIVILEGE-0')
  return privilegeView(name)
}

export const privilegeTarget = {
  ids: { privilege: 'PRIVILEGE-0' },
  find: async (_context: ReadContext, { privilege }: { privilege: number }) => readPrivilege(privilege),
} as const

export const privilegeOrders = ['id', 'name'] as const

/** The list is short, so it is sorted in memory. */
export function listPrivileges(
  names: Privilege[],
  path: string,
  { startwith, limit, by, asc, has }: Paging<(typeof privilegeOrders)[number]>,
): Listing {
  const views = names.filter((name) => fold(name).includes(fold(has))).map(privilegeView)
  views.sort((a, b) => (by === 'name' ? a.name.localeCompare(b.name, 'en') : a.id - b.id))
  if (!asc) views.reverse()
  const start = clampStart(startwith, limit, views.length)
  const page = limit === 0 ? views.slice(start) : views.slice(start, start + limit)
  const links = pageLinks(path, { startwith: start, limit, by, asc, has }, views.length)
  return { links, totalSize: views.length, collection: page }
}

export async function privilegesOfRole(db: Db, id: number): Promise<Privilege[]> {
  const rows = await db.selectFrom('role_privileges').where('role_id', '=', id).select('privilege').execute()
  return rows.map(({ privilege }) => privilege).filter(isPrivilege)
}

type NewRole = Partial<RoleFields> & {
  name: string
  blocked?: boolean
  privileges: readonly Privilege[]
  enterpriseId?: number
  scopeId?: number
}

export async function insertRole(
  trx: Trx,
  { blocked = false, privileges: granted, enterpriseId, scopeId, ...fields }: NewRole,
): Promise<number> {
  const id = await insertRow(trx, 'roles', {
    ...roleColumns.written(fields),
    enterprise_id: enterpriseId ?? null,
    scope_id: scopeId ?? null,
    blocked: blocked ? 1 : 0,
  })
  if (granted.length > 0) {
    await trx
      .insertInto('role_privileges')
      .values(granted.map((privilege) => ({ role_id: id, privilege })))
      .execute()
  }
  return id
}

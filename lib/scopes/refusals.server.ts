import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/auth/context.server'
import type { Caller } from '#lib/auth/privileges'
import type { Db } from '#lib/db/db.server'
import { type ErrorCode, fault } from '#lib/http/errors'
import { type LinkDocument, link, type MediaName } from '#lib/http/view'
import { seesDatacenter, seesEnterprise, seesRole, seesScope } from '#lib/scopes/visibility.server'

/** Why a change of a scope is refused, with links to what is in the way as far as the caller sees it. */
export type Refusal = { code: ErrorCode; message: string; links: LinkDocument[] }

type Condition = RawBuilder<SqlBool>
type Found = { id: number; name: string; path: string }

/** What may stand in the way: `find` gives the first of those that also meet a condition on what the caller sees. */
type Blocker = {
  code: ErrorCode
  type: MediaName
  visible: Condition
  find: (visible: Condition, limit: number) => Promise<Found[]>
}

const SHOWN = 10

/** The refusal, if anything stands in the way, seen or unseen. */
export async function refusalBy({ code, type, visible, find }: Blocker): Promise<Refusal[]> {
  if ((await find(sql`1 = 1`, 1)).length === 0) return []
  const shown = await find(visible, SHOWN)
  return [{ ...fault(code), links: shown.map(({ path, name }) => link('blocker', path, type, name)) }]
}

export const refusalWithout = (code: ErrorCode): Refusal => ({ ...fault(code), links: [] })

/** Users that hold the scope. */
export const holders = (
  code: ErrorCode,
  { caller, db }: ReadContext,
  scope: number,
  which: Condition,
): Blocker => ({
  code,
  type: 'user',
  visible: seesEnterprise(caller, 'users.enterprise_id'),
  find: async (visible, limit) => {
    const rows = await db
      .selectFrom('users')
      .where('scope_id', '=', scope)
      .where(which)
      .where(visible)
      .select(['id', 'nick as name', 'enterprise_id'])
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, name, enterprise_id }) => ({
      id,
      name,
      path: `/admin/enterprises/${enterprise_id}/users/${id}`,
    }))
  },
})

/** Machines of templates that are shared through the scope. */
export const machines = (
  code: ErrorCode,
  { caller, db }: ReadContext,
  scope: number,
  which: Condition,
): Blocker => ({
  code,
  type: 'virtualmachine',
  visible: sql`(${seesEnterprise(caller, 'virtual_machines.enterprise_id')}
    and ${seesDatacenter(caller, 'templates.datacenter_id')})`,
  find: async (visible, limit) => {
    const rows = await db
      .selectFrom('virtual_machines')
      .innerJoin('templates', 'templates.id', 'virtual_machines.template_id')
      .where('templates.scope_id', '=', scope)
      .where(which)
      .where(visible)
      .select(['virtual_machines.id', 'virtual_machines.name'])
      .select(['virtual_machines.virtual_datacenter_id', 'virtual_machines.virtual_appliance_id'])
      .orderBy('virtual_machines.id')
      .limit(limit)
      .execute()
    return rows.map(({ id, name, virtual_datacenter_id, virtual_appliance_id }) => ({
      id,
      name,
      path: `/cloud/virtualdatacenters/${virtual_datacenter_id}/virtualappliances/${virtual_appliance_id}/virtualmachines/${id}`,
    }))
  },
})

type Named = { table: 'enterprises' | 'roles' | 'scopes'; path: string; type: MediaName }

const named = (
  code: ErrorCode,
  db: Db,
  { table, path, type }: Named,
  which: Condition,
  visible: Condition,
): Blocker => ({
  code,
  type,
  visible,
  find: async (seen, limit) => {
    const query = db.selectFrom(table).where(which).where(seen).select(['id', 'name'])
    const rows = await query.orderBy('id').limit(limit).execute()
    return rows.map((row) => ({ ...row, path: `${path}/${row.id}` }))
  },
})

/** Enterprises whose default scope it is. */
export const defaultOf = (
  code: ErrorCode,
  { caller, db }: ReadContext,
  scope: number,
  which: Condition,
): Blocker =>
  named(
    code,
    db,
    { table: 'enterprises', path: '/admin/enterprises', type: 'enterprise' },
    sql`(default_scope_id = ${scope} and ${which})`,
    seesEnterprise(caller, 'enterprises.id'),
  )

export const rolesOf = (code: ErrorCode, { caller, db }: ReadContext, scope: number): Blocker =>
  named(
    code,
    db,
    { table: 'roles', path: '/admin/roles', type: 'role' },
    sql`scope_id = ${scope}`,
    seesRole(caller),
  )

const otherScopes = (code: ErrorCode, db: Db, caller: Caller, which: Condition): Blocker =>
  named(
    code,
    db,
    { table: 'scopes', path: '/admin/scopes', type: 'scope' },
    which,
    seesScope(caller, 'scopes.id'),
  )

export const children = (code: ErrorCode, { caller, db }: ReadContext, scope: number): Blocker =>
  otherScopes(code, db, caller, sql`parent_id = ${scope}`)

export const sameName = (
  code: ErrorCode,
  { caller, db }: ReadContext,
  scope: number,
  name: string,
): Blocker => otherScopes(code, db, caller, sql`(name = ${name} and id <> ${scope})`)

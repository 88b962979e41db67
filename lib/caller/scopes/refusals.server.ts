import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter, seesEnterprise, seesRole, seesScope } from '#lib/caller/scopes/visibility.server'
import { ApiError, type ErrorCode, type Fault, fault } from '#lib/ground/http/errors'
import { type LinkDocument, link, type MediaName } from '#lib/ground/http/view'

/** Why a change of a scope or a role is refused, with links to the blockers that the caller sees. */
export type Refusal = Fault & { links: LinkDocument[] }

type Condition = RawBuilder<SqlBool>

/** The resources that block a change. `find` returns the first of them that meet a further condition. */
type Blockers = {
  type: MediaName
  visible: Condition
  find: (condition: Condition, limit: number) => Promise<{ name: string; path: string }[]>
}

const SHOWN = 10

/** A blocker refuses the change whether the caller sees it or not. Only visible ones are linked. */
export async function refusalBy(code: ErrorCode, { type, visible, find }: Blockers): Promise<Refusal[]> {
  if ((await find(sql`1 = 1`, 1)).length === 0) return []
  const shown = await find(visible, SHOWN)
  return [{ ...fault(code), links: shown.map(({ path, name }) => link('blocker', path, type, name)) }]
}

export const refusalWithout = (code: ErrorCode, message?: string, field?: string): Refusal => ({
  ...fault(code, message, field),
  links: [],
})

export const requireNone = (refusals: readonly Refusal[]): void => {
  if (refusals.length > 0) throw new ApiError(refusals.map(({ links: _, ...each }) => each))
}

/** Users that hold the scope. */
export const holders = (context: ReadContext, scope: number, which: Condition): Blockers =>
  usersWith(context, sql`(users.scope_id = ${scope} and ${which})`)

export const usersWith = ({ caller, db }: ReadContext, which: Condition): Blockers => ({
  type: 'user',
  visible: seesEnterprise(caller, 'users.enterprise_id'),
  find: async (condition, limit) => {
    const rows = await db
      .selectFrom('users')
      .where(which)
      .where(condition)
      .select(['id', 'nick as name', 'enterprise_id'])
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, name, enterprise_id }) => ({
      name,
      path: pathOf(kinds.user, { enterprise: enterprise_id, id }),
    }))
  },
})

/** Machines of templates that are shared through the scope. */
export const machines = ({ caller, db }: ReadContext, scope: number, which: Condition): Blockers => ({
  type: 'virtualmachine',
  visible: sql`(${seesEnterprise(caller, 'virtual_machines.enterprise_id')}
    and ${seesDatacenter(caller, 'templates.datacenter_id')})`,
  find: async (condition, limit) => {
    const rows = await db
      .selectFrom('virtual_machines')
      .innerJoin('templates', 'templates.id', 'virtual_machines.template_id')
      .where('templates.scope_id', '=', scope)
      .where(which)
      .where(condition)
      .select(['virtual_machines.id', 'virtual_machines.name'])
      .select(['virtual_machines.virtual_datacenter_id', 'virtual_machines.virtual_appliance_id'])
      .orderBy('virtual_machines.id')
      .limit(limit)
      .execute()
    return rows.map(({ id, name, virtual_datacenter_id, virtual_appliance_id }) => ({
      name,
      path: pathOf(kinds.virtualmachine, {
        virtualdatacenter: virtual_datacenter_id,
        virtualappliance: virtual_appliance_id,
        id,
      }),
    }))
  },
})

const named = {
  enterprises: { type: 'enterprise', sees: (caller) => seesEnterprise(caller, 'enterprises.id') },
  roles: { type: 'role', sees: seesRole },
  scopes: { type: 'scope', sees: (caller) => seesScope(caller, 'scopes.id') },
} satisfies Record<string, { type: MediaName; sees: (caller: Caller) => Condition }>

const rowsOf = ({ caller, db }: ReadContext, table: keyof typeof named, which: Condition): Blockers => ({
  type: named[table].type,
  visible: named[table].sees(caller),
  find: async (condition, limit) => {
    const query = db.selectFrom(table).where(which).where(condition).select(['id', 'name'])
    const rows = await query.orderBy('id').limit(limit).execute()
    return rows.map(({ id, name }) => ({ name, path: `/admin/${table}/${id}` }))
  },
})

/** Enterprises whose default scope it is. */
export const defaultOf = (context: ReadContext, scope: number, which: Condition): Blockers =>
  rowsOf(context, 'enterprises', sql`(default_scope_id = ${scope} and ${which})`)

export const rolesOf = (context: ReadContext, scope: number): Blockers =>
  rowsOf(context, 'roles', sql`scope_id = ${scope}`)

export const sameRoleName = (context: ReadContext, role: number, name: string): Blockers =>
  rowsOf(context, 'roles', sql`(name = ${name} and id <> ${role})`)

export const children = (context: ReadContext, scope: number): Blockers =>
  rowsOf(context, 'scopes', sql`parent_id = ${scope}`)

export const sameName = (context: ReadContext, scope: number, name: string): Blockers =>
  rowsOf(context, 'scopes', sql`(name = ${name} and id <> ${scope})`)

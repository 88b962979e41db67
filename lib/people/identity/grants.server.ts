import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, isPrivilege } from '#lib/caller/auth/privileges'
import { seesDatacenter, seesEnterprise, seesScope } from '#lib/caller/scopes/visibility.server'

/* Callers cannot grant privileges that they lack, nor change a user who has more (docs/api/authorization.md, "Limits of granting"). */

/** True if the role has a privilege that the caller lacks. */
export async function hasMorePrivileges({ caller, db }: ReadContext, role: number): Promise<boolean> {
  const rows = await db
    .selectFrom('role_privileges')
    .where('role_id', '=', role)
    .select('privilege')
    .execute()
  const granted = rows.map(({ privilege }) => privilege).filter(isPrivilege)
  return granted.some((privilege) => !caller.privileges.has(privilege))
}

/** True if a user with this role and scope has more than the caller. */
export const isBeyond = async (
  context: ReadContext,
  { role, scope }: { role: number; scope: number },
): Promise<boolean> => (await hasMorePrivileges(context, role)) || !(await isWithinReach(context, scope))

/**
 * True if this scope shows no more than the caller sees. The scope is visible, unlimited only where the caller's scope is, and has no
 * entity that the caller cannot see (docs/api/authorization.md, "Limits of granting").
 */
export async function isWithinReach({ caller, db }: ReadContext, scope: number): Promise<boolean> {
  if (scope === caller.scope.id) return true
  const within = await db
    .selectFrom('scopes')
    .where('scopes.id', '=', scope)
    .where(seesScope(caller, 'scopes.id'))
    .where(isNoWider(caller))
    .select('scopes.id')
    .executeTakeFirst()
  return within !== undefined
}

/** True of scopes that show no more than the caller sees, if the caller sees them. */
export const isNoWider = (caller: Caller): RawBuilder<SqlBool> => {
  const { allDatacenters, allEnterprises } = caller.scope
  const unseen = (column: string, visible: RawBuilder<SqlBool>) =>
    sql`(${sql.ref(column)} is not null and not ${visible})`
  return sql`((scopes.all_datacenters = 0 or 1 = ${allDatacenters ? 1 : 0})
    and (scopes.all_enterprises = 0 or 1 = ${allEnterprises ? 1 : 0})
    and not exists (select 1 from scope_entities e where e.scope_id = scopes.id and (
      ${unseen('e.enterprise_id', seesEnterprise(caller, 'e.enterprise_id'))}
      or ${unseen('e.datacenter_id', seesDatacenter(caller, 'e.datacenter_id'))})))`
}

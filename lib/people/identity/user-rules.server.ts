import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isLastAdministrator } from '#lib/caller/auth/administrators.server'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, can } from '#lib/caller/auth/privileges'
import { holdsOneOf, seesTheEnterprise } from '#lib/caller/scopes/holders.server'
import { findScope } from '#lib/caller/scopes/scopes.server'
import { requireEnterprise } from '#lib/caller/scopes/visibility.server'
import type { Db } from '#lib/db/db.server'
import { ApiError, about, type Fault, fault, gather } from '#lib/ground/http/errors'
import { hasMorePrivileges, isBeyond, isWithinReach } from '#lib/people/identity/grants.server'
import { findRole } from '#lib/people/identity/roles.server'
import type { UserInput } from '#lib/people/identity/users.schema'
import { findUser, type UserPath } from '#lib/people/identity/users.server'

const managers = ['USERS_MANAGE_USERS'] as const
export const managersElsewhere = ['USERS_MANAGE_OTHER_ENTERPRISES'] as const

/** Changing users of another enterprise takes two privileges (docs/api/authorization.md, "Privileges"). */
export function requireManager(caller: Caller, enterprise: number): void {
  const own = enterprise === caller.enterpriseId
  if (!can(caller, managers) || !(own || can(caller, managersElsewhere))) throw new ApiError('403-FORBIDDEN')
}

/** The users who pass `requireManager` and see the enterprise. */
export const managesUsersOf = (enterprise: number): RawBuilder<SqlBool> =>
  sql`(${holdsOneOf(managers)} and (users.enterprise_id = ${enterprise}
    or (${holdsOneOf(managersElsewhere)} and ${seesTheEnterprise(enterprise)})))`

export type Target = Awaited<ReturnType<typeof findTarget>>

/** The user to change: the columns, and the row for the document. Throws USER-0, EN-0. */
export async function findTarget(context: ReadContext, path: UserPath) {
  const visible = await findUser(context, path)
  const row = await context.db
    .selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .where('users.id', '=', visible.id)
    .select(['users.id', 'users.nick', 'users.enterprise_id', 'users.role_id', 'users.scope_id'])
    .select(['users.active', 'users.locked', 'users.allowed_cidrs', 'users.first_login'])
    .select(['users.password_hash', 'users.email', 'users.two_factor_provider', 'users.auth_type'])
    .select(['users.invited', 'users.ends_at'])
    .select(['enterprises.default_scope_id', 'roles.blocked as cloud_admin'])
    .executeTakeFirstOrThrow()
  return { ...row, own: row.id === context.caller.id, visible }
}

export type Named = { role?: number | undefined; scope?: number | undefined; enterprise?: number | undefined }

/** The resources that the document names. Throws ROLE-0, SCOPE-1, EN-0 unless they are visible to the caller or unchanged. */
export async function userReferences(
  context: ReadContext,
  { links = {} }: Partial<Pick<UserInput, 'links'>>,
  current?: Target,
): Promise<Named> {
  const { role, scope, enterprise } = links
  const unless = (same: boolean, check: () => Promise<unknown>) => (same ? Promise.resolve() : check())
  await gather(
    unless(role === undefined || role === current?.role_id, () =>
      about('role', findRole(context, role ?? 0)),
    ),
    unless(scope === undefined, () => about('scope', findScope(context, scope ?? 0))),
    unless(enterprise === undefined || enterprise === current?.enterprise_id, () =>
      about('enterprise', requireEnterprise(context, enterprise ?? 0)),
    ),
  )
  return { role, scope, enterprise }
}

export const defaultScopeOf = async (db: Db, enterprise: number): Promise<number> => {
  const row = await db
    .selectFrom('enterprises')
    .where('id', '=', enterprise)
    .select('default_scope_id')
    .executeTakeFirstOrThrow()
  return row.default_scope_id
}

/** A caller cannot grant a role with privileges that they lack. */
export const roleFaults = async (context: ReadContext, role: number): Promise<Fault[]> =>
  (await hasMorePrivileges(context, role))
    ? [fault('GEN-15', 'The role has privileges that the caller lacks', 'role')]
    : []

/** The faults of a scope that the document names: USER-19, and SCOPE-15 or SCOPE-16 (docs/api/users.md, "Users"). */
export async function scopeFaults(
  context: ReadContext,
  { scope, enterprise }: { scope: number; enterprise: number },
  unseen: 'SCOPE-15' | 'SCOPE-16',
): Promise<Fault[]> {
  const contains = await context.db
    .selectFrom('scopes')
    .leftJoin('scope_entities', (join) =>
      join
        .onRef('scope_entities.scope_id', '=', 'scopes.id')
        .on('scope_entities.enterprise_id', '=', enterprise),
    )
    .where('scopes.id', '=', scope)
    .where((on) =>
      on.or([on('scopes.all_enterprises', '=', 1), on('scope_entities.enterprise_id', 'is not', null)]),
    )
    .select('scopes.id')
    .executeTakeFirst()
  return [
    ...((await isWithinReach(context, scope)) ? [] : [fault('USER-19')]),
    ...(contains ? [] : [fault(unseen)]),
  ]
}

/** True if the user has more privileges or a wider scope than the caller, who then cannot change them. */
export const holdsMore = async (context: ReadContext, user: Target): Promise<boolean> =>
  !user.own &&
  (await isBeyond(context, { role: user.role_id, scope: user.scope_id ?? user.default_scope_id }))

export const holdsMoreFault = fault('GEN-15', 'The user has more privileges or a wider scope than the caller')

/** `scope` is the user's own scope. If null, the enterprise's default scope applies. */
export type Assignment = { role: number; enterprise: number; scope: number | null }

/** USER-25: one active cloud administrator (the blocked role) who can sign in must remain, with a scope that is no narrower (docs/api/users.md, "Users"). */
export async function lastAdministratorFaults(
  db: Db,
  user: Target,
  after: (Assignment & { active: boolean; locked: boolean }) | undefined,
): Promise<Fault[]> {
  if (user.cloud_admin === 0) return []
  const field = after && shutBy(user, after)
  if (after && !field && (await seesAsMuch(db, user, after))) return []
  return (await isLastAdministrator(db, user.id))
    ? [fault('USER-25', undefined, after && (field ?? 'scope'))]
    : []
}

/** The field by which a cloud administrator would be one no longer. */
const shutBy = (
  user: Target,
  { active, locked, role }: { active: boolean; locked: boolean; role: number },
) => (active ? (locked ? 'locked' : role === user.role_id ? undefined : 'role') : 'active')

async function seesAsMuch(db: Db, user: Target, after: Assignment): Promise<boolean> {
  const isUnlimited = async (scope: number) => {
    const row = await db
      .selectFrom('scopes')
      .where('id', '=', scope)
      .select(['all_datacenters', 'all_enterprises'])
      .executeTakeFirstOrThrow()
    return row.all_datacenters === 1 && row.all_enterprises === 1
  }
  const before = user.scope_id ?? user.default_scope_id
  const scope = after.scope ?? (await defaultScopeOf(db, after.enterprise))
  return scope === before || (await isUnlimited(scope)) || !(await isUnlimited(before))
}

import type { ReadContext } from '#lib/auth/context.server'
import type { BulkReport } from '#lib/bulk/bulk.schema'
import { type BulkContext, changeMany, filterAs, noImpact } from '#lib/bulk/bulk.server'
import type { StoredChanges } from '#lib/events/stored'
import { ApiError, fault } from '#lib/http/errors'
import { ANY_ID } from '#lib/http/path-ids'
import { findRole } from '#lib/identity/roles.server'
import { changeableUserTarget, updateUser } from '#lib/identity/user-changes.server'
import type { Target } from '#lib/identity/user-rules.server'
import { type UserInput, type UsersChangeInput, userQuery } from '#lib/identity/users.schema'
import { matchingUsers, namesOfUsers, userView } from '#lib/identity/users.server'
import { requireEnterprise } from '#lib/scopes/visibility.server'

type Path = { enterprise: number }

/** The enterprise of the path, or that of the caller for any. Throws EN-0. */
export const bulkEnterprise = {
  ids: { enterprise: 'EN-0' },
  wildcard: 'enterprise',
  find: (context: ReadContext, { enterprise }: Path) =>
    requireEnterprise(context, enterprise === ANY_ID ? context.caller.enterpriseId : enterprise),
} as const

type Context = BulkContext<UsersChangeInput> & {
  params: Path
  found: Awaited<ReturnType<typeof bulkEnterprise.find>>
}

const own = () => fault('GEN-15', 'You cannot change your own user together with others')

/** Enables or disables users, or gives them a role. Every user goes through the rules of the single change. Throws ROLE-0. */
export async function changeUsers(context: Context): Promise<BulkReport> {
  const { caller, db, params, body, found } = context
  const changes = await changesOf({ caller, db }, body)
  return changeMany(context, {
    event: {
      action: 'change-users',
      entity: {
        type: 'enterprise',
        id: found.id,
        name: found.name,
        path: `/admin/enterprises/${found.id}`,
        place: { enterprise: found.id },
      },
      changes,
    },
    matching: (filter) => matchingUsers({ caller, db }, params.enterprise, filterAs(userQuery, filter)),
    rows: (trx, ids) => namesOfUsers({ caller, db: trx }, params.enterprise, ids),
    missing: 'USER-0',
    change: async (trx, { id }) => {
      const user = await changeableUserTarget.find({ caller, db: trx }, { enterprise: ANY_ID, user: id })
      if (user.own) throw new ApiError(own())
      const after = { active: user.active === 1, role: user.role_id, ...wanted(body) }
      if (after.active === (user.active === 1) && after.role === user.role_id) return false
      await updateUser({ ...context, db: trx, found: user, prepared: {}, body: documentOf(user, after) })
      return true
    },
    impact: async () => noImpact,
  })
}

const wanted = ({ active, links: { role } }: UsersChangeInput) => ({
  ...(active !== undefined && { active }),
  ...(role !== undefined && { role }),
})

/** The fields that are set, for the event. */
async function changesOf(
  context: ReadContext,
  { active, links: { role: id } }: UsersChangeInput,
): Promise<StoredChanges> {
  const role = id === undefined ? undefined : await findRole(context, id)
  return {
    ...(active !== undefined && { active: { after: String(active) } }),
    ...(role && { role: { after: { type: 'role', id: role.id, name: role.name } } }),
  }
}

/** The document of a single change that leaves the rest of the user as it is. */
function documentOf(user: Target, { active, role }: { active: boolean; role: number }): UserInput {
  const { nick, name, surname, description, email, locale, locked, allowedCIDRs } = userView(user.visible)
  return {
    ...{ nick, name, surname, description, email, locale, locked, allowedCIDRs },
    active,
    links: { role, ...(user.scope_id !== null && { scope: user.scope_id }) },
  }
}

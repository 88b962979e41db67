import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { changedTags } from '#lib/caller/kinds/tag-changes.server'
import { requireEnterprise } from '#lib/caller/scopes/visibility.server'
import type { Trx } from '#lib/db/db.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { ANY_ID } from '#lib/ground/http/path-ids'
import { findRole } from '#lib/people/identity/roles.server'
import {
  changeableUserTarget,
  changedUserReferences,
  removeUser,
  updateUser,
} from '#lib/people/identity/user-changes.server'
import type { Target } from '#lib/people/identity/user-rules.server'
import { type UserInput, type UsersChangeInput, userQuery } from '#lib/people/identity/users.schema'
import { matchingUsers, namesOfUsers, userView } from '#lib/people/identity/users.server'
import type { BulkReport } from '#lib/record/bulk/bulk.schema'
import { type BulkContext, changeMany, filterAs, noImpact } from '#lib/record/bulk/bulk.server'
import type { StoredChanges } from '#lib/record/events/stored'

type Path = { enterprise: number }

/** The enterprise of the path, or that of the caller for any. Throws EN-0. */
export const bulkEnterprise = {
  ids: { enterprise: 'EN-0' },
  wildcard: 'enterprise',
  find: (context: ReadContext, { enterprise }: Path) =>
    requireEnterprise(context, enterprise === ANY_ID ? context.caller.enterpriseId : enterprise),
} as const

type BulkUsers = { params: Path; found: Awaited<ReturnType<typeof bulkEnterprise.find>> }
type Context = BulkContext<UsersChangeInput> & BulkUsers

const own = () => fault('GEN-15', 'You cannot change your own user together with others')

/** The common part of all bulk changes of users. A user is found by the rules of the single change. */
const ofUsers = (
  { caller, db, params, found }: BulkContext & BulkUsers,
  action: string,
  changes: StoredChanges,
) => ({
  event: {
    action,
    entity: {
      type: 'enterprise' as const,
      id: found.id,
      name: found.name,
      path: pathOf(kinds.enterprise, { id: found.id }),
      place: { enterprise: found.id },
    },
    changes,
  },
  matching: (filter: string) => matchingUsers({ caller, db }, params.enterprise, filterAs(userQuery, filter)),
  rows: (trx: Trx, ids: number[]) => namesOfUsers({ caller, db: trx }, params.enterprise, ids),
  missing: 'USER-0' as const,
  impact: async () => noImpact,
})

async function findOther(context: WriteContext, user: number): Promise<Target> {
  const target = await changeableUserTarget.find(context, { enterprise: ANY_ID, user })
  if (target.own) throw new ApiError(own())
  return target
}

/** Enables, disables, locks or unlocks users, or gives them a role. Every user goes through the rules of the single change. Throws ROLE-0. */
export async function changeUsers(context: Context): Promise<BulkReport> {
  const { caller, db, body } = context
  const changes = await changesOf({ caller, db }, body)
  return changeMany(context, {
    ...ofUsers(context, 'change-users', changes),
    change: async (trx, { id }) => {
      const user = await findOther({ caller, db: trx }, id)
      const was = { active: user.active === 1, locked: user.locked === 1, role: user.role_id }
      const after = { ...was, ...wanted(body) }
      const document = documentOf(user, after)
      const tags = changedTags(document.tags, body)
      const isSame = after.active === was.active && after.locked === was.locked && after.role === was.role
      if (isSame && !tags) return false
      const references = await changedUserReferences({ caller, db: trx, found: user }, document)
      await updateUser({
        ...context,
        db: trx,
        found: user,
        prepared: {},
        body: { ...document, ...(tags && { tags }) },
        references,
      })
      return true
    },
  })
}

export function deleteUsers(context: BulkContext & BulkUsers): Promise<BulkReport> {
  const { caller, body } = context
  return changeMany(context, {
    ...ofUsers(context, 'delete-users', {}),
    change: async (trx, { id }) => {
      await removeUser({ caller, db: trx, found: await findOther({ caller, db: trx }, id), body })
      return true
    },
  })
}

const wanted = ({ active, locked, links: { role } }: UsersChangeInput) => ({
  ...(active !== undefined && { active }),
  ...(locked !== undefined && { locked }),
  ...(role !== undefined && { role }),
})

/** The fields that are set, for the event. */
async function changesOf(
  context: ReadContext,
  { active, locked, links: { role: id } }: UsersChangeInput,
): Promise<StoredChanges> {
  const role = id === undefined ? undefined : await findRole(context, id)
  return {
    ...(active !== undefined && { active: { after: String(active) } }),
    ...(locked !== undefined && { locked: { after: String(locked) } }),
    ...(role && { role: { after: { type: 'role', id: role.id, name: role.name } } }),
  }
}

type State = { active: boolean; locked: boolean; role: number }

/** The document of a single change that keeps the rest of the user. */
function documentOf(user: Target, { active, locked, role }: State): UserInput {
  const { nick, name, surname, description, email, locale, allowedCIDRs, tags } = userView(user.visible)
  return {
    ...{ nick, name, surname, description, email, locale, allowedCIDRs, tags },
    active,
    locked,
    links: { role, ...(user.scope_id !== null && { scope: user.scope_id }) },
  }
}

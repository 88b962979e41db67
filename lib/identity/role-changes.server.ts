import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import { allPrivileges, type Caller, type Privilege } from '#lib/auth/privileges'
import type { Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { isReferenced } from '#lib/db/references.server'
import { unlessTaken } from '#lib/db/unique.server'
import type { Note } from '#lib/events/operation.server'
import { ApiError, fault, gather } from '#lib/http/errors'
import { hasMorePrivileges } from '#lib/identity/grants.server'
import type { RoleInput } from '#lib/identity/identity.schema'
import {
  findRole,
  insertRole,
  privilegesOfRole,
  type RoleRow,
  readPrivilege,
  roleView,
} from '#lib/identity/roles.server'
import { findScope } from '#lib/scopes/scopes.server'
import { requireEnterprise } from '#lib/scopes/visibility.server'

type References = {
  enterprise: number | undefined
  scope: number | undefined
  /** undefined: the document has no privilege links. */
  privileges: Privilege[] | undefined
}

/** The resources that the document names. Throws EN-0, SCOPE-1, PRIVILEGE-0 for those that the caller cannot see. */
export async function roleReferences(
  context: ReadContext,
  { links = {} }: Partial<RoleInput>,
): Promise<References> {
  const { enterprise, scope, privilege } = links
  const [foundEnterprise, foundScope, privileges] = await gather(
    enterprise === undefined ? Promise.resolve(undefined) : requireEnterprise(context, enterprise),
    scope === undefined ? Promise.resolve(undefined) : findScope(context, scope),
    privilegesNamed(privilege?.map(({ id }) => id)),
  )
  return { enterprise: foundEnterprise?.id, scope: foundScope?.id, privileges }
}

async function privilegesNamed(ids: number[] | undefined): Promise<Privilege[] | undefined> {
  if (!ids) return undefined
  const wanted = new Set(ids.map((id) => readPrivilege(id).name))
  return allPrivileges.filter((name) => wanted.has(name))
}

/** Callers who cannot see all enterprises create roles in a visible enterprise, by default their own. */
const enterpriseFor = ({ scope, enterpriseId }: Caller, sent: number | undefined): number | undefined =>
  sent ?? (scope.allEnterprises ? undefined : enterpriseId)

function requireHeld(caller: Caller, granted: readonly Privilege[]): void {
  const lacking = granted.filter((privilege) => !caller.privileges.has(privilege))
  if (lacking.length > 0)
    throw new ApiError(
      fault('GEN-15', `You cannot grant privileges that you do not have: ${lacking.join(', ')}`),
    )
}

export async function createRole({ caller, db, body, note }: WriteContext & { body: RoleInput; note: Note }) {
  const { enterprise, scope, privileges = [] } = await roleReferences({ caller, db }, body)
  requireHeld(caller, privileges)
  const enterpriseId = enterpriseFor(caller, enterprise)
  const role = await unlessTaken(
    'roles',
    'ROLE-7',
    insertRole(db, { name: body.name, privileges, enterpriseId, scopeId: scope }),
  )
  notePrivileges(note, [], privileges)
  return roleView(await findRole({ caller, db }, role))
}

type Changing = WriteContext & { found: RoleRow; note: Note }

/**
 * The role, if the caller may change it. Nobody may change the blocked role, or a role with privileges that they lack. Only callers who
 * see all enterprises may change a role without an enterprise.
 */
async function requireChangeable(context: ReadContext, role: RoleRow): Promise<void> {
  if (role.blocked === 1) throw new ApiError('ROLE-8')
  if (await hasMorePrivileges(context, role.id))
    throw new ApiError(fault('GEN-15', 'The role has privileges that the caller lacks'))
  if (role.enterprise_id === null && !context.caller.scope.allEnterprises)
    throw new ApiError(
      fault('GEN-15', 'The role belongs to all enterprises, and the caller cannot see all of them'),
    )
}

/** Without privilege links the privileges stay, and so does a scope that the caller cannot see (docs/api.md, "Roles"). */
export async function updateRole({ caller, db, found: role, body, note }: Changing & { body: RoleInput }) {
  await requireChangeable({ caller, db }, role)
  const { enterprise, scope, privileges } = await roleReferences({ caller, db }, body)
  const before = await privilegesOfRole(db, role.id)
  const after = privileges ?? before
  requireHeld(caller, after)
  const { scope_id: hiddenScope } = await db
    .selectFrom('roles')
    .where('id', '=', role.id)
    .select('scope_id')
    .executeTakeFirstOrThrow()
  await unlessTaken(
    'roles',
    'ROLE-7',
    db
      .updateTable('roles')
      .set({
        name: body.name,
        name_key: fold(body.name),
        enterprise_id: enterpriseFor(caller, enterprise) ?? null,
        scope_id: scope ?? (role.scope_id === null ? hiddenScope : null),
      })
      .where('id', '=', role.id)
      .execute(),
  )
  await replacePrivileges(db, role.id, { before, after })
  notePrivileges(note, before, after)
}

async function replacePrivileges(
  db: Trx,
  role: number,
  { before, after }: { before: readonly Privilege[]; after: readonly Privilege[] },
): Promise<void> {
  const [removed, added] = [missingIn(after, before), missingIn(before, after)]
  if (removed.length > 0)
    await db
      .deleteFrom('role_privileges')
      .where('role_id', '=', role)
      .where('privilege', 'in', removed)
      .execute()
  if (added.length > 0)
    await db
      .insertInto('role_privileges')
      .values(added.map((privilege) => ({ role_id: role, privilege })))
      .execute()
}

const missingIn = (held: readonly Privilege[], wanted: readonly Privilege[]): Privilege[] =>
  wanted.filter((privilege) => !held.includes(privilege))

/** Notes the removed and added privileges for the event. */
function notePrivileges(note: Note, before: readonly Privilege[], after: readonly Privilege[]): void {
  const joined = (names: Privilege[]) => (names.length === 0 ? undefined : names.join(', '))
  const [removed, added] = [joined(missingIn(after, before)), joined(missingIn(before, after))]
  if (removed !== undefined || added !== undefined) note('privileges', removed, added)
}

export async function removeRole({ caller, db, found: role, note }: Changing): Promise<void> {
  await requireChangeable({ caller, db }, role)
  if (await isReferenced(db, { column: 'role_id', id: role.id }, ['users'])) throw new ApiError('ROLE-3')
  notePrivileges(note, await privilegesOfRole(db, role.id), [])
  await db.deleteFrom('role_privileges').where('role_id', '=', role.id).execute()
  await db.deleteFrom('roles').where('id', '=', role.id).execute()
}

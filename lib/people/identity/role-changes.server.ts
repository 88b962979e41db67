import type { Referring, WriteContext } from '#lib/caller/auth/context.server'
import type { Caller, Privilege } from '#lib/caller/auth/privileges'
import { requireNone } from '#lib/caller/scopes/refusals.server'
import type { Trx } from '#lib/db/db.server'
import { unlessTaken } from '#lib/db/unique.server'
import { removeExternalNamesOf } from '#lib/people/external-ids/external-ids.server'
import type { RoleInput } from '#lib/people/identity/identity.schema'
import {
  heldRefusals,
  missingIn,
  previewRemoval,
  previewUpdate,
  type roleReferences,
} from '#lib/people/identity/role-preview.server'
import { findRole, insertRole, type RoleRow, roleColumns, roleView } from '#lib/people/identity/roles.server'
import type { Note } from '#lib/record/events/operation.server'

/** Callers who cannot see all enterprises create roles in a visible enterprise, by default their own. */
const enterpriseFor = ({ scope, enterpriseId }: Caller, sent: number | undefined): number | undefined =>
  sent ?? (scope.allEnterprises ? undefined : enterpriseId)

type Writing = WriteContext & Referring<typeof roleReferences> & { body: RoleInput; note: Note }

export async function createRole({ caller, db, body, references, note }: Writing) {
  const { enterprise, scope, privileges = [] } = references
  requireNone(heldRefusals(caller, privileges))
  const enterpriseId = enterpriseFor(caller, enterprise)
  const role = await unlessTaken(
    'roles',
    'ROLE-7',
    insertRole(db, { ...body, privileges, enterpriseId, scopeId: scope }),
  )
  notePrivileges(note, [], privileges)
  return roleView(await findRole({ caller, db }, role))
}

type Changing = WriteContext & { found: RoleRow; note: Note }

/** An operation that runs this one names the privileges here, because no document takes all of them from a role. */
type Prepared = { privileges?: Privilege[] }

/** Without privilege links the privileges stay, and so does a scope that the caller cannot see (docs/api/users.md, "Roles"). */
export async function updateRole(context: Changing & Writing & { prepared: unknown }) {
  const { caller, db, found: role, body, references, prepared, note } = context
  const { enterprise, scope, privileges = (prepared as Prepared | undefined)?.privileges } = references
  const { refusals, before, after } = await previewUpdate({ caller, db }, role, {
    name: body.name,
    privileges,
  })
  requireNone(refusals)
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
        ...roleColumns.written(body),
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

/** Notes the removed and added privileges for the event. */
function notePrivileges(note: Note, before: readonly Privilege[], after: readonly Privilege[]): void {
  const joined = (names: Privilege[]) => (names.length === 0 ? undefined : names.join(', '))
  const [removed, added] = [joined(missingIn(after, before)), joined(missingIn(before, after))]
  if (removed !== undefined || added !== undefined) note('privileges', removed, added)
}

export async function removeRole({ caller, db, found: role, note }: Changing): Promise<void> {
  const { refusals, before } = await previewRemoval({ caller, db }, role)
  requireNone(refusals)
  notePrivileges(note, before, [])
  await db.deleteFrom('role_privileges').where('role_id', '=', role.id).execute()
  await removeExternalNamesOf(db, 'role', role.id)
  await db.deleteFrom('roles').where('id', '=', role.id).execute()
}

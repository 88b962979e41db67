import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { allPrivileges, type Caller, type Privilege } from '#lib/caller/auth/privileges'
import {
  type Refusal,
  refusalBy,
  refusalWithout,
  sameRoleName,
  usersWith,
} from '#lib/caller/scopes/refusals.server'
import { findScope } from '#lib/caller/scopes/scopes.server'
import { requireEnterprise } from '#lib/caller/scopes/visibility.server'
import { about, gather } from '#lib/ground/http/errors'
import { hasMorePrivileges } from '#lib/people/identity/grants.server'
import type { RoleInput } from '#lib/people/identity/identity.schema'
import { privilegesOfRole, type RoleRow, readPrivilege } from '#lib/people/identity/roles.server'

/* As with scopes, a change of a role is previewed, and the impact operation reports the preview. */

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
    enterprise === undefined
      ? Promise.resolve(undefined)
      : about('enterprise', requireEnterprise(context, enterprise)),
    scope === undefined ? Promise.resolve(undefined) : about('scope', findScope(context, scope)),
    about('privilege', privilegesNamed(privilege?.map(({ id }) => id))),
  )
  return { enterprise: foundEnterprise?.id, scope: foundScope?.id, privileges }
}

async function privilegesNamed(ids: number[] | undefined): Promise<Privilege[] | undefined> {
  if (!ids) return undefined
  const wanted = new Set(ids.map((id) => readPrivilege(id).name))
  return allPrivileges.filter((name) => wanted.has(name))
}

type RolePreview = { refusals: Refusal[]; before: Privilege[]; after: Privilege[] }

export const missingIn = (held: readonly Privilege[], wanted: readonly Privilege[]): Privilege[] =>
  wanted.filter((privilege) => !held.includes(privilege))

export function heldRefusals(caller: Caller, granted: readonly Privilege[]): Refusal[] {
  const lacking = granted.filter((privilege) => !caller.privileges.has(privilege))
  return lacking.length === 0
    ? []
    : [
        refusalWithout(
          'GEN-15',
          `You cannot grant privileges that you do not have: ${lacking.join(', ')}`,
          'privilege',
        ),
      ]
}

/**
 * The blocked role cannot be changed, nor a role with privileges that the caller lacks. Only callers who see all enterprises may change a
 * role without an enterprise.
 */
async function changeRefusals(context: ReadContext, role: RoleRow): Promise<Refusal[]> {
  if (role.blocked === 1) return [refusalWithout('ROLE-8')]
  if (await hasMorePrivileges(context, role.id))
    return [refusalWithout('GEN-15', 'The role has privileges that the caller lacks')]
  return role.enterprise_id === null && !context.caller.scope.allEnterprises
    ? [refusalWithout('GEN-15', 'The role belongs to all enterprises, and the caller cannot see all of them')]
    : []
}

/** The refusals of the first check that has any. */
async function firstOf(...checks: (() => Promise<Refusal[]>)[]): Promise<Refusal[]> {
  for (const check of checks) {
    const refusals = await check()
    if (refusals.length > 0) return refusals
  }
  return []
}

/** Without privileges the role keeps its own. */
export async function previewUpdate(
  context: ReadContext,
  role: RoleRow,
  { name, privileges }: Pick<RoleInput, 'name'> & Pick<References, 'privileges'>,
): Promise<RolePreview> {
  const before = await privilegesOfRole(context.db, role.id)
  const after = privileges ?? before
  const refusals = await firstOf(
    () => changeRefusals(context, role),
    async () => heldRefusals(context.caller, after),
    () => refusalBy('ROLE-7', sameRoleName(context, role.id, name)),
  )
  return { refusals, before, after }
}

export async function previewRemoval(context: ReadContext, role: RoleRow): Promise<RolePreview> {
  const before = await privilegesOfRole(context.db, role.id)
  const users = usersWith(context, sql`users.role_id = ${role.id}`)
  const refusals = await firstOf(
    () => changeRefusals(context, role),
    () => refusalBy('ROLE-3', users),
  )
  return { refusals, before, after: [] }
}

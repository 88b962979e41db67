import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Privilege } from '#lib/caller/auth/privileges'
import { linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Entries, entriesOf, usersWhere } from '#lib/caller/scopes/impact.server'
import { ApiError } from '#lib/ground/http/errors'
import type { RoleImpact, RoleInput } from '#lib/people/identity/identity.schema'
import {
  missingIn,
  previewRemoval,
  previewUpdate,
  roleReferences,
} from '#lib/people/identity/role-preview.server'
import { privilegeView, type RoleRow } from '#lib/people/identity/roles.server'

const none: Entries = { entries: [], total: 0 }

const effects = ({ gained = none, lost = none, users = none }) => ({
  gained: gained.entries,
  lost: lost.entries,
  users: users.entries,
  totals: { gained: gained.total, lost: lost.total, users: users.total },
})

const privilegeEntries = (names: Privilege[]): Entries =>
  entriesOf(
    'PRIVILEGE',
    names
      .map(privilegeView)
      .map(({ id, name }) => ({ id, name, path: `/config/privileges/${id}`, total: names.length })),
  )

/** Previews a PUT of this document, or a DELETE if there is none. Writes nothing. */
export async function roleImpactOf({
  caller,
  db,
  found: role,
  body,
}: ReadContext & { found: RoleRow; body: RoleInput | undefined }): Promise<RoleImpact> {
  const context = { caller, db }
  const links = [linkTo(kinds.role, { id: role.id }, role.name)]
  try {
    const { refusals, before, after } = body
      ? await previewUpdate(context, role, { ...body, ...(await roleReferences(context, body)) })
      : await previewRemoval(context, role)
    const gained = privilegeEntries(missingIn(before, after))
    const lost = privilegeEntries(missingIn(after, before))
    const changes = gained.total + lost.total > 0 || !body
    const users = changes ? await usersWhere(context, sql`users.role_id = ${role.id}`) : none
    return { links, refusals, ...effects({ gained, lost, users }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A reference does not exist: the change would be refused before any other check.
    return { links, refusals: error.faults.map((fault) => ({ ...fault, links: [] })), ...effects({}) }
  }
}

import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { requireEnterprise, seesEnterprise, seesRole } from '#lib/caller/scopes/visibility.server'
import { database } from '#lib/db/db.server'
import { ANY_ID } from '#lib/ground/http/path-ids'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import type { UserCountDocument } from '#lib/people/identity/identity.schema'
import type { UserCountQuery } from '#lib/people/identity/users.schema'

/** How many visible users each of the roles or enterprises has. Hidden roles and enterprises are left out. Throws EN-0. */
export async function countUsers(
  context: ReadContext,
  enterprise: number,
  { of, ids }: UserCountQuery,
): Promise<Listing> {
  const { caller } = context
  if (enterprise !== ANY_ID) await requireEnterprise(context, enterprise)
  const table = of === 'role' ? 'roles' : 'enterprises'
  const within = enterprise === ANY_ID ? sql`` : sql`and users.enterprise_id = ${enterprise}`
  const { rows } = await sql<{ id: number; name: string; users: number }>`
    select id, name, (
      select count(*) from users
      where ${sql.ref(`users.${of}_id`)} = ${sql.ref(`${table}.id`)}
        and ${seesEnterprise(caller, 'users.enterprise_id')} ${within}) as users
    from ${sql.table(table)}
    where id in (${sql.join(ids)}) and ${of === 'role' ? seesRole(caller) : seesEnterprise(caller, 'enterprises.id')}
    order by id`.execute(database().scan)
  return {
    links: [],
    totalSize: rows.length,
    collection: rows.map(
      ({ id, name, users }): UserCountDocument => ({
        links: [link(of, `/admin/${table}/${id}`, of, name)],
        id,
        users: Number(users),
      }),
    ),
  }
}

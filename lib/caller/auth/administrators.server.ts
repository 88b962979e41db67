import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server'

/* An installation always keeps an administrator, because no other user could unlock users or widen a scope. */

/** The cloud administrators (the blocked role) who can sign in, with the scope that applies to them. */
const administrators = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .innerJoin('scopes', (join) =>
      join.on((on) => on('scopes.id', '=', on.fn.coalesce('users.scope_id', 'enterprises.default_scope_id'))),
    )
    .where('roles.blocked', '=', 1)
    .where('users.active', '=', 1)
    .where('users.locked', '=', 0)
    .where('users.auth_type', '<>', 'SERVICE')
    .select('users.id')
    .select(sql<number>`scopes.all_datacenters * scopes.all_enterprises`.as('sees_all'))

const unlimited = (db: Db) =>
  administrators(db).where('scopes.all_datacenters', '=', 1).where('scopes.all_enterprises', '=', 1)

/** The scopes by which cloud administrators see everything. */
export async function scopesOfAdministrators(db: Db): Promise<Set<number>> {
  const rows = await unlimited(db).clearSelect().select('scopes.id').distinct().execute()
  return new Set(rows.map(({ id }) => id))
}

/** Whether the user is a cloud administrator, and no other one sees as much. */
export async function isLastAdministrator(db: Db, user: number): Promise<boolean> {
  const own = await administrators(db).where('users.id', '=', user).executeTakeFirst()
  if (!own) return false
  const others = own.sees_all === 1 ? unlimited(db) : administrators(db)
  const other = await others.where('users.id', '<>', user).limit(1).executeTakeFirst()
  return other === undefined
}

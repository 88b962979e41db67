import { sql } from 'kysely'
import { type Caller, can } from '#lib/caller/auth/privileges'
import { collectionOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { ScopeDocument } from '#lib/caller/scopes/scopes.schema'
import { seesScope } from '#lib/caller/scopes/visibility.server'
import type { Db } from '#lib/db/db.server'
import { isNoWider } from '#lib/people/identity/grants.server'
import type { Context } from '#lib/record/events/operation.server'

/* The scope of an invited user whom the caller gives none: never all enterprises (docs/api/users.md, "Invitations"). */

/** The oldest limited scope whose only enterprise is this one, and which the caller may grant. */
const narrowestScope = (db: Db, caller: Caller, enterprise: number) =>
  db
    .selectFrom('scope_entities')
    .innerJoin('scopes', 'scopes.id', 'scope_entities.scope_id')
    .where('scope_entities.enterprise_id', '=', enterprise)
    .where('scopes.all_enterprises', '=', 0)
    .where('scopes.all_datacenters', '=', 0)
    .where(
      sql<boolean>`not exists (select 1 from scope_entities other where other.scope_id = scopes.id and other.enterprise_id <> ${enterprise})`,
    )
    .where(seesScope(caller, 'scopes.id'))
    .where(isNoWider(caller))
    .select('scopes.id')
    .orderBy('scope_entities.scope_id')
    .limit(1)
    .executeTakeFirst()

/** Names of scopes are unique, and as long as those of enterprises. */
async function freeName(db: Db, wanted: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted.slice(0, 120)} ${count}`
    const taken = await db.selectFrom('scopes').where('name', '=', name).select('id').executeTakeFirst()
    if (!taken) return name
  }
}

/** Makes a scope with the enterprise alone if there is none. undefined: the default scope of the enterprise is limited, or the caller may make none. */
export async function scopeOfInvited(
  { caller, db, operate }: Pick<Context, 'caller' | 'db' | 'operate'>,
  enterprise: number,
): Promise<number | undefined> {
  const { name, all_enterprises } = await db
    .selectFrom('enterprises')
    .innerJoin('scopes', 'scopes.id', 'enterprises.default_scope_id')
    .where('enterprises.id', '=', enterprise)
    .select(['enterprises.name', 'scopes.all_enterprises'])
    .executeTakeFirstOrThrow()
  if (all_enterprises === 0) return undefined
  const found = await narrowestScope(db, caller, enterprise)
  if (found || !can(caller, kinds.scope.writers)) return found?.id
  const made = await operate({
    method: 'POST',
    path: collectionOf(kinds.scope, {}),
    document: {
      name: await freeName(db, name),
      scopeEntities: [{ idResource: enterprise, type: 'ENTERPRISE' }],
    },
    isOwnChange: true,
  })
  return (made as ScopeDocument).id
}

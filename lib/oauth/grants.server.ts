import { type Caller, isPrivilege, type Privilege } from '#lib/auth/privileges'
import { database } from '#lib/db/db.server'

/** What a program may do with an access token of this id; null where the token was revoked. */
async function privilegesOfGrant(grant: number): Promise<Set<Privilege> | null> {
  const rows = await database()
    .read.selectFrom('oauth_tokens')
    .leftJoin('application_privileges', (join) =>
      join.onRef('application_privileges.application_id', '=', 'oauth_tokens.application_id'),
    )
    .where('oauth_tokens.id', '=', grant)
    .select('privilege')
    .execute()
  if (rows.length === 0) return null
  return new Set(rows.flatMap(({ privilege }) => (privilege && isPrivilege(privilege) ? [privilege] : [])))
}

/** The caller with the application's privileges; null where its token was revoked. */
export async function limitedTo(caller: Caller, grant: number): Promise<Caller | null> {
  const given = await privilegesOfGrant(grant)
  if (!given) return null
  const privileges = new Set([...caller.privileges].filter((name) => given.has(name)))
  return { ...caller, privileges }
}

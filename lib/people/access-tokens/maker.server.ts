import { accountById, callerOf } from '#lib/caller/auth/caller.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { type Authenticated, actsByGrant, type Maker } from '#lib/caller/auth/strategy.server'
import { limitedTo } from '#lib/caller/oauth/applications.server'
import { type Db, database } from '#lib/db/db.server'
import { isWithinReachOf } from '#lib/people/access-tokens/access-tokens.server'

/* The user for whom work runs after their request, or without one. This is the only way to make a caller for such work. */

export function makerOf(authenticated: Pick<Authenticated, 'caller' | 'session' | 'accessToken'>): Maker {
  const { caller, session, accessToken } = authenticated
  if (!actsByGrant(authenticated)) return { user: caller.id }
  return {
    user: caller.id,
    ...(accessToken ? { accessToken: accessToken.id } : { oauthToken: session.grant }),
  }
}

/**
 * The maker as they are now: their present privileges and scope, limited to the grant that they came with. Undefined if they may no longer
 * sign in, or if that grant has ended.
 */
export async function presentMaker(
  { user, accessToken, oauthToken }: Maker,
  db: Db = database().read,
): Promise<Caller | undefined> {
  const account = await accountById(user, db)
  if (!account) return undefined
  if (oauthToken !== undefined) return (await limitedTo(callerOf(account), oauthToken, db)) ?? undefined
  if (accessToken === undefined) return callerOf(account)
  const token = await db
    .selectFrom('access_tokens')
    .where('id', '=', accessToken)
    .where('user_id', '=', user)
    .where('expires_at', '>', Date.now())
    .select(['privileges', 'created_by'])
    .executeTakeFirst()
  if (!token || !(token.created_by === user || (await isWithinReachOf(token.created_by, user, db))))
    return undefined
  return callerOf(account, token.privileges)
}

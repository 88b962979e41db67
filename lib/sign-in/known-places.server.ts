import { database, type Trx, transaction } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'
import { clientNetwork } from '#lib/http/client-address.server'

/*
 * Client networks where a user recently signed in. Sign-ins from there do not wait because of attempts from elsewhere, so that nobody can
 * lock the owner out. Networks are stored as text, as in sessions and events: the hash of an IPv4 address is reversed in minutes.
 */

const DAY = 24 * 60 * 60 * 1000
const KNOWN_FOR = 30 * DAY

const signInPlace = statement(
  'sign-in place',
  (db, { userId, network }: { userId: number; network: string }) =>
    db
      .selectFrom('sign_in_places')
      .where('user_id', '=', userId)
      .where('network', '=', network)
      .select('last'),
)

/** Whether the user signed in from this client network within 30 days. */
export async function isKnownPlace(request: Request, userId: number | undefined): Promise<boolean> {
  if (userId === undefined) return false
  const [place] = await signInPlace(database().read, { userId, network: clientNetwork(request) })
  return place !== undefined && place.last > Date.now() - KNOWN_FOR
}

/** Stores the network of a successful sign-in, at most once a day. */
export async function recordPlace(trx: Trx, request: Request, userId: number): Promise<void> {
  const [network, now] = [clientNetwork(request), Date.now()]
  const recent = await trx
    .selectFrom('sign_in_places')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .where('last', '>', now - DAY)
    .select('last')
    .executeTakeFirst()
  if (recent) return
  await trx
    .insertInto('sign_in_places')
    .values({ user_id: userId, network, last: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'network']).doUpdateSet({ last: now }))
    .execute()
}

export const removeOldPlaces = (): Promise<unknown> =>
  transaction((trx) =>
    trx
      .deleteFrom('sign_in_places')
      .where('last', '<', Date.now() - KNOWN_FOR)
      .execute(),
  )

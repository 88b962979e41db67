import { sql } from 'kysely'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'
import { clientNetwork, clientNetworks, networksAround } from '#lib/ground/http/client-address.server'
import type { Exchange } from '#lib/ground/http/exchange.server'

/*
 * Client networks where a user recently signed in. Sign-ins from there do not wait because of attempts from elsewhere, so attackers cannot
 * lock the owner out. Networks are stored as text, as in sessions and events: the hash of an IPv4 address is reversed in minutes.
 */

const DAY = 24 * 60 * 60 * 1000
const KNOWN_FOR = 30 * DAY

const signInPlaces = statement(
  'sign-in places',
  (db, { userId, pattern }: { userId: number; pattern: string }) =>
    db
      .selectFrom('sign_in_places')
      .where('user_id', '=', userId)
      // Of `like ?` alone SQLite's planner reads the value, and prepares the statement again each time.
      .where('network', 'like', sql<string>`cast(${pattern} as text)`)
      .select(['network', 'last']),
)

/** The networks of the client, out of `clientNetworks`, from which the user signed in within 30 days. */
export async function knownNetworks(request: Exchange, userId: number | undefined): Promise<string[]> {
  if (userId === undefined) return []
  const networks = clientNetworks(request)
  const pattern = networks.at(-1)?.replace('::/48', ':%') ?? ''
  const places = await signInPlaces(database().read, { userId, pattern })
  const recent = places.filter(({ last }) => last > Date.now() - KNOWN_FOR)
  const known = new Set(recent.flatMap(({ network }) => networksAround(network)))
  return networks.filter((network) => known.has(network))
}

/** Stores the network of a successful sign-in, at most once a day. */
export async function recordPlace(trx: Trx, request: Exchange, userId: number): Promise<void> {
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

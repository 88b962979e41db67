import { createHash, randomBytes } from 'node:crypto'
import { type Db, database, transaction } from '#lib/db/db.server'
import { clientNetworks } from '#lib/ground/http/client-address.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { decrypt, encrypt } from '#lib/ground/keys/keys.server'

/*
 * A sign-in under way at a provider is stored on the server under an unguessable name, and can be taken once. Sign-ins in several tabs
 * are independent.
 */

export const TEN_MINUTES = 10 * 60 * 1000

const keyOf = (kind: string, name: string): string =>
  createHash('sha256').update(`${kind} ${name}`).digest('base64url')

const contextOf = (id: string): string => `sign-in-flows/${id}`

export const newFlowName = (): string => randomBytes(24).toString('base64url')

/** A sign-in by OpenID Connect or SAML, or the result of a trial. */
type Kind = 'oidc' | 'saml' | 'trial'

/** Sign-ins under way of one client: an IPv4 address, or an IPv6 /48. More than an office begins in ten minutes. */
const MOST_OF_SITE = 1000

/** Stores the data of a sign-in. `name`: the state or request id that the provider sends back. `lifetime`: in ms. */
export async function beginFlow(
  request: Exchange,
  { kind, name, lifetime = TEN_MINUTES }: { kind: Kind; name: string; lifetime?: number },
  data: object,
): Promise<void> {
  const id = keyOf(kind, name)
  const sealed = encrypt(JSON.stringify(data), contextOf(id))
  const began_at = Date.now()
  const [network, , site = network] = clientNetworks(request)
  await transaction((trx) =>
    trx
      .insertInto('sign_in_flows')
      .values({ id, sealed, began_at, expires_at: began_at + lifetime, network, site })
      .execute(),
  )
  await keepBound(site)
}

/**
 * Anyone can start sign-ins. Beyond the bound, the oldest sign-in of the network with the most is removed, so a client that starts too many
 * ends only their own.
 */
async function keepBound(site: string): Promise<void> {
  const ofSite = () => database().read.selectFrom('sign_in_flows').where('site', '=', site)
  const { count } = await ofSite()
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) <= MOST_OF_SITE) return
  const largest = await ofSite()
    .groupBy('network')
    .orderBy((order) => order.fn.countAll(), 'desc')
    .select('network')
    .executeTakeFirst()
  const oldest = await ofSite()
    .where('network', '=', largest?.network ?? '')
    .orderBy('began_at')
    .limit(Number(count) - MOST_OF_SITE)
    .select('id')
    .execute()
  const ids = oldest.map(({ id }) => id)
  await transaction((trx) => trx.deleteFrom('sign_in_flows').where('id', 'in', ids).execute())
}

/** Takes the data stored under this name; undefined if there is none, or if it has expired. */
export async function takeFlow<T extends object>(kind: Kind, name: string): Promise<T | undefined> {
  const id = keyOf(kind, name)
  const row = await transaction((trx) =>
    trx
      .deleteFrom('sign_in_flows')
      .where('id', '=', id)
      .where('expires_at', '>', Date.now())
      .returning('sealed')
      .executeTakeFirst(),
  )
  return row && (JSON.parse(decrypt(row.sealed, contextOf(id))) as T)
}

/** Like `takeFlow`, but the data stays stored. */
export async function readFlow<T extends object>(db: Db, kind: Kind, name: string): Promise<T | undefined> {
  const id = keyOf(kind, name)
  const row = await db
    .selectFrom('sign_in_flows')
    .where('id', '=', id)
    .where('expires_at', '>', Date.now())
    .select('sealed')
    .executeTakeFirst()
  return row && (JSON.parse(decrypt(row.sealed, contextOf(id))) as T)
}

/** Removes expired flows, provider sessions and assertion ids. */
export const removeOldFlows = (): Promise<void> =>
  transaction(async (trx) => {
    for (const table of ['sign_in_flows', 'session_providers', 'used_assertions'] as const)
      await trx.deleteFrom(table).where('expires_at', '<', Date.now()).execute()
  })

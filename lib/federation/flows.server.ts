import { createHash, randomBytes } from 'node:crypto'
import { type Db, transaction } from '#lib/db/db.server'
import { decrypt, encrypt } from '#lib/keys/keys.server'

/*
 * A sign-in that is under way at a provider is kept on the server under a name that nobody guesses, and taken once. Several at a time,
 * in several tabs, do not know of each other.
 */

export const TEN_MINUTES = 10 * 60 * 1000

const keyOf = (kind: string, name: string): string =>
  createHash('sha256').update(`${kind} ${name}`).digest('base64url')

const contextOf = (id: string): string => `sign-in-flows/${id}`

export const newFlowName = (): string => randomBytes(24).toString('base64url')

/** A sign-in by one of the two, or what became of one that was tried out. */
type Kind = 'oidc' | 'saml' | 'trial'

/** Keeps what the way back needs. `name` is what the provider sends back: a state, or the id of a request. */
export async function beginFlow(
  kind: Kind,
  name: string,
  data: object,
  lifetime = TEN_MINUTES,
): Promise<void> {
  const id = keyOf(kind, name)
  const sealed = encrypt(JSON.stringify(data), contextOf(id))
  await transaction((trx) =>
    trx
      .insertInto('sign_in_flows')
      .values({ id, sealed, expires_at: Date.now() + lifetime })
      .execute(),
  )
}

/** What was kept under this name, which is taken with it; undefined where there is nothing, or not any more. */
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

/** The same, which stays where it is. */
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

/** Removes flows, provider sessions and assertion ids that have run out. */
export const removeOldFlows = (): Promise<void> =>
  transaction(async (trx) => {
    for (const table of ['sign_in_flows', 'session_providers', 'used_assertions'] as const)
      await trx.deleteFrom(table).where('expires_at', '<', Date.now()).execute()
  })

import { createHash, randomBytes } from 'node:crypto'
import { type Db, transaction } from '#lib/db/db.server'
import { decrypt, encrypt } from '#lib/keys/keys.server'

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

/** Stores the data of a sign-in. `name`: what the provider sends back, a state or the id of a request. `lifetime`: in ms. */
export async function beginFlow(
  { kind, name, lifetime = TEN_MINUTES }: { kind: Kind; name: string; lifetime?: number },
  data: object,
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

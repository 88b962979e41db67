import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { decrypt, encrypt, isSigned, sign } from '#lib/ground/keys/keys.server'

/* Request tokens expire after ten minutes and are used once; access tokens are valid until revoked (docs/api/programs.md, "OAuth 1.0a"). */

const TEN_MINUTES = 10 * 60 * 1000
const SECRET_BYTES = 80
const VERIFIER = 8
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64')
const newVerifier = (): string =>
  Array.from({ length: VERIFIER }, () => letters[randomInt(letters.length)]).join('')

export const tokenSecretContext = (token: string) => `oauth-tokens/${token}`

export const secretOf = ({ token, secret }: { token: string; secret: string }): string =>
  decrypt(secret, tokenSecretContext(token))

type Credentials = { token: string; secret: string }

type NewToken = { application: number; user: number | null; callback: string | null; expires: number | null }

async function insertToken(
  trx: Trx,
  { application, user, callback, expires }: NewToken,
): Promise<Credentials> {
  const [token, secret] = [randomUUID(), newSecret()]
  await trx
    .insertInto('oauth_tokens')
    .values({
      token,
      secret: encrypt(secret, tokenSecretContext(token)),
      application_id: application,
      user_id: user,
      callback,
      verifier_hash: null,
      created_at: Date.now(),
      last_used: null,
      expires_at: expires,
    })
    .execute()
  return { token, secret }
}

export const newRequestToken = (application: number, callback: string): Promise<Credentials> =>
  transaction((trx) =>
    insertToken(trx, { application, user: null, callback, expires: Date.now() + TEN_MINUTES }),
  )

const tokens = (db: Db, token: string) =>
  db
    .selectFrom('oauth_tokens')
    .where('token', '=', token.includes('\0') ? '' : token)
    .selectAll()

/** A request token that has not expired. Its user is null until it is authorized. */
export const findRequestToken = (token: string, db: Db = database().read) =>
  tokens(db, token).where('expires_at', '>', Date.now()).executeTakeFirst()

export const findAccessToken = (token: string, db: Db = database().read) =>
  tokens(db, token).where('expires_at', 'is', null).where('user_id', 'is not', null).executeTakeFirst()

const verifierOf = (token: string, verifier: string): string => `${token}:${verifier}`

/** Authorizes a request token for the user. Returns undefined if the token has expired or was already authorized. */
export async function authorizeToken(
  trx: Trx,
  token: string,
  userId: number,
): Promise<{ verifier: string; callback: string } | undefined> {
  const verifier = newVerifier()
  const row = await trx
    .updateTable('oauth_tokens')
    .set({ user_id: userId, verifier_hash: sign('code', verifierOf(token, verifier)).toString('base64url') })
    .where('token', '=', token)
    .where('user_id', 'is', null)
    .where('expires_at', '>', Date.now())
    .returning('callback')
    .executeTakeFirst()
  return row?.callback ? { verifier, callback: row.callback } : undefined
}

/** Deletes a request token, which was denied or used, and returns it. */
export async function dropRequestToken(trx: Trx, token: string) {
  return trx
    .deleteFrom('oauth_tokens')
    .where('token', '=', token)
    .where('expires_at', '>', Date.now())
    .returning(['application_id', 'user_id', 'callback', 'verifier_hash'])
    .executeTakeFirst()
}

/**
 * Exchanges an authorized request token for an access token. Returns undefined if the token is unknown or not authorized, or if the
 * verifier is wrong. The request token is used up in any case, so that a verifier can be attempted only once.
 */
export const exchangeToken = (token: string, verifier: string): Promise<Credentials | undefined> =>
  transaction(async (trx) => {
    const row = await dropRequestToken(trx, token)
    if (!row?.verifier_hash || row.user_id === null) return undefined
    const isRight = isSigned('code', verifierOf(token, verifier), Buffer.from(row.verifier_hash, 'base64url'))
    if (!isRight) return undefined
    const { application_id: application, user_id: user } = row
    return insertToken(trx, { application, user, callback: null, expires: null })
  })

/** Revokes a user's access token, and thereby every session started with it. */
export const revokeAccessToken = (trx: Trx, id: number): Promise<unknown> =>
  trx.deleteFrom('oauth_tokens').where('id', '=', id).execute()

const MINUTE = 60_000

/** Records the use of an access token, at most once a minute. */
export async function recordTokenUse({
  id,
  last_used,
}: {
  id: number
  last_used: number | null
}): Promise<void> {
  const now = Date.now()
  if (last_used !== null && now < last_used + MINUTE) return
  await transaction((trx) =>
    trx.updateTable('oauth_tokens').set({ last_used: now }).where('id', '=', id).execute(),
  )
}

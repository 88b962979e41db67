import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Insertable } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Db, type Trx, transaction } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'
import { insertRow } from '#lib/db/unique.server'
import { log } from '#lib/ground/log.server'

/* Access tokens and their rows. Their owners manage them in lib/access-tokens. Only a digest of a token is stored. */

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 40
const CHECK_LENGTH = 6
const PREFIX = 'sat_'
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`)

/** CRC-32 in base 62, the most significant digit first. */
function checkOf(secret: string): string {
  let rest = crc32(secret)
  let check = ''
  for (let digit = 0; digit < CHECK_LENGTH; digit += 1) {
    check = `${letters[rest % letters.length]}${check}`
    rest = Math.floor(rest / letters.length)
  }
  return check
}

/** 40 characters: 238 bits, and a checksum by which scanners and the server recognize tokens. */
export function newAccessToken(): string {
  const secret = Array.from({ length: LENGTH }, () => letters[randomInt(letters.length)]).join('')
  return `${PREFIX}${secret}${checkOf(secret)}`
}

/** Whether the text claims to be an access token, valid or not. */
export const looksLikeAccessToken = (text: string): boolean => text.startsWith(PREFIX)

/** True if the checksum of a token is correct. It costs no query, so mistyped and invented tokens are refused cheaply. */
export function isWellFormed(token: string): boolean {
  const [, secret = '', check] = FORM.exec(token) ?? []
  return check !== undefined && check === checkOf(secret)
}

/** Without a key: 238 random bits cannot be searched, and a new SECRET_KEY leaves the tokens valid. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const insertAccessToken = (
  trx: Trx,
  row: Omit<Insertable<Tables['access_tokens']>, 'last_used' | 'last_used_from'>,
): Promise<number> => insertRow(trx, 'access_tokens', { ...row, last_used: null, last_used_from: null })

export const endAccessToken = (trx: Trx, id: number): Promise<unknown> =>
  trx.deleteFrom('access_tokens').where('id', '=', id).execute()

/** Ends all access tokens of a user for good: the user is disabled, locked or deleted. */
export const endAccessTokensOf = (trx: Trx, userId: number): Promise<unknown> =>
  trx.deleteFrom('access_tokens').where('user_id', '=', userId).execute()

/** Deletes the tokens that a user made for service accounts: an undo can restore a deleted user, who could know these tokens. */
export const endAccessTokensMadeBy = (trx: Trx, userId: number): Promise<unknown> =>
  trx.deleteFrom('access_tokens').where('created_by', '=', userId).execute()

const MINUTE = 60_000

/** The uses that this process recorded within the last minute, so that a burst of requests writes once. */
const recorded = new LRUCache<string, true>({ max: 10_000, ttl: MINUTE })

/** Records the use of a token, at most once a minute. The request does not wait for the write. */
export function recordAccessTokenUse(
  { id, lastUsed, isScim }: { id: number; lastUsed: number | null; isScim: boolean },
  address: string,
): void {
  const now = Date.now()
  const use = `${id} ${isScim}`
  if (recorded.has(use) || (!isScim && lastUsed !== null && now < lastUsed + MINUTE)) return
  recorded.set(use, true)
  transaction((trx) =>
    trx
      .updateTable('access_tokens')
      .set({ last_used: now, last_used_from: address, ...(isScim && { scim_used: now }) })
      .where('id', '=', id)
      .execute(),
  ).catch((err) => log().warn({ err }, 'the use of an access token could not be recorded'))
}

const DAY = 24 * 60 * MINUTE
/** An expired token stays in the list this long, so that its owner sees why a program stopped. */
const KEPT = 30 * DAY

export const removeExpiredAccessTokens = (): Promise<unknown> =>
  transaction((trx) =>
    trx
      .deleteFrom('access_tokens')
      .where('expires_at', '<', Date.now() - KEPT)
      .execute(),
  )

/** Tokens that end before this moment, and about which no mail was queued. */
export const endingUnannounced = (db: Db, before: number, most: number) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .where('access_tokens.expires_at', '>', Date.now())
    .where('access_tokens.expires_at', '<=', before)
    .where('access_tokens.reminded_at', 'is', null)
    .select([
      'access_tokens.id',
      'access_tokens.name',
      'access_tokens.expires_at',
      'access_tokens.created_by',
    ])
    .select(['users.id as user_id', 'users.nick', 'users.email', 'users.auth_type'])
    .orderBy('access_tokens.expires_at')
    .limit(most)
    .execute()

/** False if another process was faster, or the token has ended. */
export async function markAnnounced(trx: Trx, id: number): Promise<boolean> {
  const row = await trx
    .updateTable('access_tokens')
    .set({ reminded_at: Date.now() })
    .where('id', '=', id)
    .where('reminded_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

import { createHash, randomBytes } from 'node:crypto'
import { type Trx, transaction } from '#lib/db/db.server'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import { browserCookies, ownCookieName, setCookie } from '#lib/ground/http/cookies'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { isSecure } from '#lib/ground/http/origin.server'
import { exactBytes } from '#lib/ground/keys/base64.server'
import { isSigned, sign } from '#lib/ground/keys/keys.server'

/*
 * Challenges of WebAuthn. A challenge is signed with the browser or session that it is for, so that requests without credentials store
 * nothing, every process can check it, and tabs do not disturb each other. It is stored when it is answered: a second answer is refused.
 */

/** How long a challenge is valid (ms). */
export const CHALLENGE_LIFE = 10 * 60 * 1000

const TIME = 6
const NONCE = 16

/** `purpose`: to register a passkey, or to use one. `holder`: the session or the browser that may answer. */
type Bound = { purpose: 'create' | 'get'; holder: string }

const signed = ({ purpose, holder }: Bound, head: Buffer): string =>
  `${purpose} ${holder} ${head.toString('base64url')}`

export function newChallenge(bound: Bound): Buffer {
  const head = Buffer.alloc(TIME + NONCE)
  head.writeUIntBE(Date.now() + CHALLENGE_LIFE, 0, TIME)
  randomBytes(NONCE).copy(head, TIME)
  return Buffer.concat([head, sign('passkey', signed(bound, head))])
}

/** Uses up the challenge, if the transaction `within` is committed. False if it is not one of ours, is for another browser or session, has expired, or was answered before. */
export async function takeChallenge(
  bound: Bound,
  challenge: string,
  within: (work: (trx: Trx) => Promise<boolean>) => Promise<boolean> = transaction,
): Promise<boolean> {
  const bytes = exactBytes(challenge, 'base64url')
  const head = bytes?.subarray(0, TIME + NONCE)
  if (!bytes || head?.length !== TIME + NONCE) return false
  if (!isSigned('passkey', signed(bound, head), bytes.subarray(TIME + NONCE))) return false
  const expires_at = head.readUIntBE(0, TIME)
  if (expires_at <= Date.now()) return false
  const id = createHash('sha256').update(bytes).digest('base64url')
  return within(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('passkey_challenges')
      .values({ id, expires_at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  })
}

export const removeOldChallenges = (): Promise<unknown> =>
  transaction((trx) => trx.deleteFrom('passkey_challenges').where('expires_at', '<', Date.now()).execute())

const cookieName = (request: Exchange): string => ownCookieName('passkey', isSecure(request))

/** The browser that sent the request, by its cookie. An empty text if it has none, which matches no challenge. */
export function browserOf(request: Exchange): string {
  const [browser = ''] = browserCookies(request.headers.get('cookie'), cookieName(request))
  return /^[\w-]{32}$/.test(browser) ? browser : ''
}

/** The browser that sent the request. Sets the cookie by which it is known until its challenges expire. */
export function knownBrowser(request: Exchange, headers: AnswerHeaders): string {
  const value = browserOf(request) || randomBytes(24).toString('base64url')
  const expires = Date.now() + CHALLENGE_LIFE
  headers.append('set-cookie', setCookie({ name: cookieName(request), value, expires }, isSecure(request)))
  return value
}

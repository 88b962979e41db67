import { createHash, randomBytes } from 'node:crypto'
import { isPasswordOn } from '#lib/caller/auth/modes.server'
import { passwordFault } from '#lib/caller/auth/password-rules.server'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { passwordResetInput, passwordResetRequestInput } from '#lib/caller/auth/session.schema'
import { endSessionsOf } from '#lib/caller/auth/sessions.server'
import { database, type Trx, transaction } from '#lib/db/db.server'
import type { Answer } from '#lib/ground/http/answer.server'
import { noContent } from '#lib/ground/http/bodiless.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { siteAddress } from '#lib/ground/http/origin.server'
import { log } from '#lib/ground/log.server'
import { setPassword } from '#lib/people/identity/own-password.server'
import { aboutUser } from '#lib/people/sign-in/sign-in-events.server'
import { countResetRequest } from '#lib/people/sign-in/throttle.server'
import { insertEvent } from '#lib/record/events/record.server'
import { notify, sendsMail } from '#lib/record/mail/outbox.server'
import { readOpenly } from '#lib/request/pipeline/open.server'

/* Users replace a forgotten password with a mailed link. If two factor is on, the next sign-in still requires a code. */

const MINUTES = 30
const MINUTE = 60_000
const RESEND = MINUTE

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * Mails a link to the user with this nick. The response and its duration do not reveal whether the user exists: the mail is prepared
 * after the response.
 */
export async function requestPasswordReset(request: Exchange): Promise<Answer> {
  if (!sendsMail() || !isPasswordOn()) throw new ApiError('SIGN-IN-8')
  const { nick } = await readOpenly(request, passwordResetRequestInput, 'passwordresetrequest')
  await countResetRequest(request, nick)
  mailing = mailing.then(() => transaction((trx) => mailLink(trx, request, nick))).catch(logFailure)
  return noContent()
}

let mailing = Promise.resolve()
const logFailure = (err: unknown) => log().error({ err }, 'a link for a new password could not be created')

/** Resolves when all requests so far are processed. */
export const resetsMade = (): Promise<void> => mailing

async function mailLink(trx: Trx, request: Exchange, nick: string): Promise<void> {
  const account = nick.includes('\0')
    ? undefined
    : await trx
        .selectFrom('users')
        .leftJoin('password_resets', 'password_resets.user_id', 'users.id')
        .where('nick', '=', nick)
        .where('active', '=', 1)
        .where('locked', '=', 0)
        .where('auth_type', '=', 'LOCAL')
        .where('invited', '=', 0)
        .select(['users.id', 'nick', 'enterprise_id', 'sent_at'])
        .executeTakeFirst()
  const now = Date.now()
  if (!account || (account.sent_at ?? 0) > now - RESEND) return
  const token = randomBytes(32).toString('base64url')
  const values = { token_hash: hashOf(token), sent_at: now, expires_at: now + MINUTES * MINUTE }
  await trx
    .insertInto('password_resets')
    .values({ user_id: account.id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  // A fragment is never sent to a server, so the token appears in no log and no Referer header.
  const href = `${siteAddress()}/new-password#${token}`
  const mail = { kind: 'password-reset' as const, href, minutes: MINUTES }
  await notify(trx, account.id, mail, { patience: MINUTES * MINUTE })
  await insertEvent(trx, { request, action: 'ask-password-reset', ...aboutUser(account), by: undefined })
}

/** Sets the password with the token of a link, which works once, and ends every session. Throws SIGN-IN-4. */
export async function resetPasswordByLink(request: Exchange): Promise<Answer> {
  const { token, password } = await readOpenly(request, passwordResetInput, 'passwordreset')
  const token_hash = hashOf(token)
  const found = () =>
    database()
      .read.selectFrom('password_resets')
      .where('token_hash', '=', token_hash)
      .where('expires_at', '>', Date.now())
      .select('user_id')
      .executeTakeFirst()
  // Hashing is expensive, so an invalid token is refused first.
  if (!(await found())) throw new ApiError('SIGN-IN-4')
  const hash = await hashPassword(password)
  await transaction((trx) => useToken(trx, { request, token_hash, password, hash }))
  return noContent()
}

type Use = { request: Exchange; token_hash: string; password: string; hash: string }

async function useToken(trx: Trx, { request, token_hash, password, hash }: Use): Promise<void> {
  const used = await trx
    .deleteFrom('password_resets')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', Date.now())
    .returning('user_id')
    .executeTakeFirst()
  const account =
    used &&
    (await trx
      .selectFrom('users')
      .where('id', '=', used.user_id)
      .where('active', '=', 1)
      .where('locked', '=', 0)
      .select(['id', 'nick', 'enterprise_id'])
      .executeTakeFirst())
  if (!account) throw new ApiError('SIGN-IN-4')
  const weak = passwordFault(password, account.nick)
  if (weak) throw new ApiError(weak)
  const changes = { password: { after: 'changed' } }
  await setPassword(trx, { userId: account.id, hash, by: 'user', request, note: () => {} })
  await endSessionsOf(trx, account.id)
  await insertEvent(trx, { request, action: 'reset-password', changes, ...aboutUser(account), by: undefined })
}

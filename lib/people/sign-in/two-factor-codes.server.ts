import { randomInt } from 'node:crypto'
import { createGuardrails, verifySync } from 'otplib'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { twoFactorProviders } from '#lib/caller/auth/session.schema'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { decrypt, sign, signatures } from '#lib/ground/keys/keys.server'
import type { CodeKind } from '#lib/people/sign-in/sign-in-events.server'
import { checkAttempt } from '#lib/people/sign-in/throttle.server'
import { notify } from '#lib/record/mail/outbox.server'

/* Second factors: an authenticator code, a mailed code or a scratch code. Each code works once. */

export const PERIOD = 30
const SECOND = 1000

/** `clockOffset`: seconds by which the authenticator's clock is ahead; negative: behind. */
export type Verdict = { right: boolean; clockOffset?: number; by?: CodeKind }

const wrong: Verdict = { right: false }

/** Codes are short, so the hash needs a key: a thief of the database alone cannot find codes by brute force. */
const hashCode = (userId: number, code: string): string =>
  sign('code', `${userId}:${code}`).toString('base64url')

const possibleHashes = (userId: number, code: string): string[] =>
  signatures('code', `${userId}:${code}`).map((hash) => hash.toString('base64url'))

export const twoFactorSecretContext = (userId: number) => `users/${userId}/two-factor`

type Attempt = { request: Exchange; user: { id: number; nick: string }; code: string }

/**
 * The only way to check a code, so that each attempt is counted. A correct code is used up in the transaction of `then`. Throws
 * TooManyAttempts.
 */
export async function attemptCode(
  { request, user: { id, nick }, code }: Attempt,
  then: (trx: Trx, by: CodeKind | undefined) => Promise<void> = async () => {},
): Promise<Verdict> {
  let verdict: Verdict = wrong
  await checkAttempt({ kind: 'code', nick, userId: id, request }, async () => {
    verdict = await transaction(async (trx) => {
      const accepted = await acceptCode(trx, { request, userId: id, code })
      if (accepted.right) await then(trx, accepted.by)
      return accepted
    })
    return verdict.right
  })
  return verdict
}

type Submitted = { request: Exchange; userId: number; code: string }

/** Uses up the code. A correct one also completes the enrolment. */
async function acceptCode(trx: Trx, submitted: Submitted): Promise<Verdict> {
  const verdict = await verdictOn(trx, { ...submitted, code: submitted.code.replace(/[\s-]/g, '') })
  if (verdict.right) await completeEnrolment(trx, submitted)
  return verdict
}

/** An enrolment of the console is on with its first correct code, which the user learns by mail. One of a program was on before. */
async function completeEnrolment(trx: Trx, { request, userId }: Submitted): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .where('id', '=', userId)
    .where('two_factor_began_by', 'is not', null)
    .select(['two_factor_provider', 'two_factor_in_console'])
    .executeTakeFirst()
  if (!user) return
  await setCredentials(trx, userId, { two_factor_began_by: null })
  const provider = twoFactorProviders.find((name) => name === user.two_factor_provider)
  if (user.two_factor_in_console === 1 && provider)
    await notify(trx, userId, { kind: 'two-factor-enabled', provider, address: clientAddress(request) })
}

async function verdictOn(trx: Trx, submitted: Submitted): Promise<Verdict> {
  const { userId, code } = submitted
  if (/^\d{8}$/.test(code)) return acceptScratchCode(trx, submitted)
  if (!/^\d{6}$/.test(code)) return wrong
  const user = await trx
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['two_factor_provider', 'two_factor_secret', 'two_factor_step'])
    .executeTakeFirst()
  if (user?.two_factor_provider === 'EMAIL') return acceptMailedCode(trx, userId, code)
  if (!user?.two_factor_secret) return wrong
  const secret = decrypt(user.two_factor_secret, twoFactorSecretContext(userId))
  return acceptAuthenticatorCode(trx, { userId, secret, lastStep: user.two_factor_step }, code)
}

/** The largest reported clock offset (s). */
const HOUR = 3600
const wide = createGuardrails({ MAX_WINDOW: (2 * HOUR) / PERIOD + 1 })

/** The time step of a code, if it is within `tolerance` seconds of now. */
function stepOf(secret: string, token: string, tolerance: number): number | undefined {
  const result = verifySync({
    strategy: 'totp',
    secret,
    token,
    period: PERIOD,
    epochTolerance: tolerance,
    guardrails: wide,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

type Authenticator = { userId: number; secret: string; lastStep: number }

async function acceptAuthenticatorCode(
  trx: Trx,
  authenticator: Authenticator,
  token: string,
): Promise<Verdict> {
  const { userId, secret, lastStep } = authenticator
  const step = stepOf(secret, token, PERIOD)
  if (step === undefined) return offByClock(trx, authenticator, token)
  if (step <= lastStep || (await wasRefused(trx, userId, step))) return wrong
  await setCredentials(trx, userId, { two_factor_step: step })
  return { right: true, by: 'authenticator' }
}

/** Reports a wrong clock. An early code is never accepted after it was reported, so the report is of no use to an attacker. */
async function offByClock(trx: Trx, { userId, secret }: Authenticator, token: string): Promise<Verdict> {
  const step = stepOf(secret, token, HOUR)
  if (step === undefined) return wrong
  const now = Math.floor(Date.now() / SECOND / PERIOD)
  if (step > now) {
    await trx
      .deleteFrom('refused_steps')
      .where('user_id', '=', userId)
      .where('step', '<', now - 1)
      .execute()
    await trx
      .insertInto('refused_steps')
      .values({ user_id: userId, step })
      .onConflict((conflict) => conflict.columns(['user_id', 'step']).doNothing())
      .execute()
  }
  return { right: false, clockOffset: (step - now) * PERIOD }
}

async function wasRefused(trx: Trx, userId: number, step: number): Promise<boolean> {
  const refused = await trx
    .selectFrom('refused_steps')
    .where('user_id', '=', userId)
    .where('step', '=', step)
    .select('step')
    .executeTakeFirst()
  return refused !== undefined
}

async function acceptScratchCode(trx: Trx, { request, userId, code }: Submitted): Promise<Verdict> {
  const { numDeletedRows } = await trx
    .deleteFrom('scratch_codes')
    .where('user_id', '=', userId)
    .where('code_hash', 'in', possibleHashes(userId, code))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return wrong
  const left = await scratchCodesLeft(userId, trx)
  await notify(trx, userId, { kind: 'scratch-code-used', left, address: clientAddress(request) })
  return { right: true, by: 'scratch code' }
}

const SCRATCH_CODES = 10

const randomDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0')

/** Replaces the scratch codes by ten new ones. Only hashes are stored, so the codes are shown only once. */
export async function renewScratchCodes(trx: Trx, userId: number): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < SCRATCH_CODES) codes.add(randomDigits(8))
  await trx.deleteFrom('scratch_codes').where('user_id', '=', userId).execute()
  await trx
    .insertInto('scratch_codes')
    .values([...codes].map((code) => ({ user_id: userId, code_hash: hashCode(userId, code) })))
    .execute()
  return [...codes]
}

export async function scratchCodesLeft(userId: number, db = database().read): Promise<number> {
  const { left } = await db
    .selectFrom('scratch_codes')
    .where('user_id', '=', userId)
    .select((select) => select.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  return Number(left)
}

const RESEND = 30
const MINUTES = 10
const MAX_ATTEMPTS = 5

/** Mails a new code, which replaces the last one, at most every 30 seconds. Returns the seconds until the next may be sent. */
export async function mailCode(trx: Trx, userId: number): Promise<{ sent: boolean; resendIn: number }> {
  const now = Date.now()
  const last = await trx
    .selectFrom('mailed_codes')
    .where('user_id', '=', userId)
    .select('sent_at')
    .executeTakeFirst()
  const wait = Math.ceil(((last?.sent_at ?? 0) + RESEND * SECOND - now) / SECOND)
  if (wait > 0) return { sent: false, resendIn: wait }
  const code = randomDigits(6)
  const patience = MINUTES * 60 * SECOND
  const values = { code_hash: hashCode(userId, code), sent_at: now, expires_at: now + patience, tries: 0 }
  await trx
    .insertInto('mailed_codes')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  await notify(trx, userId, { kind: 'code', code, minutes: MINUTES }, { patience })
  return { sent: true, resendIn: RESEND }
}

/** A mailed code allows five attempts. Its row remains afterwards, because `sent_at` delays the next code unless this one was used. */
async function acceptMailedCode(trx: Trx, userId: number, code: string): Promise<Verdict> {
  const { numUpdatedRows } = await trx
    .updateTable('mailed_codes')
    .set({ tries: MAX_ATTEMPTS })
    .where('user_id', '=', userId)
    .where('code_hash', 'in', possibleHashes(userId, code))
    .where('tries', '<', MAX_ATTEMPTS)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  if (numUpdatedRows > 0n) {
    // After a code was used, the next may be sent at once.
    await trx.updateTable('mailed_codes').set({ sent_at: 0 }).where('user_id', '=', userId).execute()
    return { right: true, by: 'mail' }
  }
  await trx
    .updateTable('mailed_codes')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('user_id', '=', userId)
    .execute()
  return wrong
}

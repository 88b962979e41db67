import { randomInt } from 'node:crypto'
import { generateSecret, verifySync } from 'otplib'
import { decrypt, encrypt, sign, signatures } from '#lib/auth/keys.server'
import { type TwoFactorCredentials, twoFactorProviders } from '#lib/auth/session.schema'
import { database, type Trx } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { ApiError } from '#lib/http/errors'

const SCRATCH_CODES = 10
const PERIOD = 30

/** Ten codes of eight digits need a keyed hash: without the key nobody can try them all. */
const hashCode = (userId: number, code: string): string =>
  sign('code', `${userId}:${code}`).toString('base64url')

const possibleHashes = (userId: number, code: string): string[] =>
  signatures('code', `${userId}:${code}`).map((hash) => hash.toString('base64url'))

export const twoFactorSecretContext = (userId: number) => `users/${userId}/two-factor`

/**
 * Accepts a verification code or a scratch code of the user, each only once: the step of a code, or the scratch code itself,
 * is used up in the same transaction.
 */
export async function acceptCode(trx: Trx, userId: number, code: string): Promise<boolean> {
  const digits = code.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits)) return acceptAuthenticatorCode(trx, userId, digits)
  return /^\d{8}$/.test(digits) && acceptScratchCode(trx, userId, digits)
}

async function acceptAuthenticatorCode(trx: Trx, userId: number, token: string): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['two_factor_secret', 'two_factor_step'])
    .executeTakeFirst()
  if (!user?.two_factor_secret) return false
  const secret = decrypt(user.two_factor_secret, twoFactorSecretContext(userId))
  const result = verifySync({ strategy: 'totp', secret, token, period: PERIOD, epochTolerance: PERIOD })
  if (!result.valid || !('timeStep' in result)) return false
  const step = result.timeStep
  if (step <= user.two_factor_step) return false
  await trx.updateTable('users').set({ two_factor_step: step }).where('id', '=', userId).execute()
  return true
}

async function acceptScratchCode(trx: Trx, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('scratch_codes')
    .where('user_id', '=', userId)
    .where('code_hash', 'in', possibleHashes(userId, code))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const newScratchCodes = (): string[] =>
  Array.from({ length: SCRATCH_CODES }, () => String(randomInt(100_000_000)).padStart(8, '0'))

/** Turns two factor on at once. The credentials are shown this one time. */
export async function enableTwoFactor(
  trx: Trx,
  user: { id: number; nick: string },
  type: string,
): Promise<TwoFactorCredentials> {
  const provider = twoFactorProviders.find((name) => name === type)
  if (!provider) throw new ApiError('2FA-2')
  if (provider === 'EMAIL') throw new ApiError('2FA-3')
  const secret = generateSecret({ length: 20 })
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({
      two_factor_provider: provider,
      two_factor_secret: encrypt(secret, twoFactorSecretContext(user.id)),
      two_factor_step: 0,
    })
    .where('id', '=', user.id)
    .where('two_factor_provider', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ApiError('2FA-1')
  const scratchCodes = newScratchCodes()
  await trx
    .insertInto('scratch_codes')
    .values(scratchCodes.map((code) => ({ user_id: user.id, code_hash: hashCode(user.id, code) })))
    .execute()
  return { links: [], provider, authenticatorURL: authenticatorUrl(user.nick, secret), scratchCodes }
}

function authenticatorUrl(nick: string, secret: string): string {
  const issuer = encodeURIComponent(env().TWO_FACTOR_ISSUER)
  return `otpauth://totp/${issuer}:${encodeURIComponent(nick)}?secret=${secret}&issuer=${issuer}&digits=6&period=${PERIOD}`
}

export async function disableTwoFactor(trx: Trx, userId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ two_factor_provider: null, two_factor_secret: null, two_factor_step: 0 })
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('scratch_codes').where('user_id', '=', userId).execute()
}

export type TwoFactorState = { provider: string | null; scratchCodesLeft: number }

export async function twoFactorState(userId: number): Promise<TwoFactorState> {
  const { read } = database()
  const user = await read
    .selectFrom('users')
    .where('id', '=', userId)
    .select('two_factor_provider')
    .executeTakeFirst()
  const codes = await read
    .selectFrom('scratch_codes')
    .where('user_id', '=', userId)
    .select((select) => select.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  return { provider: user?.two_factor_provider ?? null, scratchCodesLeft: Number(codes.left) }
}

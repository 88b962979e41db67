import { generateSecret } from 'otplib'
import { isUnproved } from '#lib/caller/auth/caller.server'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import {
  type TwoFactorCredentials,
  type TwoFactorProvider,
  twoFactorProviders,
} from '#lib/caller/auth/session.schema'
import type { Session } from '#lib/caller/auth/tokens.server'
import { database, type Trx } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { ApiError } from '#lib/ground/http/errors'
import { encrypt } from '#lib/ground/keys/keys.server'
import {
  PERIOD,
  renewScratchCodes,
  scratchCodesLeft,
  twoFactorSecretContext,
} from '#lib/people/sign-in/two-factor-codes.server'
import { isMailAddress, sendsMail } from '#lib/record/mail/outbox.server'

/** The providers that this installation supports: mail needs a mail server. */
export const offeredProviders = (): TwoFactorProvider[] =>
  sendsMail() ? [...twoFactorProviders] : ['APP_AUTHENTICATOR']

type Enabling = { user: { id: number; nick: string }; type: string; session: Session; inConsole: boolean }

/**
 * Enables two factor at once. The credentials are shown only once. Until a code is verified, this session can undo the enrolment, and an
 * enrolment of the console can start over there, with a new secret.
 */
export async function enableTwoFactor(
  trx: Trx,
  { user, type, session, inConsole }: Enabling,
): Promise<TwoFactorCredentials> {
  const provider = twoFactorProviders.find((name) => name === type)
  if (!provider) throw new ApiError('2FA-2')
  if (!offeredProviders().includes(provider)) throw new ApiError('2FA-3')
  const before = await trx
    .selectFrom('users')
    .where('id', '=', user.id)
    .select(['email', 'two_factor_provider', 'two_factor_began_by', 'two_factor_in_console'])
    .executeTakeFirstOrThrow()
  if (provider === 'EMAIL' && !isMailAddress(before.email)) throw new ApiError('2FA-5')
  if (before.two_factor_provider !== null) {
    if (!inConsole || !isUnproved(before)) throw new ApiError('2FA-1')
    await disableTwoFactor(trx, user.id)
  }
  const secret = generateSecret({ length: 20 })
  await setCredentials(trx, user.id, {
    two_factor_provider: provider,
    two_factor_secret: provider === 'EMAIL' ? null : encrypt(secret, twoFactorSecretContext(user.id)),
    two_factor_step: 0,
    two_factor_began_by: session.id,
    two_factor_in_console: inConsole ? 1 : 0,
  })
  const scratchCodes = await renewScratchCodes(trx, user.id)
  const { PRODUCT_NAME, TWO_FACTOR_ISSUER } = env()
  const authenticatorURL = authenticatorUrl(inConsole ? PRODUCT_NAME : TWO_FACTOR_ISSUER, user.nick, secret)
  return { links: [], provider, ...(provider !== 'EMAIL' && { authenticatorURL }), scratchCodes }
}

function authenticatorUrl(name: string, nick: string, secret: string): string {
  const issuer = encodeURIComponent(name)
  return `otpauth://totp/${issuer}:${encodeURIComponent(nick)}?secret=${secret}&issuer=${issuer}&digits=6&period=${PERIOD}`
}

const codeTables = ['scratch_codes', 'mailed_codes', 'refused_steps', 'two_factor_resets'] as const

export async function disableTwoFactor(trx: Trx, userId: number): Promise<void> {
  await setCredentials(trx, userId, {
    two_factor_provider: null,
    two_factor_secret: null,
    two_factor_step: 0,
    two_factor_began_by: null,
    two_factor_in_console: 0,
  })
  for (const table of codeTables) await trx.deleteFrom(table).where('user_id', '=', userId).execute()
}

/** Deletes the sign-in data of a user who is about to be deleted. */
export async function forgetSignInOf(trx: Trx, userId: number): Promise<void> {
  for (const table of [
    ...codeTables,
    'passkeys',
    'sessions',
    'session_providers',
    'password_resets',
    'sign_in_places',
    'user_identities',
  ] as const)
    await trx.deleteFrom(table).where('user_id', '=', userId).execute()
  await trx.deleteFrom('two_factor_resets').where('requested_by', '=', userId).execute()
}

type TwoFactorState = {
  provider: TwoFactorProvider | undefined
  scratchCodesLeft: number
  /** The session that enabled two factor, until a code is verified. */
  beganBy: string | null
  /** It was enabled in the console and no code was verified. */
  isUnproved: boolean
}

export async function twoFactorState(userId: number): Promise<TwoFactorState> {
  const user = await database()
    .read.selectFrom('users')
    .where('id', '=', userId)
    .select(['two_factor_provider', 'two_factor_began_by', 'two_factor_in_console'])
    .executeTakeFirst()
  return {
    provider: twoFactorProviders.find((name) => name === user?.two_factor_provider),
    scratchCodesLeft: await scratchCodesLeft(userId),
    beganBy: user?.two_factor_began_by ?? null,
    isUnproved: user !== undefined && isUnproved(user),
  }
}

import { isIP } from 'node:net'
import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import { isAllowedFrom } from '#lib/caller/auth/allowed-addresses.server'
import { type Account, accountById } from '#lib/caller/auth/caller.server'
import { isOidcOn, isPasswordOn, isSamlOn } from '#lib/caller/auth/modes.server'
import type { PasskeyAssertion, PasskeyInput } from '#lib/caller/auth/passkey.schema'
import type { Caller } from '#lib/caller/auth/privileges'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import type { Tables } from '#lib/db/tables.server'
import { insertRow, unlessTaken } from '#lib/db/unique.server'
import { env } from '#lib/ground/env.server'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf, isForKnownHost } from '#lib/ground/http/origin.server'
import { log } from '#lib/ground/log.server'
import {
  browserOf,
  CHALLENGE_LIFE,
  knownBrowser,
  newChallenge,
  takeChallenge,
} from '#lib/people/sign-in/passkey-challenges.server'
import {
  recordRefusedSignIn,
  recordSignIn,
  type SignInRefusal,
} from '#lib/people/sign-in/sign-in-events.server'
import { checkAttempt } from '#lib/people/sign-in/throttle.server'

/** Loaded at first use: it is a fourth of all modules, and few processes check a passkey. */
const webauthn = () => import('@simplewebauthn/server')

/* Passkeys (WebAuthn level 3). All of them are discoverable and verify their user, so that each replaces password and code. */

const siteOf = (request: Exchange) => {
  const { hostname, origin } = new URL(baseOf(request))
  return { id: hostname, origin }
}

/**
 * With an identity provider, passkeys are up to the provider. WebAuthn §5.1.2: an RP id is a domain, so there are none at an IP address.
 * Nor are there any under an unknown Host, which would become the RP id.
 */
export const offersPasskeys = (request: Exchange): boolean =>
  isPasswordOn() &&
  !isOidcOn() &&
  !isSamlOn() &&
  isForKnownHost(request) &&
  isIP(siteOf(request).id.replace(/^\[|\]$/g, '')) === 0

/** Throws PASSKEY-4. */
export function requirePasskeys(request: Exchange): void {
  if (!offersPasskeys(request)) throw new ApiError('PASSKEY-4')
}

/** The id of the user for authenticators. It is no secret, and the same for all passkeys of the user (WebAuthn §5.4.3). */
const handleOf = (userId: number): Buffer => Buffer.from(`user ${userId}`)

const LIMIT = 20

/** EdDSA, ES256 and RS256. Node's ML-DSA is experimental. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** The options to register a passkey. `holder`: the session or the link for which their challenge is. Throws PASSKEY-5. */
export async function registrationOptions(
  request: Exchange,
  caller: Pick<Caller, 'id' | 'nick'>,
  holder: string,
) {
  const { generateRegistrationOptions } = await webauthn()
  const { id: rpID } = siteOf(request)
  const known = await database()
    .read.selectFrom('passkeys')
    .where('user_id', '=', caller.id)
    .select(['credential_id as id', 'transports', 'rp_id'])
    .execute()
  if (known.length >= LIMIT) throw new ApiError('PASSKEY-5')
  const { challenge, rp, user, pubKeyCredParams, excludeCredentials } = await generateRegistrationOptions({
    rpName: env().PRODUCT_NAME,
    rpID,
    userName: caller.nick,
    userDisplayName: caller.nick,
    userID: new Uint8Array(handleOf(caller.id)),
    challenge: new Uint8Array(newChallenge({ purpose: 'create', holder })),
    supportedAlgorithmIDs,
    excludeCredentials: known
      .filter((passkey) => isOfSite(passkey, rpID))
      .map(({ id, transports }) => ({ id, transports: listIn(transports) })),
  })
  return {
    links: [],
    challenge,
    timeout: CHALLENGE_LIFE,
    rp: { id: rpID, name: rp.name },
    user,
    pubKeyCredParams,
    excludeCredentials,
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/** Whether the passkey may be one of this site. Verification decides for one whose site is not known yet. */
const isOfSite = ({ rp_id }: Pick<Passkey, 'rp_id'>, site: string): boolean =>
  rp_id === null || rp_id === site

const listIn = (json: string): string[] => JSON.parse(json) as string[]

type NewPasskey = Omit<Selectable<Tables['passkeys']>, 'id' | 'user_id' | 'name' | 'name_key' | 'last_used'>

type Registering = { request: Exchange; holder: string; response: PasskeyInput['response'] }

/** Checks the answer of an authenticator to `registrationOptions`, which uses up the challenge. Undefined if it is invalid. */
export async function readRegistration(
  trx: Trx,
  { request, holder, response }: Registering,
): Promise<NewPasskey | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = siteOf(request)
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo: found } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} } as Parameters<
      typeof verifyRegistrationResponse
    >[0]['response'],
    expectedChallenge: (challenge) =>
      takeChallenge({ purpose: 'create', holder }, challenge, (work) => work(trx)),
    expectedOrigin,
    expectedRPID,
    supportedAlgorithmIDs,
    requireUserVerification: true,
  }).catch(refusedAs({ registrationInfo: undefined }))
  if (!found) return undefined
  const { credential, credentialDeviceType, credentialBackedUp } = found
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(response.response.transports ?? []),
    multi_device: credentialDeviceType === 'multiDevice' ? 1 : 0,
    backed_up: credentialBackedUp ? 1 : 0,
    created_at: Date.now(),
    rp_id: expectedRPID,
  }
}

/** The library throws at whatever is wrong with an answer. */
const refusedAs =
  <T>(refused: T) =>
  (err: unknown): T => {
    log().info({ err }, 'the answer of a passkey was refused')
    return refused
  }

/** Throws PASSKEY-1, PASSKEY-3, PASSKEY-5. */
export async function insertPasskey(
  trx: Trx,
  passkey: NewPasskey & { user_id: number; name: string },
): Promise<number> {
  const { user_id, name, credential_id } = passkey
  const registered = await trx
    .selectFrom('passkeys')
    .where('credential_id', '=', credential_id)
    .select('id')
    .executeTakeFirst()
  if (registered) throw new ApiError('PASSKEY-3')
  return unlessTaken(
    'passkeys',
    'PASSKEY-1',
    insertRow(trx, 'passkeys', { ...passkey, user_id, name_key: fold(name), last_used: null }),
  )
}

/** Throws PASSKEY-1. */
export const renamePasskey = (trx: Trx, id: number, name: string): Promise<unknown> =>
  unlessTaken(
    'passkeys',
    'PASSKEY-1',
    trx
      .updateTable('passkeys')
      .set({ name, name_key: fold(name) })
      .where('id', '=', id)
      .execute(),
  )

export const removePasskey = (trx: Trx, id: number): Promise<unknown> =>
  trx.deleteFrom('passkeys').where('id', '=', id).execute()

/** Ends all passkeys of a user for good: the user is disabled, or has lost the second factor. */
export const endPasskeysOf = (trx: Trx, userId: number): Promise<unknown> =>
  trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()

/** The options to use a passkey. They are the same for every nick: authenticators find their passkeys by the RP id. */
export function requestOptions(request: Exchange, headers: AnswerHeaders, besidePassword: boolean) {
  const challenge = newChallenge({ purpose: 'get', holder: knownBrowser(request, headers) })
  return {
    links: [],
    challenge: challenge.toString('base64url'),
    timeout: CHALLENGE_LIFE,
    rpId: siteOf(request).id,
    userVerification: besidePassword ? 'preferred' : 'required',
  }
}

const passkeyWith = (credential: string) =>
  database()
    .read.selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .where('passkeys.credential_id', '=', credential)
    .selectAll('passkeys')
    .select('users.nick')
    .executeTakeFirst()

type Passkey = NonNullable<Awaited<ReturnType<typeof passkeyWith>>>

/** `besidePassword`: the password has been checked, so that the passkey is a second factor and need not verify its user. */
type Presented = { request: Exchange; assertion: PasskeyAssertion; besidePassword: boolean }

/** WebAuthn §7.2. Returns the data to store, or undefined if the answer is invalid. Uses up the challenge. */
async function verify({ request, assertion, besidePassword }: Presented, passkey: Passkey) {
  const { userHandle } = assertion.response
  const isOwner = userHandle ? userHandle === handleOf(passkey.user_id).toString('base64url') : besidePassword
  const { id: expectedRPID, origin: expectedOrigin } = siteOf(request)
  if (!isOfSite(passkey, expectedRPID)) return undefined
  const credential: WebAuthnCredential = {
    id: passkey.credential_id,
    publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
    counter: passkey.counter,
  }
  const { userHandle: _handle, ...response } = assertion.response
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo: found } = await verifyAuthenticationResponse({
    response: { ...assertion, response, clientExtensionResults: {} },
    expectedChallenge: (challenge) =>
      takeChallenge({ purpose: 'get', holder: browserOf(request) }, challenge),
    expectedOrigin,
    expectedRPID,
    credential,
    requireUserVerification: !besidePassword,
  }).catch(refusedAs({ verified: false, authenticationInfo: undefined }))
  // §7.2 step 20: whether a passkey can be backed up never changes.
  const isKind = (found?.credentialDeviceType === 'multiDevice') === (passkey.multi_device === 1)
  if (!verified || !found || !isOwner || !isKind) return undefined
  const backed_up = found.credentialBackedUp ? (1 as const) : (0 as const)
  return { counter: found.newCounter, backed_up, rp_id: expectedRPID }
}

type Used = Pick<Passkey, 'counter' | 'backed_up' | 'rp_id'>

/** Stores the use. False if the passkey was removed meanwhile, or another use came in between with its counter. */
async function recordUse(trx: Trx, { id, counter }: Passkey, found: Used) {
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ ...found, last_used: Date.now() })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Then = (trx: Trx, account: Account) => Promise<void>

/**
 * The only way to check a passkey, so that each attempt is counted: like a wrong code of its user, or like a wrong password of an unknown
 * nick. `owner`: the user whose passkey it must be. `then` runs in the transaction that stores the use. Returns the account, or why it was refused.
 * Throws TooManyAttempts.
 */
async function attemptPasskey(
  presented: Presented & { owner: number | undefined },
  then: Then,
): Promise<Account | { refused: SignInRefusal; nick: string }> {
  const { request, assertion, owner } = presented
  const passkey = await passkeyWith(assertion.id)
  const found: { account?: Account; refused: SignInRefusal } = { refused: 'passkey' }
  const attempt = passkey
    ? { kind: 'code' as const, nick: passkey.nick, userId: passkey.user_id }
    : { kind: 'password' as const, nick: assertion.id, userId: undefined }
  await checkAttempt({ ...attempt, request }, async () => {
    const result = passkey && (await verify(presented, passkey))
    if (!result || (owner !== undefined && owner !== passkey.user_id)) return false
    // Read after the wait, because the user may have been locked meanwhile.
    const account = await accountById(passkey.user_id)
    if (!account || account.auth_type === 'SERVICE') return false
    if (!isAllowedFrom(account, request)) {
      found.refused = 'address'
      return false
    }
    const isStored = await transaction(async (trx) => {
      const stored = await recordUse(trx, passkey, result)
      if (stored) await then(trx, account)
      return stored
    })
    if (isStored) found.account = account
    return isStored
  })
  // An unknown credential is not a nick, although it may look like one.
  return found.account ?? { refused: found.refused, nick: passkey?.nick ?? '' }
}

/**
 * Signs in with a passkey, alone or beside a checked password of `owner`, and records it. Undefined if it was refused. Throws
 * TooManyAttempts, PASSKEY-4.
 */
export async function signInWithPasskey(
  request: Exchange,
  assertion: PasskeyAssertion,
  owner?: number,
): Promise<Account | undefined> {
  requirePasskeys(request)
  const besidePassword = owner !== undefined
  const factors = besidePassword ? 'password, passkey' : 'passkey'
  const result = await attemptPasskey({ request, assertion, owner, besidePassword }, (trx, account) =>
    recordSignIn(trx, { request, account, factors }),
  )
  if ('id' in result) return result
  await recordRefusedSignIn(request, result.nick, result.refused)
  return undefined
}

/** Whether the caller proves their identity with one of their passkeys. Throws TooManyAttempts, PASSKEY-4. */
export async function proveWithPasskey(
  request: Exchange,
  caller: Pick<Caller, 'id'>,
  assertion: PasskeyAssertion,
): Promise<boolean> {
  requirePasskeys(request)
  const presented = { request, assertion, owner: caller.id, besidePassword: false }
  return 'id' in (await attemptPasskey(presented, async () => {}))
}

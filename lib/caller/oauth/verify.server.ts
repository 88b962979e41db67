import { createHash } from 'node:crypto'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import { secretOfApplication } from '#lib/caller/oauth/applications.server'
import { recordFailure } from '#lib/caller/oauth/failures.server'
import {
  isOAuthHeader,
  type Parameter,
  readAuthorization,
  readForm,
  signatureBase,
} from '#lib/caller/oauth/parameters.server'
import {
  isHashOf,
  isSignedBy,
  type SignatureMethod,
  signatureMethods,
} from '#lib/caller/oauth/signatures.server'
import { database, transaction } from '#lib/db/db.server'
import { isDuplicate } from '#lib/db/dialect.server'
import { bytesOf } from '#lib/ground/http/body.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf, isSecure } from '#lib/ground/http/origin.server'
import { urlOf } from '#lib/ground/http/route.server'

/* Verifies signed requests (RFC 5849 §3.2). */

type Signed = {
  /** All signed parameters, from the header, the query and a form. */
  parameters: Parameter[]
  /** The parameters of the protocol, each of which occurs once. */
  oauth: Map<string, string>
}

const malformed = (message: string): ApiError => new ApiError(fault('OAUTH-0', message))
const refused = (): Unauthorized => new Unauthorized({ schemes: ['OAuth'] })

const isForm = (request: Exchange): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? '')

/** The parameters of a request, signed or not. Throws OAUTH-0 if they are malformed. */
export async function readParameters(request: Exchange): Promise<Parameter[]> {
  const header = request.headers.get('authorization')
  const fromHeader = isOAuthHeader(header) ? readAuthorization(header) : []
  if (!fromHeader) throw malformed('The Authorization header cannot be read')
  const fromBody = isForm(request) ? readForm((await bytesOf(request)).toString('utf8')) : []
  return [...fromHeader, ...readForm(urlOf(request).search.slice(1)), ...fromBody]
}

/** Whether the request claims to be signed: by its header, or by a signature in its query (RFC 5849 §3.5). */
export const isSigned = (request: Exchange): boolean => {
  const header = request.headers.get('authorization')
  return isOAuthHeader(header) || (header === null && urlOf(request).searchParams.has('oauth_signature'))
}

/** Throws OAUTH-0 if a parameter of the protocol occurs twice, or the version is unknown. */
export async function readSigned(request: Exchange): Promise<Signed> {
  const parameters = await readParameters(request)
  const oauth = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (!name.startsWith('oauth_')) continue
    if (oauth.has(name)) throw malformed(`${name} is sent twice`)
    oauth.set(name, value)
  }
  // Some clients send the revision, 1.0a.
  if (!/^1\.0a?$/i.test(oauth.get('oauth_version') ?? '1.0')) throw malformed('oauth_version must be 1.0')
  return { parameters, oauth }
}

export function required({ oauth }: Signed, name: string): string {
  const value = oauth.get(name)
  if (!value) throw malformed(`${name} is missing`)
  return value
}

const MINUTE = 60
const SECOND = 1000
/** RFC 5849 §3.3: the tolerance of timestamps, and how long nonces must therefore be remembered. */
const TOLERANCE = 5 * MINUTE
const NONCES = 2 * TOLERANCE * SECOND

type Application = NonNullable<Awaited<ReturnType<typeof applicationOf>>>

/** The application with this consumer key, its user and its keys. */
const applicationOf = (key: string) =>
  key.includes('\0')
    ? Promise.resolve(undefined)
    : database()
        .read.selectFrom('applications')
        .where('api_key', '=', key)
        .select(['id', 'user_id', 'name', 'api_secret', 'public_key'])
        .executeTakeFirst()

/**
 * Throws unless the signature is correct, recent and used for the first time. `tokenSecretOf` returns the secret of the application's
 * token, or undefined if there is no such token.
 */
export async function verifySigned(
  request: Exchange,
  signed: Signed,
  tokenSecretOf: (application: Application) => Promise<string | undefined>,
): Promise<Application> {
  const method = methodOf(signed)
  const key = required(signed, 'oauth_consumer_key')
  const signature = required(signed, 'oauth_signature')
  const offset = clockOffset(signed, method)
  const application = await applicationOf(key)
  const token = application && (await tokenSecretOf(application))
  if (!application || token === undefined) throw refused()
  if (method === 'PLAINTEXT' && !isSecure(request)) throw refused()
  const { pathname } = urlOf(request)
  const base = signatureBase(request.method, baseOf(request) + pathname, signed.parameters)
  const consumer = secretOfApplication(application)
  const secrets = { consumer, token, publicKey: application.public_key }
  if (Math.abs(offset) > TOLERANCE || !isSignedBy(secrets, { method, signature, base })) {
    await recordFailure({ application: application.id, method, base, offset })
    throw refused()
  }
  await requireBody(request, signed)
  await consumeNonce(signed, method)
  return application
}

function methodOf(signed: Signed): SignatureMethod {
  const name = required(signed, 'oauth_signature_method')
  const method = signatureMethods.find((known) => known === name)
  if (!method) throw malformed(`oauth_signature_method must be one of ${signatureMethods.join(', ')}`)
  return method
}

/** Seconds by which the client's clock is ahead. PLAINTEXT signatures may omit the timestamp (RFC 5849 §3.1). */
function clockOffset(signed: Signed, method: SignatureMethod): number {
  if (method === 'PLAINTEXT' && !signed.oauth.has('oauth_timestamp')) return 0
  const timestamp = required(signed, 'oauth_timestamp')
  if (!/^\d{1,12}$/.test(timestamp)) throw malformed('oauth_timestamp must be a number of seconds')
  return Number(timestamp) - Math.floor(Date.now() / SECOND)
}

async function requireBody(request: Exchange, { oauth }: Signed): Promise<void> {
  const hash = oauth.get('oauth_body_hash')
  if (hash === undefined) return
  if (isForm(request)) throw malformed('oauth_body_hash is not allowed with a form')
  if (!isHashOf(await bytesOf(request), hash)) throw refused()
}

/** A nonce is valid once per consumer, token and timestamp. The database decides between concurrent requests. */
async function consumeNonce({ oauth }: Signed, method: SignatureMethod): Promise<void> {
  if (method === 'PLAINTEXT' && !oauth.has('oauth_nonce')) return
  const parts = ['oauth_consumer_key', 'oauth_token', 'oauth_timestamp', 'oauth_nonce']
  if (!oauth.get('oauth_nonce')) throw malformed('oauth_nonce is missing')
  const nonce = createHash('sha256')
    .update(JSON.stringify(parts.map((name) => oauth.get(name) ?? '')))
    .digest('base64url')
  try {
    await transaction((trx) =>
      trx
        .insertInto('oauth_nonces')
        .values({ nonce, expires_at: Date.now() + NONCES })
        .execute(),
    )
  } catch (error) {
    if (isDuplicate(error, 'oauth_nonces')) throw refused()
    throw error
  }
}

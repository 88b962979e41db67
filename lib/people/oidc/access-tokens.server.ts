import { createHash } from 'node:crypto'
import { decodeProtectedHeader, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { fetchUserInfo, type IntrospectionResponse, tokenIntrospection } from 'openid-client'
import { env } from '#lib/ground/env.server'
import type { Person } from '#lib/people/federation/people.server'
import { type Claims, nickIn } from '#lib/people/oidc/claims.server'
import { isOutOfReach } from '#lib/people/oidc/failure.server'
import { isAhead, verifyJwt } from '#lib/people/oidc/jwt.server'
import { CLOCK_SKEW, knownProvider, type Provider, spaceOfSubjects } from '#lib/people/oidc/provider.server'
import { refusalOf, TokenRefused } from '#lib/people/oidc/refused-token.server'

/* Access tokens of the provider, sent by programs. JWTs are verified here; other tokens are introspected at the provider. */

/** How long an answer of the provider is cached (ms). A revoked token may work for this long. */
const CACHED_FOR = 30_000

/** The user of a token. `subject`: their permanent id at the provider. */
type Named = { nick: string; subject: string }

type Answer = Named | TokenRefused

type ReadContext = { answer: Answer; expires: number | undefined }

const answers = new LRUCache<string, Answer, () => Promise<ReadContext>>({
  max: 10_000,
  perf: { now: () => Date.now() },
  fetchMethod: async (_key, _stale, { context, options }) => {
    const { answer, expires } = await context()
    const left = expires === undefined ? CACHED_FOR : (expires + CLOCK_SKEW) * 1000 - Date.now()
    options.ttl = Math.max(1, Math.min(CACHED_FOR, left))
    return answer
  },
})

/** The audience of access tokens. */
const audienceOf = (): string => env().OIDC_AUDIENCE ?? env().OIDC_CLIENT_ID ?? ''

/** The cache key: a hash of the token and of the settings that it was checked with. */
function keyOf(token: string): string {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_USER_CLAIM } = env()
  const parts = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_USER_CLAIM, audienceOf(), token]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

const isJwt = (token: string): boolean => {
  try {
    return token.split('.').length === 3 && typeof decodeProtectedHeader(token).alg === 'string'
  } catch {
    return false
  }
}

/** The claims of a JWT. Throws TokenRefused unless it is a valid access token for us. */
async function claimsOfJwt(token: string, provider: Provider): Promise<Claims> {
  const { payload, protectedHeader } = await verifyJwt(token, provider, audienceOf()).catch((error) => {
    throw refusalOf(error) ?? error
  })
  requireAccessToken(protectedHeader, payload)
  requireUnbound(payload)
  return payload
}

/*
 * An ID token is signed by the same keys as an access token, names the same user, and may leak through URLs and logs: it must not
 * authenticate here. Providers mark access tokens in different ways: RFC 9068 by the header `typ: at+jwt`; Keycloak by the claim `typ` (Bearer, ID,
 * Refresh), Cognito by `token_use` (access, id), both beside `typ: JWT`; Entra ID, Okta and Auth0 only by the other claims.
 */

const isNamedBearer = (type: unknown): boolean => typeof type === 'string' && type.toLowerCase() === 'bearer'

/** Claims of ID tokens alone: OpenID Connect Core §2 and §3.3.2.11, FAPI. `events` is of logout tokens (Back-Channel Logout 1.0 §2.4). */
const CLAIMS_OF_OTHERS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events']

/** Scope and client: RFC 9068 §2.2, `scp` and `cid` of Okta, `scp` and `appid` of Entra ID. ID tokens have neither. */
const CLAIMS_OF_ACCESS = ['scope', 'scp', 'client_id', 'cid', 'appid']

/** Whether the token is marked as an access token; undefined if it has no mark. */
function isMarkedAccess({ typ }: JWTHeaderParameters, payload: JWTPayload): boolean | undefined {
  const type = (typ ?? 'jwt').toLowerCase().replace(/^application\//, '')
  if (type !== 'jwt') return type === 'at+jwt'
  if (payload.typ !== undefined) return isNamedBearer(payload.typ)
  if (payload.token_use !== undefined) return payload.token_use === 'access'
  return undefined
}

/**
 * Throws TokenRefused unless a verified JWT is an access token. An audience other than our client id is enough, because the audience of
 * ID tokens is the client. Otherwise the claims must show an access token.
 */
function requireAccessToken(header: JWTHeaderParameters, payload: JWTPayload): void {
  const marked = isMarkedAccess(header, payload)
  const { OIDC_AUDIENCE, OIDC_CLIENT_ID } = env()
  const isOwnAudience = OIDC_AUDIENCE !== undefined && OIDC_AUDIENCE !== OIDC_CLIENT_ID
  const looksLikeAccess =
    CLAIMS_OF_ACCESS.some((name) => name in payload) && !CLAIMS_OF_OTHERS.some((name) => name in payload)
  if (!(marked ?? (isOwnAudience || looksLikeAccess)))
    throw new TokenRefused('not an access token', header.typ === undefined ? payload.typ : header.typ)
}

/** A token bound to a key requires a proof of that key, which is not supported (RFC 9449 §7.2, RFC 8705 §3). */
function requireUnbound({ cnf }: Claims): void {
  if (cnf !== undefined) throw new TokenRefused('bound to a key')
}

/** Throws TokenRefused unless the token is active and for us (RFC 7662 §2.2). */
function requireGood(answer: IntrospectionResponse, issuer: string): void {
  const { active, aud, client_id: client, iss, token_type: type, typ, exp, nbf, iat } = answer
  if (!active) throw new TokenRefused('inactive at introspection')
  requireUnbound(answer)
  if (iss !== undefined && iss !== issuer) throw new TokenRefused('issuer', iss)
  if ([type, typ].some((name) => name !== undefined && !isNamedBearer(name)))
    throw new TokenRefused('not an access token', type ?? typ)
  // Without an audience, the token must have been issued to our client.
  const isForUs =
    aud === undefined
      ? client === undefined || client === env().OIDC_CLIENT_ID
      : [aud].flat().includes(audienceOf())
  if (!isForUs) throw new TokenRefused('audience', aud ?? client)
  if (exp !== undefined && (exp + CLOCK_SKEW) * 1000 <= Date.now()) throw new TokenRefused('expired')
  if (isAhead(nbf)) throw new TokenRefused('not yet valid', nbf)
  if (isAhead(iat)) throw new TokenRefused('issued in the future', iat)
}

/** The claims of an opaque token. Throws TokenRefused if the token is invalid. */
async function claimsOfOpaque(token: string, { config }: Provider): Promise<Claims> {
  const { introspection_endpoint: endpoint, issuer } = config.serverMetadata()
  if (!endpoint) throw new TokenRefused('no introspection')
  const answer = await tokenIntrospection(config, token, { token_type_hint: 'access_token' })
  requireGood(answer, issuer)
  return answer
}

/** The nick in the claims, or else in the userinfo. */
async function nickBehind(claims: Claims, token: string, { config }: Provider): Promise<string | undefined> {
  const nick = nickIn(claims)
  const { sub } = claims
  if (nick !== undefined || typeof sub !== 'string') return nick
  if (!config.serverMetadata().userinfo_endpoint) return undefined
  try {
    return nickIn(await fetchUserInfo(config, token, sub))
  } catch (error) {
    if (isOutOfReach(error)) throw error
    // The token is for another audience, or the userinfo are of another subject.
    return undefined
  }
}

/** A user is bound to the subject (RFC 9068 §2.2); the nick finds them once. */
const bearerIn = ({ sub: subject }: Claims, nick = ''): Answer =>
  typeof subject === 'string' ? { nick, subject } : new TokenRefused('no subject')

/** Asks the provider about an opaque token, or a JWT without the nick. */
async function lookUp(token: string, provider: Provider, known: Claims | undefined): Promise<ReadContext> {
  try {
    const claims = known ?? (await claimsOfOpaque(token, provider))
    const expires = typeof claims.exp === 'number' ? claims.exp : undefined
    const nick = await nickBehind(claims, token, provider)
    // Introspection may not distinguish a refresh token from an access token; only the latter names its user.
    if (!known && nick === undefined) throw new TokenRefused('no claim names the user')
    return { answer: bearerIn(claims, nick), expires }
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    return { answer: error, expires: undefined }
  }
}

/** The user of an access token. Throws TokenRefused if the token is invalid, and other errors if the provider cannot be reached. */
export async function readAccessToken(token: string): Promise<Person> {
  // RFC 6750 §2.1.
  if (!/^[\w.~+/-]{1,16384}=*$/.test(token)) throw new TokenRefused('malformed')
  const provider = await knownProvider()
  const claims = isJwt(token) ? await claimsOfJwt(token, provider) : undefined
  const nick = claims && nickIn(claims)
  const answer =
    claims && nick !== undefined
      ? bearerIn(claims, nick)
      : await answers.fetch(keyOf(token), { context: () => lookUp(token, provider, claims) })
  if (!answer || answer instanceof TokenRefused) throw answer ?? new TokenRefused('malformed')
  const issuer = spaceOfSubjects(provider, audienceOf())
  return { provider: 'OPENID', issuer, ...answer, link: env().OIDC_LINK_EXISTING }
}

import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { fetchUserInfo, type IntrospectionResponse, tokenIntrospection } from 'openid-client'
import { env } from '#lib/env.server'
import { type Claims, nickIn } from '#lib/oidc/claims.server'
import { isOutOfReach } from '#lib/oidc/failure.server'
import { verifyJwt } from '#lib/oidc/jwt.server'
import { CLOCK_SKEW, knownProvider, type Provider } from '#lib/oidc/provider.server'

/* Access tokens of the provider that programs bring: a JWT is verified here, any other is asked about. */

/** For how long an answer of the provider counts: a token that was revoked there opens nothing for longer. */
const REMEMBERED = 30_000

/** Whom a token names; undefined: nobody, or it is no good. */
type Answer = { nick: string | undefined }

const answers = new LRUCache<string, Answer, () => Promise<Answer & { expires?: number }>>({
  max: 10_000,
  perf: { now: () => Date.now() },
  fetchMethod: async (_key, _stale, { context, options }) => {
    const { nick, expires } = await context()
    const left = expires === undefined ? REMEMBERED : (expires + CLOCK_SKEW) * 1000 - Date.now()
    options.ttl = Math.max(1, Math.min(REMEMBERED, left))
    return { nick }
  },
})

const audienceOf = (): string => env().OIDC_AUDIENCE ?? env().OIDC_CLIENT_ID ?? ''

/** Tokens are remembered by their hash, and by what they were judged with. */
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

/** The provider's keys could not be had: the token may be good nevertheless. */
const isKeyTrouble = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === errors.JOSEError.code

const isNamedBearer = (type: unknown): boolean => typeof type === 'string' && type.toLowerCase() === 'bearer'

/**
 * Whether a JWT that the provider has signed for us is an access token: an ID token names the same audience, but travels in addresses,
 * and only what says so by its type is beyond doubt (RFC 9068 §2.1). Keycloak names the kind in the payload.
 */
function isAccessToken({ typ }: { typ?: string | undefined }, payload: JWTPayload): boolean {
  const type = (typ ?? 'jwt').toLowerCase().replace(/^application\//, '')
  if (type === 'at+jwt') return true
  if (type !== 'jwt') return false
  if (payload.typ !== undefined) return isNamedBearer(payload.typ)
  return !('nonce' in payload || 'at_hash' in payload || 'events' in payload)
}

/** The claims of a JWT, or undefined where it is no access token of the provider for us, or not any more. */
async function claimsOfJwt(token: string, provider: Provider): Promise<Claims | undefined> {
  try {
    const { payload, protectedHeader } = await verifyJwt(token, provider, audienceOf())
    return isAccessToken(protectedHeader, payload) && !isBound(payload) ? payload : undefined
  } catch (error) {
    if (isKeyTrouble(error)) throw error
    return undefined
  }
}

/** A token that is bound to a key proves nothing without it (RFC 9449 §7.2, RFC 8705 §3). */
const isBound = ({ cnf }: Claims): boolean => cnf !== undefined

/** Whether the provider says that the token is good, and for us: for our audience, or given to ourselves (RFC 7662 §2.2). */
function isForUs(answer: IntrospectionResponse, issuer: string): boolean {
  const { active, aud, client_id: client, iss, token_type: type, typ } = answer
  if (!active || isBound(answer) || (iss !== undefined && iss !== issuer)) return false
  if ([type, typ].some((name) => name !== undefined && !isNamedBearer(name))) return false
  if (aud !== undefined) return [aud].flat().includes(audienceOf())
  return client === undefined || client === env().OIDC_CLIENT_ID
}

/** The claims of a token that only the provider can read, or undefined where it is no good. */
async function claimsOfOpaque(token: string, { config }: Provider): Promise<Claims | undefined> {
  const { introspection_endpoint: endpoint, issuer } = config.serverMetadata()
  if (!endpoint) return undefined
  const answer = await tokenIntrospection(config, token, { token_type_hint: 'access_token' })
  const { exp } = answer
  const isOver = exp !== undefined && (exp + CLOCK_SKEW) * 1000 <= Date.now()
  return isForUs(answer, issuer) && !isOver ? answer : undefined
}

/** The nick that the claims name, or else that the token opens the userinfo of. */
async function nickBehind(claims: Claims, token: string, { config }: Provider): Promise<string | undefined> {
  const nick = nickIn(claims)
  const { sub } = claims
  if (nick !== undefined || typeof sub !== 'string') return nick
  if (!config.serverMetadata().userinfo_endpoint) return undefined
  try {
    return nickIn(await fetchUserInfo(config, token, sub))
  } catch (error) {
    if (isOutOfReach(error)) throw error
    // It is for another audience, or of another subject.
    return undefined
  }
}

/** The nick of the user whom an access token speaks for; undefined: it is no good. Throws where the provider is needed and silent. */
export async function nickOfAccessToken(token: string): Promise<string | undefined> {
  // RFC 6750 §2.1.
  if (!/^[\w.~+/-]{1,16384}=*$/.test(token)) return undefined
  const provider = await knownProvider()
  const jwt = isJwt(token)
  const claims = jwt ? await claimsOfJwt(token, provider) : {}
  if (!claims) return undefined
  const known = nickIn(claims)
  if (known !== undefined) return known
  const answer = await answers.fetch(keyOf(token), {
    context: async () => {
      const said = jwt ? claims : await claimsOfOpaque(token, provider)
      const nick = said && (await nickBehind(said, token, provider))
      return { nick, ...(typeof said?.exp === 'number' && { expires: said.exp }) }
    },
  })
  return answer?.nick
}

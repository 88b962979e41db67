import type { JWTHeaderParameters, JWTPayload } from 'jose'
import { env } from '#lib/env.server'
import { TokenRefused } from '#lib/oidc/refused-token.server'

/*
 * An ID token is signed by the same keys as an access token, names the same user, and travels in addresses and logs: it must open nothing
 * here. Providers tell the two apart in different ways: RFC 9068 by the header `typ: at+jwt`; Keycloak by the claim `typ` (Bearer, ID,
 * Refresh), Cognito by `token_use` (access, id), both beside `typ: JWT`; Entra ID, Okta and Auth0 by nothing but what the token says.
 */

export const isNamedBearer = (type: unknown): boolean =>
  typeof type === 'string' && type.toLowerCase() === 'bearer'

/** Of ID tokens alone: OpenID Connect Core §2 and §3.3.2.11, FAPI. `events` is of logout tokens (Back-Channel Logout 1.0 §2.4). */
const CLAIMS_OF_OTHERS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events']

/** What a token permits, and to which client: RFC 9068 §2.2, `scp` and `cid` of Okta, `scp` and `appid` of Entra ID. ID tokens say neither. */
const CLAIMS_OF_ACCESS = ['scope', 'scp', 'client_id', 'cid', 'appid']

/** What the token says of its kind; undefined where it says nothing. */
function saidKind({ typ }: JWTHeaderParameters, payload: JWTPayload): boolean | undefined {
  const type = (typ ?? 'jwt').toLowerCase().replace(/^application\//, '')
  if (type !== 'jwt') return type === 'at+jwt'
  if (payload.typ !== undefined) return isNamedBearer(payload.typ)
  if (payload.token_use !== undefined) return payload.token_use === 'access'
  return undefined
}

/**
 * Throws TokenRefused where a JWT that the provider has signed for our audience is no access token. An audience other than our client id
 * is proof enough: ID tokens are for the client. Without one the token must be seen to be an access token.
 */
export function requireAccessToken(header: JWTHeaderParameters, payload: JWTPayload): void {
  const said = saidKind(header, payload)
  const { OIDC_AUDIENCE, OIDC_CLIENT_ID } = env()
  const isOwnAudience = OIDC_AUDIENCE !== undefined && OIDC_AUDIENCE !== OIDC_CLIENT_ID
  const looksIt =
    CLAIMS_OF_ACCESS.some((name) => name in payload) && !CLAIMS_OF_OTHERS.some((name) => name in payload)
  if (!(said ?? (isOwnAudience || looksIt)))
    throw new TokenRefused('not an access token', header.typ === undefined ? payload.typ : header.typ)
}

import { errors } from 'jose'

/* Why a Bearer token is refused. The answer never says it (RFC 6750 §3.1 knows `invalid_token` alone); the log does. */

export const tokenChecks = [
  'malformed',
  'algorithm',
  'unknown key',
  'signature',
  'issuer',
  'audience',
  'expired',
  'no expiry',
  'not yet valid',
  'issued in the future',
  'not an access token',
  'bound to a key',
  'inactive at introspection',
  'no introspection',
  'no claim names the user',
  'no such user',
  'user may not sign in',
  'another subject',
  'not linked',
] as const
export type TokenCheck = (typeof tokenChecks)[number]

/** A token that opens nothing. `found`: the value that failed the check, where it helps to know. */
export class TokenRefused extends Error {
  readonly check: TokenCheck
  readonly found: string | undefined

  constructor(check: TokenCheck, found?: unknown) {
    super(`The token fails a check: ${check}`)
    this.check = check
    this.found = found === undefined ? undefined : String(found).slice(0, 200)
  }
}

const checkOfClaim: Record<string, TokenCheck> = {
  iss: 'issuer',
  aud: 'audience',
  exp: 'no expiry',
  nbf: 'not yet valid',
  iat: 'issued in the future',
}

/** The check that the library found failed, or undefined where that was none of the token's. */
export function refusalOf(error: unknown): TokenRefused | undefined {
  if (!(error instanceof errors.JOSEError)) return undefined
  if (error instanceof errors.JWTExpired) return new TokenRefused('expired')
  if (error instanceof errors.JWTClaimValidationFailed)
    return new TokenRefused(checkOfClaim[error.claim] ?? 'malformed', error.payload[error.claim])
  if (error instanceof errors.JWSSignatureVerificationFailed) return new TokenRefused('signature')
  if (error instanceof errors.JOSEAlgNotAllowed) return new TokenRefused('algorithm')
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return new TokenRefused('unknown key')
  // The provider's keys could not be had: the token may be good nevertheless.
  const isKeyTrouble =
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === errors.JOSEError.code
  return isKeyTrouble ? undefined : new TokenRefused('malformed')
}

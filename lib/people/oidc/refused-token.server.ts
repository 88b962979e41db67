import { errors } from 'jose'

/* The reasons of refused Bearer tokens. The response has only `invalid_token` (RFC 6750 §3.1); the log has the reason. */

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
  'no subject',
  'no such user',
  'user may not sign in',
  'another subject',
  'not linked',
] as const
export type TokenCheck = (typeof tokenChecks)[number]

/** A refused token. `found`: the value that failed the check, if that helps in the log. */
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

/** The failed check of the library's error, or undefined if the token is not the cause. */
export function refusalOf(error: unknown): TokenRefused | undefined {
  if (!(error instanceof errors.JOSEError)) return undefined
  if (error instanceof errors.JWTExpired) return new TokenRefused('expired')
  if (error instanceof errors.JWTClaimValidationFailed)
    return new TokenRefused(checkOfClaim[error.claim] ?? 'malformed', error.payload[error.claim])
  if (error instanceof errors.JWSSignatureVerificationFailed) return new TokenRefused('signature')
  if (error instanceof errors.JOSEAlgNotAllowed) return new TokenRefused('algorithm')
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return new TokenRefused('unknown key')
  // The provider's keys could not be read: the token may still be valid.
  const isKeyTrouble =
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === errors.JOSEError.code
  return isKeyTrouble ? undefined : new TokenRefused('malformed')
}

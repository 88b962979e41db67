import { errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose'
import { exactBytes } from '#lib/ground/keys/base64.server'
import { CLOCK_SKEW, type Provider } from '#lib/people/oidc/provider.server'

/** Asymmetric algorithms only: no shared secret, no `none` (RFC 8725 §3.1). */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** True if a time (s) is in the future by more than the clock tolerance. */
export const isAhead = (time: unknown): boolean =>
  typeof time === 'number' && time > Date.now() / 1000 + CLOCK_SKEW

/** The library checks `iat` only with a maximum age. */
function requireIssued(payload: JWTPayload): void {
  if (isAhead(payload.iat))
    throw new errors.JWTClaimValidationFailed('"iat" is in the future', payload, 'iat', 'check_failed')
}

/** Verifies the signature, issuer, audience and times. Throws if one is wrong, or the provider's keys cannot be read. */
export async function verifyJwt(
  jwt: string,
  { config, keys }: Provider,
  audience: string,
): Promise<JWTVerifyResult> {
  if (!jwt.split('.').every((part) => exactBytes(part, 'base64url')))
    throw new errors.JWSSignatureVerificationFailed('a part is not written as base64url (RFC 7515 §2)')
  const verified = await jwtVerify(jwt, keys, {
    algorithms,
    issuer: config.serverMetadata().issuer,
    audience,
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_SKEW,
  })
  requireIssued(verified.payload)
  return verified
}

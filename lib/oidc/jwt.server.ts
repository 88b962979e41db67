import { type JWTVerifyResult, jwtVerify } from 'jose'
import { CLOCK_SKEW, type Provider } from '#lib/oidc/provider.server'

/** Those with a key that is public: no secret, nothing unsigned (RFC 8725 §3.1). */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** What the provider has signed for this audience, for now. Throws where it has not, or its keys cannot be had. */
export const verifyJwt = (
  jwt: string,
  { config, keys }: Provider,
  audience: string,
): Promise<JWTVerifyResult> =>
  jwtVerify(jwt, keys, {
    algorithms,
    issuer: config.serverMetadata().issuer,
    audience,
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_SKEW,
  })

import { randomBytes } from 'node:crypto'
import { SAML } from '@node-saml/node-saml'
import { env } from '#lib/ground/env.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { type OwnKey, ownKey } from '#lib/people/saml/pem.server'
import type { IdentityProvider } from '#lib/people/saml/provider-metadata.server'

/** This installation, as the identity provider knows it. */
export type ServiceProvider = {
  entityId: string
  /** Assertion consumer service. */
  acs: string
  logout: string
  key: OwnKey | undefined
}

export function selfOf(request: Exchange): ServiceProvider {
  const place = `${baseOf(request)}/api/auth/saml`
  return {
    entityId: env().SAML_ENTITY_ID ?? `${place}/metadata`,
    acs: `${place}/acs`,
    logout: `${place}/logout`,
    key: ownKey(),
  }
}

/** How far the clocks of both sides may be apart, in milliseconds. */
export const CLOCK_SKEW = 60_000

/** The id of a message: an XML name, which must not begin with a digit. */
export const newMessageId = (): string => `_${randomBytes(20).toString('hex')}`

/** The parts of a response that must be signed. By default the library accepts either. */
type Signatures = { response: boolean; assertion: boolean }

type Use = Partial<Signatures> & { id?: string }

/** The library, configured for one message. Request ids are stored in the flows, not here. */
export const libraryFor = (
  { entityId, acs, key }: ServiceProvider,
  provider: IdentityProvider,
  { id = newMessageId(), response = true, assertion = true }: Use = {},
): SAML =>
  new SAML({
    issuer: entityId,
    audience: entityId,
    callbackUrl: acs,
    entryPoint: provider.signIn.location,
    idpCert: provider.certificates,
    ...(provider.entityId !== undefined && { idpIssuer: provider.entityId }),
    ...(provider.signOut && { logoutUrl: provider.signOut.location }),
    ...(key && { privateKey: key.privateKey, decryptionPvk: key.privateKey }),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAuthnResponseSigned: response,
    wantAssertionsSigned: assertion,
    acceptedClockSkewMs: CLOCK_SKEW,
    generateUniqueId: () => id,
    // The provider chooses the name format and how it authenticates users.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    // The POST binding does not compress messages (SAML bindings §3.5.4).
    skipRequestCompression: provider.signIn.binding === 'post',
  })

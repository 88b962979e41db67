import { rsaCertificates } from '#lib/people/saml/pem.server'
import {
  attributeOf,
  child,
  children,
  elementsOf,
  isNamed,
  parseXml,
  textOf,
} from '#lib/people/saml/xml.server'

/* The content of an identity provider's metadata (SAML metadata §2.4). */

export type Binding = 'redirect' | 'post'

/** The address for requests to the provider; `responseLocation`: the address for responses. */
type Endpoint = { binding: Binding; location: string; responseLocation: string }

export type IdentityProvider = {
  /** Unknown where only an entry point is set. */
  entityId: string | undefined
  signIn: Endpoint
  signOut: Endpoint | undefined
  /** PEM; a message is signed by one of them. */
  certificates: [string, ...string[]]
  /** When the metadata expire (epoch milliseconds). */
  validUntil: number | undefined
}

const bindings: Record<string, Binding> = {
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect': 'redirect',
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST': 'post',
}

/** Prefers the redirect binding: POST needs a page in between. */
function endpointOf(
  role: Element,
  name: 'SingleSignOnService' | 'SingleLogoutService',
): Endpoint | undefined {
  const offered = children(role, 'metadata', name).flatMap((service) => {
    const binding = bindings[attributeOf(service, 'Binding') ?? '']
    const location = attributeOf(service, 'Location')
    if (!binding || !location || !/^https?:/.test(location) || !URL.canParse(location)) return []
    return [{ binding, location, responseLocation: attributeOf(service, 'ResponseLocation') ?? location }]
  })
  return offered.find(({ binding }) => binding === 'redirect') ?? offered[0]
}

/** The certificates of its keys for signing; a key without a use is for everything. */
const signingCertificates = (role: Element): string[] =>
  children(role, 'metadata', 'KeyDescriptor')
    .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap(elementsOf)
    .filter((element) => isNamed(element, 'signature', 'X509Certificate'))
    .flatMap((element) => rsaCertificates(Buffer.from(textOf(element) ?? '', 'base64')))

/** Reads metadata that describe one identity provider, alone or among service providers. */
export async function readProviderMetadata(text: string): Promise<IdentityProvider> {
  const entities = elementsOf(await parseXml(text)).filter((element) =>
    isNamed(element, 'metadata', 'EntityDescriptor'),
  )
  const providers = entities.flatMap((entity) => {
    const role = child(entity, 'metadata', 'IDPSSODescriptor')
    return role ? [{ entity, role }] : []
  })
  const [found, ...more] = providers
  if (!found || more.length > 0)
    throw new Error(`the metadata describe ${providers.length} identity providers`)
  const { entity, role } = found
  const entityId = attributeOf(entity, 'entityID')
  const signIn = endpointOf(role, 'SingleSignOnService')
  const [certificate, ...others] = signingCertificates(role)
  if (!entityId) throw new Error('the metadata name no entity')
  if (!signIn) throw new Error('the metadata name no sign-in by redirect or POST')
  if (!certificate) throw new Error('the metadata hold no certificate for signatures')
  return {
    entityId,
    signIn,
    signOut: endpointOf(role, 'SingleLogoutService'),
    certificates: [certificate, ...others],
    validUntil: validityOf([entity, role]),
  }
}

/** The end of the metadata's validity (SAML metadata §2.3.2). */
function validityOf(elements: Element[]): number | undefined {
  const ends = elements.flatMap((element) => {
    const end = attributeOf(element, 'validUntil')
    return end === undefined ? [] : [Date.parse(end)]
  })
  const end = Math.min(...ends)
  if (Number.isNaN(end) || end < Date.now()) throw new Error('the metadata have expired')
  return ends.length > 0 ? end : undefined
}

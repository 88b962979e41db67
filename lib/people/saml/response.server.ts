import { decryptXml } from '@node-saml/node-saml/lib/xml.js'
import { env } from '#lib/ground/env.server'
import { invalid } from '#lib/people/saml/answers.server'
import type { IdentityProvider } from '#lib/people/saml/provider-metadata.server'
import { libraryFor, type ServiceProvider } from '#lib/people/saml/service-provider.server'
import { isSigned, requireSoundSignatures } from '#lib/people/saml/signatures.server'
import {
  attributeOf,
  child,
  childrenOf,
  elementsOf,
  isNamed,
  parseMessage,
  textOf,
} from '#lib/people/saml/xml.server'

/* Reads a response (SAML core §3.3.3) and the signed assertion in it. */

export const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** Reads the root element, which is not verified yet. */
export async function readResponse(text: string): Promise<Element> {
  const root = await parseMessage(text)
  if (!isNamed(root, 'protocol', 'Response')) throw new Error('the message is not a response')
  if (attributeOf(root, 'Version') !== '2.0') throw new Error('the version of the response is not 2.0')
  return root
}

export function statusCodeOf(message: Element): Element | undefined {
  const status = child(message, 'protocol', 'Status')
  return status && child(status, 'protocol', 'StatusCode')
}

/** Throws SignInProblem if the provider reports a failed sign-in. */
export function requireSuccess(response: Element): void {
  const code = statusCodeOf(response)
  if (!code) throw new Error('the response has no status')
  if (attributeOf(code, 'Value') === SUCCESS) return
  const codes = elementsOf(code).map((element) => attributeOf(element, 'Value')?.split(':').at(-1))
  throw invalid(`the provider answers ${codes.join(' ').slice(0, 200)}`, 'refused', 'authorization')
}

/** Throws if the response has another destination or issuer. */
export function requireAddressed(
  response: Element,
  { acs }: ServiceProvider,
  provider: IdentityProvider,
): void {
  if (attributeOf(response, 'Destination') !== acs) throw new Error('the response has another destination')
  const issuer = textOf(child(response, 'assertion', 'Issuer'))
  // A response may leave the issuer out (SAML core §3.2.2); its assertion may not.
  if (issuer !== undefined) requireIssuer(issuer, provider)
}

export function requireIssuer(issuer: string | undefined, { entityId }: IdentityProvider): void {
  if (entityId !== undefined && issuer !== entityId) throw new Error('the issuer is another one')
}

const ASSERTIONS = new Set(['Assertion', 'EncryptedAssertion'])

/** The only assertion of the response. A second one, anywhere, would be an attempt at signature wrapping. */
function onlyAssertion(response: Element): Element {
  const [found, ...more] = elementsOf(response).filter(({ localName }) => ASSERTIONS.has(localName))
  if (!found || more.length > 0) throw new Error('the response holds no assertion, or more than one')
  if (!childrenOf(response).includes(found)) throw new Error('the assertion is not where it belongs')
  if (!isNamed(found, 'assertion', found.localName)) throw new Error('the assertion is of another namespace')
  return found
}

/** Without PKCS #1 v1.5, which reveals the key to repeated requests (Bleichenbacher), and triple DES, whose blocks are too small. */
const encryptions = new Set([
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
])

async function opened(encrypted: Element, { key }: ServiceProvider): Promise<Element> {
  if (!key) throw new Error('the assertion is encrypted, and SAML_PRIVATE_KEY is not set')
  for (const element of elementsOf(encrypted)) {
    const algorithm = attributeOf(element, 'Algorithm') ?? ''
    if (element.localName === 'EncryptionMethod' && !encryptions.has(algorithm))
      throw new Error(`the assertion is encrypted by ${algorithm.slice(0, 100)}`)
  }
  const assertion = await parseMessage(await decryptXml(String(encrypted), key.privateKey))
  if (!isNamed(assertion, 'assertion', 'Assertion')) throw new Error('no assertion was encrypted')
  return assertion
}

/**
 * The assertion, read from the signed bytes. The parts named by SAML_SIGNED must be signed, and any further signature must be valid.
 * Wrapped and weak signatures are refused before the library verifies.
 */
export async function signedAssertion(
  { text, response }: { text: string; response: Element },
  self: ServiceProvider,
  provider: IdentityProvider,
): Promise<Element> {
  const found = onlyAssertion(response)
  const isEncrypted = found.localName === 'EncryptedAssertion'
  requireSoundSignatures(response, isEncrypted ? [response] : [response, found])
  const assertion = isEncrypted ? await opened(found, self) : found
  if (isEncrypted) requireSoundSignatures(assertion, [assertion])
  const { SAML_SIGNED } = env()
  const library = libraryFor(self, provider, {
    response: SAML_SIGNED !== 'assertion' || isSigned(response),
    assertion: SAML_SIGNED !== 'response' || isSigned(assertion),
  })
  const SAMLResponse = Buffer.from(text).toString('base64')
  const { profile } = await library.validatePostResponseAsync({ SAMLResponse })
  const signed = profile?.getAssertionXml?.()
  if (signed === undefined) throw new Error('nothing is signed')
  return parseMessage(signed)
}

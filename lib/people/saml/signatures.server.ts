import { verify, X509Certificate } from 'node:crypto'
import { getVerifiedXml } from '@node-saml/node-saml/lib/xml.js'
import { exactBytes } from '#lib/ground/keys/base64.server'
import {
  attributeOf,
  children,
  elementsOf,
  isNamed,
  namespaces,
  parseMessage,
} from '#lib/people/saml/xml.server'

/* Verifies the signatures of messages. */

/**
 * Accepted algorithms of signatures (SAML core §5.4). The library would also accept SHA-1, whose collisions are affordable.
 */
const accepted: Record<string, readonly string[]> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  CanonicalizationMethod: ['http://www.w3.org/2001/10/xml-exc-c14n#'],
  Transform: [`${namespaces.signature}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#'],
}

const ID_ATTRIBUTES = ['ID', 'Id', 'id']

/**
 * Requires unique ids, accepted algorithms, and each signature as a direct child of the element that it signs. Signature wrapping
 * needs duplicate ids or a signature elsewhere.
 */
export function requireSoundSignatures(root: Element, owners: readonly Element[]): void {
  const ids = new Set<string>()
  for (const element of elementsOf(root)) {
    const own = ID_ATTRIBUTES.flatMap((name) => attributeOf(element, name) ?? [])
    if (own.length > 1 || own.some((id) => ids.has(id))) throw new Error('an id names two elements')
    for (const id of own) ids.add(id)
    if (isNamed(element, 'signature', 'Signature') && !owners.some((owner) => owner === element.parentNode))
      throw new Error('a signature is where none belongs')
  }
  for (const owner of owners) requireAccepted(owner)
}

function requireAccepted(owner: Element): void {
  const signatures = children(owner, 'signature', 'Signature')
  if (signatures.length > 1) throw new Error('there are two signatures of one element')
  for (const element of signatures.flatMap(elementsOf)) {
    const algorithms = accepted[element.localName]
    const algorithm = attributeOf(element, 'Algorithm')
    if (algorithms && !algorithms.includes(algorithm ?? ''))
      throw new Error(`the signature uses ${algorithm?.slice(0, 100)} as ${element.localName}`)
  }
}

export const isSigned = (element: Element): boolean => children(element, 'signature', 'Signature').length > 0

/** The content of a message that is signed as a whole, read from the signed bytes only. */
export async function requireSigned(
  text: string,
  root: Element,
  certificates: readonly string[],
): Promise<Element> {
  requireSoundSignatures(root, [root])
  const signed = getVerifiedXml(text, root, [...certificates])
  if (signed === null) throw new Error('the message is not signed by the provider')
  return parseMessage(signed)
}

const queryAlgorithms: Record<string, string> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
}

/**
 * Throws unless the provider signed this query (SAML bindings §3.4.4.1). `raw` holds the encoded values. The library is not used: it
 * finds parameters by pattern and accepts unsigned queries.
 */
export function requireSignedQuery(raw: ReadonlyMap<string, string>, certificates: readonly string[]): void {
  const decoded = (name: string) => decodeURIComponent(raw.get(name) ?? '')
  const hash = queryAlgorithms[decoded('SigAlg')]
  if (!hash) throw new Error('the query is not signed, or by an algorithm that is not accepted')
  const signed = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg']
    .filter((name) => raw.has(name))
    .map((name) => `${name}=${raw.get(name)}`)
    .join('&')
  const signature = exactBytes(decoded('Signature'), 'base64')
  const isSignedBy = (certificate: string) =>
    signature !== undefined &&
    verify(hash, Buffer.from(signed), new X509Certificate(certificate).publicKey, signature)
  if (!certificates.some(isSignedBy)) throw new Error('the query is not signed by the provider')
}

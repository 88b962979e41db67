import { createPrivateKey, sign } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { signXml } from '@node-saml/node-saml/lib/xml.js'
import { type Answer, AnswerHeaders } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import { bytesOf } from '#lib/ground/http/body.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { percentEncode } from '#lib/ground/http/percent-encode'
import { urlOf } from '#lib/ground/http/route.server'
import { formPage } from '#lib/people/saml/answers.server'
import type { OwnKey } from '#lib/people/saml/pem.server'
import type { Binding } from '#lib/people/saml/provider-metadata.server'
import { requireSigned, requireSignedQuery } from '#lib/people/saml/signatures.server'
import { parseMessage } from '#lib/people/saml/xml.server'

/* How messages travel: in the query of a redirect (SAML bindings §3.4), or in a form (§3.5). */

type MessageKind = 'SAMLRequest' | 'SAMLResponse'

export type Incoming = {
  kind: MessageKind
  text: string
  relayState: string | undefined
  /** The encoded query, if the message came by redirect. */
  query: ReadonlyMap<string, string> | undefined
}

const MAX_BYTES = 1024 * 1024

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

function fromBase64(text: string): Buffer {
  const dense = text.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(dense)) throw new Error('the message is not base64')
  return Buffer.from(dense, 'base64')
}

/** The parameters, still encoded. Throws on duplicates: two readers could each read a different one. */
function parametersIn(encoded: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const part of encoded.split('&').filter(Boolean)) {
    const [name = '', ...value] = part.split('=')
    if (found.has(name)) throw new Error('a parameter is sent twice')
    found.set(name, value.join('='))
  }
  return found
}

const decodedValue = (parameters: ReadonlyMap<string, string>, name: string): string | undefined => {
  const value = parameters.get(name)
  return value && decodeURIComponent(value.replaceAll('+', ' '))
}

/** The message in a request, or undefined. Throws if the message cannot be read. */
export async function readIncoming(request: Exchange): Promise<Incoming | undefined> {
  const inQuery = request.method === 'GET'
  const encoded = inQuery ? urlOf(request).search.slice(1) : decode(await bytesOf(request))
  const parameters = parametersIn(encoded)
  const kinds = (['SAMLRequest', 'SAMLResponse'] as const).filter((name) => parameters.has(name))
  const [kind, ...more] = kinds
  if (!kind) return undefined
  if (more.length > 0) throw new Error('there are a request and a response')
  const bytes = fromBase64(decodedValue(parameters, kind) ?? '')
  return {
    kind,
    // Stops decompression bombs at the limit.
    text: decode(inQuery ? inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes),
    relayState: decodedValue(parameters, 'RelayState'),
    query: inQuery ? parameters : undefined,
  }
}

/** The signed content of a message. Throws if the provider did not sign the message. */
export async function readSigned(
  { text, query }: Incoming,
  certificates: readonly string[],
): Promise<Element> {
  const root = await parseMessage(text)
  if (!query) return requireSigned(text, root, certificates)
  requireSignedQuery(query, certificates)
  return root
}

type Outgoing = { kind: MessageKind; xml: string; relayState?: string | undefined }

type Sending = {
  endpoint: { binding: Binding; location: string }
  message: Outgoing
  key: OwnKey | undefined
  headers?: AnswerHeaders
}

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

/** Sends a message through the browser, signed if we have a key. */
export function send({ endpoint, message, key, headers = new AnswerHeaders() }: Sending): Answer {
  const { binding, location } = endpoint
  if (binding === 'post') return formPage(location, fieldsOf(message, key), headers)
  const query = queryOf(message, key)
  return redirect(`${location}${location.includes('?') ? '&' : '?'}${query}`, { headers })
}

/** Browsers percent-encode some characters of a redirect, such as quotes, which would break the signature. */
const encodedPairs = (pairs: [name: string, value: string][]): string =>
  pairs.map(([name, value]) => `${name}=${percentEncode(value)}`).join('&')

const stateOf = ({ relayState }: Outgoing): [name: string, value: string][] =>
  relayState === undefined ? [] : [['RelayState', relayState]]

/** SAML bindings §3.4.4.1: the signature is over the query as it is sent, character by character. */
function queryOf(message: Outgoing, key: OwnKey | undefined): string {
  const { kind, xml } = message
  const pairs: [string, string][] = [
    [kind, deflateRawSync(xml).toString('base64')],
    ...stateOf(message),
    ...(key ? [['SigAlg', RSA_SHA256] satisfies [string, string]] : []),
  ]
  const query = encodedPairs(pairs)
  if (!key) return query
  const signature = sign('sha256', Buffer.from(query), createPrivateKey(key.privateKey))
  return `${query}&${encodedPairs([['Signature', signature.toString('base64')]])}`
}

function fieldsOf(message: Outgoing, key: OwnKey | undefined): Record<string, string> {
  const { kind, xml } = message
  const issuer = { reference: '/*/*[local-name(.)="Issuer"]', action: 'after' } as const
  const options = { signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' } as const
  const sent = key ? signXml(xml, '/*', issuer, { ...options, privateKey: key.privateKey }) : xml
  return { [kind]: Buffer.from(sent).toString('base64'), ...Object.fromEntries(stateOf(message)) }
}

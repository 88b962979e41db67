import { percentEncode } from '#lib/ground/http/percent-encode'

/* The signed parts of a request and their encoding (RFC 5849 §3.4.1, §3.5). */

/** Name and value, decoded. */
export type Parameter = readonly [name: string, value: string]

/** The decoded text, or undefined if the text is not percent-encoded UTF-8. */
function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Whether the Authorization header has the scheme `OAuth`, which is case-insensitive (RFC 5849 §3.5.1). */
export const isOAuthHeader = (header: string | null): header is string => /^oauth(\s|$)/i.test(header ?? '')

const PART = /^([^=\s]+)\s*=\s*(?:"([^"]*)"|([^\s"]*))$/

/** The parameters of an Authorization header, without the realm (RFC 5849 §3.5.1), or undefined if the header is malformed. */
export function readAuthorization(header: string): Parameter[] | undefined {
  const parameters: Parameter[] = []
  for (const part of partsOf(header.replace(/^oauth\s*/i, ''))) {
    if (part.trim() === '') continue
    const [, rawName, quoted, bare] = PART.exec(part.trim()) ?? []
    const [name, value] = [percentDecode(rawName ?? ''), percentDecode(quoted ?? bare ?? '')]
    if (!name || value === undefined) return undefined
    if (name.toLowerCase() !== 'realm') parameters.push([name, value])
  }
  return parameters
}

/** Splits at commas outside quotes. */
const partsOf = (list: string): string[] => list.match(/(?:[^,"]|"[^"]*"?)+/g) ?? []

/** The parameters of a query or of a form (RFC 5849 §3.4.1.3.1): `+` is a space. */
export const readForm = (text: string): Parameter[] => [...new URLSearchParams(text)]

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** RFC 5849 §3.4.1.3.2: encoded, then sorted by name and value, byte by byte; without the signature itself. */
export const normalize = (parameters: readonly Parameter[]): string =>
  parameters
    .filter(([name]) => name !== 'oauth_signature')
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort(([name, value], [other, otherValue]) => byBytes(name, other) || byBytes(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** RFC 5849 §3.4.1.2: scheme and host in lower case, no default port, no query. */
function baseUri(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}

/** RFC 5849 §3.4.1.1. */
export const signatureBase = (method: string, address: string, parameters: readonly Parameter[]): string =>
  [method.toUpperCase(), baseUri(address), normalize(parameters)].map(percentEncode).join('&')

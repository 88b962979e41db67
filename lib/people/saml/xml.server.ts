import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import { readXml, type XmlBounds } from '#lib/ground/http/read-xml.server'

/*
 * Reads XML with the parser that verifies signatures. Two parsers may read one document differently, which lets an attacker show one of
 * them unsigned content (CVE-2025-25291).
 */

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const

type Namespace = keyof typeof namespaces

/** Large bounds: the operator chooses the metadata, which may list a whole federation. */
const boundsOfMetadata: XmlBounds = { elements: 1_000_000, attributes: 1_000_000, depth: 100 }

/** Reads a well-formed document within the bounds, without declarations of types and entities. */
export async function parseXml(text: string, bounds = boundsOfMetadata): Promise<Element> {
  try {
    readXml(text, bounds)
    return (await parseDomFromString(text)).documentElement
  } catch {
    // The parser's message quotes the document.
    throw new Error('the document cannot be read')
  }
}

/** The library's search for ids is quadratic: sixty thousand elements take minutes. */
const boundsOfMessage: XmlBounds = { elements: 1000, attributes: 5000, depth: 50 }
const MOST_CHARACTERS = 256 * 1024

/** The size of a form with the largest message, in base64 and percent-encoded. */
export const MOST_BYTES_OF_FORM = 400 * 1024

/**
 * Reads a message of a provider without comments and processing instructions. Signatures leave comments out, and a reader that stops at
 * one reads a truncated name (CVE-2017-11427).
 */
export async function parseMessage(text: string): Promise<Element> {
  if (/<!(?!\[CDATA\[)|<\?(?!xml\s)/.test(text))
    throw new Error('the message holds declarations, comments or processing instructions')
  if (text.length > MOST_CHARACTERS) throw new Error('the message is too large')
  return parseXml(text, boundsOfMessage)
}

const isElement = (node: Node): node is Element => node.nodeType === 1

export const isNamed = (element: Element, namespace: Namespace, name: string): boolean =>
  element.localName === name && element.namespaceURI === namespaces[namespace]

export const childrenOf = (element: Element): Element[] => Array.from(element.childNodes).filter(isElement)

/** The children of this name. */
export const children = (element: Element, namespace: Namespace, name: string): Element[] =>
  childrenOf(element).filter((child) => isNamed(child, namespace, name))

/** The one child of this name, or undefined. Throws where there are several. */
export function child(element: Element, namespace: Namespace, name: string): Element | undefined {
  const [found, ...more] = children(element, namespace, name)
  if (more.length > 0) throw new Error(`${name} occurs ${more.length + 1} times`)
  return found
}

/** The element and everything below it. */
export function elementsOf(root: Element): Element[] {
  const found = [root]
  for (const element of found) found.push(...childrenOf(element))
  return found
}

export const textOf = (element: Element | undefined): string | undefined =>
  element?.textContent?.trim() || undefined

export const attributeOf = (element: Element, name: string): string | undefined =>
  element.getAttribute(name) || undefined

import { SaxesParser } from 'saxes'
import { ApiError, fault } from '#lib/ground/http/errors'

/*
 * A strict streaming parser reads XML once. It stops at the first fault, or when the document exceeds the limits.
 */

/** Limits of a document. */
export type XmlBounds = { elements: number; attributes: number; depth: number }

/** The document has more elements or attributes than its limits allow. */
export class TooMuch extends Error {}

/** Callbacks while a document is read. Names come without their prefix. */
type Reader = {
  onOpen?: (name: string, attributes: Record<string, string>) => void
  onText?: (text: string) => void
  onClose?: () => void
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

/** Reads a whole document. Throws if it is not well-formed, declares types or entities, or exceeds the limits. */
export function readXml(text: string, bounds: XmlBounds, { onOpen, onText, onClose }: Reader = {}): void {
  // No entity is ever expanded: a declaration anywhere in the text is refused before parsing.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('the document declares types or entities')
  const parser = new SaxesParser({ xmlns: false, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  let [elements, attributes, depth] = [0, 0, 0]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentagstart', () => {
    elements += 1
    depth += 1
    if (elements > bounds.elements) throw new TooMuch(`more than ${bounds.elements} elements`)
    if (depth > bounds.depth) throw new Error(`nested deeper than ${bounds.depth}`)
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > bounds.attributes) throw new TooMuch(`more than ${bounds.attributes} attributes`)
  })
  parser.on('opentag', ({ name, attributes: given }) => onOpen?.(localName(name), given))
  parser.on('text', (part) => onText?.(part))
  parser.on('cdata', (part) => onText?.(part))
  parser.on('closetag', () => {
    depth -= 1
    onClose?.()
  })
  parser.write(text).close()
}

type Element = {
  name: string
  attributes: Record<string, string>
  text: string
  children: Map<string, unknown[]>
}

/** The name and the content of the root; every value is still text. Throws like readXml. */
export function xmlDocument(text: string, bounds: XmlBounds): { root: string; content: unknown } {
  const outside: Element = { name: '', attributes: {}, text: '', children: new Map() }
  const path = [outside]
  readXml(text, bounds, {
    onOpen: (name, attributes) => path.push({ name, attributes, text: '', children: new Map() }),
    onText: (part) => {
      const element = path.at(-1)
      if (element) element.text += part
    },
    onClose: () => {
      const element = path.pop()
      const parent = path.at(-1)
      if (!element || !parent) return
      const held = element.name === 'link' ? linkOf(element) : contentOf(element)
      const same = parent.children.get(element.name)
      if (same) same.push(held)
      else parent.children.set(element.name, [held])
    },
  })
  const [[root, [content]] = ['', []]] = outside.children
  return { root, content }
}

/** The fields of a link are its attributes, without a prefix: of `href` and `x:href` only one would count. Attributes of other elements are ignored. */
function linkOf({ attributes }: Element): Record<string, string> {
  const own = Object.entries(attributes).filter(([name]) => !/^xmlns(:|$)/.test(name))
  if (own.some(([name]) => name.includes(':')))
    throw new ApiError(fault('GEN-6', 'The attributes of a link have no prefix'))
  return Object.fromEntries(own)
}

/** A boolean is true or 1 (XML Schema 1.0 part 2 §3.2.2.1). */
const isNil = ({ attributes }: Element): boolean =>
  Object.entries(attributes).some(
    ([name, value]) => localName(name) === 'nil' && ['true', '1'].includes(value.trim()),
  )

/**
 * The content of an element: its children by name, or its text, or undefined for xsi:nil. Repeated `link` elements become the
 * field `links`.
 */
function contentOf(element: Element): unknown {
  const { children, text } = element
  if (children.size === 0) return isNil(element) ? undefined : text
  return Object.fromEntries(
    [...children].map(([name, held]) => {
      if (name === 'link') return ['links', held]
      return [name, held.length === 1 ? held[0] : held]
    }),
  )
}

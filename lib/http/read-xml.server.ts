import { SaxesParser } from 'saxes'

/*
 * A strict streaming parser reads XML once. It stops at the first fault, or when the document exceeds the limits.
 */

/** Limits of a document. */
export type XmlBounds = { elements: number; attributes: number; depth: number }

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
  const require = (isMet: boolean, what: string) => {
    if (!isMet) throw new Error(what)
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentagstart', () => {
    elements += 1
    depth += 1
    require(elements <= bounds.elements, `more than ${bounds.elements} elements`)
    require(depth <= bounds.depth, `nested deeper than ${bounds.depth}`)
  })
  parser.on('attribute', () => {
    attributes += 1
    require(attributes <= bounds.attributes, `more than ${bounds.attributes} attributes`)
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

/** The fields of a link are its attributes. Attributes of other elements are ignored. */
const linkOf = ({ attributes }: Element): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]))

const isNil = ({ attributes }: Element): boolean =>
  Object.entries(attributes).some(([name, value]) => localName(name) === 'nil' && value === 'true')

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

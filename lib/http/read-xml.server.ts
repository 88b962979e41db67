import { SaxesParser } from 'saxes'

/*
 * XML is read once, from front to back, by a strict parser: a fault, or more than the bounds allow, ends the reading where it stands.
 */

/** How much a document may hold. */
export type XmlBounds = { elements: number; attributes: number; depth: number }

/** What is told of a document while it is read; names come without their prefix. */
type Reader = {
  onOpen?: (name: string, attributes: Record<string, string>) => void
  onText?: (text: string) => void
  onClose?: () => void
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

/** Reads a whole document. Throws where it is not well-formed, declares types or entities, or goes beyond the bounds. */
export function readXml(text: string, bounds: XmlBounds, { onOpen, onText, onClose }: Reader = {}): void {
  // Nothing is ever expanded: what could declare an entity is refused before anything reads it, wherever it stands.
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

/** The root's name and what it holds; every value is still text. Throws like readXml. */
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

/** Attributes count on links alone: their fields are attributes, without a prefix. */
const linkOf = ({ attributes }: Element): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]))

const isNil = ({ attributes }: Element): boolean =>
  Object.entries(attributes).some(([name, value]) => localName(name) === 'nil' && value === 'true')

/**
 * What an element holds: its children by name, or its text, or nothing where it says so by xsi:nil. The model's `links` are
 * XML's repeated `link` elements.
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

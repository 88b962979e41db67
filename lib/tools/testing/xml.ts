import { XMLBuilder, XMLParser } from 'fast-xml-parser'

/* XML as a client reads and writes it, by its own means: nothing here is the server's. */

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: false,
})

type Fields = Record<string, unknown>

/** The document in XML: links as elements with attributes, arrays repeated, maps as entries. */
export function toXml(root: string, document: object): string {
  return builder.build({ [root]: elementOf(document as Fields) })
}

function elementOf({ links = [], ...fields }: Fields): Fields {
  const attributes = (links as Fields[]).map((link) =>
    Object.fromEntries(Object.entries(link).map(([name, value]) => [`@${name}`, value])),
  )
  const others = Object.entries(fields).map(([name, value]) => [
    name,
    name === 'properties' ? { entry: entriesOf(value as Fields) } : plain(value),
  ])
  return { link: attributes, ...Object.fromEntries(others) }
}

const entriesOf = (map: Fields) => Object.entries(map).map(([key, value]) => ({ key, value }))

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return isObject(value) ? elementOf(value) : value
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  // Numeric references are read with these.
  htmlEntities: true,
  isArray: () => true,
})

/** The common content of both syntaxes: each field a list of texts or of such shapes. */
type Said = { [field: string]: (string | Said)[] }

export function saidInXml(text: string, root: string): Said {
  const [element] = (parser.parse(text) as Record<string, unknown[]>)[root] ?? []
  return saidByElement(element) as Said
}

function saidByElement(element: unknown): string | Said {
  if (!isObject(element)) return String(element)
  const fields = Object.entries(element).filter(([name]) => name !== '#text')
  if (fields.length === 0) return String(element['#text'] ?? '')
  return Object.fromEntries(
    fields.map(([name, value]) =>
      name.startsWith('@') ? [name.slice(1), [String(value)]] : [name, [value].flat().map(saidByElement)],
    ),
  )
}

/** The types of links differ by syntax alone. */
export const saidInJson = (document: unknown): Said => saidByValue(document) as Said

function saidByValue(value: unknown): string | Said {
  if (!isObject(value))
    return typeof value === 'string'
      ? value.replace(/^(application\/vnd\..*)\+json$/, '$1+xml')
      : String(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, (string | Said)[]][] => {
      if (name === 'properties' || name === 'changes') {
        const entries = Object.entries(field as Fields)
        const entry = entries.map(([key, item]) => ({ key: [key], value: [saidByValue(item)] }))
        return [[name, entries.length > 0 ? [{ entry }] : ['']]]
      }
      const items = Array.isArray(field) ? field : [field]
      return items.length === 0 ? [] : [[name === 'links' ? 'link' : name, items.map(saidByValue)]]
    }),
  )
}

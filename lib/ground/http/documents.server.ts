import { type Syntax, vendorType } from '#lib/ground/http/accept.server'
import type { LinkDocument } from '#lib/ground/http/view'

/* Documents as text, with absolute, typed links at every depth. Written in one pass: objects in between take as long as the text itself. */

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const isThere = (field: unknown): boolean => field !== undefined && field !== null

/** The texts around the path of a link. Most of a page is links that differ only in their ids and titles. */
type Frame = { type: string | undefined; before: string; behind: string }

/** A frame for each rel of a document. */
function frames(write: (link: LinkDocument) => Omit<Frame, 'type'>): (link: LinkDocument) => Frame {
  const known = new Map<string, Frame>()
  return (link) => {
    const found = known.get(link.rel)
    if (found && found.type === link.type) return found
    const frame = { type: link.type, ...write(link) }
    known.set(link.rel, frame)
    return frame
  }
}

/** Links within the API have a path below its base. */
const isPath = (href: string): boolean => href.startsWith('/')

const typeOf = ({ type }: LinkDocument, syntax: Syntax): string | undefined =>
  type && vendorType(type, syntax)

const plainJson = /^[ !#-[\]-~]*$/

/** The text between the quotation marks of a JSON string. */
const jsonText = (text: string): string => (plainJson.test(text) ? text : JSON.stringify(text).slice(1, -1))

const jsonName = (name: string): string => `"${jsonText(name)}":`

/** A request that a document proposes has an address and a media type as links have. */
function proposed(value: unknown, api: string, syntax: Syntax): unknown {
  if (!isObject(value) || typeof value.href !== 'string') return value
  const type = typeof value.type === 'string' ? vendorType(value.type, syntax) : undefined
  return { ...value, href: isPath(value.href) ? api + value.href : value.href, ...(type && { type }) }
}

/** Writes documents as JSON. A Map becomes an object with the client's keys. */
export function jsonWriter(base: string): (value: unknown) => string {
  const frameOf = frames((link) => {
    const type = typeOf(link, 'json')
    return {
      before: `{"rel":"${jsonText(link.rel)}","href":"`,
      behind: type === undefined ? '"' : `","type":"${jsonText(type)}"`,
    }
  })
  const api = `${base}/api`

  const write = (value: unknown): string => {
    if (typeof value === 'string') return `"${jsonText(value)}"`
    if (typeof value === 'boolean' || Number.isFinite(value)) return String(value)
    if (!isObject(value)) return JSON.stringify(value) ?? 'null'
    if (Array.isArray(value)) return `[${value.map(write).join()}]`
    return value instanceof Map ? writeMap(value) : writeFields(value)
  }

  const writeFields = (fields: Fields): string => {
    let text = ''
    for (const name in fields) {
      const field = fields[name]
      if (!isThere(field)) continue
      text += `${text === '' ? '{' : ','}${jsonName(name)}`
      if (name === 'links') text += `[${(field as LinkDocument[]).map(writeLink).join()}]`
      else text += write(name === 'fix' ? proposed(field, api, 'json') : field)
    }
    return text === '' ? '{}' : `${text}}`
  }

  const writeLink = (link: LinkDocument): string => {
    const { href, title } = link
    const { before, behind } = frameOf(link)
    const text = `${before}${isPath(href) ? api : ''}${jsonText(href)}${behind}`
    return title === undefined ? `${text}}` : `${text},"title":"${jsonText(title)}"}`
  }

  const writeMap = (map: ReadonlyMap<unknown, unknown>): string =>
    `{${Object.entries(Object.fromEntries(map))
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${jsonName(key)}${write(value)}`)
      .join()}}`

  return write
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const plainXml = /^[\w .:/\-+?=]*$/

/** Text for XML 1.0: escaped, with characters that XML does not allow replaced. */
const xmlText = (text: string): string => (plainXml.test(text) ? text : escaped(text))

const escaped = (text: string): string =>
  text
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character)
    .replace(/\r/g, '&#13;')
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** A parser turns line breaks and tabs of an attribute into spaces, unless they are references (XML 1.0 §3.3.3). */
const xmlAttribute = (text: string): string =>
  plainXml.test(text) ? text : escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

/** Writes documents as XML elements. Arrays become repeated elements. Maps become lists of entries, because a key need not be a valid XML name. */
export function xmlWriter(base: string): (name: string, fields: object) => string {
  const frameOf = frames((link) => {
    const type = typeOf(link, 'xml')
    return {
      before: ` rel="${xmlAttribute(link.rel)}"${type === undefined ? '' : ` type="${xmlAttribute(type)}"`} href="`,
      behind: '"/>',
    }
  })
  const api = `${base}/api`

  const writeLink = (link: LinkDocument): string => {
    const { href, title } = link
    const { before, behind } = frameOf(link)
    const target = xmlAttribute(isPath(href) ? api + href : href)
    return `<link${title === undefined ? '' : ` title="${xmlAttribute(title)}"`}${before}${target}${behind}`
  }

  const writeField = (name: string, value: unknown): string => {
    if (!isObject(value)) return `<${name}>${xmlText(String(value))}</${name}>`
    if (Array.isArray(value)) return value.map((item) => writeField(name, item)).join('')
    if (!(value instanceof Map)) return writeElement(name, value)
    return writeElement(name, { entry: [...value].map(([key, item]) => ({ key: String(key), value: item })) })
  }

  const writeElement = (name: string, fields: object): string => {
    let links = ''
    let others = ''
    for (const [field, value] of Object.entries(fields)) {
      if (field === 'links') links = (value as LinkDocument[]).map(writeLink).join('')
      else if (isThere(value))
        others += writeField(field, field === 'fix' ? proposed(value, api, 'xml') : value)
    }
    return `<${name}>${links}${others}</${name}>`
  }

  return writeElement
}

import { type Collection, collections, type Element, isSame, nameOf } from '#lib/gateway/elements'
import { canonical, type Family, networkOf } from '#lib/gateway/networks'

/* Reads the output of `nft -j list table` piece by piece: 100,000 elements would take 200 MB as one document. */

export type Counter = { packets: number; bytes: number }

/** A chain, map or other object in the gateway's table that the gateway did not make. */
export type Strange = { family: Family; kind: string; name: string }

export type Found = {
  elements: Map<string, Element>
  /** By the name of the element, since the element was made. */
  counters: Map<string, Counter>
  /** Everything but the elements as text, to see whether it is still the same. Empty without a table. */
  frame: string
  strange: Strange[]
}

type Value =
  | string
  | number
  | { concat: Value[] }
  | { range: [Value, Value] }
  | { prefix: { addr: string; len: number } }
type ElementJson = Value | { elem: { val: Value; comment?: string; counter?: Counter } }
type EntryJson = ElementJson | [ElementJson, Value]

const textOf = (value: Value): string => {
  if (typeof value === 'object') return compoundText(value)
  // nft writes ::ffff:1.2.3.4 for an address that RFC 5952 also allows as ::ffff:102:304.
  return typeof value === 'string' && value.includes(':') ? canonical(value) : String(value)
}

function compoundText(value: Exclude<Value, string | number>): string {
  if ('concat' in value) return value.concat.map(textOf).join(' . ')
  if ('range' in value) return value.range.map(textOf).join('-')
  if (!('prefix' in value)) return JSON.stringify(value)
  const { addr, len } = value.prefix
  return networkOf(`${addr}/${len}`)?.text ?? JSON.stringify(value)
}

const isCollection = (name: string): name is Collection => (collections as readonly string[]).includes(name)

type MapName = Pick<Element, 'family' | 'collection'>

function read(entry: EntryJson, place: MapName): { element: Element; counter: Counter | undefined } {
  const [head, value] = Array.isArray(entry) ? entry : [entry, undefined]
  const { val, comment, counter } =
    typeof head === 'object' && 'elem' in head
      ? head.elem
      : { val: head, comment: undefined, counter: undefined }
  const [, id] = /^rule (\d+)$/.exec(comment ?? '') ?? []
  const key = textOf(val)
  const element: Element = {
    ...place,
    name: nameOf({ ...place, key }),
    key,
    ...(value !== undefined && { value: textOf(value) }),
    ...(id !== undefined && { rule: Number(id) }),
  }
  return { element, counter }
}

type Item = Record<string, { family: Family; name?: string; handle?: number; elem?: unknown }>

/** Chains and maps of the gateway, and the objects for the table itself and its rules. */
const isOwn = (kind: string, name: string): boolean =>
  /^(metainfo|table|rule)$/.test(kind) || /^chain (pre|post)$/.test(`${kind} ${name}`) || isCollection(name)

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44]
const isOpening = (sign: number): boolean => sign === 123 || sign === 91
const isClosing = (sign: number): boolean => sign === 125 || sign === 93

/** Reads one listing after the other. Throws a SyntaxError where one is no JSON. */
export class ListingReader {
  readonly found: Found = { elements: new Map(), counters: new Map(), frame: '', strange: [] }
  readonly #known: ReadonlyMap<string, Element>
  #depth = 0
  #isText = false
  #isEscaped = false
  /** The rest of the document so far, without elements. */
  #frame = ''
  #entry = ''
  /** The depth of the list of elements that is being read; 0 outside of one. */
  #list = 0
  #place: MapName | undefined

  constructor(known: ReadonlyMap<string, Element>) {
    this.#known = known
  }

  push(piece: string): void {
    let from = 0
    for (let at = 0; at < piece.length; at += 1) {
      const sign = piece.charCodeAt(at)
      if (this.#isText) this.#readText(sign)
      else if (sign === QUOTE) this.#isText = true
      else if (isOpening(sign)) {
        this.#depth += 1
        if (this.#list === 0 && piece[at] === '[' && this.#isListOpened(piece.slice(from, at + 1)))
          from = at + 1
      } else if (isClosing(sign)) {
        if (this.#list === this.#depth) {
          this.#finish(piece.slice(from, at))
          this.#list = 0
          from = at
        }
        this.#depth -= 1
      } else if (sign === COMMA && this.#list === this.#depth) {
        this.#finish(piece.slice(from, at))
        from = at + 1
      }
    }
    if (this.#list > 0) this.#entry += piece.slice(from)
    else this.#frame += piece.slice(from)
  }

  #readText(sign: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (sign === BACKSLASH) this.#isEscaped = true
    else if (sign === QUOTE) this.#isText = false
  }

  /** Whether the elements of a map or set begin here. If so, `text` is part of the frame. */
  #isListOpened(text: string): boolean {
    const before = this.#frame + text
    if (!/"elem":\s*\[$/.test(before)) return false
    const [family, name = ''] =
      [...before.matchAll(/"(?:map|set)":\s*\{"family":\s*"(ip6?)",\s*"name":\s*"([^"]*)"/g)]
        .at(-1)
        ?.slice(1) ?? []
    this.#place = isCollection(name) ? { family: family as Family, collection: name } : undefined
    this.#frame = before
    this.#list = this.#depth
    return true
  }

  #finish(text: string): void {
    const entry = this.#entry + text
    this.#entry = ''
    if (!this.#place || entry.trim() === '') return
    const { element, counter } = read(JSON.parse(entry) as EntryJson, this.#place)
    const known = this.#known.get(element.name)
    const kept = known && isSame(known, element) ? known : element
    this.found.elements.set(kept.name, kept)
    if (counter) this.found.counters.set(kept.name, counter)
  }

  /** The document is whole. */
  end(): void {
    const { nftables } = JSON.parse(this.#frame) as { nftables: Item[] }
    this.#frame = ''
    for (const item of nftables)
      for (const [kind, { handle: _, elem: __, ...what }] of Object.entries(item)) {
        const { family, name = '' } = what
        if (kind !== 'metainfo') this.found.frame += `${kind} ${JSON.stringify(what)}\n`
        if (!isOwn(kind, name)) this.found.strange.push({ family, kind, name })
      }
  }
}

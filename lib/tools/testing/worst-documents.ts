import type { z } from 'zod'
import { type Described, formsOf } from '#lib/request/pipeline/spec.server'

/* Documents that cost a server much, and are refused. */

export type Body = { kind: string; type: string; text: string }

const JSON_TYPE = 'application/json'
const XML_TYPE = 'application/xml'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Just below the number of values at which a document is refused while it is parsed. */
const VALUES = 29_000

const fill = (unit: string, size: number): string => unit.repeat(Math.max(0, Math.floor(size / unit.length)))
const members = (size: number, least = 0): string => {
  const count = Math.min(Math.floor(size / 12), least || size)
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`
}

/** Documents without regard to the operation. */
export const anyBodies = (size: number, root: string): Body[] => {
  const room = size - 2 * root.length - 64
  const json = (kind: string, text: string): Body => ({ kind: `JSON, ${kind}`, type: JSON_TYPE, text })
  const xml = (kind: string, inner: string): Body => ({
    kind: `XML, ${kind}`,
    type: XML_TYPE,
    text: `<${root}>${inner}</${root}>`,
  })
  return [
    json('nested', fill('[', room)),
    json('many members', `{"links":[${Array.from({ length: 29 }, () => members(room, 999)).join(',')}]}`),
    json('too many members', members(room)),
    json('many items', `{"links":[${fill('{},', Math.min(room, 3 * VALUES))}{}]}`),
    json('spaces', fill(' ', room)),
    json('a number of digits', `{"id":${fill('9', room)}}`),
    json('escapes', `{"id":"${fill('\\u0041', room)}"}`),
    xml('nested', fill('<a>', room)),
    xml('many elements', fill('<a/>', Math.min(room, 4 * VALUES))),
    xml('too many elements', fill('<a/>', room)),
    xml(
      'many attributes',
      `<a ${Array.from({ length: Math.floor(room / 14) }, (_, index) => `a${index}="1"`).join(' ')}/>`,
    ),
    xml('entities', fill('&amp;', room)),
    xml('spaces', fill(' ', room)),
    xml('digits', `<id>${fill('9', room)}</id>`),
    { kind: 'form, many fields', type: FORM_TYPE, text: fill('a=%20&', room) },
  ]
}

/** Documents whose every field has a value that fits no field. */
export const ownBodies = (size: number, root: string, body: z.ZodObject): Body[] => {
  const names = Object.keys(body.shape)
  const room = Math.floor((size - 1024) / (names.length + 1)) - 64
  const items = Math.floor(Math.min(VALUES / (names.length + 1), room / 4))
  const json = (kind: string, value: unknown): Body => ({
    kind: `JSON, own fields, ${kind}`,
    type: JSON_TYPE,
    text: JSON.stringify(Object.fromEntries(names.map((name) => [name, value]))),
  })
  const xml = (kind: string, inner: string, count = 1): Body => ({
    kind: `XML, own fields, ${kind}`,
    type: XML_TYPE,
    text: `<${root}>${names.map((name) => fill(`<${name}>${inner}</${name}>`, count * (inner.length + 2 * name.length + 5))).join('')}</${root}>`,
  })
  return [
    json('spaces', fill(' ', room)),
    json('digits', fill('1', room)),
    json('slashes', fill('/', room)),
    json('many numbers', Array(items).fill(1)),
    json('many objects', Array(items).fill({})),
    xml('spaces', fill(' ', room)),
    xml('digits', fill('1', room)),
    xml('many elements', '', Math.floor(Math.min(items, room / 40))),
  ]
}

/** The schema of the operation's body, if it is a document that fits into memory. */
export const takenBy = (spec: Described): { as: string; body: z.ZodObject } | undefined => {
  const [{ takes } = {}] = formsOf(spec)
  return takes && !('reads' in takes && takes.reads) ? takes : undefined
}

/** Less than Node's limit of a request's head. */
const HEAD = 14_000

export const queries: Record<string, string> = {
  'a long query': `?has=${fill('%20', HEAD)}`,
  'many parameters': `?${fill('a=1&limit=1&', HEAD)}`,
}

export const heads: Record<string, Record<string, string>> = {
  'long Accept': { accept: fill('a/b;q=0.1,', HEAD) },
  'long OAuth': { authorization: `OAuth ${fill('a=" ",', HEAD)}` },
  'spaces in OAuth': { authorization: `OAuth a=${fill(' ', HEAD)}"` },
  'long Bearer': { authorization: `Bearer x${fill(' ', HEAD)}"` },
  'long Basic': { authorization: `Basic ${fill('YTph', HEAD)}` },
  'long cookies': { cookie: fill('auth=a; ', HEAD) },
  'long addresses': { 'x-forwarded-for': fill('1.1.1.1, ', HEAD), 'if-none-match': 'x' },
}

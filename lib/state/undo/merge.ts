import type { z } from 'zod'
import { linkRules } from '#lib/ground/http/input.schema'
import type { LinkDocument } from '#lib/ground/http/view'
import type { Fields } from '#lib/state/reconcile/sent'

/* Takes the change of a document back in a later state of it, field by field, as a client would send it. */

/** A field that was changed since the event: its value after the event, and its present value. */
export type Conflict = { field: string; left: unknown; now: unknown }

/** Rules have their own inverse, and secrets are in no document. */
const untouched = new Set(['links', 'natrules'])

/** The parts of a document that a change can affect: its fields, and the rels of its links. */
function writable(schema: z.ZodObject): { fields: string[]; isRel: (rel: string) => boolean } {
  const fields = Object.keys(schema.shape).filter((name) => !untouched.has(name))
  const links = schema.shape.links as z.ZodType | undefined
  const rels = new Set(Object.keys((links && linkRules.get(links)?.rules) ?? {}))
  // A machine's nic0, nic1, … have the rule `nic`.
  return { fields, isRel: (rel) => rels.has(rel) || rels.has(rel.replace(/(?<!\d)\d+$/, '')) }
}

const textOf = (value: unknown): string => JSON.stringify(plain(value)) ?? 'undefined'

/** Without links and ids, which items of lists have besides their content. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { links: _links, id: _id, ...fields } = value as Fields
  return fields
}

const hrefOf = ({ href }: LinkDocument): string => href

const linksOf = (document: Fields | undefined, isRel: (rel: string) => boolean): Map<string, LinkDocument> =>
  new Map((document?.links ?? []).filter(({ rel }) => isRel(rel)).map((link) => [link.rel, link]))

type States = { before: Fields; after: Fields; now: Fields }

/** The fields that were changed again since the event, among those that it changed. */
export function conflictsOf(schema: z.ZodObject, { before, after, now }: States): Conflict[] {
  const { fields, isRel } = writable(schema)
  const changed = fields.filter((name) => textOf(before[name]) !== textOf(after[name]))
  const others = changed.filter(
    (name) => !isList(after[name] ?? before[name]) && textOf(after[name]) !== textOf(now[name]),
  )
  const [was, left, is] = [before, after, now].map((document) => linksOf(document, isRel))
  const rels = [...new Set([...(was?.keys() ?? []), ...(left?.keys() ?? [])])]
  const linked = rels.filter((rel) => {
    const [first, second, third] = [was, left, is].map((links) => links?.get(rel))
    return hrefIn(first) !== hrefIn(second) && hrefIn(second) !== hrefIn(third)
  })
  return [
    ...others.map((field) => ({ field, left: plain(after[field]), now: plain(now[field]) })),
    ...linked.map((field) => ({ field, left: left?.get(field)?.title, now: is?.get(field)?.title })),
  ]
}

const hrefIn = (link: LinkDocument | undefined): string => (link ? hrefOf(link) : '')

/** Lists and maps are undone by member, so that additions by others stay. */
const isList = (value: unknown): boolean => Array.isArray(value) || value instanceof Map

/** The present document, with the event's changes undone. */
export function takenBack(schema: z.ZodObject, { before, after, now }: States): Fields {
  const { fields, isRel } = writable(schema)
  const merged: Fields = {}
  for (const name of Object.keys(schema.shape)) if (now[name] !== undefined) merged[name] = now[name]
  for (const name of fields) {
    if (textOf(before[name]) === textOf(after[name])) continue
    merged[name] = isList(after[name] ?? before[name])
      ? membersBack(before[name], after[name], now[name])
      : before[name]
  }
  const [was, left, is] = [before, after, now].map((document) => linksOf(document, isRel))
  const links = new Map(is)
  for (const rel of new Set([...(was?.keys() ?? []), ...(left?.keys() ?? [])])) {
    if (hrefIn(was?.get(rel)) === hrefIn(left?.get(rel))) continue
    const link = was?.get(rel)
    if (link) links.set(rel, link)
    else links.delete(rel)
  }
  return { ...merged, links: [...links.values()] }
}

function membersBack(before: unknown, after: unknown, now: unknown): unknown {
  if ([before, after, now].some((each) => each instanceof Map)) return entriesBack(before, after, now)
  const [was, left, is] = [before, after, now].map((each) => (Array.isArray(each) ? each : []) as unknown[])
  const keys = (items: unknown[] | undefined) => new Set((items ?? []).map(textOf))
  const [hadBefore, hadAfter, hasNow] = [keys(was), keys(left), keys(is)]
  const kept = (is ?? []).filter((item) => hadBefore.has(textOf(item)) || !hadAfter.has(textOf(item)))
  const back = (was ?? []).filter((item) => !hadAfter.has(textOf(item)) && !hasNow.has(textOf(item)))
  return [...kept, ...back]
}

function entriesBack(before: unknown, after: unknown, now: unknown): Map<string, unknown> {
  const [was, left, is] = [before, after, now].map(
    (each) => (each instanceof Map ? each : new Map()) as Map<string, unknown>,
  )
  const merged = new Map(is)
  for (const key of new Set([...(was?.keys() ?? []), ...(left?.keys() ?? [])])) {
    if (was?.get(key) === left?.get(key) || is?.get(key) !== left?.get(key)) continue
    if (was?.has(key)) merged.set(key, was.get(key))
    else merged.delete(key)
  }
  return merged
}

/** The fields that were changed since the event created the resource. */
export function changedSince(schema: z.ZodObject, after: Fields, now: Fields): Conflict[] {
  const { fields, isRel } = writable(schema)
  const others = fields.filter((name) => textOf(after[name]) !== textOf(now[name]))
  const [left, is] = [after, now].map((document) => linksOf(document, isRel))
  const rels = [...new Set([...(left?.keys() ?? []), ...(is?.keys() ?? [])])]
  return [
    ...others.map((field) => ({ field, left: plain(after[field]), now: plain(now[field]) })),
    ...rels
      .filter((rel) => hrefIn(left?.get(rel)) !== hrefIn(is?.get(rel)))
      .map((field) => ({ field, left: left?.get(field)?.title, now: is?.get(field)?.title })),
  ]
}

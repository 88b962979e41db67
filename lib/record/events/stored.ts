import { isReported } from '#lib/ground/http/reports'
import { isAddressName, isSecretName } from '#lib/ground/http/secrets'
import { idOfLink, type LinkDocument } from '#lib/ground/http/view'
import type { Change } from '#lib/record/events/events.schema'

/* How events store changes. Names are stored with ids, so that each reader gets only the visible ones. */

/** The place of a resource. Only callers who see all parts of the place see the resource. */
export type EventPlace = { enterprise?: number; datacenter?: number; scope?: number }

/** A named resource. `at` is its place at the time of the event, used once the resource is deleted. */
export type Named = { type: string; id: number; name?: string; at?: EventPlace }

type Item = string | Named | { fields: Record<string, string | Named> }

/** The first items of a list, and how many more there were. */
type Items = { items: Item[]; more?: number }

export type Value = string | Named | Items

type StoredChange = { before?: Value; after?: Value }
export type StoredChanges = Record<string, StoredChange>

/** Reduces each secret to the fact that it changed, and each address of a receiver to its origin. */
export const withoutSecrets = (changes: StoredChanges): StoredChanges =>
  Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, withoutSecret(field, change)]))

function withoutSecret(field: string, change: StoredChange): StoredChange {
  if (isSecretName(field)) return { after: 'changed' }
  return isAddressName(field) ? originsOf(change) : change
}

const originsOf = (change: StoredChange): StoredChange =>
  Object.fromEntries(Object.entries(change).map(([side, value]) => [side, originOf(value)]))

function originOf(value: Value): string {
  const url = typeof value === 'string' && URL.parse(value)
  return url ? `${url.protocol}//${url.host}` : ''
}

type Document = { links?: LinkDocument[]; id?: number }

export function changesBetween(before: object | undefined, after: object | undefined): StoredChanges {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const change = changeOf(was[name], is[name])
      return change ? [[name, change]] : []
    }),
  )
}

type Plain = string | Named | Item[]

/** The fields of a document and its links that have a title. */
function fieldsOf(document: object | undefined): Record<string, Plain> {
  const { links = [], id: _id, ...fields } = (document ?? {}) as Document
  const own = links.find(({ rel }) => rel === 'edit' || rel === 'self')?.href
  const plain = Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Plain][] =>
      value === undefined || value === null || isReported(document, name)
        ? []
        : [[name, plainOf(value, own)]],
    ),
  )
  // A datacenter has both a field and a link `location`. Users change the field.
  return { ...plain, ...linkedIn(links, own), ...plain }
}

/** The links with a title, except to the document itself and to the document that contains it. */
function linkedIn(links: LinkDocument[], part: string | undefined): Record<string, Named> {
  const named = links.filter(
    ({ rel, title, href }) => rel !== 'edit' && rel !== 'self' && title !== undefined && href !== part,
  )
  return Object.fromEntries(named.map((link) => [link.rel, namedBy(link)]))
}

const namedBy = (link: LinkDocument): Named => ({
  type: link.type ?? '',
  id: idOfLink(link) ?? 0,
  name: link.title ?? '',
})

function plainOf(value: unknown, own: string | undefined): Plain {
  if (Array.isArray(value)) return value.map((item) => itemOf(item, own))
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value).map(([name, item]) => `${name}: ${textOf(itemOf(item, own))}`)
}

function itemOf(item: unknown, own: string | undefined): Item {
  if (typeof item !== 'object' || item === null) return String(item)
  const { links = [], id: _id, ...fields } = item as Document & Record<string, unknown>
  const plain = Object.entries(fields).flatMap(([name, value]): [string, string | Named][] =>
    value === undefined || value === null || isSecretName(name) || isReported(item, name)
      ? []
      : [[name, String(value)]],
  )
  return { fields: { ...Object.fromEntries(plain), ...entityIn(fields), ...linkedIn(links, own) } }
}

/** Entities of a scope are named by kind and id alone (docs/api/events.md, "Events"). */
const entityIn = ({ idResource, type }: Record<string, unknown>): Record<string, Named> =>
  typeof idResource === 'number' && typeof type === 'string'
    ? { idResource: { type: type.toLowerCase(), id: idResource } }
    : {}

function changeOf(before: Plain | undefined, after: Plain | undefined): StoredChange | undefined {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [was, is] = [[before ?? []].flat(), [after ?? []].flat()]
    return shown(listed(lacking(was, is)), listed(lacking(is, was)))
  }
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : shown(before, after)
}

function lacking(items: Item[], others: Item[]): Item[] {
  const known = new Set(others.map((item) => JSON.stringify(item)))
  return items.filter((item) => !known.has(JSON.stringify(item)))
}

const shown = (before: Value | undefined, after: Value | undefined): StoredChange | undefined =>
  before === undefined && after === undefined
    ? undefined
    : { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }

const ITEMS = 100

function listed(items: Item[]): Items | undefined {
  if (items.length === 0) return undefined
  const more = items.length - ITEMS
  return { items: items.slice(0, ITEMS), ...(more > 0 && { more }) }
}

/** All resources that the changes name. */
export const namedIn = (changes: StoredChanges): Named[] =>
  Object.values(changes).flatMap(({ before, after }) => [...namesOf(before), ...namesOf(after)])

function namesOf(value: Value | Item | undefined): Named[] {
  if (value === undefined || typeof value === 'string') return []
  if ('items' in value) return value.items.flatMap(namesOf)
  return 'fields' in value ? Object.values(value.fields).flatMap(namesOf) : [value]
}

/** The change without the values and items that the reader cannot see. */
export function shownChange({ before, after }: StoredChange, sees: (named: Named) => boolean): Change {
  const [was, is] = [shownValue(before, sees), shownValue(after, sees)]
  return {
    ...(was.text !== undefined && { before: was.text }),
    ...(was.hidden && { beforeHidden: true }),
    ...(is.text !== undefined && { after: is.text }),
    ...(is.hidden && { afterHidden: true }),
  }
}

type Shown = { text?: string; hidden?: boolean }

function shownValue(value: Value | undefined, sees: (named: Named) => boolean): Shown {
  if (value === undefined) return {}
  if (typeof value === 'string') return { text: value }
  if (!('items' in value)) return sees(value) ? { text: textOf(value) } : { hidden: true }
  const seen = value.items.filter((item) => namesOf(item).every(sees))
  const hidden = seen.length < value.items.length
  // With hidden items, the number of omitted items would count invisible ones too.
  const more = value.more === undefined || hidden ? '' : `, … (${value.more} more)`
  return {
    ...(seen.length > 0 && { text: seen.map(textOf).join(', ') + more }),
    ...(hidden && { hidden }),
  }
}

function textOf(item: Item): string {
  if (typeof item === 'string') return item
  if (!('fields' in item)) return item.name === undefined ? String(item.id) : `${item.name} (${item.id})`
  return JSON.stringify(
    Object.fromEntries(Object.entries(item.fields).map(([name, value]) => [name, textOf(value)])),
  )
}

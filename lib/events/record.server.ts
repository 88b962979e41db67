import type { Caller } from '#lib/auth/privileges'
import type { Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { type Change, type EntityType, entityTypes } from '#lib/events/events.schema'
import { clientAddress } from '#lib/http/client-address.server'
import { ownLink } from '#lib/http/incoming.server'
import { requestIdOf } from '#lib/http/request-id.server'
import type { EventSpec } from '#lib/http/spec'
import { idOfLink, type LinkDocument, linkOf } from '#lib/http/view'

export type Changes = Record<string, Change>

type Outcome = {
  request: Request
  caller: Caller
  db: Trx
  /** The document of what was there; nothing on a create. */
  before: object | undefined
  /** What the operation answers. */
  result: unknown
  /** What it says beside the documents. */
  noted: Changes
}

const actions: Record<string, string> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/**
 * Writes the event of a change into its transaction: what the documents before and after say, field by field. Documents show
 * no secret, so no event does. A PUT that changes nothing leaves none.
 */
export async function recordChange(spec: EventSpec, outcome: Outcome): Promise<void> {
  const { request, caller, db, result, noted } = outcome
  const { entity, action } =
    typeof spec === 'string' ? { entity: spec, action: actions[request.method] ?? 'update' } : spec
  const before = request.method === 'POST' ? undefined : outcome.before
  const changes = { ...changesBetween(before, result, { entity, action }), ...noted }
  if (action === 'update' && Object.keys(changes).length === 0) return
  const subject = subjectOf(entity, outcome)
  const told = subject.type === entity ? action : `${action}-${entity}s`
  await insertEvent(db, { request, action: told, changes, by: caller, entity: subject })
}

/** What an event is about: the thing itself, what holds the many that were made at once, or who acts on himself. */
function subjectOf(entity: EntityType, { result, before, caller }: Outcome): NewEvent['entity'] {
  const itself = [result, before].find((document) => ownLink(document)?.type === entity)
  // What belongs to the thing, without an id of its own, links it.
  const own = ownLink(itself) ?? linkedEntity(result, entity)
  if (own) return { ...named(own), type: entity, place: placeOf(entity, itself ?? result) }
  const holder = ownLink(before)
  const type = entityTypes.find((name) => name === holder?.type)
  if (holder && type) return { ...named(holder), type, place: placeOf(type, before) }
  const { id, nick: name, enterpriseId } = caller
  const path = `/admin/enterprises/${enterpriseId}/users/${id}`
  return { type: entity, id, name, path, place: { enterpriseId } }
}

const named = (own: LinkDocument) => ({ id: idOfLink(own) ?? 0, name: own.title ?? '', path: own.href })

const linksIn = (document: unknown): LinkDocument[] =>
  ((document ?? {}) as { links?: LinkDocument[] }).links ?? []

const linkedEntity = (document: unknown, entity: EntityType): LinkDocument | undefined => {
  const linked = linkOf({ links: linksIn(document) }, entity)
  return linked?.type === entity ? linked : undefined
}

/** The fields of both documents that differ; of an action whose answer is no such document, none. */
function changesBetween(
  before: object | undefined,
  result: unknown,
  { entity, action }: { entity: EntityType; action: string },
): Changes {
  const after = ownLink(result)?.type === entity ? (result as object) : undefined
  if (!after && action !== 'delete') return {}
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const change = changeOf(was[name], is[name])
      return change ? [[name, change]] : []
    }),
  )
}

type Value = string | string[] | undefined

/** The plain fields of a document, and for each resource that it links by name `name (id)`. */
function fieldsOf(document: object | undefined): Record<string, Value> {
  const { links = [], id: _id, ...fields } = (document ?? {}) as { links?: LinkDocument[]; id?: number }
  const named = links.filter(({ rel, title }) => rel !== 'edit' && rel !== 'self' && title !== undefined)
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)])),
    ...Object.fromEntries(named.map((link) => [link.rel, `${link.title} (${idOfLink(link)})`])),
  }
}

function plain(value: unknown): Value {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value.map(itemOf)
  if (typeof value === 'object')
    return Object.entries(value).map(([name, item]) => `${name}: ${itemOf(item)}`)
  return String(value)
}

const itemOf = (item: unknown): string =>
  typeof item === 'object' && item !== null ? JSON.stringify(fieldsOf(item)) : String(item)

function changeOf(before: Value, after: Value): Change | undefined {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [was, is] = [[before ?? []].flat(), [after ?? []].flat()]
    const [kept, known] = [new Set(is), new Set(was)]
    return shown(listed(was.filter((item) => !kept.has(item))), listed(is.filter((item) => !known.has(item))))
  }
  return before === after ? undefined : shown(before, after)
}

const shown = (before: string | undefined, after: string | undefined): Change | undefined =>
  before === undefined && after === undefined
    ? undefined
    : { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }

const ITEMS = 100

/** A long list is cut, with the number of what is left out. */
function listed(items: string[]): string | undefined {
  if (items.length === 0) return undefined
  const more = items.length - ITEMS
  return items.slice(0, ITEMS).join(', ') + (more > 0 ? `, … (${more} more)` : '')
}

/** What must be visible for the event to be: the enterprise, datacenter or scope that the thing is or belongs to. */
type PlaceOfEntity = { enterpriseId?: number; datacenterId?: number; scopeId?: number }

function placeOf(entity: EntityType, document: unknown): PlaceOfEntity {
  const links = linksIn(document)
  const own = ownLink(document)
  const linked = (rel: string) => idOfLink(own?.type === rel ? own : linkOf({ links }, rel)) ?? undefined
  return {
    enterpriseId: linked('enterprise'),
    datacenterId: linked('datacenter') ?? linked('location'),
    ...(entity === 'scope' && { scopeId: linked('scope') }),
  }
}

type NewEvent = {
  request: Request
  action: string
  changes?: Changes
  /** Who did it; undefined: nobody known. */
  by: Pick<Caller, 'id' | 'nick' | 'enterpriseId'> | undefined
  entity: { type: EntityType; id?: number; name: string; path?: string; place?: PlaceOfEntity }
}

/** One event, in the transaction of what it tells. */
export async function insertEvent(
  trx: Trx,
  { request, action, changes = {}, by, entity }: NewEvent,
): Promise<void> {
  await trx
    .insertInto('events')
    .values({
      timestamp: Date.now(),
      action,
      entity_type: entity.type,
      entity_id: entity.id ?? null,
      entity_name: entity.name,
      entity_key: fold(entity.name),
      entity_path: entity.path ?? null,
      changes: JSON.stringify(changes),
      user_id: by?.id ?? null,
      user_nick: by?.nick ?? null,
      enterprise_id: by?.enterpriseId ?? null,
      request_id: requestIdOf(request),
      ip: clientAddress(request),
      about_enterprise_id: entity.place?.enterpriseId ?? null,
      about_datacenter_id: entity.place?.datacenterId ?? null,
      about_scope_id: entity.place?.scopeId ?? null,
    })
    .execute()
}

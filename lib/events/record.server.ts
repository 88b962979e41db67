import type { Caller } from '#lib/auth/privileges'
import type { Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { type EntityType, entityTypes } from '#lib/events/events.schema'
import { currentPlaces, isPlace } from '#lib/events/places.server'
import { changesBetween, namedIn, type Place, type StoredChanges, withoutSecrets } from '#lib/events/stored'
import { clientAddress } from '#lib/http/client-address.server'
import { requestIdOf } from '#lib/http/request-id.server'
import { idOfLink, type LinkDocument, linkOf, ownLink } from '#lib/http/view'

/** The kind of resource that a write changes. Names the action if the method does not imply it (create, update, delete). */
export type EventSpec = EntityType | { entity: EntityType; action: string }

type Outcome = {
  request: Request
  caller: Caller
  db: Trx
  /** The document before the change. A create has none. */
  before: object | undefined
  /** The body of the response. */
  result: unknown
  /** Fields that are in no document. */
  noted: StoredChanges
}

const actions: Record<string, string> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/** Writes the event in the transaction of the change, with the fields that differ. A PUT that changes nothing writes no event. */
export async function recordChange(spec: EventSpec, outcome: Outcome): Promise<void> {
  const { request, caller, db, result, noted } = outcome
  const { entity, action } =
    typeof spec === 'string' ? { entity: spec, action: actions[request.method] ?? 'update' } : spec
  const before = request.method === 'POST' ? undefined : outcome.before
  const after = ownLink(result)?.type === entity ? (result as object) : undefined
  const differ = after || action === 'delete' ? changesBetween(before, after) : {}
  const changes = { ...differ, ...noted }
  if (action === 'update' && Object.keys(changes).length === 0) return
  const subject = await subjectOf(entity, outcome)
  const recorded = subject.type === entity ? action : `${action}-${entity}s`
  await insertEvent(db, { request, action: recorded, changes, by: caller, entity: subject })
}

/** The subject of an event: the resource, the parent of resources that were created together, or the caller. */
async function subjectOf(
  entity: EntityType,
  { result, before, caller, db }: Outcome,
): Promise<NewEvent['entity']> {
  const itself = [result, before].find((document) => ownLink(document)?.type === entity)
  // A part without an id of its own links the resource that it belongs to.
  const own = ownLink(itself) ?? linkedEntity(result, entity)
  const holder = ownLink(before)
  const type = own ? entity : entityTypes.find((name) => name === holder?.type)
  const link = own ?? holder
  if (link && type) {
    const [after, was] = [itself ?? result, before].map((document) => placeIn(document))
    const thing = named(link)
    return {
      ...thing,
      type,
      ...(await placesOf(db, { type, ...thing }, { before: { ...was }, after: { ...after } })),
    }
  }
  const { id, nick: name, enterpriseId: enterprise } = caller
  const path = `/admin/enterprises/${enterprise}/users/${id}`
  return { type: entity, id, name, path, place: { enterprise } }
}

const named = (own: LinkDocument) => ({ id: idOfLink(own) ?? 0, name: own.title ?? '', path: own.href })

const linksIn = (document: unknown): LinkDocument[] =>
  ((document ?? {}) as { links?: LinkDocument[] }).links ?? []

const linkedEntity = (document: unknown, entity: EntityType): LinkDocument | undefined => {
  const linked = linkOf({ links: linksIn(document) }, entity)
  return linked?.type === entity ? linked : undefined
}

/** The place of a document's resource, from its links and its own path. */
function placeIn(document: unknown): Place {
  const own = ownLink(document)
  const linked = (rel: string) =>
    idOfLink(own?.type === rel ? own : linkOf({ links: linksIn(document) }, rel))
  const inPath = (pattern: RegExp) => Number(pattern.exec(own?.href ?? '')?.[1]) || undefined
  return placed(
    linked('enterprise') ?? inPath(/^\/admin\/enterprises\/(\d+)/),
    linked('datacenter') ?? linked('location') ?? inPath(/^\/(?:admin\/datacenters|cloud\/locations)\/(\d+)/),
  )
}

const placed = (enterprise: number | undefined, datacenter: number | undefined): Place => ({
  ...(enterprise !== undefined && { enterprise }),
  ...(datacenter !== undefined && { datacenter }),
})

type Thing = { type: EntityType; id: number; path: string }

/** The places before and after the change, from the documents. The database supplies what they omit. */
async function placesOf(
  db: Trx,
  { type, id, path }: Thing,
  { before, after }: { before: Place; after: Place },
): Promise<{ place: Place; was: Place }> {
  const parent = Number(/^\/cloud\/virtualdatacenters\/(\d+)\//.exec(path)?.[1])
  const things = [{ type, id }, ...(parent ? [{ type: 'virtualdatacenter', id: parent }] : [])]
  const now = await currentPlaces(db, things)
  const known = Object.assign({}, ...things.map((thing) => now(thing)))
  return { place: { ...known, ...before, ...after }, was: { ...known, ...after, ...before } }
}

type NewEvent = {
  request: Request
  action: string
  changes?: StoredChanges
  /** The user who made the change, if known. */
  by: Pick<Caller, 'id' | 'nick' | 'enterpriseId'> | undefined
  /** `place` is the current place, `was` the previous one. */
  entity: { type: EntityType; id?: number; name: string; path?: string; place?: Place; was?: Place }
}

/** Writes one event in the transaction of the change. Returns its id. */
export async function insertEvent(
  trx: Trx,
  { request, action, changes = {}, by, entity }: NewEvent,
): Promise<number> {
  const { id } = await trx
    .insertInto('events')
    .values({
      timestamp: Date.now(),
      action,
      entity_type: entity.type,
      entity_id: entity.id ?? null,
      entity_name: entity.name,
      entity_key: fold(entity.name),
      entity_path: entity.path ?? null,
      changes: JSON.stringify(await located(trx, withoutSecrets(changes))),
      structured: 1,
      user_id: by?.id ?? null,
      user_nick: by?.nick ?? null,
      enterprise_id: by?.enterpriseId ?? null,
      request_id: requestIdOf(request),
      ip: clientAddress(request),
      about_enterprise_id: entity.place?.enterprise ?? null,
      was_enterprise_id: entity.was?.enterprise ?? null,
      about_datacenter_id: entity.place?.datacenter ?? null,
      about_scope_id: entity.place?.scope ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates an event that counts the attempts of one minute. */
export const amendEvent = (trx: Trx, id: number, { changes, ip }: { changes?: StoredChanges; ip?: string }) =>
  trx
    .updateTable('events')
    .set({ ...(changes && { changes: JSON.stringify(changes) }), ...(ip !== undefined && { ip }) })
    .where('id', '=', id)
    .execute()

/** Records the place of each named resource: after a deletion, visibility can only be decided from the event. */
async function located(trx: Trx, changes: StoredChanges): Promise<StoredChanges> {
  const things = namedIn(changes)
  if (things.length === 0) return changes
  const now = await currentPlaces(trx, things)
  for (const thing of things) {
    const at = now(thing)
    if (at && !isPlace(thing)) thing.at = at
  }
  return changes
}

import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Caller } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { nextMoment } from '#lib/db/savepoints.server'
import { oneOf, statement } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'
import { commitAfter } from '#lib/db/transactions.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { plainPath } from '#lib/ground/http/route.server'
import { isSecretName } from '#lib/ground/http/secrets'
import { idOfLink, type LinkDocument, linkOf, ownLink } from '#lib/ground/http/view'
import { isAfter, transactionNumber } from '#lib/record/events/commit-order.server'
import { type EntityType, entityTypes } from '#lib/record/events/events.schema'
import type { Part } from '#lib/record/events/operation.server'
import { currentPlaces, isPlace, isWholePlace } from '#lib/record/events/places.server'
import { OPEN_FOR } from '#lib/record/events/seals.server'
import {
  changesBetween,
  type EventPlace,
  namedIn,
  type StoredChanges,
  withoutSecrets,
} from '#lib/record/events/stored'

/**
 * The kind of resource that a write changes. Has a name for the action if the method does not imply it (create, update, delete). An event
 * can be undone (lib/state/undo) unless its declaration has a reason against it.
 */
export type EventSpec = EntityType | { entity: EntityType; action?: string; cannotUndo?: string }

type Outcome = {
  request: Exchange
  caller: Caller
  db: Trx
  /** The document before the change. A create has none. */
  before: object | undefined
  /** The body of the response. */
  result: unknown
  /** Fields that are in no document. */
  noted: StoredChanges
  /** The change is part of another one, whose event can be undone. */
  part?: Part | undefined
}

const actions: Record<string, string> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/** Writes the event in the transaction of the change, with the fields that differ. A PUT that changes nothing writes no event. */
export async function recordChange(spec: EventSpec, outcome: Outcome): Promise<void> {
  const { request, caller, db, result, noted, part } = outcome
  const implied = actions[request.method] ?? 'update'
  const { entity, action = implied, cannotUndo } = typeof spec === 'string' ? { entity: spec } : spec
  const before = request.method === 'POST' ? undefined : outcome.before
  const after = ownLink(result)?.type === entity ? (result as object) : undefined
  const differ = after || action === 'delete' ? changesBetween(before, after) : {}
  const changes = { ...differ, ...noted }
  if (action === 'update' && Object.keys(changes).length === 0) return
  const subject = await subjectOf(entity, outcome)
  const isOne = subject.type === entity
  const recorded = isOne ? action : `${action}-${entity}s`
  const hasDocuments = isOne && part?.hasDocuments !== false
  const documentPath = hasDocuments ? documentPathOf(entity, outcome) : undefined
  const undoable = !part && cannotUndo === undefined && !Object.keys(changes).every(isSecretName)
  const row = await rowOf(db, {
    request,
    action: recorded,
    changes: { ...changes, ...part?.changes },
    by: caller,
    entity: subject,
    documentPath,
    undoable,
  })
  await commitAfter(db, newEvent(db, row))
}

/** The path of the document that changed. A part without a link to itself is at the path of the request. */
function documentPathOf(entity: EntityType, { request, result, before }: Outcome): string | undefined {
  const documents = [result, before].filter((document) => document !== undefined)
  const own = documents.map(ownLink).find((link) => link?.type === entity)
  if (own) return own.href
  return documents.some((document) => linkedEntity(document, entity))
    ? plainPath(request).replace(/^.*?\/api\//, '/')
    : undefined
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
  const path = pathOf(kinds.user, { enterprise, id })
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
function placeIn(document: unknown): EventPlace {
  const own = ownLink(document)
  const linked = (rel: string) =>
    idOfLink(own?.type === rel ? own : linkOf({ links: linksIn(document) }, rel))
  const inPath = (pattern: RegExp) => Number(pattern.exec(own?.href ?? '')?.[1]) || undefined
  return placed(
    linked('enterprise') ?? inPath(/^\/admin\/enterprises\/(\d+)/),
    linked('datacenter') ?? linked('location') ?? inPath(/^\/(?:admin\/datacenters|cloud\/locations)\/(\d+)/),
  )
}

const placed = (enterprise: number | undefined, datacenter: number | undefined): EventPlace => ({
  ...(enterprise !== undefined && { enterprise }),
  ...(datacenter !== undefined && { datacenter }),
})

type DocumentedResource = { type: EntityType; id: number; path: string }

/** The places before and after the change, from the documents. The database supplies what they omit. */
async function placesOf(
  db: Trx,
  { type, id, path }: DocumentedResource,
  { before, after }: { before: EventPlace; after: EventPlace },
): Promise<{ place: EventPlace; was: EventPlace }> {
  const parent = Number(/^\/cloud\/virtualdatacenters\/(\d+)\//.exec(path)?.[1])
  const things = [{ type, id }, ...(parent ? [{ type: 'virtualdatacenter', id: parent }] : [])].filter(
    (thing) => !isWholePlace(thing.type, { ...before, ...after }),
  )
  const now = await currentPlaces(db, things)
  const known = Object.assign({}, ...things.map((thing) => now(thing)))
  return { place: { ...known, ...before, ...after }, was: { ...known, ...after, ...before } }
}

export type NewEvent = {
  /** Missing for a change that no request made. */
  request?: Exchange
  action: string
  changes?: StoredChanges
  /** The user who made the change, if known. */
  by: Pick<Caller, 'id' | 'nick' | 'enterpriseId'> | undefined
  /** `place` is the current place, `was` the previous one. */
  entity: { type: EntityType; id?: number; name: string; path?: string; place?: EventPlace; was?: EventPlace }
  /** The path of the document that changed. */
  documentPath?: string | undefined
  undoable?: boolean
  /** The event that this one undid. */
  undoes?: number
}

type EventRow = Omit<Insertable<Tables['events']>, 'moment' | 'transaction_number'>

const insertAt = (db: Db, row: EventRow, moment: RawBuilder<number>) =>
  db
    .insertInto('events')
    .values({ ...row, moment, transaction_number: transactionNumber(database().engine) })
    .returning('id')

const newEvent = statement('event', (db, row: EventRow) => insertAt(db, row, sql`journal_moment()`))

const newEventApart = statement('event of its own moment', (db, row: EventRow) =>
  insertAt(db, row, nextMoment[database().engine]),
)

/** Writes one event in the transaction of the change. Returns its id. */
export async function insertEvent(trx: Trx, event: NewEvent): Promise<number> {
  const [written] = await newEvent(trx, await rowOf(trx, event))
  return oneOf(written).id
}

/**
 * Reads everything that the event needs. The function that is returned sends its statement at once, which begins a moment of its own: what
 * changes with the event comes behind it.
 */
export async function readyEvent(trx: Trx, event: NewEvent): Promise<() => Promise<unknown>> {
  const row = await rowOf(trx, event)
  return () => newEventApart(trx, row)
}

async function rowOf(
  trx: Trx,
  { request, action, changes = {}, by, entity, documentPath, undoable, undoes }: NewEvent,
): Promise<EventRow> {
  return {
    timestamp: Date.now(),
    action,
    entity_type: entity.type,
    entity_id: entity.id ?? null,
    entity_name: entity.name,
    entity_key: fold(entity.name),
    entity_path: entity.path ?? null,
    document_path: documentPath ?? null,
    undoable: undoable ? 1 : 0,
    undoes: undoes ?? null,
    changes: JSON.stringify(await located(trx, withoutSecrets(changes))),
    structured: 1,
    user_id: by?.id ?? null,
    user_nick: by?.nick ?? null,
    enterprise_id: by?.enterpriseId ?? null,
    request_id: request ? requestIdOf(request) : '',
    ip: request ? clientAddress(request) : '',
    about_enterprise_id: entity.place?.enterprise ?? null,
    was_enterprise_id: entity.was?.enterprise ?? null,
    about_datacenter_id: entity.place?.datacenter ?? null,
    about_scope_id: entity.place?.scope ?? null,
  }
}

const inverseActions: Record<string, string> = { attach: 'release', release: 'attach' }

type Undo = {
  request: Exchange
  caller: Caller
  undone: Pick<
    Selectable<Tables['events']>,
    | 'id'
    | 'action'
    | 'entity_type'
    | 'entity_id'
    | 'entity_name'
    | 'entity_path'
    | 'document_path'
    | 'about_enterprise_id'
    | 'was_enterprise_id'
    | 'about_datacenter_id'
    | 'about_scope_id'
  >
  /** The document that the event is about, before and after the undo. */
  before: object | undefined
  after: object | undefined
  /** The number of resources that were restored. */
  count: number
}

/** The event of an undo. It has the places of the event that it undoes, and can be undone itself. */
export async function recordUndo(
  db: Trx,
  { request, caller, undone, before, after, count }: Undo,
): Promise<number> {
  const isOne = before !== undefined || after !== undefined
  const { enterprise, datacenter } = { ...placeIn(before), ...placeIn(after) }
  const place: EventPlace = {
    ...placed(
      enterprise ?? undone.about_enterprise_id ?? undefined,
      datacenter ?? undone.about_datacenter_id ?? undefined,
    ),
    ...(undone.about_scope_id !== null && { scope: undone.about_scope_id }),
  }
  return insertEvent(db, {
    request,
    action: isOne ? actionOf(undone.action, before, after) : `undo-${undone.action}`,
    changes: isOne ? changesBetween(before, after) : { count: { after: String(count) } },
    by: caller,
    entity: {
      type: undone.entity_type as EntityType,
      ...(undone.entity_id !== null && { id: undone.entity_id }),
      name: ownLink(after)?.title ?? ownLink(before)?.title ?? undone.entity_name,
      ...(undone.entity_path !== null && { path: undone.entity_path }),
      place,
      was: { ...place, ...placed(undone.about_enterprise_id ?? undefined, undefined) },
    },
    documentPath: undone.document_path ?? undefined,
    undoable: true,
    undoes: undone.id,
  })
}

function actionOf(undone: string, before: object | undefined, after: object | undefined): string {
  if (!before) return 'create'
  return after ? (inverseActions[undone] ?? 'update') : 'delete'
}

type Amendment = { changes?: StoredChanges; ip?: string }

/**
 * Updates an event that counts further attempts or rows. False: the event is about to be sealed or is sealed, and no longer changes, so
 * the caller writes a new one.
 */
export async function amendEvent(trx: Trx, id: number, { changes, ip }: Amendment): Promise<boolean> {
  if (!(await isOpen(trx, id))) return false
  await trx
    .updateTable('events')
    .set({ ...(changes && { changes: JSON.stringify(changes) }), ...(ip !== undefined && { ip }) })
    .where('id', '=', id)
    .execute()
  return true
}

/** Whether an event may still be amended. Locks it against being closed before this transaction has ended (seals.server.ts). */
async function isOpen(trx: Trx, id: number): Promise<boolean> {
  const { engine } = database()
  const closed = await trx
    .selectFrom('seal_progress')
    .select(['closed_transaction as transaction', 'closed_event as event'])
    .$if(engine === 'postgres', (row) => row.forShare())
    .executeTakeFirstOrThrow()
  const open = await trx
    .selectFrom('events')
    .where('id', '=', id)
    .where(isAfter(engine, closed))
    .where('moment', '>', sql<number>`journal_moment() - ${sql.lit(OPEN_FOR)}`)
    .select('id')
    .executeTakeFirst()
  return open !== undefined
}

/** Adds a further transaction of a change in steps to its event. False: as `amendEvent`. */
export async function continueEvent(trx: Trx, id: number, changes: StoredChanges): Promise<boolean> {
  if (!(await amendEvent(trx, id, { changes }))) return false
  await trx
    .insertInto('event_steps')
    .values({ event_id: id, moment: sql<number>`journal_moment()` })
    .execute()
  return true
}

/** Adds the earlier transactions of a change in steps whose event was written by its last one. */
export async function addEventSteps(trx: Trx, id: number, moments: readonly number[]): Promise<void> {
  for (const some of chunksOf(moments))
    await trx
      .insertInto('event_steps')
      .values(some.map((moment) => ({ event_id: id, moment })))
      .execute()
}

/** Records the place of each named resource: after a deletion, visibility can only be decided from the event. */
async function located(trx: Trx, changes: StoredChanges): Promise<StoredChanges> {
  const things = namedIn(changes).filter(({ at }) => at === undefined)
  if (things.length === 0) return changes
  const now = await currentPlaces(trx, things)
  for (const thing of things) {
    const at = now(thing)
    if (at && !isPlace(thing)) thing.at = at
  }
  return changes
}

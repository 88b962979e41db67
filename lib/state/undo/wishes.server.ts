import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { kinds } from '#lib/caller/kinds/kinds'
import { insertEquipment } from '#lib/cloud/infrastructure/equipment.server'
import { detachNic } from '#lib/cloud/machines/nics.server'
import { restoreSetter } from '#lib/cloud/nat/set-aside-changes.server'
import { inPast } from '#lib/db/db.server'
import { ApiError, type Fault, MOST_FAULTS } from '#lib/ground/http/errors'
import { ownLink } from '#lib/ground/http/view'
import { privilegesOfRole } from '#lib/people/identity/roles.server'
import { anywhere } from '#lib/record/events/documents.server'
import type { Context } from '#lib/record/events/operation.server'
import { operationAt } from '#lib/request/pipeline/routes.server'
import type { Wish } from '#lib/state/reconcile/reconcile.server'
import { asSent, type Fields } from '#lib/state/reconcile/sent'
import type { Reconciling } from '#lib/state/reconcile/steps.server'
import type { ChangedResource, Changes, TakenBack } from '#lib/state/undo/changed-resources.server'
import { conflictFault, goneFault, thereFault } from '#lib/state/undo/faults'
import { type Conflict, changedSince, conflictsOf, takenBack } from '#lib/state/undo/merge'
import { ipWishes, ruleWishes } from '#lib/state/undo/nat-wishes.server'
import { asEnded, withoutPastEnd } from '#lib/state/undo/past-ends'
import { presentRow } from '#lib/state/undo/present.server'
import {
  collectionOf,
  pathOf,
  type ResourceSource,
  type Row,
  resourceKindOf,
} from '#lib/state/undo/resources'

/* The changed rows of an event, as they should be after its undo. */

export type Undoing = Reconciling &
  Pick<Context, 'request' | 'report'> & { found: { moments: number[]; document_path: string | null } }

/** Throws UNDO-1 with a fault for each field that is not as the event left it. */
export async function undoWishes(context: Undoing, changes: Changes): Promise<Wish[]> {
  const wishes: Wish[] = []
  const faults: Fault[] = []
  for await (const part of partsOf(context, changes)) {
    wishes.push(...part.wishes)
    faults.push(...part.faults.slice(0, MOST_FAULTS - faults.length))
  }
  if (faults.length > 0) throw new ApiError(faults)
  return wishes
}

async function* partsOf(context: Undoing, changes: Changes): AsyncGenerator<TakenBack> {
  const isIp = ({ source }: ChangedResource) => source === 'nat_ips'
  for (const thing of changes.things)
    if (!isIp(thing)) {
      await setImmediate()
      yield await resourceTakenBack(context, thing, changes)
    }
  yield* ipWishes(context, changes.things.filter(isIp))
  yield* ruleWishes(context, changes.rules)
  for (const id of changes.properties) yield await propertiesTakenBack(context, id)
  for (const each of changes.attached) yield await detachment(context, each, changes)
}

/** The document that the event is about, or undefined while it does not exist. */
export async function primaryDocument(context: Undoing): Promise<Fields | undefined> {
  const path = context.found.document_path
  if (path === null) return undefined
  try {
    return await documentOf(context, anywhere(path))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** The document of a path, now or at a moment. That of a role has its privileges, which are a list of their own in the API. */
async function documentOf(context: Undoing, path: string, moment?: number): Promise<Fields> {
  const document = (await context.operate({
    method: 'GET',
    path,
    ...(moment !== undefined && { moment }),
  })) as Fields
  const role = Number(/^\/admin\/roles\/(\d+)$/.exec(path)?.[1])
  if (!role) return document
  const names = await (moment === undefined
    ? privilegesOfRole(context.db, role)
    : inPast(moment, (db) => privilegesOfRole(db, role)))
  return { ...document, privileges: names.toSorted() }
}

const momentBefore = ({ found }: Undoing): number => (found.moments[0] ?? 0) - 1
const momentAfter = ({ found }: Undoing): number => found.moments.at(-1) ?? 0

async function schemaOf(path: string): Promise<z.ZodObject> {
  const spec = (await operationAt('PUT', path))?.handler.spec
  if (!spec || spec.kind === 'open' || !spec.takes) throw new Error(`${path} cannot be changed`)
  return spec.takes.body
}

/** The schema with the pseudo field of a role. */
async function schemaFor(source: ResourceSource, path: string): Promise<z.ZodObject> {
  const schema = await schemaOf(path)
  return source === 'roles' ? schema.extend({ privileges: schema.shape.name }) : schema
}

const faultsOf = (document: Fields, conflicts: Conflict[]): Fault[] =>
  conflicts.map((conflict) => conflictFault(ownLink(document)?.title ?? '', conflict))

async function resourceTakenBack(
  context: Undoing,
  thing: ChangedResource,
  changes: Changes,
): Promise<TakenBack> {
  const { source, id, before, after } = thing
  const present = await presentRow(context.db, source, id)
  if (after === null)
    return before && !present
      ? { faults: [], wishes: [await restoring(context, thing, { before, changes })] }
      : { faults: [thereFault(source, id)], wishes: [] }
  if (!present) return { faults: before === undefined ? [] : [goneFault(source, id)], wishes: [] }
  const path = pathOf(source, present)
  const schema = await schemaFor(source, path)
  const left = await documentOf(context, pathOf(source, after ?? present), momentAfter(context))
  const now = await documentOf(context, path)
  const wish = { about: thing, kind: resourceKindOf(source), is: path }
  if (before === null)
    return { faults: faultsOf(left, changedSince(schema, left, now)), wishes: [{ ...wish, should: null }] }
  const was = await documentOf(context, pathOf(source, before ?? present), momentBefore(context))
  const states = { before: was, after: left }
  const should = async () => {
    const present = await documentOf(context, path)
    const document = withoutPastEnd(takenBack(schema, { ...states, now: present }), present)
    return { document: asSent(document), also: () => restoreSetterOf(context, thing) }
  }
  return { faults: faultsOf(left, conflictsOf(schema, { ...states, now })), wishes: [{ ...wish, should }] }
}

/** Whose reason it is that sets a finding aside. */
async function restoreSetterOf({ db }: Undoing, { source, id, before }: ChangedResource): Promise<void> {
  if (source === 'nat_setasides' && before) await restoreSetter(db, id, Number(before.set_by))
}

type Removed = { before: Row; changes: Changes }

/** A resource that the event deleted is restored under its id, without secrets. */
async function restoring(
  context: Undoing,
  thing: ChangedResource,
  { before, changes }: Removed,
): Promise<Wish> {
  const { source, id } = thing
  const { natrules: _natrules, ...fields } = await documentOf(
    context,
    pathOf(source, before),
    momentBefore(context),
  )
  const { links = [], ...document } = asSent(asEnded(fields))
  const should = async () => ({
    list: collectionOf(source, before),
    document,
    links: async () => links,
    also: () => restoreRest(context, thing, { before, changes }),
  })
  return { about: thing, kind: resourceKindOf(source), is: null, should, former: { table: source, id } }
}

/**
 * Changed columns that no document has: the last sign-in of a user, the properties of an enterprise, racks and remote services of a
 * datacenter.
 */
async function restoreRest(
  context: Undoing,
  { source, id }: ChangedResource,
  { before, changes }: Removed,
): Promise<void> {
  // An invited user is invited again, without a link.
  if (source === 'users')
    await setCredentials(context.db, id, {
      ...(before.first_login === 0 && { first_login: 0 }),
      invited: before.invited === 1 ? 1 : 0,
    })
  if (source === 'enterprises' && before.properties !== '{}')
    await context.operate({
      method: 'PUT',
      path: propertiesPath(id),
      document: { properties: JSON.parse(String(before.properties)) },
    })
  await restoreSetterOf(context, { source, id, before })
  if (source === 'datacenters')
    for (const { source: table, before: row } of changes.equipment)
      if (row?.datacenter_id === id && (table === 'racks' || table === 'remote_services'))
        await insertEquipment(context.db, table, row)
}

const propertiesPath = (id: number): string => `/admin/enterprises/${id}/properties`

async function propertiesTakenBack(context: Undoing, id: number): Promise<TakenBack> {
  const path = propertiesPath(id)
  const schema = await schemaOf(path)
  const states = {
    before: await documentOf(context, path, momentBefore(context)),
    after: await documentOf(context, path, momentAfter(context)),
    now: await documentOf(context, path),
  }
  const should = async () => ({ document: asSent(takenBack(schema, states)) })
  return { faults: [], wishes: [{ about: id, kind: kinds.enterprise, is: path, should }] }
}

/** Sending the machine's document back checks that the caller may change it. A deleted machine needs no check. */
async function detachment(
  context: Undoing,
  { id, machine }: Changes['attached'][number],
  { things }: Changes,
): Promise<TakenBack> {
  const isMade = things.some(
    (thing) => thing.source === 'virtual_machines' && thing.id === machine && thing.before === null,
  )
  const row = isMade ? null : await presentRow(context.db, 'virtual_machines', machine)
  if (!row) return { faults: [], wishes: [] }
  const path = pathOf('virtual_machines', row)
  const should = async () => ({
    document: asSent(await documentOf(context, path)),
    also: () => detachNic(context.db, id),
  })
  return { faults: [], wishes: [{ about: id, kind: kinds.virtualmachine, is: path, should }] }
}

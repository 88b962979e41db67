import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { unknownPassword } from '#lib/caller/auth/passwords.server'
import { allPrivileges, isPrivilege } from '#lib/caller/auth/privileges'
import { insertEquipment } from '#lib/cloud/infrastructure/equipment.server'
import { detachNic } from '#lib/cloud/machines/nics.server'
import { inBatches } from '#lib/db/batches.server'
import { inPast, type Trx } from '#lib/db/db.server'
import { type Attempt, countOf, settle } from '#lib/db/savepoints.server'
import { groupedBy } from '#lib/db/slices.server'
import { underFormerIds } from '#lib/db/unique.server'
import { ApiError, type Fault } from '#lib/ground/http/errors'
import { link, ownLink } from '#lib/ground/http/view'
import { clearPrivileges } from '#lib/people/identity/role-changes.server'
import { privilegesOfRole } from '#lib/people/identity/roles.server'
import type { Context } from '#lib/record/events/operation.server'
import { operationAt } from '#lib/request/pipeline/routes.server'
import type { ChangedRow } from '#lib/state/undo/changed.server'
import {
  asSent,
  type Conflict,
  changedSince,
  conflictsOf,
  type Fields,
  takenBack,
} from '#lib/state/undo/merge'
import { ipInverses, ruleInverses } from '#lib/state/undo/nat-inverse.server'
import { presentRow } from '#lib/state/undo/present.server'
import { collectionOf, pathOf, type ResourceSource, resourceSources } from '#lib/state/undo/resources'
import { conflictFault, goneFault, type Inverse, phases, type Step, thereFault } from '#lib/state/undo/steps'
import type { Changes, Thing } from '#lib/state/undo/things.server'

/** What the inverse operations of rows need. */
export type Inverting = Pick<Context, 'caller' | 'operate' | 'permit'> & { db: Trx }

export type Undoing = Inverting &
  Pick<Context, 'request' | 'report'> & { found: { moments: number[]; document_path: string | null } }

/**
 * The operations that take the changes back. Each has its own privileges and rules. Throws UNDO-1 with a fault for each field that is
 * not as the event left it.
 */
export async function inverseOf(context: Undoing, changes: Changes): Promise<Attempt[]> {
  const steps: Step[] = []
  const faults: Fault[] = []
  for await (const part of inversesOf(context, changes)) {
    steps.push(...part.steps)
    faults.push(...part.faults.slice(0, MOST_FAULTS - faults.length))
  }
  if (faults.length > 0) throw new ApiError(faults)
  return inPhases(steps)
}

/** The steps in an order in which they can succeed, with those that are alike as one. */
export async function inPhases(steps: readonly Step[]): Promise<Attempt[]> {
  const byPhase = await groupedBy(steps, ({ phase }) => phase)
  const ordered: Attempt[][] = []
  for (const phase of phases)
    for (const some of await inOrder(phase, byPhase.get(phase) ?? [])) ordered.push(await together(some))
  return ordered.flat()
}

/** Many steps that are alike as one step. */
const together = (steps: readonly Step[]): Promise<Attempt[]> =>
  inBatches(steps, {
    alike: ({ many }) => many?.alike,
    one: (step): Attempt => step,
    many: async (alike) => alike[0]?.many?.run(alike.flatMap(({ many }) => (many ? [many.row] : []))),
  })

async function* inversesOf(context: Undoing, changes: Changes): AsyncGenerator<Inverse> {
  const isIp = ({ source }: Thing) => source === 'nat_ips'
  for (const thing of changes.things)
    if (!isIp(thing)) {
      await setImmediate()
      yield await resourceInverse(context, thing)
    }
  yield* ipInverses(context, changes.things.filter(isIp))
  yield* ruleInverses(context, changes.rules)
  for (const id of changes.properties) yield await propertiesInverse(context, id)
  for (const row of changes.equipment) yield equipmentInverse(context, row)
  yield* detachments(context, changes)
}

const MOST_FAULTS = 100

/** The steps of each kind of resource. Parents come back first and go last. */
async function inOrder(phase: Step['phase'], steps: readonly Step[]): Promise<Step[][]> {
  const bySource = await groupedBy(steps, ({ source }) => source)
  const rank = (source: Step['source']) => (source ? resourceSources.indexOf(source as ResourceSource) : 0)
  const sign = phase === 'away' ? -1 : 1
  return [...bySource].sort(([one], [other]) => sign * (rank(one) - rank(other))).map(([, own]) => own)
}

/** One event may have changed much, in an order that only the rules know. Throws the refusals of what remains. */
export async function carryOut(context: Undoing, steps: readonly Attempt[]): Promise<void> {
  if (steps.length === 1 && !steps[0]?.parts) {
    await steps[0]?.run()
    return
  }
  const total = countOf(steps)
  let done = 0
  context.report({ phase: 'undo', done, total })
  const onDone = ({ parts }: Attempt) => {
    done += parts?.count ?? 1
    context.report({ phase: 'undo', done, total })
  }
  const refused = await settle(context.db, steps, { onDone })
  const faults = [...refused.values()].flatMap((refusal) => refusal.faults)
  if (faults.length > 0) throw new ApiError(faults.slice(0, MOST_FAULTS))
}

/** The document that the event is about, or undefined while it does not exist. */
export async function primaryDocument(context: Undoing): Promise<Fields | undefined> {
  const path = context.found.document_path
  if (path === null) return undefined
  try {
    return await documentOf(context, path)
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

const schemaOf = async (path: string): Promise<z.ZodObject> => {
  const spec = (await operationAt('PUT', path))?.handler.spec
  if (!spec || spec.kind === 'open' || !spec.takes) throw new Error(`${path} cannot be changed`)
  return spec.takes.body
}

const nameOf = (document: Fields): string => ownLink(document)?.title ?? ''

function resourceInverse(context: Undoing, thing: Thing): Promise<Inverse> {
  if (thing.before === null) return creationInverse(context, thing)
  if (thing.after === null) return deletionInverse(context, thing)
  return updateInverse(context, thing)
}

/** A thing that the event made goes, unless it was changed since. */
async function creationInverse(context: Undoing, { source, id, after }: Thing): Promise<Inverse> {
  const present = await presentRow(context.db, source, id)
  if (!present || !after) return { steps: [], faults: [goneFault(source, id)] }
  const path = pathOf(source, present)
  const left = await documentOf(context, pathOf(source, after), momentAfter(context))
  const now = await documentOf(context, path)
  const faults = faultsOf(left, changedSince(await schemaFor(source, path), left, now))
  return {
    faults,
    steps: [{ phase: 'away', source, run: () => context.operate({ method: 'DELETE', path }) }],
  }
}

/** The schema with the pseudo field of a role. */
async function schemaFor(source: ResourceSource, path: string): Promise<z.ZodObject> {
  const schema = await schemaOf(path)
  return source === 'roles' ? schema.extend({ privileges: schema.shape.name }) : schema
}

const faultsOf = (document: Fields, conflicts: Conflict[]): Fault[] =>
  conflicts.map((conflict) => conflictFault(nameOf(document), conflict))

/** A thing that the event removed comes back under its id, without secrets. */
async function deletionInverse(context: Undoing, { source, id, before }: Thing): Promise<Inverse> {
  if (!before || (await presentRow(context.db, source, id)))
    return { steps: [], faults: [thereFault(source, id)] }
  const document = await documentOf(context, pathOf(source, before), momentBefore(context))
  const create = (fields: Fields) =>
    underFormerIds(context.db, [{ table: source, id }], async () =>
      context.operate({
        method: 'POST',
        path: collectionOf(source, before),
        document: restored(source, fields),
        ...(source === 'users' && { prepared: { hash: await unknownPassword() } }),
      }),
    )
  const restore = async () => {
    const path = pathOf(source, before)
    if (await presentRow(context.db, source, id))
      await context.operate({ method: 'PUT', path, document: restored(source, document) })
    else await create(document)
    // The document of a new user cannot say so.
    if (source === 'users' && before.first_login === 0)
      await setCredentials(context.db, id, { first_login: 0 })
  }
  // An enterprise and its default scope may come back together, and the scope contains the enterprise.
  const detour = source === 'enterprises' && (() => create({ ...document, links: [] }))
  const steps: Step[] = [{ phase: 'back', source, run: restore, ...(detour && { detour }) }]
  if (source === 'enterprises' && before.properties !== '{}')
    steps.push({
      phase: 'update',
      source,
      run: () => putProperties(context, id, JSON.parse(String(before.properties))),
    })
  return { faults: [], steps }
}

/** Rules come back by themselves. Nobody knows the new password of a user. */
function restored(source: ResourceSource, document: Fields): unknown {
  const { natrules: _natrules, ...fields } = document
  const sent = asSent(withPrivileges(fields)) as object
  const hasPassword = source === 'users' && document.authType !== 'SERVICE'
  return hasPassword ? { ...sent, password: randomBytes(32).toString('base64url') } : sent
}

function withPrivileges({ privileges, ...document }: Fields): Fields {
  if (!Array.isArray(privileges)) return document
  const links = privileges
    .filter(isPrivilege)
    .map((name) =>
      link('privilege', `/config/privileges/${allPrivileges.indexOf(name) + 1}`, 'privilege', name),
    )
  return { ...document, links: [...(document.links ?? []), ...links] }
}

async function updateInverse(context: Undoing, { source, id, before, after }: Thing): Promise<Inverse> {
  const present = await presentRow(context.db, source, id)
  const isRestored = before === undefined && !present
  if (!present && !isRestored) return { steps: [], faults: [goneFault(source, id)] }
  if (!present) return { steps: [], faults: [] }
  const path = pathOf(source, present)
  const schema = await schemaFor(source, path)
  const states = {
    before: await documentOf(context, pathOf(source, before ?? present), momentBefore(context)),
    after: await documentOf(context, pathOf(source, after ?? present), momentAfter(context)),
  }
  const faults = faultsOf(
    states.after,
    conflictsOf(schema, { ...states, now: await documentOf(context, path) }),
  )
  const run = async () => {
    const now = await documentOf(context, path)
    const document = takenBack(schema, { ...states, now })
    await context.operate({ method: 'PUT', path, document: asSent(withPrivileges(document)) })
    const { privileges } = document
    if (source === 'roles' && Array.isArray(privileges) && privileges.length === 0)
      await clearPrivileges(context, id)
  }
  return { faults, steps: [{ phase: 'update', source, run }] }
}

const propertiesPath = (id: number): string => `/admin/enterprises/${id}/properties`

const putProperties = (context: Undoing, id: number, properties: unknown) =>
  context.operate({ method: 'PUT', path: propertiesPath(id), document: { properties } })

async function propertiesInverse(context: Undoing, id: number): Promise<Inverse> {
  const path = propertiesPath(id)
  const schema = await schemaOf(path)
  const states = {
    before: await documentOf(context, path, momentBefore(context)),
    after: await documentOf(context, path, momentAfter(context)),
    now: await documentOf(context, path),
  }
  const document = asSent(takenBack(schema, states))
  const run = () => context.operate({ method: 'PUT', path, document })
  return { faults: [], steps: [{ phase: 'update', source: 'enterprises', run }] }
}

function equipmentInverse({ db }: Undoing, { source, before }: ChangedRow): Inverse {
  if (!before || (source !== 'racks' && source !== 'remote_services')) return { faults: [], steps: [] }
  return { faults: [], steps: [{ phase: 'update', run: () => insertEquipment(db, source, before) }] }
}

/** Reading and sending back the machine's document checks that the caller may change it. */
function detachments(context: Undoing, { attached, things }: Changes): Inverse[] {
  const isMade = (machine: number) =>
    things.some(
      ({ source, id, before }) => source === 'virtual_machines' && id === machine && before === null,
    )
  return attached
    .filter(({ machine }) => !isMade(machine))
    .map(({ id, machine }) => ({
      faults: [],
      steps: [
        {
          phase: 'update',
          run: async () => {
            const row = await presentRow(context.db, 'virtual_machines', machine)
            if (!row) return
            const path = pathOf('virtual_machines', row)
            const document = asSent(await documentOf(context, path))
            await context.operate({ method: 'PUT', path, document })
            await detachNic(context.db, id)
          },
        },
      ],
    }))
}

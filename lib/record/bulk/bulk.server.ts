import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { chunksOf } from '#lib/db/chunks'
import { type Trx, transaction } from '#lib/db/db.server'
import { attempt, fixMoment } from '#lib/db/savepoints.server'
import { ApiError, type ErrorCode, fault, fieldFault } from '#lib/ground/http/errors'
import { queryFaults } from '#lib/ground/http/issues'
import { queryFields } from '#lib/ground/http/paging'
import { link } from '#lib/ground/http/view'
import type { BulkImpact, BulkInput, BulkRefusal, BulkReport } from '#lib/record/bulk/bulk.schema'
import { type bulkQuery, MOST_REFUSALS, MOST_ROWS } from '#lib/record/bulk/bulk.schema'
import type { Context, DoneRows, ManyEvent } from '#lib/record/events/operation.server'
import { continueEvent, insertEvent } from '#lib/record/events/record.server'
import type { StoredChanges } from '#lib/record/events/stored'

/** The rows that one transaction changes, so that other writers wait a fraction of a second at most. */
const STEP = 200

/** Rows between which other requests run: on SQLite a transaction runs on the main thread. */
const BREATH = 10

/** A change can be continued for so long (ms) after its event. */
const CONTINUABLE = 60 * 60 * 1000

type NamedRow = { id: number; name: string }

export type BulkContext<Body extends BulkInput = BulkInput> = Context & {
  body: Body
  query: z.infer<typeof bulkQuery>
}

/** One kind of bulk change. Every row goes through the functions of the single change, with their rules and visibility. */
export type Bulk<R extends NamedRow> = {
  /** The event of the whole call. */
  event: ManyEvent
  /** Checks the filter. The result reads the ids of all rows that match it, in order. */
  matching: (filter: string) => Promise<() => Promise<number[]>>
  /** The rows of these ids that the caller sees. */
  rows: (trx: Trx, ids: number[]) => Promise<R[]>
  /** The code for an id that is not among the rows. */
  missing: ErrorCode
  /** Changes a row, or refuses with coded errors. False: the row was in the wanted state already. */
  change: (trx: Trx, row: R) => Promise<boolean>
  /** Changes rows at once and returns the ids of those that were not in the wanted state, or refuses. Then they are changed one by one. */
  changeAll?: (trx: Trx, rows: R[]) => Promise<number[]>
  impact: (ids: number[]) => Promise<BulkImpact>
}

/** Changes the selected rows in steps. Stops between two steps if the client is gone (docs/api/bulk-changes.md, "Bulk changes"). */
export async function changeMany<R extends NamedRow>(
  context: BulkContext,
  bulk: Bulk<R>,
): Promise<BulkReport> {
  const { request, body, query, presentCaller, job } = context
  if (job?.part === 'rows') {
    job.done = await changeRows(context.db as Trx, bulk, job.ids)
    return reportOf(job.ids.length)
  }
  const select = body.ids ? async () => body.ids ?? [] : await bulk.matching(body.filter ?? '')
  if (job?.part === 'checks') {
    job.about = bulk.event.entity
    return reportOf(0)
  }
  const selected = (await select()).filter((id) => id > body.after)
  if (job?.part === 'selection') {
    job.event = eventOf(context, bulk)
    job.ids = selected.slice(0, body.most)
    return reportOf(selected.length)
  }
  if (body.dryrun || query.dryrun)
    return { ...reportOf(selected.length), impact: await bulk.impact(selected) }
  const report: BulkReport = reportOf(selected.length)
  const wanted = selected.slice(0, body.most ?? MOST_ROWS)
  let { event } = body
  const events = new Set<number>()
  let last = body.after
  for (const ids of chunksOf(wanted, STEP)) {
    // A long change stops if its caller loses the privileges for it.
    if (request.signal.aborted || !(await presentCaller())) break
    const step = await transaction((trx) => changeStep(trx, { context, bulk, ids, event }))
    event = step.event
    if (event !== undefined) events.add(event)
    last = ids.at(-1) ?? last
    add(report, step)
  }
  return {
    ...report,
    refusals: report.refusals.slice(0, MOST_REFUSALS),
    links: [...events].map((id) => link('event', `/events/${id}`, 'event')),
    ...(event !== undefined && { event }),
    ...(last < (selected.at(-1) ?? 0) && { next: last }),
  }
}

const reportOf = (total: number): BulkReport => ({
  links: [],
  total,
  changed: 0,
  unchanged: 0,
  refused: 0,
  refusals: [],
  ids: [],
})

/** The event with the filter among its fields. */
const eventOf = ({ body }: BulkContext, { event }: Pick<Bulk<never>, 'event'>): ManyEvent => ({
  ...event,
  changes: {
    ...event.changes,
    ...(body.filter !== undefined && body.filter !== '' && { filter: { after: body.filter } }),
  },
})

function add(report: DoneRows, step: DoneRows): void {
  report.changed += step.changed
  report.unchanged += step.unchanged
  report.refused += step.refused
  if (report.refusals.length < MOST_REFUSALS) report.refusals.push(...step.refusals)
  report.ids.push(...step.ids)
}

type BulkStep<R extends NamedRow> = {
  context: BulkContext
  bulk: Bulk<R>
  ids: number[]
  event: number | undefined
}

/** The changes of one step and their event are one transaction. */
async function changeStep<R extends NamedRow>(
  trx: Trx,
  { context, bulk, ids, event }: BulkStep<R>,
): Promise<DoneRows & { event: number | undefined }> {
  await fixMoment(trx)
  const done = await changeRows(trx, bulk, ids)
  return { ...done, event: await recordStep(trx, { context, bulk, event, done }) }
}

/** Changes these rows, all at once if nothing refuses. */
async function changeRows<R extends NamedRow>(
  trx: Trx,
  bulk: Bulk<R>,
  ids: readonly number[],
): Promise<DoneRows> {
  const rows = await bulk.rows(trx, [...ids])
  const known = new Map(rows.map((row) => [row.id, row]))
  const done: DoneRows = { changed: 0, unchanged: 0, refused: 0, refusals: [], ids: [] }
  const { changeAll } = bulk
  const atOnce = changeAll && rows.length > 1 ? await attempt(trx, () => changeAll(trx, rows)) : undefined
  const changed = Array.isArray(atOnce) ? new Set(atOnce) : undefined
  for (const [index, id] of ids.entries()) {
    if (!changed && index % BREATH === BREATH - 1) await setImmediate()
    const row = known.get(id)
    const outcome = !row
      ? new ApiError(bulk.missing)
      : (changed?.has(id) ?? (await attempt(trx, () => bulk.change(trx, row))))
    if (outcome instanceof ApiError) {
      done.refused += 1
      done.refusals.push(refusalOf(outcome, id, row?.name))
    } else if (outcome) {
      done.changed += 1
      done.ids.push(id)
    } else done.unchanged += 1
  }
  return done
}

function refusalOf({ faults }: ApiError, id: number, name: string | undefined): BulkRefusal {
  const [first = fault('GEN-13')] = faults
  const message = faults.map((each) => each.message).join('; ')
  return { id, ...(name !== undefined && { name }), code: first.code, message }
}

type Recorded = Omit<BulkStep<NamedRow>, 'ids' | 'bulk'> & {
  bulk: Pick<Bulk<never>, 'event'>
  done: DoneRows
}

/** The first step writes the event, and each further one adds its counts, or writes a new event if the event no longer changes. */
async function recordStep(trx: Trx, { context, bulk, event, done }: Recorded): Promise<number | undefined> {
  const { caller, request } = context
  if (event !== undefined && (await addToEvent(trx, event, { context, bulk, done }))) return event
  if (done.changed + done.refused === 0) return event
  const { action, entity, changes } = eventOf(context, bulk)
  const counts: StoredChanges = {
    ...changes,
    count: { after: String(done.changed) },
    refused: { after: String(done.refused) },
  }
  return insertEvent(trx, { request, action, changes: counts, by: caller, entity, undoable: true })
}

/** Only the caller's own event of the same change, begun a short while ago. Throws EVENT-0. False: the event no longer changes. */
async function addToEvent(
  trx: Trx,
  id: number,
  { context: { caller }, bulk: { event }, done }: Pick<Recorded, 'context' | 'bulk' | 'done'>,
): Promise<boolean> {
  const stored = await trx
    .selectFrom('events')
    .where('id', '=', id)
    .where('user_id', '=', caller.id)
    .where('action', '=', event.action)
    .where('entity_type', '=', event.entity.type)
    .where('entity_id', '=', event.entity.id)
    .where('timestamp', '>', Date.now() - CONTINUABLE)
    .select('changes')
    .executeTakeFirstOrThrow(() => new ApiError('EVENT-0'))
  const before = JSON.parse(stored.changes) as StoredChanges
  const sum = (field: string, more: number) => ({ after: String(Number(before[field]?.after ?? 0) + more) })
  const changes = { ...before, count: sum('count', done.changed), refused: sum('refused', done.refused) }
  return continueEvent(trx, id, changes)
}

/**
 * The filter as the list reads its query, but without the names that the list ignores: a misspelt name must not select all rows. Throws
 * GEN-22 and QUERY-0.
 */
export function filterAs<Schema extends z.ZodObject>(schema: Schema, filter: string): z.infer<Schema> {
  const sent = new URLSearchParams(filter)
  const unknown = [...sent.keys()].find((name) => !Object.hasOwn(schema.shape, name))
  if (unknown !== undefined)
    throw new ApiError(fieldFault('GEN-22', 'filter', `The list has no filter ${unknown.slice(0, 64)}`))
  // PostgreSQL refuses null characters, which the address of a list cannot have either.
  if ([...sent.values()].some((value) => value.includes('\0')))
    throw new ApiError(fieldFault('GEN-22', 'filter', 'The filter must not contain a null character'))
  const parsed = schema.safeParse(queryFields(schema, sent))
  if (parsed.success) return parsed.data
  throw new ApiError(queryFaults(parsed.error.issues).map((each) => ({ ...each, field: 'filter' })))
}

export const noImpact: BulkImpact = {
  attached: 0,
  defaultSnat: 0,
  rules: 0,
  enterprises: [],
  totalEnterprises: 0,
}

/** The enterprises that an impact names. */
const NAMED = 5

/** The first names of the holders, and their number. */
export function holdersIn(
  holders: ReadonlyMap<number, string>,
): Pick<BulkImpact, 'enterprises' | 'totalEnterprises'> {
  const names = [...holders.values()].sort((one, other) => one.localeCompare(other))
  return { enterprises: names.slice(0, NAMED), totalEnterprises: names.length }
}

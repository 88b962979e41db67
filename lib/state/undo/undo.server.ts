import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Trx } from '#lib/db/db.server'
import { fixMoment, tried } from '#lib/db/savepoints.server'
import { type Former, underFormerIds, unlessTaken } from '#lib/db/unique.server'
import { env } from '#lib/ground/env.server'
import {
  ApiError,
  changeErrorCodes,
  type ErrorCode,
  type Fault,
  fault,
  MOST_FAULTS,
  statusOf,
} from '#lib/ground/http/errors'
import { requireOther } from '#lib/people/identity/two-factor-resets.server'
import { eventTarget } from '#lib/record/events/event-target.server'
import type { EntityType } from '#lib/record/events/events.schema'
import { findEvent, readEvent } from '#lib/record/events/events.server'
import type { Context, JobRun } from '#lib/record/events/operation.server'
import { recordUndo } from '#lib/record/events/record.server'
import { reconcile, type Wish } from '#lib/state/reconcile/reconcile.server'
import { type ChangedRow, changedRows, hasChanges, otherDeletedRow } from '#lib/state/undo/changed.server'
import { changesOf } from '#lib/state/undo/changed-resources.server'
import { madeSinceFault } from '#lib/state/undo/faults'
import { resourceSources } from '#lib/state/undo/resources'
import { requireBack, requireSight } from '#lib/state/undo/sight.server'
import { primaryDocument, undoWishes } from '#lib/state/undo/wishes.server'

/** The event, with the moments of its transactions. Throws EVENT-0. */
async function findUndoable(context: ReadContext, { event: id }: { event: number }) {
  const event = await findEvent(context, id)
  const steps = await context.db
    .selectFrom('event_steps')
    .where('event_id', '=', id)
    .select('moment')
    .execute()
  const all = [...(event.moment === null ? [] : [event.moment]), ...steps.map(({ moment }) => moment)]
  // The event of a job is written by its last transaction.
  return { ...event, moments: all.sort((one, other) => one - other) }
}

/** The codes of the undo, and those of the operations that it runs. */
export const undoRefusals: readonly ErrorCode[] = [
  'UNDO-1',
  'UNDO-2',
  'UNDO-3',
  'GEN-15',
  ...changeErrorCodes,
]

export const undoTarget = { ids: eventTarget.ids, find: findUndoable, seenBy: eventTarget.seenBy } as const

type Undoing = Context & { db: Trx; found: Awaited<ReturnType<typeof findUndoable>> }

/** Undoes the change of an event by the operations that a caller would use, or returns a preview of the undo. */
export async function undoEvent(context: Undoing & { query: { dryrun: boolean } }): Promise<object> {
  const { db, found, query, job } = context
  if (found.undoable === 0 || found.moments.length === 0) throw new ApiError('UNDO-3')
  if (found.undone_by !== null) throw new ApiError('UNDO-2')
  if (job?.part === 'checks') {
    job.about = placeOfEvent(found)
    return found
  }
  await fixMoment(db)
  if (!query.dryrun) return takeBack(context)
  const { id: _id, links, ...event } = await tried(db, () => takeBack(context))
  return { links: links.filter(({ rel }) => rel !== 'self' && rel !== 'undo'), ...event }
}

/** The event of the undo will have the places of this one. */
const placeOfEvent = (event: Undoing['found']): (JobRun & { part: 'checks' })['about'] => ({
  type: event.entity_type as EntityType,
  id: event.entity_id ?? undefined,
  place: {
    enterprise: event.about_enterprise_id ?? undefined,
    datacenter: event.about_datacenter_id ?? undefined,
    scope: event.about_scope_id ?? undefined,
  },
  was: { enterprise: event.was_enterprise_id ?? undefined },
})

/** The event of a repeated request, as the caller sees it now. That of a dry run has no id. */
export const showUndoAgain = async ({ caller, db }: ReadContext, stored: object): Promise<object> =>
  'id' in stored ? readEvent({ caller, db, params: { event: Number(stored.id) } }) : stored

/** The entities of scopes have ids of their own. */
const formerEntities = (rows: readonly ChangedRow[]): Former[] =>
  rows.flatMap(({ source, id, before, after }) => {
    if (source !== 'scope_entities' || !before || after) return []
    const { scope_id, enterprise_id, datacenter_id } = before
    return { table: 'scope_entities', id, columns: { scope_id, enterprise_id, datacenter_id } }
  })

/**
 * A restored user has no two factor authentication. If turning it off takes two administrators, the one who deleted the user is the first
 * of them. Throws GEN-15.
 */
async function requireApproval(context: Undoing, rows: readonly ChangedRow[]): Promise<void> {
  const losesTwoFactor = rows.some(
    ({ source, before, after }) =>
      source === 'users' && typeof before?.two_factor_provider === 'string' && !after,
  )
  if (losesTwoFactor && env().TWO_FACTOR_RESET_APPROVALS > 1)
    await requireOther(context, context.found.user_id)
}

const isOldText = ({ code }: Fault): boolean => statusOf(code) === 400 && !undoRefusals.includes(code)

/** A restored text may be older than the rules for it. */
function byOldTexts(error: unknown): never {
  if (!(error instanceof ApiError) || !error.faults.some(isOldText)) throw error
  const faults = error.faults.map((each) =>
    isOldText(each) ? fault('UNDO-1', `What was there is not valid any more: ${each.message}`) : each,
  )
  throw new ApiError(faults, { cause: error })
}

async function reconcileAll(context: Undoing, wishes: readonly Wish[]): Promise<void> {
  const progress = (done: number, total: number) => context.report({ phase: 'undo', done, total })
  const refused = await reconcile({ ...context, restores: true }, wishes, { progress })
  const faults = [...refused.values()].flatMap((refusal) => refusal.faults)
  if (faults.length > 0) throw new ApiError(faults.slice(0, MOST_FAULTS))
}

/** The deletion of a machine deletes its rules, also those that were made after the event. Throws UNDO-1. */
async function requireNoOtherLoss({ db, found }: Undoing, rows: readonly ChangedRow[]): Promise<void> {
  if (!rows.some(({ before, after }) => !before && after)) return
  const lost = await otherDeletedRow(db, found.moments, [...resourceSources, 'nat_rules'])
  if (lost) throw new ApiError(madeSinceFault(lost.source, lost.id))
}

async function takeBack(context: Undoing) {
  const { caller, db, request, found } = context
  const rows = await changedRows(db, found.moments)
  await requireSight(context, rows)
  await requireApproval(context, rows)
  const changes = await changesOf(rows)
  const wishes = await undoWishes(context, changes)
  if (wishes.length === 0) throw new ApiError('UNDO-3')
  const before = await primaryDocument(context)
  await underFormerIds(db, formerEntities(rows), () => reconcileAll(context, wishes)).catch(byOldTexts)
  if (!(await hasChanges(db)))
    throw new ApiError(fault('UNDO-1', 'Nothing of what the event changed is left'))
  await requireBack(context, rows)
  await requireNoOtherLoss(context, rows)
  const after = await primaryDocument(context)
  const count = changes.things.length + changes.rules.length
  const recorded = recordUndo(db, { request, caller, undone: found, before, after, count })
  const event = await unlessTaken('events', 'UNDO-2', recorded)
  return readEvent({ caller, db, params: { event } })
}

import { type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { type Caller, can } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { holdsOneOf } from '#lib/caller/scopes/holders.server'
import { eventOfDatacenter } from '#lib/cloud/nat/bulk-ips.server'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { fixMoment, tried } from '#lib/db/savepoints.server'
import { ApiError, type ErrorCode, type Fault, fault, MOST_FAULTS, statusOf } from '#lib/ground/http/errors'
import type { Sections } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import type { Context, Inner } from '#lib/record/events/operation.server'
import { insertEvent } from '#lib/record/events/record.server'
import type { StoredChanges } from '#lib/record/events/stored'
import {
  type Difference,
  differenceOf,
  findNetworks,
  merged,
  type PlannedOperation,
} from '#lib/state/plans/compare.server'
import { itemKindOf, nameOf } from '#lib/state/plans/items'
import {
  findPlan,
  keepPlan,
  modeOf,
  noteApplied,
  type PlanRow,
  partsOf,
  totalsOf,
  wantedOf,
} from '#lib/state/plans/kept.server'
import { idOf } from '#lib/state/plans/lookup.server'
import type { PlanRefusal, PlanTotal } from '#lib/state/plans/plans.schema'
import { planWriters } from '#lib/state/plans/present.server'
import {
  type Checked,
  hashPasswords,
  MOST_REFUSALS,
  refusalOf,
  refuse,
  requireClient,
} from '#lib/state/plans/read.server'
import { ancestryIn, planWishes } from '#lib/state/plans/wishes.server'
import { reconcile } from '#lib/state/reconcile/reconcile.server'
import type { Batch } from '#lib/state/reconcile/steps.server'

/* Plans: the difference between a document and the present state, shown before it is applied (docs/api/plans.md, "Plans"). */

type Writing = Context & { db: Trx }

/**
 * Runs all steps in a trial, so that the plan has the refusals of each operation. Passwords are hashed only if nothing is refused, outside
 * of transactions: the trial and the storing of the plan are transactions of their own. Ends when the client disconnects.
 */
export async function createPlan(context: Context & { prepared: unknown }): Promise<Sections> {
  const { caller, db, prepared, request } = context
  const report: Context['report'] = (progress) => {
    requireClient(request)
    context.report(progress)
  }
  const checked = prepared as Checked
  await findNetworks({ caller, db }, checked)
  const difference = await differenceOf({ caller, db, report }, checked)
  const atOnce = refusedAtOnce(caller, difference)
  refuse(
    checked,
    [...atOnce].map(([operation, code]) => refusalAtOnce(operation, code)),
  )
  const most = MOST_REFUSALS - checked.refused
  if (most > 0) {
    const operations = difference.operations.filter((operation) => !atOnce.has(operation))
    refuse(checked, await tryOut({ ...context, report }, { ...difference, operations }, most))
  }
  if (checked.refused === 0) await hashPasswords(checked, request)
  const total = difference.operations.length
  report({ phase: 'keep', done: 0, total })
  const id = await transaction((trx) => keepPlan(trx, caller, { checked, difference }), { alone: true })
  return planView(await findPlan({ caller, db }, id))
}

/**
 * Refusals without a trial: operations on lists in which the caller may change nothing, which would only delay other writers, and cycles of
 * scopes, for which the trial would report only a missing parent.
 */
function refusedAtOnce(
  caller: Caller,
  { operations, parents }: Difference,
): Map<PlannedOperation, ErrorCode> {
  const { circular } = ancestryIn(parents)
  return new Map(
    operations.flatMap((operation): [PlannedOperation, ErrorCode][] => {
      if (!mayBePermitted(caller, operation)) return [[operation, '403-FORBIDDEN']]
      const isCircular = operation.entity === 'scopes' && circular.has(nameIn(operation) ?? '')
      return isCircular && operation.kind !== 'delete' ? [[operation, 'SCOPE-18']] : []
    }),
  )
}

function refusalAtOnce(operation: PlannedOperation, code: ErrorCode): PlanRefusal {
  const { entity, wanted } = operation
  return refusalOf({ line: wanted?.line, entity, name: nameIn(operation) }, fault(code))
}

/** Users may change themselves without the privilege. */
const mayBePermitted = (caller: Caller, { entity, present }: PlannedOperation): boolean =>
  can(caller, planWriters(entity)) || present?.path.endsWith(`/users/${caller.id}`) === true

/** The refusals in a trial, which is rolled back. */
function tryOut(context: Context, difference: Difference, most: number): Promise<PlanRefusal[]> {
  return transaction(
    async (db) => {
      await fixMoment(db)
      const writing = { ...context, db, operate: (inner: Inner) => context.operate(inner, db) }
      return tried(db, () => carryOut(writing, difference, { plan: 0, most }))
    },
    { alone: true },
  )
}

const nameIn = ({ entity, wanted, present }: PlannedOperation): string | undefined =>
  nameOf(entity, { ...present?.item, ...wanted?.item })

type Carrying = { plan: number; most?: number }

/** Applies all operations, until this many are refused. Returns the refusals. */
async function carryOut(
  context: Writing,
  difference: Difference,
  { plan, most }: Carrying,
): Promise<PlanRefusal[]> {
  const part = { plan: { after: String(plan) } }
  const phase = plan === 0 ? 'try' : 'apply'
  const batches: Batch<PlannedOperation>[] = []
  const refused = await reconcile({ ...context, part }, await planWishes(context, difference), {
    most,
    progress: (done, total) => context.report({ phase, done, total }),
    onBatch: (batch) => batches.push(batch),
  })
  if (refused.size === 0) await recordBatches(context, batches, part)
  return [...refused].flatMap(([operation, { faults }]) => {
    const { entity, wanted } = operation
    const about = { line: wanted?.line, entity, name: nameIn(operation) }
    return faults.map((each) => refusalOf(about, each))
  })
}

/** One event for each datacenter and kind of change. */
async function recordBatches(
  context: Writing,
  batches: readonly Batch<PlannedOperation>[],
  part: StoredChanges,
): Promise<void> {
  const { db, caller, request } = context
  const datacenterOf = ({ of: [first] }: Batch<PlannedOperation>) =>
    first ? merged<'natips'>(first).datacenter : ''
  const alike = Map.groupBy(batches, (batch) => `${batch.action} ${datacenterOf(batch)}`)
  for (const some of alike.values()) {
    const [first] = some
    if (!first) continue
    const name = datacenterOf(first)
    const id = await idOf(context, kinds.datacenter, { field: 'datacenter', name })
    const count = { after: String(some.reduce((sum, { of }) => sum + of.length, 0)) }
    const event = eventOfDatacenter({ id, name }, first.action, { count, ...part })
    await insertEvent(db, { request, by: caller, ...event, undoable: false })
  }
}

export const planTarget = {
  ids: { plan: 'PLAN-0' },
  find: (context: ReadContext, { plan }: { plan: number }) => findPlan(context, plan),
  seenBy: async (context: ReadContext, { plan: id }: { plan: number }) => {
    const plan = await findPlan(context, id)
    const reads = totalsOf(plan).map(({ entity }) => holdsOneOf(itemKindOf(entity).readers))
    return sql<SqlBool>`(${sql.join([sql`users.id = ${plan.user_id}`, ...reads], sql` and `)})`
  },
} as const

/** The plan of a repeated request, as it is now. */
export const showPlanAgain = async (context: ReadContext, stored: object): Promise<Sections> =>
  planView(await findPlan(context, 'id' in stored ? Number(stored.id) : 0))

export const showPlan = async (context: Context & { found: PlanRow }): Promise<Sections> =>
  planView(context.found)

const isoOf = (time: number): string => new Date(time).toISOString()

function planView(plan: PlanRow): Sections {
  const path = pathOf(kinds.plan, { id: plan.id })
  const { read } = database()
  const isOpen = plan.applied_at === null && plan.refused === 0
  const head = {
    links: [
      link('self', path, 'plan'),
      ...(isOpen ? [link('apply', `${path}/action/apply`, 'plan')] : []),
      ...(plan.event_id === null ? [] : [link('event', `/events/${plan.event_id}`, 'event')]),
    ],
    id: plan.id,
    mode: modeOf(plan),
    created: isoOf(plan.created_at),
    expires: isoOf(plan.expires_at),
    ...(plan.applied_at !== null && { applied: isoOf(plan.applied_at) }),
    totals: totalsOf(plan),
    refused: plan.refused,
    ...(plan.refused >= MOST_REFUSALS && { incomplete: true }),
  }
  return {
    head,
    // Read once the transaction that made the plan is over.
    sections: (['refusals', 'operations'] as const).map((kind) => ({
      name: kind,
      items: partsOf(read, plan.id, kind),
    })),
  }
}

/** All or nothing. Throws PLAN-1, PLAN-2, PLAN-3, and 403 if the caller has lost a privilege that the plan needs. */
export async function applyPlan(context: Writing & { found: PlanRow }): Promise<Sections> {
  const { caller, db, request, found: plan, job } = context
  const entity = {
    type: 'plan' as const,
    id: plan.id,
    // Plans have no names, and nobody but the maker has the address of one.
    name: '',
    place: { enterprise: caller.enterpriseId },
  }
  if (plan.applied_at !== null) throw new ApiError('PLAN-3')
  if (plan.refused > 0) throw new ApiError('PLAN-2')
  const lists = await wantedOf(db, plan)
  const difference = await differenceOf(context, { mode: modeOf(plan), lists })
  if (difference.fingerprint !== plan.fingerprint) throw new ApiError('PLAN-1')
  if (job?.part === 'checks') {
    job.about = entity
    return planView(plan)
  }
  await fixMoment(db)
  const refused = await carryOut(context, difference, { plan: plan.id })
  if (refused.length > 0) throw new ApiError(movedOn(refused))
  const event = await insertEvent(db, {
    request,
    action: 'apply-plan',
    changes: { plan: { after: String(plan.id) }, ...countsOf(difference.totals) },
    by: caller,
    entity,
    undoable: difference.operations.length > 0,
  })
  await noteApplied(db, plan.id, event)
  return planView(await findPlan({ caller, db }, plan.id))
}

/** Refusals that the plan did not have: the privileges that are lacking now, or else why it would be another plan. */
function movedOn(refused: readonly PlanRefusal[]): Fault[] {
  const faults = refused as readonly (PlanRefusal & { code: Fault['code'] })[]
  const forbidden = faults.filter(({ code }) => statusOf(code) === 403)
  if (forbidden.length > 0) return forbidden.map(({ code, message }) => fault(code, message))
  return faults
    .slice(0, MOST_FAULTS)
    .map(({ name, message }) => fault('PLAN-1', `This would be another plan. ${name}: ${message}`))
}

const sumOf = (totals: readonly PlanTotal[], kind: 'create' | 'update' | 'delete'): string =>
  String(totals.reduce((sum, total) => sum + total[kind], 0))

const countsOf = (totals: readonly PlanTotal[]) => ({
  created: { after: sumOf(totals, 'create') },
  updated: { after: sumOf(totals, 'update') },
  deleted: { after: sumOf(totals, 'delete') },
})

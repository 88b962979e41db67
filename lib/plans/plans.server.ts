import { type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/auth/context.server'
import { database, type Trx } from '#lib/db/db.server'
import { countOf, fixMoment, settle, tried } from '#lib/db/savepoints.server'
import type { Context, Sent } from '#lib/events/operation.server'
import { insertEvent } from '#lib/events/record.server'
import { ApiError, type Fault, fault, statusOf } from '#lib/http/errors'
import type { Sections } from '#lib/http/render.server'
import { link } from '#lib/http/view'
import { recordBatches } from '#lib/plans/batches.server'
import { type Difference, differenceOf, findNetworks, type Operation } from '#lib/plans/compare.server'
import { nameOf } from '#lib/plans/items'
import {
  findPlan,
  keepPlan,
  modeOf,
  noteApplied,
  type PlanRow,
  partsOf,
  totalsOf,
  wantedOf,
} from '#lib/plans/kept.server'
import type { PlanRefusal, PlanTotal } from '#lib/plans/plans.schema'
import { listReaders } from '#lib/plans/present.server'
import {
  type Checked,
  checkDocument,
  hashPasswords,
  refusalOf,
  refuse,
  type SentDocument,
} from '#lib/plans/read.server'
import { stepsOf } from '#lib/plans/steps.server'
import { holdsOneOf } from '#lib/scopes/holders.server'

/* Plans: the difference between a document and what is there, shown before it is applied (docs/api.md, "Plans"). */

/** Checks the document and hashes its passwords before the transaction. */
export async function preparePlan({ caller, document }: Sent): Promise<Checked> {
  const checked = await checkDocument(caller, document as SentDocument)
  await hashPasswords(checked)
  return checked
}

type Writing = Context & { db: Trx }

/** Runs all steps in a trial, so that the plan has the refusals of each operation. */
export async function createPlan(context: Writing & { prepared: Checked }): Promise<Sections> {
  const { caller, db, prepared } = context
  // Another attempt of the transaction begins with the same document.
  const checked: Checked = { ...prepared, lists: { ...prepared.lists }, refusals: [...prepared.refusals] }
  await findNetworks({ caller, db }, checked)
  const difference = await differenceOf(context, checked)
  await fixMoment(db)
  refuse(checked, await tried(db, () => carryOut(context, difference, 0)))
  const total = difference.operations.length
  context.report({ phase: 'keep', done: 0, total })
  const id = await keepPlan(db, caller.id, { checked, difference })
  return planView(await findPlan({ caller, db }, id))
}

/** Runs the steps of all operations. Returns what is refused. */
async function carryOut(context: Writing, difference: Difference, plan: number): Promise<PlanRefusal[]> {
  const applying = { ...context, part: { plan: { after: String(plan) } }, counted: new Map() }
  const steps = await stepsOf(applying, difference)
  const total = countOf(steps)
  const phase = plan === 0 ? 'try' : 'apply'
  let done = 0
  context.report({ phase, done, total })
  const refused = await settle(context.db, steps, (some) => {
    done += some
    context.report({ phase, done, total })
  })
  if (refused.size === 0) await recordBatches(applying)
  const named = new Set<Operation>()
  return [...refused].flatMap(([{ operation }, { faults }]) => {
    // The first step of an operation says why.
    if (!operation || named.has(operation)) return []
    named.add(operation)
    const { entity, wanted, present } = operation
    const name = nameOf(entity, { ...present?.item, ...wanted?.item })
    return faults.map((each) => refusalOf({ line: wanted?.line, entity, name }, each))
  })
}

export const planTarget = {
  ids: { plan: 'PLAN-0' },
  find: (context: ReadContext, { plan }: { plan: number }) => findPlan(context, plan),
  seenBy: async (context: ReadContext, { plan: id }: { plan: number }) => {
    const plan = await findPlan(context, id)
    const reads = totalsOf(plan).map(({ entity }) => holdsOneOf(listReaders[entity]))
    return sql<SqlBool>`(${sql.join([sql`users.id = ${plan.user_id}`, ...reads], sql` and `)})`
  },
} as const

export const showPlan = async (context: Context & { found: PlanRow }): Promise<Sections> =>
  planView(context.found)

const isoOf = (time: number): string => new Date(time).toISOString()

function planView(plan: PlanRow): Sections {
  const path = `/plans/${plan.id}`
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
  const { caller, db, request, found: plan } = context
  if (plan.applied_at !== null) throw new ApiError('PLAN-3')
  if (plan.refused > 0) throw new ApiError('PLAN-2')
  const lists = await wantedOf(db, plan)
  const difference = await differenceOf(context, { mode: modeOf(plan), lists })
  if (difference.fingerprint !== plan.fingerprint) throw new ApiError('PLAN-1')
  await fixMoment(db)
  const refused = await carryOut(context, difference, plan.id)
  if (refused.length > 0) throw new ApiError(movedOn(refused))
  const event = await insertEvent(db, {
    request,
    action: 'apply-plan',
    changes: { plan: { after: String(plan.id) }, ...countsOf(difference.totals) },
    by: caller,
    entity: {
      type: 'user',
      id: caller.id,
      name: caller.nick,
      path: `/admin/enterprises/${caller.enterpriseId}/users/${caller.id}`,
      place: { enterprise: caller.enterpriseId },
    },
    undoable: difference.operations.length > 0,
  })
  await noteApplied(db, plan.id, event)
  return planView(await findPlan({ caller, db }, plan.id))
}

const MOST_FAULTS = 100

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

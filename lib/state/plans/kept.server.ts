import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { slicesOf } from '#lib/db/slices.server'
import type { Tables } from '#lib/db/tables.server'
import { insertRow } from '#lib/db/unique.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { type Difference, shownOperation } from '#lib/state/plans/compare.server'
import {
  type ExportEntity,
  exportEntities,
  type PlanMode,
  type PlanTotal,
} from '#lib/state/plans/plans.schema'
import { requireReadable } from '#lib/state/plans/present.server'
import type { Checked, Wanted, WantedLists } from '#lib/state/plans/read.server'

/* Plans in the database, until they expire. */

const HOUR = 60 * 60 * 1000

/** Items in one part. */
const PART = 250

/** Parts that are removed at a time. */
const REMOVED = 20

export type PlanRow = Omit<Selectable<Tables['plans']>, 'bytes'>

/** The caller's own plan. Throws PLAN-0, and 403 if it has a list that the caller may not read: a program may hold less than its user. */
export async function findPlan({ caller, db }: ReadContext, id: number): Promise<PlanRow> {
  const plan = await db
    .selectFrom('plans')
    .where('id', '=', id)
    .where('user_id', '=', caller.id)
    .where('expires_at', '>', Date.now())
    .select(['id', 'user_id', 'mode', 'fingerprint', 'refused', 'totals', 'created_at', 'expires_at'])
    .select(['applied_at', 'event_id'])
    .executeTakeFirstOrThrow(() => new ApiError('PLAN-0'))
  for (const { entity } of totalsOf(plan)) requireReadable({ caller }, entity)
  return plan
}

export const modeOf = ({ mode }: PlanRow): PlanMode => (mode === 'replace' ? mode : 'merge')

export const totalsOf = ({ totals }: PlanRow): PlanTotal[] => JSON.parse(totals) as PlanTotal[]

export type Kind = 'operations' | 'refusals' | `wanted ${ExportEntity}`

type Kept<T> = { plan: number; kind: Kind; things: readonly T[]; shown: (thing: T) => object }

/** Returns the number of bytes. */
async function keepParts<T>(trx: Trx, { plan, kind, things, shown }: Kept<T>): Promise<number> {
  let part = 0
  let bytes = 0
  for await (const some of slicesOf(things, PART)) {
    const content = JSON.stringify(some.map(shown))
    await trx.insertInto('plan_parts').values({ plan_id: plan, kind, part, content }).execute()
    part += 1
    bytes += Buffer.byteLength(content)
  }
  return bytes
}

const asItIs = <T extends object>(thing: T): T => thing

/** Keeps the plan for an hour, and returns its id. Throws 429 if the enterprise has no space for it. */
export async function keepPlan(
  trx: Trx,
  { id: user, enterpriseId }: Pick<Caller, 'id' | 'enterpriseId'>,
  { checked, difference }: { checked: Checked; difference: Difference },
): Promise<number> {
  const now = Date.now()
  const id = await insertRow(trx, 'plans', {
    user_id: user,
    mode: checked.mode,
    fingerprint: difference.fingerprint,
    refused: checked.refused,
    totals: JSON.stringify(difference.totals),
    created_at: now,
    expires_at: now + HOUR,
    applied_at: null,
    event_id: null,
  })
  const { operations } = difference
  const { refusals } = checked
  let bytes = await keepParts(trx, {
    plan: id,
    kind: 'operations',
    things: operations,
    shown: shownOperation,
  })
  bytes += await keepParts(trx, { plan: id, kind: 'refusals', things: refusals, shown: asItIs })
  // A plan with refusals is never applied.
  for (const entity of checked.refused > 0 ? [] : exportEntities) {
    const things = checked.lists[entity] ?? []
    bytes += await keepParts(trx, { plan: id, kind: `wanted ${entity}`, things, shown: asItIs })
  }
  await trx.updateTable('plans').set({ bytes }).where('id', '=', id).execute()
  await makeRoom(trx, { id, user, enterpriseId })
  return id
}

const MIB = 1024 * 1024

/** The space of plans. The largest documents make plans of about 100 MiB. */
export const space = { plansOfUser: 100, bytesOfUser: 256 * MIB, bytesOfEnterprise: 1024 * MIB }

type Newest = { id: number; user: number; enterpriseId: number }

/**
 * Removes plans until the new one fits: first the enterprise's applied ones, then the user's own, the oldest first. Throws 429 if plans of
 * other users take all the space.
 */
async function makeRoom(trx: Trx, { id, user, enterpriseId }: Newest): Promise<void> {
  const kept = await trx
    .selectFrom('plans')
    .innerJoin('users', 'users.id', 'plans.user_id')
    .where('users.enterprise_id', '=', enterpriseId)
    .select(['plans.id', 'plans.user_id', 'plans.bytes', 'plans.applied_at'])
    .orderBy('plans.id')
    .execute()
  const isOwn = ({ user_id }: (typeof kept)[number]) => user_id === user
  const own = kept.filter(isOwn)
  const sumOf = (plans: typeof kept) => plans.reduce((sum, { bytes }) => sum + bytes, 0)
  const left = { all: sumOf(kept), own: sumOf(own), count: own.length }
  const isUserFull = () => left.count > space.plansOfUser || left.own > space.bytesOfUser
  const isFull = () => left.all > space.bytesOfEnterprise
  const open = own.filter((plan) => plan.applied_at === null && plan.id !== id)
  for (const plan of [...kept.filter(({ applied_at }) => applied_at !== null), ...open]) {
    if (!isFull() && !(isOwn(plan) && isUserFull())) continue
    while (await removeParts(trx, plan.id, '%')) await setImmediate()
    await trx.deleteFrom('plans').where('id', '=', plan.id).execute()
    left.all -= plan.bytes
    if (!isOwn(plan)) continue
    left.own -= plan.bytes
    left.count -= 1
  }
  if (isUserFull())
    throw new ApiError(fault('413-PAYLOAD-TOO-LARGE', 'The plan takes more space than a user has for plans'))
  if (isFull())
    throw new ApiError(
      fault('429-TOO-MANY-REQUESTS', 'The plans of your enterprise take all the space that it has for them'),
      { retryAfter: RETRY_AFTER },
    )
}

/** Seconds. Plans expire after an hour, and applied ones make room at once. */
const RETRY_AFTER = 60

/** The items of this kind, part by part. */
export async function* partsOf(db: Db, plan: number, kind: Kind): AsyncGenerator<object[]> {
  for (let part = 0; ; part += 1) {
    const row = await db
      .selectFrom('plan_parts')
      .where('plan_id', '=', plan)
      .where('kind', '=', kind)
      .where('part', '=', part)
      .select('content')
      .executeTakeFirst()
    if (!row) return
    // SQLite answers at once: other requests run between two parts.
    await setImmediate()
    yield JSON.parse(row.content) as object[]
  }
}

/** The desired state from which the plan was made. The totals have the lists of the document. */
export async function wantedOf(db: Db, plan: PlanRow): Promise<WantedLists> {
  const lists: WantedLists = {}
  for (const { entity } of totalsOf(plan)) {
    const wanted: Wanted[] = []
    for await (const some of partsOf(db, plan.id, `wanted ${entity}`)) wanted.push(...(some as Wanted[]))
    lists[entity] = wanted
  }
  return lists
}

/** The desired state is not needed any more, and may contain hashes of passwords. */
export async function noteApplied(trx: Trx, plan: number, event: number): Promise<void> {
  await trx
    .updateTable('plans')
    .set({ applied_at: Date.now(), event_id: event })
    .where('id', '=', plan)
    .execute()
  while (await removeParts(trx, plan, 'wanted %')) await setImmediate()
}

/** Removes some parts of these kinds: the parts of 100,000 items are tens of megabytes. False if none is left. */
async function removeParts(trx: Trx, plan: number, kinds: string): Promise<boolean> {
  const { rows } =
    await sql`delete from plan_parts where plan_id = ${plan} and (kind, part) in (select kind, part
    from plan_parts where plan_id = ${plan} and kind like ${kinds} limit ${REMOVED}) returning part`.execute(
      trx,
    )
  return rows.length > 0
}

/** Removes expired plans with their parts. */
export async function removeExpiredPlans(): Promise<void> {
  const { read } = database()
  const expired = await read.selectFrom('plans').where('expires_at', '<=', Date.now()).select('id').execute()
  for (const { id } of expired) {
    while (await transaction((trx) => removeParts(trx, id, '%'))) await setImmediate()
    await transaction((trx) => trx.deleteFrom('plans').where('id', '=', id).execute())
  }
}

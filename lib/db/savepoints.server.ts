import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import type { Engine } from '#lib/db/dialect.server'
import { ApiError } from '#lib/ground/http/errors'

/** Runs work of which nothing stays if it is refused. Returns the refusal. */
export async function attempt<T>(trx: Trx, work: () => Promise<T>): Promise<T | ApiError> {
  await sql`savepoint attempt`.execute(trx)
  try {
    const result = await work()
    await sql`release savepoint attempt`.execute(trx)
    return result
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await sql`rollback to savepoint attempt`.execute(trx)
    await sql`release savepoint attempt`.execute(trx)
    return error
  }
}

/**
 * Gets the moment of this transaction. Call it before the first savepoint: PostgreSQL forgets the moment if a savepoint is rolled back in
 * which it was asked for first.
 */
export const fixMoment = (trx: Trx): Promise<unknown> => sql`select journal_moment()`.execute(trx)

/**
 * A moment of its own for the rest of this transaction. The journal and the events of what follows then belong together, apart from what the
 * transaction did before. `offset 0` keeps PostgreSQL from asking for the moment before the former one is forgotten.
 */
export const nextMoment: Readonly<Record<Engine, RawBuilder<number>>> = {
  // The functions are the writer's (writer.server.ts) and the journal's (journal.server.ts).
  sqlite: sql`next_journal_moment()`,
  postgres: sql`(select journal_moment() from
    (select set_config('console.moment', '', true) as moment offset 0) as former where moment = '')`,
}

/** Runs work and rolls it back. */
export async function tried<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint trial`.execute(trx)
  try {
    return await work()
  } finally {
    await sql`rollback to savepoint trial`.execute(trx)
    await sql`release savepoint trial`.execute(trx)
  }
}

/**
 * A change that may have to wait for others. `detour` makes room if nothing else helps. `parts` are the single steps of one that does much at
 * once, which run in its place if it is refused.
 */
export type Attempt = {
  run: () => Promise<unknown>
  detour?: () => Promise<unknown>
  parts?: { count: number; steps: () => readonly Attempt[] }
}

/** The number of single steps. */
export const countOf = (steps: readonly Attempt[]): number =>
  steps.reduce((sum, { parts }) => sum + (parts?.count ?? 1), 0)

/** Steps between which other requests run. */
const BREATH = 10

type Settling<Step> = {
  /** Gets each success. */
  onDone?: ((step: Step) => void) | undefined
  /** Stops at this number of refused steps. */
  most?: number | undefined
}

/**
 * Runs the steps. A refused step runs again after the others, as long as another step succeeds, so the order of the steps need not be
 * known. Returns the steps that are still refused.
 */
export async function settle<Step extends Attempt>(
  trx: Trx,
  steps: readonly Step[],
  { onDone, most = Number.POSITIVE_INFINITY }: Settling<Step> = {},
): Promise<Map<Step, ApiError>> {
  const waiting = [...steps]
  let refused = new Map<Step, ApiError>()
  while (waiting.length > 0 && refused.size < most) {
    const before = waiting.length + refused.size
    for (const [step, refusal] of await pass(trx, waiting, { onDone, most: most - refused.size }))
      refused.set(step, refusal)
    refused = await again(trx, refused, { onDone, before: before - waiting.length })
  }
  return refused
}

/** Runs refused steps again, as long as that helps. `before`: the number of steps that ran, with these. */
async function again<Step extends Attempt>(
  trx: Trx,
  first: Map<Step, ApiError>,
  { onDone, before: tried }: Settling<Step> & { before: number },
): Promise<Map<Step, ApiError>> {
  let refused = first
  let before = tried
  let hasDetours = true
  while (refused.size > 0 && (refused.size < before || hasDetours)) {
    if (refused.size === before) {
      hasDetours = false
      if (!(await takeDetours(trx, [...refused.keys()]))) break
    }
    before = refused.size
    refused = await pass(trx, [...refused.keys()], { onDone })
  }
  return refused
}

/** Takes the steps from the list and runs them, until that many are refused. */
async function pass<Step extends Attempt>(
  trx: Trx,
  steps: Step[],
  { onDone, most = Number.POSITIVE_INFINITY }: Settling<Step>,
): Promise<Map<Step, ApiError>> {
  const refused = new Map<Step, ApiError>()
  let index = 0
  for (; index < steps.length && refused.size < most; index += 1) {
    const step = steps[index] as Step
    if (step.parts || index % BREATH === BREATH - 1) await setImmediate()
    const outcome = await attempt(trx, step.run)
    if (!(outcome instanceof ApiError)) {
      onDone?.(step)
      continue
    }
    if (!step.parts) refused.set(step, outcome)
    else
      for (const [part, refusal] of await pass(trx, [...step.parts.steps()] as Step[], { onDone }))
        refused.set(part, refusal)
  }
  steps.splice(0, index)
  return refused
}

async function takeDetours(trx: Trx, steps: readonly Attempt[]): Promise<boolean> {
  let taken = false
  for (const { detour } of steps) {
    if (!detour) continue
    const outcome = await attempt(trx, detour)
    taken ||= !(outcome instanceof ApiError)
  }
  return taken
}

import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'

/*
 * Counters of failed attempts. They are in the database because several processes share them. An attempt reserves a place (`pending`)
 * before it is checked, so that a burst of attempts cannot exceed the limit. A correct attempt returns its place.
 */

export type Policy = { failures: number; window: number; firstWait: number; longestWait: number }

export type Counter = {
  key: string
  policy: Policy
  /** A correct attempt clears the counter. */
  clears: boolean
  /** Runs when the first wait after a quiet time begins, in the same transaction. */
  onFirstWait?: (trx: Trx) => Promise<void>
}

/** The key prefix of the counters that lock users (`lockout.server.ts`). */
export const LOCKOUT = 'tries '

/** Places that a dead process reserved become free after this time (ms) without another attempt. */
const CHECK_TAKES = 10_000

/** After this time without an attempt the next wait is as short as the first. */
const quietTime = ({ longestWait }: Policy): number => 2 * longestWait

const rowsOfKeys = statement('sign-in failures', (db, { keys }: { keys: string[] }) =>
  db
    .selectFrom('sign_in_failures')
    .where('key', 'in', keys)
    .select(['key', 'failures', 'since', 'last', 'waits', 'blocked_until', 'pending']),
)

const rowsOf = async (db: Db, counters: readonly Counter[]) => {
  const rows = await rowsOfKeys(db, { keys: counters.map(({ key }) => key) })
  return counters.map(({ key }) => rows.find((row) => row.key === key))
}

type CounterRow = Awaited<ReturnType<typeof rowsOf>>[number]

/** The state of a counter now. */
function stateOf(row: CounterRow, policy: Policy) {
  const now = Date.now()
  const isNew = !row || now - row.since > policy.window
  return {
    failures: isNew ? 0 : row.failures,
    since: isNew ? now : row.since,
    last: now,
    waits: row && now - row.last < quietTime(policy) ? row.waits : 0,
    blocked_until: row?.blocked_until ?? 0,
    pending: row && now - row.last < CHECK_TAKES ? row.pending : 0,
  }
}

type State = ReturnType<typeof stateOf>

/** `wait`: milliseconds to wait. `full`: the attempts under check could already reach the limit. `clean`: nothing is counted. */
export type Room = { wait: number } | 'full' | 'free' | 'clean'

function roomIn(rows: readonly CounterRow[], counters: readonly Counter[]): Room {
  const wait = Math.max(...rows.map((row) => row?.blocked_until ?? 0)) - Date.now()
  if (wait > 0) return { wait }
  if (rows.every((row) => row === undefined)) return 'clean'
  const isFull = counters.some(({ policy }, index) => {
    const { failures, pending } = stateOf(rows[index], policy)
    return failures + pending >= policy.failures
  })
  return isFull ? 'full' : 'free'
}

export const lookAt = async (counters: readonly Counter[]): Promise<Room> =>
  roomIn(await rowsOf(database().read, counters), counters)

const write = (trx: Trx, key: string, values: State): Promise<unknown> =>
  trx
    .insertInto('sign_in_failures')
    .values({ key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute()

/** Reserves a place in each counter, or in none. */
export const takePlaces = (counters: readonly Counter[]): Promise<Room> =>
  transaction(async (trx) => {
    const rows = await rowsOf(trx, counters)
    const room = roomIn(rows, counters)
    if (room !== 'free' && room !== 'clean') return room
    for (const [index, { key, policy }] of counters.entries()) {
      const state = stateOf(rows[index], policy)
      await write(trx, key, { ...state, pending: state.pending + 1 })
    }
    return room
  })

/** Returns the places and counts the outcome. `undone`: the check itself failed. */
export const settle = (counters: readonly Counter[], outcome: 'right' | 'wrong' | 'undone'): Promise<void> =>
  transaction(async (trx) => {
    const rows = await rowsOf(trx, counters)
    for (const [index, counter] of counters.entries()) {
      const state = stateOf(rows[index], counter.policy)
      const after = { ...state, pending: Math.max(0, state.pending - 1) }
      if (outcome === 'wrong') await countFailure(trx, counter, after)
      else await forgive(trx, counter.key, { state: after, clears: outcome === 'right' && counter.clears })
    }
  })

async function countFailure(trx: Trx, { key, policy, onFirstWait }: Counter, state: State): Promise<void> {
  const failures = state.failures + 1
  if (failures < policy.failures) {
    await write(trx, key, { ...state, failures })
    return
  }
  const { last: now, waits } = state
  const blocked_until = now + Math.min(policy.firstWait * 2 ** waits, policy.longestWait)
  await write(trx, key, { ...state, failures: 0, since: now, waits: waits + 1, blocked_until })
  if (waits === 0) await onFirstWait?.(trx)
}

type Forgiving = { state: State; clears: boolean }

async function forgive(trx: Trx, key: string, { state, clears }: Forgiving): Promise<void> {
  const { failures, waits, pending } = state
  if (pending === 0 && (clears || (failures === 0 && waits === 0)))
    await trx.deleteFrom('sign_in_failures').where('key', '=', key).execute()
  else await write(trx, key, clears ? { ...state, failures: 0, waits: 0, blocked_until: 0 } : state)
}

/** Counts one attempt that needs no check, unless the caller has to wait. */
export const countAttempt = (counters: readonly Counter[]): Promise<Room> =>
  transaction(async (trx) => {
    const rows = await rowsOf(trx, counters)
    const room = roomIn(rows, counters)
    if (room !== 'free' && room !== 'clean') return room
    for (const [index, counter] of counters.entries())
      await countFailure(trx, counter, stateOf(rows[index], counter.policy))
    return room
  })

/** Removes counters without an attempt for `quiet` ms whose keys match, or do not match, a LIKE pattern. */
export const removeQuietCounters = (
  quiet: number,
  which: 'like' | 'not like',
  keys: string,
): Promise<unknown> =>
  transaction((trx) =>
    trx
      .deleteFrom('sign_in_failures')
      .where('last', '<', Date.now() - quiet)
      .where('key', which, keys)
      .execute(),
  )

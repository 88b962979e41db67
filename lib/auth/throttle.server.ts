import { createHash } from 'node:crypto'
import { runCompiled } from '#lib/db/compiled.server'
import { type Db, database, transaction } from '#lib/db/db.server'
import { clientNetwork } from '#lib/http/client-address.server'
import { ApiError } from '#lib/http/errors'
import { noteSignIn } from '#lib/metrics/metrics.server'

/*
 * Guessing is slow (contract, section 4): after five failures in a minute an account waits, but only where the failures came
 * from, so that nobody locks somebody else out. Passwords and codes are counted apart. The counters are in the database:
 * several processes share them, and the good path only reads.
 */

type Guess = 'password' | 'code' | 'reset'

/** An account and a client network that guess together. A nick that nobody has is counted like any other. */
type Pair = { guess: Guess; nick: string; request: Request }

const FAILURES = 5
const WINDOW = 60_000
const FIRST_WAIT = 30_000
const LONGEST_WAIT = 15 * 60_000

const keyOf = ({ guess, nick, request }: Pair): string =>
  `${guess} ${createHash('sha256').update(nick).digest('base64url')} ${clientNetwork(request)}`

/** Too many failures: to be tried again after so many seconds. */
export class TooManyAttempts extends ApiError {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('429-TOO-MANY-REQUESTS')
    noteSignIn('throttled')
    this.retryAfter = retryAfter
  }
}

const rowOf = async (db: Db, key: string) =>
  (
    await runCompiled(db, 'sign-in failures', { key }, (given) =>
      db.selectFrom('sign_in_failures').where('key', '=', given.key).selectAll(),
    )
  )[0]

/** Throws TooManyAttempts while the pair has to wait. Tells whether it has failed before. */
export async function requireTurn(pair: Pair, db: Db = database().read): Promise<boolean> {
  const row = await rowOf(db, keyOf(pair))
  const wait = (row?.blocked_until ?? 0) - Date.now()
  if (wait > 0) throw new TooManyAttempts(Math.ceil(wait / 1000))
  return row !== undefined
}

/** Counts a failure in a transaction of its own: what failed is undone, the count is not. */
export const countFailure = (pair: Pair): Promise<void> =>
  transaction(async (trx) => {
    const key = keyOf(pair)
    const now = Date.now()
    const row = await rowOf(trx, key)
    if (row && row.blocked_until > now) return
    const fresh = !row || now - row.since > WINDOW
    const failures = fresh ? 1 : row.failures + 1
    // Who was quiet for the longest wait begins again.
    const waits = row && now - row.last < 2 * LONGEST_WAIT ? row.waits : 0
    const blocked = failures >= FAILURES
    const values = {
      failures: blocked ? 0 : failures,
      since: fresh || blocked ? now : row.since,
      last: now,
      waits: blocked ? waits + 1 : waits,
      blocked_until: blocked ? now + Math.min(FIRST_WAIT * 2 ** waits, LONGEST_WAIT) : 0,
    }
    await trx
      .insertInto('sign_in_failures')
      .values({ key, ...values })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
      .execute()
  })

const forgetFailures = (pair: Pair): Promise<unknown> =>
  transaction((trx) => trx.deleteFrom('sign_in_failures').where('key', '=', keyOf(pair)).execute())

/** Counters that say nothing any more. */
export const removeOldFailures = (): Promise<unknown> =>
  transaction((trx) =>
    trx
      .deleteFrom('sign_in_failures')
      .where('last', '<', Date.now() - 2 * LONGEST_WAIT)
      .execute(),
  )

const lines = new Map<string, Promise<unknown>>()

/** Guesses of one pair go one after the other: many connections are no way around the count. */
async function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const settled = mine.catch(() => {})
  lines.set(key, settled)
  try {
    return await mine
  } finally {
    if (lines.get(key) === settled) lines.delete(key)
  }
}

/**
 * One guess: refused while the pair waits, counted where it is wrong, forgiven where it is right. `isRight` answers whether it
 * was. Throws TooManyAttempts.
 */
export const guess = (pair: Pair, isRight: () => Promise<boolean>): Promise<boolean> =>
  inLine(keyOf(pair), async () => {
    const failedBefore = await requireTurn(pair)
    const right = await isRight()
    if (!right) await countFailure(pair)
    else if (failedBefore) await forgetFailures(pair)
    return right
  })

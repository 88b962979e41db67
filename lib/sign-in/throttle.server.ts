import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Trx } from '#lib/db/db.server'
import { clientNetwork } from '#lib/http/client-address.server'
import { ApiError } from '#lib/http/errors'
import { notify } from '#lib/mail/outbox.server'
import { noteSignIn } from '#lib/metrics/metrics.server'
import {
  type Counter,
  countAttempt,
  lookAt,
  type Policy,
  type Room,
  removeQuietCounters,
  settle,
  TRIES,
  takePlaces,
} from '#lib/sign-in/attempt-counters.server'
import { isKnownPlace } from '#lib/sign-in/known-places.server'

/*
 * Attempts are counted in three ways (docs/api.md, "Throttling"):
 * - for an account and a client network, so that nobody locks somebody else out; passwords and codes apart;
 * - codes for the account, wherever they come from: a code presupposes the password. A network where the owner signed in lately waits
 *   only for its own attempts;
 * - passwords for a client network, whatever the nick (spraying). Owners who signed in there lately do not wait for it.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PAIR: Policy = { failures: 5, window: MINUTE, firstWait: 30 * SECOND, longestWait: 15 * MINUTE }
const NETWORK: Policy = { failures: 30, window: 5 * MINUTE, firstWait: 30 * SECOND, longestWait: 15 * MINUTE }
const CODES: Policy = { failures: 10, window: HOUR, firstWait: MINUTE, longestWait: HOUR }

/**
 * What is attempted. `userId` is undefined where nobody has the nick: it is counted like any other. `tries` counts it as well, wherever
 * it comes from.
 */
type Attempt = {
  guess: 'password' | 'code'
  nick: string
  userId: number | undefined
  request: Request
  tries?: Counter[]
}

const hashOf = (nick: string): string => createHash('sha256').update(nick).digest('base64url')

const pairOf = (guess: string, nick: string, request: Request): Counter => ({
  key: `${guess} ${hashOf(nick)} ${clientNetwork(request)}`,
  policy: PAIR,
  clears: true,
})

const networkOf = (guess: string, request: Request): Counter => ({
  key: `${guess} * ${clientNetwork(request)}`,
  policy: NETWORK,
  clears: false,
})

const codesOf = (userId: number, nick: string): Counter => ({
  key: `codes ${userId}`,
  policy: CODES,
  clears: false,
  onWave: (trx) => warnOwner(trx, userId, nick),
})

function countersOf({ guess, nick, userId, request, tries = [] }: Attempt, known: boolean): Counter[] {
  const counted = [pairOf(guess, nick, request), ...tries]
  if (known) return counted
  if (guess === 'password') return [...counted, networkOf(guess, request)]
  return userId === undefined ? counted : [...counted, codesOf(userId, nick)]
}

const ADDRESSES_TOLD = 5

/** One mail for each wave, with the networks that the wrong codes came from. */
async function warnOwner(trx: Trx, userId: number, nick: string): Promise<void> {
  const prefix = `code ${hashOf(nick)} `
  const pairs = await trx
    .selectFrom('sign_in_failures')
    .where('key', '>=', prefix)
    .where('key', '<', `${prefix}~`)
    .where('last', '>', Date.now() - CODES.window)
    .select('key')
    .orderBy('last', 'desc')
    .execute()
  const addresses = pairs.map(({ key }) => key.slice(prefix.length))
  await notify(trx, userId, {
    kind: 'codes-guessed',
    attempts: CODES.failures,
    addresses: addresses.slice(0, ADDRESSES_TOLD),
    more: Math.max(0, addresses.length - ADDRESSES_TOLD),
  })
}

/** Too many failures: to be tried again after so many seconds. */
export class TooManyAttempts extends ApiError {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('429-TOO-MANY-REQUESTS')
    noteSignIn('throttled')
    this.retryAfter = retryAfter
  }
}

/** Throws TooManyAttempts while the caller has to wait. */
function requireNoWait(room: Room): Exclude<Room, { wait: number }> {
  if (typeof room === 'object') throw new TooManyAttempts(Math.ceil(room.wait / SECOND))
  return room
}

const POLL = 25
/** Longer than places that a dead process has taken stay taken. */
const PATIENCE = 15 * SECOND

/** Waits until there is room: correct attempts that arrive at once are all checked. Throws TooManyAttempts. */
async function takeTurn(counters: readonly Counter[]): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += POLL) {
    if (requireNoWait(await takePlaces(counters)) !== 'full') return
    // Only reads while it waits: no writer is held up.
    do {
      await delay(POLL)
      waited += POLL
    } while (waited < PATIENCE && requireNoWait(await lookAt(counters)) === 'full')
  }
  throw new TooManyAttempts(1)
}

const lines = new Map<string, Promise<unknown>>()

/** Attempts of one pair queue up within the process: they seldom have to poll the database for a place. */
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
 * One attempt: refused while it has to wait, counted before `isRight` checks it, forgiven where it is right. `wasRight` says cheaply
 * that the very same was right lately: from a known network, with nothing counted there, such a repetition only reads. Throws
 * TooManyAttempts.
 */
export const guess = (
  attempt: Attempt,
  isRight: () => Promise<boolean>,
  wasRight: () => boolean = () => false,
): Promise<boolean> =>
  inLine(pairOf(attempt.guess, attempt.nick, attempt.request).key, async () => {
    const known = await isKnownPlace(attempt.request, attempt.userId)
    const counters = countersOf(attempt, known)
    const room = requireNoWait(await lookAt(counters))
    if (known && room === 'clean' && wasRight()) return true
    await takeTurn(counters)
    const right = await isRight().catch(async (error: unknown) => {
      await settle(counters, 'undone')
      throw error
    })
    await settle(counters, right ? 'right' : 'wrong')
    return right
  })

/**
 * While their network waits, those who signed in there lately learn of a wrong password no more than that: a 401 among answers of 429 would
 * say who they are. Throws TooManyAttempts.
 */
export async function requireSameAnswer({
  userId,
  request,
}: Pick<Attempt, 'userId' | 'request'>): Promise<void> {
  if (await isKnownPlace(request, userId)) requireNoWait(await lookAt([networkOf('password', request)]))
}

/** Counts a request for a new password like a failure: each mails somebody. Throws TooManyAttempts. */
export async function countResetRequest(request: Request, nick: string): Promise<void> {
  requireNoWait(await countAttempt([pairOf('reset', nick, request), networkOf('reset', request)]))
}

/** Removes counters that say nothing any more. Those of PASSWORD_TRIES last: a guess every few hours is one in a row as well. */
export async function removeOldFailures(): Promise<void> {
  await removeQuietCounters(2 * CODES.longestWait, 'not like', `${TRIES}%`)
  await removeQuietCounters(30 * 24 * HOUR, 'like', `${TRIES}%`)
}

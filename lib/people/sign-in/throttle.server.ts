import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Trx } from '#lib/db/db.server'
import { clientNetwork, clientNetworks } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { noteSignIn } from '#lib/ground/metrics/metrics.server'
import {
  type Counter,
  countAttempt,
  LOCKOUT,
  lookAt,
  type Policy,
  type Room,
  removeQuietCounters,
  settle,
  takePlaces,
} from '#lib/people/sign-in/attempt-counters.server'
import { knownNetworks } from '#lib/people/sign-in/known-places.server'
import { notify } from '#lib/record/mail/outbox.server'

/*
 * Attempts are counted in three ways (docs/api/authentication.md, "Throttling"):
 * - for an account and a client network, so that nobody can lock another user out; passwords and codes are counted separately;
 * - codes for the account, from any network, because a code follows a correct password. A network where the owner recently signed in waits
 *   only for its own attempts;
 * - passwords for a client network, for any nick (spraying): for IPv6 in its /64, its /56 and its /48. Owners who recently signed in from
 *   the network are exempt.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PAIR: Policy = { failures: 5, window: MINUTE, firstWait: 30 * SECOND, longestWait: 15 * MINUTE }
const NETWORK: Policy = { failures: 30, window: 5 * MINUTE, firstWait: 30 * SECOND, longestWait: 15 * MINUTE }
/** Wider networks may belong to several customers of a provider. */
const NETWORKS: Policy[] = [NETWORK, { ...NETWORK, failures: 60 }, { ...NETWORK, failures: 120 }]
const CODES: Policy = { failures: 10, window: HOUR, firstWait: MINUTE, longestWait: HOUR }

/**
 * `userId` is undefined if no user has the nick: the attempt counts like any other. The counters of `lockout` count it for every
 * network.
 */
type Attempt = {
  kind: 'password' | 'code'
  nick: string
  userId: number | undefined
  request: Exchange
  lockout?: Counter[]
}

const hashOf = (nick: string): string => hash('sha256', nick, 'base64url')

const pairOf = (kind: string, nick: string, request: Exchange): Counter => ({
  key: `${kind} ${hashOf(nick)} ${clientNetwork(request)}`,
  policy: PAIR,
  clears: true,
})

/** A counter for each network of the client, except those from which the user recently signed in. */
const networksOf = (kind: string, request: Exchange, known: string[] = []): Counter[] =>
  clientNetworks(request).flatMap((network, width) => {
    const policy = known.includes(network) ? undefined : NETWORKS[width]
    return policy ? [{ key: `${kind} * ${network}`, policy, clears: false }] : []
  })

const codesOf = (userId: number, nick: string): Counter => ({
  key: `codes ${userId}`,
  policy: CODES,
  clears: false,
  onFirstWait: (trx) => warnOwner(trx, userId, nick),
})

function countersOf({ kind, nick, userId, request, lockout = [] }: Attempt, known: string[]): Counter[] {
  const counted = [pairOf(kind, nick, request), ...lockout]
  if (kind === 'password') return [...counted, ...networksOf(kind, request, known)]
  const isExempt = userId === undefined || known.includes(clientNetwork(request))
  return isExempt ? counted : [...counted, codesOf(userId, nick)]
}

const MAX_ADDRESSES = 5

/** Mails the owner once for each series of waits, with the networks that the wrong codes came from. */
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
    addresses: addresses.slice(0, MAX_ADDRESSES),
    more: Math.max(0, addresses.length - MAX_ADDRESSES),
  })
}

/** Too many failures. `retryAfter` is in seconds. */
export class TooManyAttempts extends ApiError {
  constructor(retryAfter: number) {
    super('429-TOO-MANY-REQUESTS', { retryAfter })
    noteSignIn('throttled')
  }
}

/** Throws TooManyAttempts while the caller has to wait. */
function requireNoWait(room: Room): Exclude<Room, { wait: number }> {
  if (typeof room === 'object') throw new TooManyAttempts(Math.ceil(room.wait / SECOND))
  return room
}

const POLL = 25
/** Longer than the places of a dead process stay reserved. */
const PATIENCE = 15 * SECOND

/** Waits for a place, so that a burst of correct attempts is checked in full. Throws TooManyAttempts. */
async function takeTurn(counters: readonly Counter[]): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += POLL) {
    if (requireNoWait(await takePlaces(counters)) !== 'full') return
    // The wait only reads, so that it blocks no writer.
    do {
      await delay(POLL)
      waited += POLL
    } while (waited < PATIENCE && requireNoWait(await lookAt(counters)) === 'full')
  }
  throw new TooManyAttempts(1)
}

const queues = new Map<string, Promise<unknown>>()

/** Attempts of one nick and network queue within the process, so that they seldom poll the database for a place. */
async function queued<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  const settled = mine.catch(() => {})
  queues.set(key, settled)
  try {
    return await mine
  } finally {
    if (queues.get(key) === settled) queues.delete(key)
  }
}

/**
 * Checks one attempt: refuses it during a wait, counts it before `isRight` runs, and uncounts it if it is correct. `wasRight` is a cheap
 * check for an attempt that was recently correct. Such an attempt writes nothing if it comes from a known network without failures. Throws
 * TooManyAttempts.
 */
export const checkAttempt = (
  attempt: Attempt,
  isRight: () => Promise<boolean>,
  wasRight: () => boolean = () => false,
): Promise<boolean> =>
  queued(pairOf(attempt.kind, attempt.nick, attempt.request).key, async () => {
    const known = await knownNetworks(attempt.request, attempt.userId)
    const counters = countersOf(attempt, known)
    const room = requireNoWait(await lookAt(counters))
    if (known.includes(clientNetwork(attempt.request)) && room === 'clean' && wasRight()) return true
    await takeTurn(counters)
    const right = await isRight().catch(async (error: unknown) => {
      await settle(counters, 'undone')
      throw error
    })
    await settle(counters, right ? 'right' : 'wrong')
    return right
  })

/**
 * A wrong password gets 429 while its network waits, even for users who recently signed in there: a 401 among answers of 429 would reveal
 * that they did. Throws TooManyAttempts.
 */
export async function requireSameAnswer({
  userId,
  request,
}: Pick<Attempt, 'userId' | 'request'>): Promise<void> {
  const known = await knownNetworks(request, userId)
  if (known.length > 0) requireNoWait(await lookAt(networksOf('password', request)))
}

/** Counts a request for a password link like a failure, because each sends a mail. Throws TooManyAttempts. */
export async function countResetRequest(request: Exchange, nick: string): Promise<void> {
  requireNoWait(await countAttempt([pairOf('reset', nick, request), ...networksOf('reset', request)]))
}

/** Counts a request for help, of which each user has one an hour. Throws TooManyAttempts. */
export async function countHelpRequest(userId: number): Promise<void> {
  const policy = { failures: 1, window: HOUR, firstWait: HOUR, longestWait: HOUR }
  requireNoWait(await countAttempt([{ key: `help ${userId}`, policy, clears: false }]))
}

/** Removes counters without effect. Counters of PASSWORD_TRIES stay longer: an attempt every few hours counts as in a row, too. */
export async function removeOldFailures(): Promise<void> {
  await removeQuietCounters(2 * CODES.longestWait, 'not like', `${LOCKOUT}%`)
  await removeQuietCounters(30 * 24 * HOUR, 'like', `${LOCKOUT}%`)
}

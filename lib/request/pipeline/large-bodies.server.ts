import { tooBusy } from '#lib/ground/http/busy'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'

/*
 * Large documents in progress, from their first bytes to the end of their work: one for a user, and a few for this process, because each takes
 * memory. One that arrives slowly gives its place up to another that wants it.
 */

/** Bodies up to this size need no place. */
const SMALL = 1024 * 1024
const MOST = 3

/** A body that has had so long (ms) and arrives more slowly than this (bytes per second) is slow. */
const PATIENCE = 5000
const LEAST_RATE = 256 * 1024

/** Seconds. */
const RETRY_AFTER = 5

type Slot = { user: number; began: number; bytes: number; expected: number }

const places = new Map<Exchange, Slot>()

function isSlow({ began, bytes, expected }: Slot): boolean {
  const waited = performance.now() - began
  return bytes < expected && waited > PATIENCE && bytes < (LEAST_RATE * waited) / 1000
}

/** Frees the place of a slow body of these. */
function dropSlow(among: readonly [Exchange, Slot][]): boolean {
  const slow = among.find(([, place]) => isSlow(place))
  if (slow) places.delete(slow[0])
  return slow !== undefined
}

function take(request: Exchange, user: number): Slot {
  const own = [...places].filter(([, place]) => place.user === user)
  if (own.length > 0 && !dropSlow(own)) {
    const message = 'Another large document of yours is in progress: wait until it is done'
    throw new ApiError(fault('429-TOO-MANY-REQUESTS', message), { retryAfter: RETRY_AFTER })
  }
  if (places.size >= MOST && !dropSlow([...places])) throw tooBusy()
  const expected = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  const place = { user, began: performance.now(), bytes: 0, expected }
  places.set(request, place)
  return place
}

/** For the number of bytes of a body that have arrived, or will. It throws 429 or 503 if a large one has no place, or lost it. */
export function largePlace(request: Exchange, user: number): (bytes: number) => void {
  let place: Slot | undefined
  return (bytes) => {
    if (!place && bytes > SMALL) place = take(request, user)
    else if (place) place.bytes = bytes
    if (place && places.get(request) !== place)
      throw new ApiError(fault('429-TOO-MANY-REQUESTS', 'The document arrived too slowly'), {
        retryAfter: RETRY_AFTER,
      })
  }
}

/** The body has arrived as a whole: it keeps its place until its work is over. */
export function keepPlace(request: Exchange): void {
  const place = places.get(request)
  if (place) place.expected = 0
}

/** The work on the document is over. */
export const leavePlace = (request: Exchange): void => {
  places.delete(request)
}

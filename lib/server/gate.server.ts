import { type IncomingMessage, ServerResponse } from 'node:http'
import { sendsBody } from '#lib/ground/http/exchange.server'
import { log } from '#lib/ground/log.server'
import { type Limit, noteOverload } from '#lib/ground/metrics/metrics.server'
import { type BodyPatience, waitForBodies } from '#lib/server/bodies.server'

/*
 * Load shedding: requests beyond the limits are refused at once, before any work. Accepted requests are answered in bounded time, and no
 * backlog remains after a flood.
 */

export type Limits = {
  /** Maximum number of requests in progress, and of bodies in transit. */
  requests: number
  /** Maximum time (ms) that requests may take together within one turn of the event loop. */
  delay: number
}

type Gate = {
  /** Admits the request until the head of its response is written, or returns false. */
  enter: (request: IncomingMessage, response: ServerResponse) => boolean
}

const LOG_INTERVAL = 10_000
let lastLogged = Number.NEGATIVE_INFINITY

/** Counts every refusal, but logs at most one line per interval. */
function noteRefusal(limit: Limit): void {
  noteOverload(limit)
  if (performance.now() < lastLogged + LOG_INTERVAL) return
  lastLogged = performance.now()
  log().warn({ limit }, 'too many requests: some are refused')
}

/** Responses being read and bodies in transit do not count as requests in progress, so slow clients do not block others. */
export function createGate({ requests, delay }: Limits, patience: BodyPatience): Gate {
  const working = new Set<IncomingMessage>()
  const bodies = waitForBodies({ room: requests, patience, arrived: (request) => working.add(request) })
  const isLate = createTurns(delay)

  const refusal = (): Limit | undefined => {
    if (isLate()) return 'delay'
    return working.size >= requests ? 'requests' : undefined
  }

  return {
    enter(request, response) {
      const limit = refusal()
      if (limit) {
        noteRefusal(limit)
        return false
      }
      if (!sendsBody(request)) working.add(request)
      else if (bodies.add(request)) noteRefusal('bodies')
      atHead(response, () => {
        bodies.delete(request)
        working.delete(request)
      })
      return true
    },
  }
}

/**
 * A response that emits `head` when its head is written. If each response had a `writeHead` of its own for that, V8 would keep it until the
 * next full collection.
 */
export class GatedResponse extends ServerResponse {
  override writeHead(...head: unknown[]): this {
    this.emit('head')
    return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>))
  }
}

/** Calls `then` when the head of the response is written, or the client has disconnected. */
function atHead(response: ServerResponse, then: () => void): void {
  response.once('head', then)
  response.once('close', then)
}

/**
 * True if the requests of this turn of the event loop have together taken too long. The longest is not counted: one expensive request is
 * not a flood.
 */
function createTurns(delay: number): () => boolean {
  let began: number | undefined
  let last = 0
  let longest = 0
  return () => {
    const now = performance.now()
    if (began === undefined) {
      began = now
      longest = 0
      setImmediate(() => {
        began = undefined
      })
    } else longest = Math.max(longest, now - last)
    last = now
    return now - began - longest > delay
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from '#lib/log.server'
import { type Limit, noteOverload } from '#lib/metrics/metrics.server'
import { type BodyPatience, waitForBodies } from '#lib/server/bodies.server'

/*
 * More than can be done is refused at once, before anything is done for it: what gets through is answered in bounded time, and when
 * the flood ends there is nothing left of it.
 */

export type Limits = {
  /** So many requests are worked on at a time, and as many bodies are waited for. */
  requests: number
  /** For so many milliseconds the event loop may serve one request after the other without looking up. */
  delay: number
}

export type Gate = {
  /** Lets the request in until the head of its answer is written, or does not. */
  enter: (request: IncomingMessage, response: ServerResponse) => boolean
}

const TOLD_EVERY = 10_000
let told = Number.NEGATIVE_INFINITY

/** Each refusal is counted; the log would only grow by a line for each. */
function tell(limit: Limit): void {
  noteOverload(limit)
  if (performance.now() < told + TOLD_EVERY) return
  told = performance.now()
  log().warn({ limit }, 'requests are refused: there are too many')
}

/** An answer that is being read counts no more, nor does a body that is still on its way: slow clients keep nobody out. */
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
        tell(limit)
        return false
      }
      if (!sendsBody(request)) working.add(request)
      else if (bodies.add(request)) tell('bodies')
      atHead(response, () => {
        bodies.delete(request)
        working.delete(request)
      })
      return true
    },
  }
}

const sendsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** When the head of the answer is written, or nobody waits for it any more. */
function atHead(response: ServerResponse, then: () => void): void {
  const write = response.writeHead.bind(response)
  response.writeHead = ((...head: Parameters<typeof write>) => {
    then()
    return write(...head)
  }) as typeof write
  response.once('close', then)
}

/**
 * Whether the requests of this turn of the event loop have taken too long together. The longest of them is left out: one that is dear
 * is no flood.
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

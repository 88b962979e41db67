import type { IncomingMessage } from 'node:http'
import { networkOf } from '#lib/ground/http/client-address.server'
import { cutOff } from '#lib/server/cut-off.server'

/*
 * Request bodies in transit. A client that begins many bodies and finishes none only displaces bodies of its own network, so honest
 * clients still get in.
 */

/** Timeouts of bodies, in milliseconds. */
export type BodyPatience = {
  /** For the whole of a small body. */
  small: number
  /** Between two chunks of any body. */
  pause: number
}

/** Any connection can send this much within seconds. */
const SMALL = 64 * 1024
const CHECK_INTERVAL = 500

type Body = {
  network: string
  began: number
  /** Time of the last progress, and the bytes that the connection had received by then. */
  moved: number
  bytes: number
}

type Waiting = {
  /** Maximum number of bodies in transit. */
  room: number
  patience: BodyPatience
  /** Called when a body is complete, even if nobody has read it yet. */
  arrived: (request: IncomingMessage) => void
}

type Bodies = {
  /** Starts to wait for this body. Returns true if another body was dropped for it. */
  add: (request: IncomingMessage) => boolean
  delete: (request: IncomingMessage) => void
}

export function waitForBodies({ room, patience, arrived }: Waiting): Bodies {
  // In order of arrival.
  const bodies = new Map<IncomingMessage, Body>()
  let timer: NodeJS.Timeout | undefined
  let looked = 0

  const end = (request: IncomingMessage) => bodies.delete(request) && arrived(request)
  const settle = () => {
    for (const request of bodies.keys()) if (request.complete) end(request)
  }
  const refuse = (request: IncomingMessage) => {
    const body = bodies.get(request)
    bodies.delete(request)
    if (body) cutOff(request.socket, 408)
  }

  const look = () => {
    const now = performance.now()
    // While this process was busy, data may have arrived that is still unread.
    const isLate = now - looked > 4 * CHECK_INTERVAL
    looked = now
    settle()
    for (const [request, body] of bodies) {
      if (isLate || hasMoved(request, body)) body.moved = now
      if (isOver(request, body, patience)) refuse(request)
    }
    if (bodies.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(request) {
      const now = performance.now()
      const network = networkOf(request)
      if (bodies.size >= room) settle()
      const isFull = bodies.size >= room
      if (isFull) refuse(oldestOfMost(bodies, network))
      bodies.set(request, { network, began: now, moved: now, bytes: request.socket.bytesRead })
      request.once('end', () => end(request))
      if (timer === undefined) {
        looked = now
        timer = setInterval(look, CHECK_INTERVAL).unref()
      }
      return isFull
    },
    delete: (request) => bodies.delete(request),
  }
}

function isOver(
  { headers }: IncomingMessage,
  { began, moved }: Body,
  { small, pause }: BodyPatience,
): boolean {
  const now = performance.now()
  const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL
  return now - moved > pause || (isSmall && now - began > small)
}

/** Data that waits in the buffer is our delay, not the client's. */
function hasMoved(request: IncomingMessage, body: Body): boolean {
  const { bytesRead } = request.socket
  const isNew = bytesRead !== body.bytes || request.readableLength > 0
  body.bytes = bytesRead
  return isNew
}

/** The oldest body of the network with the most bodies, counting the new one from `network`. */
function oldestOfMost(bodies: ReadonlyMap<IncomingMessage, Body>, network: string): IncomingMessage {
  const counts = new Map([[network, 1]])
  for (const body of bodies.values()) counts.set(body.network, (counts.get(body.network) ?? 0) + 1)
  const most = Math.max(...counts.values())
  for (const [request, body] of bodies) if (counts.get(body.network) === most) return request
  throw new Error('There is no body to drop')
}

import type { IncomingMessage } from 'node:http'
import { networkOf } from '#lib/http/client-address.server'
import { cutOff } from '#lib/server/cut-off.server'

/*
 * Bodies that are on their way. Whoever begins many and ends none takes the room of their own network: an honest sign-in gets in
 * whatever they do.
 */

/** How long a body may take, in milliseconds. */
export type BodyPatience = {
  /** The whole of a small one. */
  small: number
  /** Between two pieces of any. */
  pause: number
}

/** As much as comes in seconds on any line. */
const SMALL = 64 * 1024
const LOOKS_EVERY = 500

type Body = {
  network: string
  began: number
  /** When anything came last, and how much the connection had brought by then. */
  moved: number
  bytes: number
}

type Waiting = {
  /** So many bodies are waited for. */
  room: number
  patience: BodyPatience
  /** Called when a body is there, though nobody may have read it yet. */
  arrived: (request: IncomingMessage) => void
}

export type Bodies = {
  /** Waits for this body; true where another one had to give way. */
  add: (request: IncomingMessage) => boolean
  delete: (request: IncomingMessage) => void
}

export function waitForBodies({ room, patience, arrived }: Waiting): Bodies {
  // In the order in which they began.
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
    // What came while this process was busy is still to be read.
    const isLate = now - looked > 4 * LOOKS_EVERY
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
        timer = setInterval(look, LOOKS_EVERY).unref()
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

/** What waits in the buffer is our delay, not the client's. */
function hasMoved(request: IncomingMessage, body: Body): boolean {
  const { bytesRead } = request.socket
  const isNew = bytesRead !== body.bytes || request.readableLength > 0
  body.bytes = bytesRead
  return isNew
}

/** The oldest body of the network that has the most of them, with the one that comes from `network` counted in. */
function oldestOfMost(bodies: ReadonlyMap<IncomingMessage, Body>, network: string): IncomingMessage {
  const counts = new Map([[network, 1]])
  for (const body of bodies.values()) counts.set(body.network, (counts.get(body.network) ?? 0) + 1)
  const most = Math.max(...counts.values())
  for (const [request, body] of bodies) if (counts.get(body.network) === most) return request
  throw new Error('There is no body to give way')
}

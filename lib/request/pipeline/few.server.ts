import type { Answer } from '#lib/ground/http/answer.server'
import { ApiError, fault } from '#lib/ground/http/errors'

/* Answers that read the whole cloud: a few at a time, because each is read as slowly as its client likes. */

const MOST = { user: 2, process: 8 }

/** Seconds. */
const RETRY_AFTER = 15

const open = new Map<object, number>()

/** Takes a place for an answer of this user until it is freed. Throws 429. */
function takePlace(user: number): () => void {
  const own = [...open.values()].filter((each) => each === user).length
  if (own >= MOST.user || open.size >= MOST.process) {
    const message =
      own >= MOST.user ? `A user reads ${MOST.user} exports at a time` : 'Too many exports are being read'
    throw new ApiError(fault('429-TOO-MANY-REQUESTS', message), { retryAfter: RETRY_AFTER })
  }
  const place = {}
  open.set(place, user)
  return () => open.delete(place)
}

/** The answer has its place until its client has read it or has left. */
export async function oneOfFew(user: number, answer: () => Promise<Answer>): Promise<Answer> {
  const free = takePlace(user)
  try {
    const response = await answer()
    const { body, status, headers } = response
    if (body instanceof ReadableStream) return { status, headers, body: freedAfter(body, free) }
    free()
    return response
  } catch (error) {
    free()
    throw error
  }
}

function freedAfter(body: ReadableStream<Uint8Array>, free: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read()
        if (!done) return controller.enqueue(value)
        free()
        controller.close()
      } catch (error) {
        free()
        controller.error(error)
      }
    },
    cancel(reason) {
      free()
      return reader.cancel(reason)
    },
  })
}

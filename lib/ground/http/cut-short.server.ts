import type { Exchange } from '#lib/ground/http/exchange.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { log } from '#lib/ground/log.server'

/**
 * Cuts the response short if reading a list fails after the response has begun. Only the log gets the reason: the HTTP server would also
 * send it to the client.
 */
export function cutShort(
  body: string | ReadableStream<Uint8Array>,
  request: Exchange,
): string | ReadableStream<Uint8Array> {
  if (typeof body === 'string') return body
  const reader = body.getReader()
  let isLeft = false
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read()
        // The body is not read any more: the request was HEAD, or the client disconnected.
        if (isLeft) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (err) {
        log().error({ requestId: requestIdOf(request), err }, 'a list broke off')
        controller.error(new Error('The list broke off'))
      }
    },
    cancel(reason) {
      isLeft = true
      return reader.cancel(reason)
    },
  })
}

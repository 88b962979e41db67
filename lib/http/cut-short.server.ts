import { requestIdOf } from '#lib/http/request-id.server'
import { log } from '#lib/log.server'

/**
 * A list that breaks off while it is read: its answer has begun and is cut short. Why is told to the log alone; the server beneath
 * would tell the client, too.
 */
export function cutShort(
  body: string | ReadableStream<Uint8Array>,
  request: Request,
): string | ReadableStream<Uint8Array> {
  if (typeof body === 'string') return body
  const reader = body.getReader()
  let isLeft = false
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read()
        // Nobody reads on: HEAD asks for no body, or the client has gone.
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

import type { ApiError } from '#lib/ground/http/errors'
import type { Progress } from '#lib/ground/http/event-stream'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { renderDocument, renderErrors, type Sections } from '#lib/ground/http/render.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import type { MediaName } from '#lib/ground/http/view'
import { log } from '#lib/ground/log.server'
import type { Opening } from '#lib/request/pipeline/spec.server'

/* A long change whose response reports its progress (docs/api/plans.md, "Progress of a plan"). */

/** Milliseconds between two messages. */
const PAUSE = 250
/** Pauses without a message before a comment keeps the connection alive: proxies and clients give up after 60 s of silence. */
const MOST_PAUSES = 160

export type Report = (progress: Progress) => void

type Long = {
  request: Exchange
  name: MediaName
  /** Reports as it goes on, and returns the document. */
  run: (report: Report) => Promise<unknown>
  /** The client's view of an error. */
  refusalOf: (error: unknown, requestId: string) => ApiError
}

const message = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`

/** The document. One of sections is without them: they have their own address. */
function headOf(result: unknown, name: MediaName, request: Exchange): string {
  const document = isSections(result) ? result.head : (result as object)
  return renderDocument({ ...document }, { name, syntax: 'json', base: baseOf(request) })
}

const isSections = (result: unknown): result is Sections =>
  typeof result === 'object' && result !== null && 'sections' in result

function refusalMessage({ status, faults }: ApiError): string {
  const document = JSON.parse(renderErrors(faults, 'json')) as object
  return message('errors', JSON.stringify({ status, ...document }))
}

/** The change runs to its end even if the client is gone, as every change does. */
export const withProgress =
  ({ request, name, run, refusalOf }: Long): Opening =>
  async () => {
    const encoder = new TextEncoder()
    let isLeft = false
    let isPausing = false
    let pauses = 0
    let latest: Progress | undefined
    return new ReadableStream<Uint8Array>({
      async start(controller) {
        const send = (text: string) => {
          pauses = 0
          if (!isLeft) controller.enqueue(encoder.encode(text))
        }
        const sendProgress = (progress: Progress) => send(message('progress', JSON.stringify(progress)))
        const timer = setInterval(() => {
          isPausing = latest !== undefined
          pauses += 1
          if (latest) sendProgress(latest)
          else if (pauses >= MOST_PAUSES) send(': goes on\n\n')
          latest = undefined
        }, PAUSE)
        const requestId = requestIdOf(request)
        // The response begins before the change ends.
        void run((progress) => {
          if (isPausing) latest = progress
          else sendProgress(progress)
          isPausing = true
        })
          .then(
            (result) => message(name, headOf(result, name, request)),
            (error) => {
              const refusal = refusalOf(error, requestId)
              log().info({ requestId, status: refusal.status }, 'a change with progress was refused')
              return refusalMessage(refusal)
            },
          )
          .then((last) => {
            send(last)
            if (!isLeft) controller.close()
          })
          .finally(() => clearInterval(timer))
      },
      cancel() {
        isLeft = true
      },
    })
  }

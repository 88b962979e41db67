import type { z } from 'zod'
import { bodyForm, negotiate } from '#lib/ground/http/accept.server'
import { type Answer, AnswerHeaders, answerOf } from '#lib/ground/http/answer.server'
import {
  boundBody,
  MOST_BYTES_OPENLY,
  parseDocument,
  readText,
  requireBounded,
} from '#lib/ground/http/body.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf, requireOwnSite } from '#lib/ground/http/origin.server'
import { renderDocument } from '#lib/ground/http/render.server'
import type { MediaName } from '#lib/ground/http/view'
import { requireReadableQuery } from '#lib/request/pipeline/incoming.server'
import { answer } from '#lib/request/pipeline/respond.server'
import type { OpenSpec, RouteHandler } from '#lib/request/pipeline/spec.server'
import { routeHandler } from '#lib/request/pipeline/spec.server'
import { validate } from '#lib/request/pipeline/validate.server'

/** An operation without credentials. */
export const open = (handle: (request: Exchange) => Promise<Answer>, spec: OpenSpec): RouteHandler =>
  routeHandler(
    (request) => {
      boundBody(request, spec.largestBody ?? MOST_BYTES_OPENLY)
      return answer(request, async () => {
        if (!spec.fromOtherSites) requireOwnSite(request)
        requireBounded(request)
        requireReadableQuery(request)
        return handle(request)
      })
    },
    { ...spec, kind: 'open' },
  )

/** The body of an open operation. Throws the codes of its faults. */
export async function readOpenly<T>(request: Exchange, schema: z.ZodType<T>, name: MediaName): Promise<T> {
  const text = await readText(request)
  const { syntax } = bodyForm(request.headers.get('content-type'), [name])
  const input = validate(schema, parseDocument(text, syntax, name))
  if ('faults' in input) throw new ApiError(input.faults)
  return input.value
}

type OpenAnswer = { as: MediaName; document: object; headers?: AnswerHeaders }

/** The response of an open operation, which is not cached. */
export function answerOpenly(
  request: Exchange,
  { as: name, document, headers = new AnswerHeaders() }: OpenAnswer,
): Answer {
  const { type, syntax } = negotiate(request.headers.get('accept'), name)
  headers.set('cache-control', 'no-store')
  headers.set('content-type', type)
  return answerOf(renderDocument(document, { name, syntax, base: baseOf(request) }), { headers })
}

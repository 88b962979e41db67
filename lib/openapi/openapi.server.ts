import { z } from 'zod'
import { env } from '#lib/ground/env.server'
import { type Answer, answerOf } from '#lib/ground/http/answer.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { codeHeader, tokenHeader } from '#lib/ground/http/names.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { urlOf } from '#lib/ground/http/route.server'
import { Components } from '#lib/openapi/components'
import { operation } from '#lib/openapi/operation.server'
import { documentSchemas, type JsonSchema } from '#lib/openapi/schema'
import { tags } from '#lib/openapi/tags'
import { loadRoutes, type Route } from '#lib/request/pipeline/routes.server'
import { version } from '#lib/server/status.server'

const about = `Every resource can be read and written as JSON or as XML. In XML the root is the name of the media type,
\`link\` elements come first, arrays are repeated elements, and maps are \`entry\` elements of \`key\` and \`value\`. A list is the plural root with its page links,
\`totalSize\` and the items. Lists take \`startwith\`, \`limit\`, \`by\`, \`asc\` and \`has\`, and return links \`first\`, \`previous\`, \`next\`, \`last\`;
many are available as \`text/csv\` too, without links and total, also by \`format=csv\` in a link.
Refusals are \`errors\` documents; those of the security layer are small pages. Clients that name \`application/problem+json\` in \`Accept\` get that.`

const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'Nick and password; with two factor authentication also the verification code in its header.',
  },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Token <token>`, with the token of an earlier answer, or an access token (`sat_…`).',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token (`sat_…`), or one of the OpenID Connect provider, where that is on; Basic is off then.',
  },
  oauth: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`OAuth …`: a request that an application has signed by OAuth 1.0a (RFC 5849).',
  },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth', description: 'The cookie that a success sets.' },
  console: { type: 'apiKey', in: 'cookie', name: 'console', description: 'The session of the console.' },
}

/** `/api/admin/scopes/[scope]` → `/api/admin/scopes/{scope}`. */
export const templateOf = (path: string): string => path.replaceAll(/\[(\w+)\]/g, '{$1}')

/** All routes except the catch-all for unknown paths, and SCIM, which describes itself (RFC 7643 §7). */
export const apiRoutes = (routes: Route[]): Route[] =>
  routes.filter(({ path }) => !path.includes('[...') && !path.startsWith('/scim/'))

/** The OpenAPI 3.1 description of these routes, generated from their declarations. */
export function describeApi(routes: Route[]): JsonSchema {
  const shared = new Components(documentSchemas())
  const naming = { vendor: env().VENDOR, tokenHeader: tokenHeader(), codeHeader: codeHeader(), shared }
  const paths = apiRoutes(routes).map(({ path, handlers }) => {
    const template = templateOf(path)
    const operations = Object.entries(handlers).map(([method, { spec }]) => [
      method.toLowerCase(),
      operation(spec, { method, path: template }, naming),
    ])
    return [template, Object.fromEntries(operations)] as const
  })
  return {
    openapi: '3.1.0',
    info: {
      title: env().REALM,
      version,
      description: about,
      contact: { name: 'The administrators of this console' },
    },
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags,
    paths: Object.fromEntries(paths),
    components: { schemas: shared.schemas, responses: shared.responses, securitySchemes },
  }
}

/**
 * The description without XML and CSV: a typed client that speaks JSON gets the type of each document, not a union with text. An operation
 * that has no JSON keeps what it has.
 */
export const jsonAlone = (description: JsonSchema): string =>
  JSON.stringify(description, (key, value: unknown) => {
    if (key !== 'content' || value === null || typeof value !== 'object') return value
    const { 'application/json': json } = value as Record<string, unknown>
    return json === undefined ? value : { 'application/json': json }
  })

export const descriptionQuery = z.object({
  types: z.literal('json').optional().describe('`json`: without the media types beside JSON'),
})

const describe = (write: (description: JsonSchema) => string) =>
  loadRoutes().then((routes) => write(describeApi(routes)))

const described = new Map<boolean, Promise<string>>()

/** Needs no credentials. The document is generated once; only the server address depends on the request. */
export async function readOpenApi(request: Exchange): Promise<Answer> {
  const isJsonAlone = urlOf(request).searchParams.get('types') === 'json'
  // As text, because anyone may request it, and JSON.stringify takes 60 ms.
  const known = described.get(isJsonAlone) ?? describe(isJsonAlone ? jsonAlone : JSON.stringify)
  described.set(isJsonAlone, known)
  const servers = JSON.stringify([{ url: baseOf(request) }])
  const text = `${(await known).slice(0, -1)},"servers":${servers}}`
  return answerOf(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
}

import { STATUS_CODES } from 'node:http'
import { EVENT_STREAM } from '#lib/ground/http/accept.server'
import type { Csv } from '#lib/ground/http/csv'
import { type ErrorCode, fault, statusOf } from '#lib/ground/http/errors'
import { formatQuery } from '#lib/ground/http/paging'
import { type MediaName, mediaNames } from '#lib/ground/http/view'
import type { Components } from '#lib/openapi/components'
import { answerExample, bodyExample, foreignExamples, refusalExample } from '#lib/openapi/examples.server'
import { operationId } from '#lib/openapi/operation-ids'
import { type JsonSchema, jsonSchema, mediaSchema } from '#lib/openapi/schema'
import { tagOf } from '#lib/openapi/tags'
import { asOfQuery } from '#lib/request/pipeline/past.server'
import { isConditional, refusalsOf, takesIdempotencyKey } from '#lib/request/pipeline/refusals.server'
import { type Described, formsOf } from '#lib/request/pipeline/spec.server'

/** The installation's names for media types and headers, and the shared components. */
type Naming = { vendor: string; tokenHeader: string; codeHeader: string; shared: Components }

type Method = string
type Endpoint = { method: Method; path: string }

/** One operation of the document (OpenAPI 3.1 §4.8.10). */
export function operation(spec: Described, endpoint: Endpoint, naming: Naming): JsonSchema {
  const { method, path } = endpoint
  return {
    operationId: operationId(method, path, spec.answers?.as),
    summary: spec.summary,
    description: privilegesOf(spec),
    ...(spec.ending && { deprecated: true }),
    tags: [tagOf(path)],
    ...(spec.kind === 'open' && { security: [] }),
    parameters: [
      ...pathParameters(spec, path),
      ...queryParameters(spec),
      ...headerParameters(spec, endpoint),
    ],
    ...requestBody(spec, naming),
    responses: { ...success(spec, endpoint, naming), ...refusals(spec, endpoint, naming) },
  }
}

const privilegesOf = (spec: Described): string => {
  if (spec.kind === 'open') return 'Needs no credentials.'
  const { anyOf, alsoAnyOf, orOwn } = spec.who
  if (anyOf === 'user') return 'Needs no privilege beyond being signed in.'
  const named = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const also = alsoAnyOf ? `, and one of ${named(alsoAnyOf)}` : ''
  const needs = `Needs one of the privileges ${named(anyOf)}${also}.`
  if (!orOwn) return needs
  return `${needs} ${orOwn === 'user' ? 'For oneself' : 'For the own enterprise'} it needs none.`
}

function pathParameters(spec: Described, path: string): JsonSchema[] {
  const id = { type: 'integer', minimum: 1 }
  const wildcard = spec.kind === 'open' ? undefined : spec.target?.wildcard
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(name === wildcard
      ? { description: '`_`: any that the caller sees', schema: { anyOf: [id, { const: '_' }] } }
      : { schema: id }),
  }))
}

/** The CSV form of the list, or of each of the lists of a document, if it has one. */
function tablesOf(spec: Described): Record<string, Csv<never>> {
  if (spec.kind === 'open') return {}
  const { csv, tables } = spec.answers ?? {}
  return csv ? { '': csv } : (tables?.lists ?? {})
}

const hasTables = (spec: Described): boolean => Object.keys(tablesOf(spec)).length > 0

function queryParameters(spec: Described): JsonSchema[] {
  const query = 'query' in spec ? spec.query : undefined
  const asOf = 'asOf' in spec && spec.asOf ? asOfQuery : undefined
  const schemas = [query, asOf, hasTables(spec) ? formatQuery : undefined].filter(
    (schema) => schema !== undefined,
  )
  const parameters = schemas.flatMap((schema) =>
    Object.entries((jsonSchema(schema, 'input').schema.properties ?? {}) as Record<string, JsonSchema>),
  )
  return parameters.map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(description !== undefined && { description }),
    schema,
  }))
}

const requestHeaders = {
  'If-None-Match': 'The ETag of a known representation. If it is still current, the response is 304',
  'If-Match':
    'The ETag of the representation that the change is based on. If it is no longer current, the response is 412',
  'Last-Event-ID': 'The `id` of the last event that is known. It takes precedence over `after`',
  Prefer: '`respond-async`: the response is a job, which goes on after it (RFC 7240)',
  'Idempotency-Key':
    'A text of the client’s choice, 1 to 255 visible ASCII characters. A repeated request with the same key changes nothing and gets the first response',
}

function headerParameters(spec: Described, { method, path }: Endpoint): JsonSchema[] {
  if (spec.kind === 'open') return []
  const isRead = method === 'GET' && spec.answers?.as && mediaNames[spec.answers.as] === null
  const names: (keyof typeof requestHeaders)[] = []
  if (isRead) names.push('If-None-Match')
  if (isConditional(spec, method)) names.push('If-Match')
  if (takesIdempotencyKey(method, path)) names.push('Idempotency-Key')
  if (spec.kind === 'writes' && spec.job) names.push('Prefer')
  if (spec.answers?.stream) names.push('Last-Event-ID')
  return names.map((name) => ({
    name,
    in: 'header',
    required: false,
    description: requestHeaders[name],
    schema: name === 'Idempotency-Key' ? { type: 'string', maxLength: 512 } : { type: 'string' },
  }))
}

const types = (name: MediaName, vendor: string): string[] => [
  `application/vnd.${vendor}.${name}+json`,
  `application/vnd.${vendor}.${name}+xml`,
  'application/json',
  'application/xml',
]

/** A media type (OpenAPI 3.1 §4.8.14). The text of an XML document would be no example of the schema: that is of an object (§4.8.14.1). */
const content = (type: string, schema: JsonSchema, example: unknown): JsonSchema =>
  type.endsWith('xml') ? { schema } : { schema, example }

/** The content of each media type. A plain type can mean either of two documents. */
function contents(
  forms: { name: MediaName; schema: JsonSchema; example: unknown; only?: readonly string[] }[],
  vendor: string,
): JsonSchema {
  const byType = Map.groupBy(
    forms.flatMap(({ name, only = types(name, vendor), ...form }) => only.map((type) => ({ type, ...form }))),
    ({ type }) => type,
  )
  return Object.fromEntries(
    [...byType].map(([type, each]) => {
      const [{ schema, example } = { schema: {}, example: {} }, ...more] = each
      const either = { anyOf: each.map((form) => form.schema) }
      return [type, content(type, more.length === 0 ? schema : either, example)]
    }),
  )
}

function requestBody(spec: Described, { vendor, shared }: Naming): JsonSchema {
  const forms = formsOf(spec).flatMap(({ takes }) => {
    if (!takes) return []
    const { as: name, body } = takes
    const schema = { ...jsonSchema(body, 'input').schema, xml: { name } }
    const example = bodyExample(takes, schema, shared.schemas as Record<string, JsonSchema>)
    const only = 'reads' in takes && takes.reads && { only: Object.keys(takes.reads.types) }
    return [{ name, schema: shared.schema(`${name}-input`, schema), example, ...only }]
  })
  if (forms.length === 0) return {}
  const required = spec.kind === 'open' || !spec.takes?.optional
  return { requestBody: { required, content: contents(forms, vendor) } }
}

/** True for a vendor type name; other media types contain a slash. */
const isOwn = (type: NonNullable<NonNullable<Described['answers']>['as']>): type is MediaName =>
  !type.includes('/')

const formOf = (names: readonly MediaName[], path: string, schemas: Record<string, JsonSchema>) =>
  names.map((name) => ({
    name,
    schema: mediaSchema(name, mediaNames[name]),
    example: answerExample(name, path, schemas),
  }))

function success(
  spec: Described,
  { method, path }: Endpoint,
  { vendor, tokenHeader, shared }: Naming,
): JsonSchema {
  const { as: answers, status: declared } = spec.answers ?? {}
  const oneOf = (spec.kind !== 'open' && spec.answers?.oneOf) || []
  const session =
    spec.kind === 'open' || spec.answers?.endsSession
      ? {}
      : { [tokenHeader]: text('A fresh token for later requests') }
  const repeated = takesIdempotencyKey(method, path) && {
    'Idempotency-Replayed': text(
      '`true`: this is the response to an earlier request with the same Idempotency-Key',
    ),
  }
  const headers = { 'X-Request-Id': text('The id of the request'), ...session, ...repeated }
  if (oneOf.length > 0) {
    const forms = formOf(oneOf, path, shared.schemas as Record<string, JsonSchema>)
    return { 200: { description: 'The answer', headers, content: contents(forms, vendor) } }
  }
  const stream = spec.kind === 'open' ? undefined : spec.answers?.stream
  if (stream) return { 200: { description: 'The answer', headers, content: streamContent(stream) } }
  if (answers === undefined) return { [declared ?? 204]: { description: 'Done', headers } }
  if (!isOwn(answers))
    return {
      200: {
        description: 'The answer',
        headers,
        content: { [answers]: { schema: {}, example: foreignExamples[answers] } },
      },
    }
  const status = declared ?? (method === 'POST' ? 201 : 200)
  const item = mediaNames[answers]
  const schemas = shared.schemas as Record<string, JsonSchema>
  const names = [
    ...formsOf(spec).map((form) => form.answers?.as),
    spec.kind === 'open' ? undefined : spec.answers?.alsoAs,
  ].filter((name) => name !== undefined)
  const answered = formOf(names.filter(isOwn), path, schemas)
  const single = item === null && spec.kind !== 'open'
  const tables = tablesOf(spec)
  const csv = hasTables(spec)
  return {
    [status]: {
      description: status === 201 ? 'Created' : 'The answer',
      headers: {
        ...headers,
        ...(single && { ETag: text('The validator of this representation') }),
        ...(status === 201 && { Location: text('The address of what was created') }),
        ...(csv && { 'Content-Disposition': text('Of `text/csv`: the name of the file') }),
      },
      content: {
        ...contents(answered, vendor),
        ...(csv && tableContent(tables)),
        ...(spec.kind !== 'open' && spec.answers?.progress && progressContent(answers)),
        ...(spec.kind !== 'open' && spec.answers?.follow && followedContent(answers)),
      },
    },
    ...(spec.kind === 'writes' && spec.job && jobAccepted(headers, schemas, vendor)),
    ...(single &&
      method === 'GET' && { 304: { description: 'The known representation is still current', headers } }),
  }
}

const streamContent = (name: MediaName): JsonSchema => ({
  [EVENT_STREAM]: {
    schema: {
      type: 'string',
      description: `Server-sent events. \`id\` is a cursor, \`event\` the entity and the action, \`data\` the document \`${name}\` in JSON`,
    },
    example: ': keep-alive\nid: MTIuMzQ\n\n',
  },
})

const progressContent = (name: MediaName): JsonSchema => ({
  [EVENT_STREAM]: {
    schema: {
      type: 'string',
      description: `Server-sent events. \`progress\` says how far the change is; the last one is \`${name}\`, the document without its lists, or \`errors\`, the refusal with its \`status\``,
    },
    example: 'event: progress\ndata: {"phase":"apply","done":500,"total":1000}\n\n',
  },
})

const followedContent = (name: MediaName): JsonSchema => ({
  [EVENT_STREAM]: {
    schema: {
      type: 'string',
      description: `Server-sent events. Each is \`${name}\`, the document whenever it has changed, at most ten a second. The last one is its end`,
    },
    example: `event: ${name}\ndata: {"id":7}\n\n`,
  },
})

/** The answer to `Prefer: respond-async`. */
const jobAccepted = (
  headers: JsonSchema,
  schemas: Record<string, JsonSchema>,
  vendor: string,
): JsonSchema => ({
  202: {
    description: 'The job that goes on after this answer to `Prefer: respond-async`',
    headers: {
      ...headers,
      Location: text('The address of the job'),
      'Preference-Applied': text('`respond-async`'),
    },
    content: contents(formOf(['job'], '/jobs/{job}', schemas), vendor),
  },
})

const namesOf = ({ columns }: Csv<never>): string[] => columns.map(({ name }) => name)

function tableContent(tables: Record<string, Csv<never>>): JsonSchema {
  const all = Object.entries(tables)
  const columns = all.map(([list, csv]) => `${list === '' ? '' : `${list}: `}${namesOf(csv).join(', ')}`)
  const [[, first] = []] = all
  const description = `The items alone (RFC 4180). The columns: ${columns.join('; ')}`
  const example = first ? `${namesOf(first).join(',')}\r\n` : ''
  return { 'text/csv': { schema: { type: 'string', description }, example } }
}

const text = (description: string): JsonSchema => ({ description, schema: { type: 'string' } })

/** The error statuses, each with its possible codes. */
function refusals(spec: Described, endpoint: Endpoint, naming: Naming): JsonSchema {
  const byStatus = Map.groupBy(refusalsOf(spec, endpoint), statusOf)
  const shared = [...byStatus].map(([status, codes]) => [
    status,
    naming.shared.response(`refused-${status}`, refusal(status, codes, naming)),
  ])
  return Object.fromEntries(shared)
}

function refusal(status: number, codes: ErrorCode[], { vendor, codeHeader }: Naming): JsonSchema {
  const described = codes.map((code) => `\`${code}\` ${fault(code).message}`).join('; ')
  const [first = 'GEN-13'] = codes
  const example = refusalExample(fault(first))
  const coded = contents(
    [{ name: 'errors', schema: { $ref: '#/components/schemas/errors' }, example }],
    vendor,
  )
  const page = { 'text/html': { schema: { type: 'string' }, example: foreignExamples['text/html'] } }
  const challenge = {
    'WWW-Authenticate': text('The mechanisms that are accepted'),
    [codeHeader]: text('`required; type=…` where a verification code is missing or wrong'),
  }
  return {
    description: described,
    ...(status === 401 && { headers: challenge }),
    ...([429, 503].includes(status) && { headers: { 'Retry-After': text('Seconds') } }),
    content: {
      ...(status === 401 ? page : status === 403 ? { ...page, ...coded } : coded),
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/problem' },
        example: {
          type: 'about:blank',
          title: STATUS_CODES[status],
          status,
          detail: fault(first).message,
          code: first,
          errors: [fault(first)],
          requestId: '0f8b2f2e-6f0c-4c59-9d43-3a4d5a1c7e10',
        },
      },
    },
  }
}

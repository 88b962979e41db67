import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { SCIM } from '#lib/ground/http/accept.server'
import type { ErrorCode } from '#lib/ground/http/errors'
import { mediaNames } from '#lib/ground/http/view'
import { documentSchemas, mediaSchema } from '#lib/openapi/schema'
import { refusalsOf } from '#lib/request/pipeline/refusals.server'
import type { Route } from '#lib/request/pipeline/routes.server'
import type { Described } from '#lib/request/pipeline/spec.server'

/*
 * Compares every answer of every test with the declaration of its operation, and so with the description of the API. A document outside its
 * schema, or an undeclared code, fails the test.
 */

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
addFormats.default(ajv)

/** The description lets answers have further fields; here one that no schema names is a fault. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  const isObject = parts.type === 'object' && 'properties' in parts && !('additionalProperties' in parts)
  return isObject ? { ...parts, additionalProperties: false } : parts
}

let known: Map<string, ValidateFunction> | undefined

function validatorOf(name: string): ValidateFunction | undefined {
  if (!known) {
    known = new Map()
    ajv.addSchema({ $id: 'api', components: { schemas: closed(documentSchemas()) } })
  }
  const compiled = known.get(name)
  if (compiled) return compiled
  const item = Object.hasOwn(mediaNames, name) ? mediaNames[name as keyof typeof mediaNames] : null
  const text = JSON.stringify(
    item === null ? { $ref: `#/components/schemas/${name}` } : closed(mediaSchema(name, item)),
  )
  const validate = ajv.compile(JSON.parse(text.replaceAll('"#/', '"api#/')) as object)
  known.set(name, validate)
  return validate
}

const wordsOf = (path: string): string[] => path.split('/').filter(Boolean)

type Pattern = { route: Route; words: string[]; open: number }

const patterns = new WeakMap<readonly Route[], Pattern[]>()

/** The patterns of the routes, words before ids as in the router. */
function patternsOf(routes: readonly Route[]): Pattern[] {
  const known = patterns.get(routes)
  if (known) return known
  const made = routes
    .filter(({ path }) => !path.includes('[...'))
    .map((route) => ({ route, words: wordsOf(route.path), open: route.path.split('[').length }))
    .sort((one, other) => one.open - other.open)
  patterns.set(routes, made)
  return made
}

/** The route that serves a path. */
export function routeOf(routes: readonly Route[], path: string): Route | undefined {
  const words = wordsOf(path)
  return patternsOf(routes).find(
    (pattern) =>
      pattern.words.length === words.length &&
      pattern.words.every((word, index) => word === words[index] || word.startsWith('[')),
  )?.route
}

const isJson = (response: Response) => response.headers.get('content-type')?.includes('json') ?? false

/** Throws if the operation does not declare this answer. Reads the response: pass a clone. */
export async function requireConformance(
  spec: Described,
  { method, url }: Request,
  response: Response,
): Promise<void> {
  requireUnstored(spec, response)
  // SCIM has documents and refusals of its own.
  if (spec.answers?.as === 'scim' || response.headers.get('content-type') === SCIM) return
  if (!isJson(response) || response.headers.get('content-type')?.includes('problem')) return
  const document: unknown = JSON.parse(await response.text())
  const summary = `${method} ${response.url || spec.summary} answered ${response.status}`
  if (response.ok) {
    // The API's description shows links as clients send them. Their title is optional.
    if (!spec.answers?.as?.includes('/')) requireTitles(document, summary)
    return requireSchema(spec, document, summary, response.status === 202)
  }
  const declared = new Set<string>(refusalsOf(spec, { method, path: new URL(url).pathname }))
  const { collection } = document as { collection: { code: ErrorCode }[] }
  const undeclared = collection.map(({ code }) => code).filter((code) => !declared.has(code))
  if (undeclared.length > 0)
    throw new Error(`${summary} with ${undeclared.join(', ')}, which it does not declare`)
}

/** An answer that brings a token or a session is not cached (docs/api/responses.md, "Entity tags and caching"). */
function requireUnstored({ summary }: Described, { headers }: Response): void {
  const brings = [...headers.keys()].some((name) => name === 'set-cookie' || /^x-\w+-token$/.test(name))
  if (brings && headers.get('cache-control') !== 'no-store')
    throw new Error(`${summary}: a token in an answer that may be stored`)
}

/** Every link to a scope has its title (docs/api/conventions.md, "Links"). */
function requireTitles(value: unknown, summary: string): void {
  if (typeof value !== 'object' || value === null) return
  if ('href' in value && 'type' in value && /\.scope\+\w+$/.test(String(value.type)) && !('title' in value))
    throw new Error(`${summary} with a link to a scope without its title`)
  for (const field of Object.values(value)) requireTitles(field, summary)
}

function requireSchema(spec: Described, document: unknown, summary: string, isJob: boolean): void {
  // Of two forms the collection is recognized by its field.
  const listed = typeof document === 'object' && document !== null && 'collection' in document
  const answers = isJob ? 'job' : ('or' in spec && spec.or && listed ? spec.or : spec).answers?.as
  if (!answers || answers.includes('/')) return
  const validate = validatorOf(answers)
  if (!validate || validate(document)) return
  throw new Error(
    `${summary} with a document that its schema does not know: ${ajv.errorsText(validate.errors)}`,
  )
}

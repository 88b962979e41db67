import type { JsonSchema } from '#lib/openapi/schema'
import { ORIGIN } from '#lib/tools/testing/client'
import { type Making, textFor, valueFor } from '#lib/tools/testing/fuzz/values'
import { toXml } from '#lib/tools/testing/xml'

/* A request for an operation of the description: sound in most points, wrong in some. */

type FuzzedOperation = { method: string; template: string; described: JsonSchema }

/** The operations of an OpenAPI document. */
export const operationsOf = (document: JsonSchema): FuzzedOperation[] =>
  Object.entries(document.paths as Record<string, Record<string, JsonSchema>>).flatMap(
    ([template, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'put', 'delete', 'patch'].includes(method))
        .map(([method, described]) => ({ method: method.toUpperCase(), template, described })),
  )

const wrongIds = [
  '0',
  '-1',
  'abc',
  '1.5',
  '_',
  '999999999999999',
  '9'.repeat(30),
  '%00',
  '%2e%2e',
  ' ',
  '1;2',
  '٣',
] as const

const accepts = [
  'application/json',
  'application/xml',
  '*/*',
  'application/problem+json',
  'text/csv',
  'application/json;q=0.1, text/xml',
  'application/vnd.service.scope+json; version=4.0;',
  'image/png',
  'application/*',
  ',;=',
] as const

const contentTypes = [
  'text/plain',
  'application/json; charset=utf-7',
  'application/vnd.service.nothing+json',
  ';;',
  '*/*',
] as const

const broken = [
  '',
  'null',
  '{',
  '[]',
  '"text"',
  '{"a":'.repeat(80),
  '<a>',
  '<!DOCTYPE x [<!ENTITY e "e">]><x>&e;</x>',
  '\u0000',
  '{"id":1,"id":2}',
] as const

const queries = [
  'startwith',
  'limit',
  'by',
  'asc',
  'has',
  'all',
  'expand',
  'format',
  'unknown',
  '__proto__',
] as const
const queryValues = [
  '',
  '0',
  '-1',
  '25',
  '1e3',
  'true',
  'name',
  'id',
  'TIMESTAMP',
  '%25',
  '%5C',
  '%F0%9F%8C%8D',
  '%zz',
  '2026-01-01',
  '10.0.0.1',
] as const

export function pathFor(
  { template }: FuzzedOperation,
  { random, wild }: Making,
  idOf: (name: string) => string,
): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    wild && random.chance(0.15) ? random.pick(wrongIds) : idOf(name),
  )
  return wild && random.chance(0.04) ? `${path}//` : path
}

function queryFor({ described }: FuzzedOperation, { random, wild }: Making): string {
  if (!wild || random.chance(0.4)) return ''
  const declared = ((described.parameters ?? []) as { in: string; name: string }[])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name)
  const names = [...declared, ...queries]
  const pairs = Array.from({ length: 1 + random.below(4) }, () => {
    const value = random.chance(0.8)
      ? random.pick(queryValues)
      : encodeURIComponent(wellFormed(textFor(random)))
    return `${names[random.below(names.length)]}=${value}`
  })
  return `?${pairs.join('&')}`
}

const wellFormed = (text: string): string => text.toWellFormed()

type Sent = { body: string; type: string }

function bodyFor({ described }: FuzzedOperation, making: Making): Sent | undefined {
  const { random, wild } = making
  const content = ((described.requestBody as JsonSchema | undefined)?.content ?? {}) as Record<
    string,
    JsonSchema
  >
  const types = Object.keys(content)
  const type = types[random.below(types.length)]
  if (!type)
    return random.chance(0.1) ? { body: random.pick(broken), type: random.pick(contentTypes) } : undefined
  if (wild && random.chance(0.1)) return { body: random.pick(broken), type }
  const document = valueFor((content[type]?.schema as JsonSchema | undefined) ?? {}, making)
  const sentAs = wild && random.chance(0.06) ? random.pick(contentTypes) : type
  if (!type.includes('xml')) return { body: JSON.stringify(document) ?? '', type: sentAs }
  const root = /vnd\.\w+\.(\w+)\+xml/.exec(type)?.[1] ?? 'document'
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return { body: isObject ? xmlOf(root, document) : '<x/>', type: sentAs }
}

/** A value that XML cannot represent is sent as malformed XML. */
function xmlOf(root: string, document: object): string {
  try {
    return toXml(root, document)
  } catch {
    return `<${root}>`
  }
}

/** `identify` adds the credentials: signatures depend on the rest of the request. */
export function requestFor(
  operation: FuzzedOperation,
  making: Making,
  idOf: (name: string) => string,
  identify: (method: string, url: string) => Record<string, string>,
): Request {
  const { random, wild } = making
  const url = ORIGIN + pathFor(operation, making, idOf) + queryFor(operation, making)
  const method =
    wild && random.chance(0.04)
      ? random.pick(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
      : operation.method
  const sent = ['GET', 'HEAD'].includes(method) ? undefined : bodyFor(operation, making)
  const headers = new Headers({
    accept: wild ? random.pick(accepts) : random.pick(['application/json', 'application/xml', '*/*']),
    ...(sent && { 'content-type': sent.type }),
    ...identify(method, url),
    ...(wild && random.chance(0.05) && { 'if-match': random.pick(['*', '"x"', 'W/"x"', ',,"']) }),
    ...(wild &&
      random.chance(0.05) && {
        cookie: random.pick(['auth=', 'auth=x; Path=/', ';;=;', 'console=x', 'auth="a', 'session=1,auth=2']),
      }),
    ...(wild && random.chance(0.03) && { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }),
    ...(wild && random.chance(0.03) && { 'x-request-id': 'x'.repeat(random.below(300)) }),
    ...(wild && random.chance(0.03) && { 'x-service-otp': random.pick(['000000', '12345678', 'x']) }),
  })
  return new Request(url, { method, headers, ...(sent && { body: sent.body }) })
}

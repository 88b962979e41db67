import type { z } from 'zod'
import type { Fault } from '#lib/ground/http/errors'
import { linkRules } from '#lib/ground/http/input.schema'
import { renderDocument, renderErrors, renderListing } from '#lib/ground/http/render.server'
import { type LinkDocument, link, type MediaName, mediaNames } from '#lib/ground/http/view'
import type { JsonSchema } from '#lib/openapi/schema'

/* Generates one example for each document from its schema. The values below are chosen by field name. */

const BASE = 'https://cloud.example.com'
const MOMENT = '2026-11-22T09:30:00.000Z'

/** Values of text fields by name. Other text fields contain their own name. */
const texts: Record<string, string> = {
  action: 'update',
  address: '192.0.2.17',
  after: 'Madrid 2',
  allowedCIDRs: '192.0.2.0/24',
  sources: '198.51.100.0/24',
  apiKey: '0f8b2f2e-6f0c-4c59-9d43-3a4d5a1c7e10',
  attestationObject: 'o2NmbXRkbm9uZQ',
  authType: 'LOCAL',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
  before: 'Madrid',
  block: '203.0.113.0/24',
  cidr: '203.0.113.0/24',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  code: '123456',
  description: 'For the web shop',
  email: 'ada@example.com',
  endpoint: 'https://192.0.2.1/api',
  ends: '2100-01-31T08:00:00.000Z',
  events: 'scope.*',
  enterprise: 'Acme',
  entityName: 'Madrid',
  href: `${BASE}/api/admin/datacenters/1`,
  ip: '203.0.113.10',
  issuer: 'https://login.example.com',
  label: 'web-1',
  lastUsedFrom: '192.0.2.17',
  locale: 'en_US',
  location: 'Madrid',
  mac: '52:54:00:00:00:01',
  message: 'The scope was not found',
  name: 'Madrid',
  networkName: 'Public',
  nick: 'ada',
  oldPassword: 'the old password of ada',
  password: 'a long password of ada',
  privileges: 'VDC_ENUMERATE',
  rawId: 'fYm3Ym8xZkE2cQ',
  role: 'USER',
  signature: 'MEUCIQDx7yJ0',
  state: 'ON',
  surname: 'Lovelace',
  type: 'ENTERPRISE',
  url: 'https://hooks.example.com/console',
  uri: 'https://192.0.2.2/service',
  user: 'ada',
  userHandle: 'dXNlciAx',
}

const numbers: Record<string, number> = {
  assignable: 65_534,
  ips: 254,
  numips: 16,
  originalPort: 443,
  originalPortEnd: 453,
  rules: 12,
  status: 0,
  translatedPort: 8443,
  usedIps: 40,
}

/** Optional fields that examples leave out. */
const seldomSent = new Set(['event', 'filter', 'invitation', 'invite', 'publicKey'])

const words = (field: string): string => field.replaceAll(/([A-Z])/g, ' $1').toLowerCase() || 'text'

type Schemas = Record<string, JsonSchema>
type Making = { schemas: Schemas; links: LinkDocument[] }

function exampleOf(schema: JsonSchema, field: string, making: Making): unknown {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return exampleOf(making.schemas[name] ?? {}, field, making)
  }
  if ('const' in schema) return schema.const
  if ('example' in schema) return schema.example
  const choices = (schema.enum ?? schema.anyOf ?? schema.oneOf) as unknown[] | undefined
  if (schema.enum) return choices?.[0]
  if (choices) return exampleOf(choices[0] as JsonSchema, field, making)
  if (schema.type === 'array')
    return field === 'links' ? making.links : [exampleOf((schema.items ?? {}) as JsonSchema, field, making)]
  if (schema.type === 'object') return objectOf(schema, making)
  if (schema.type === 'boolean') return schema.default ?? field !== 'snat'
  if (schema.type === 'integer' || schema.type === 'number') return numbers[field] ?? schema.minimum ?? 1
  return textOf(schema, field)
}

function textOf({ minLength, maxLength, format }: JsonSchema, field: string): string {
  const text = format === 'date-time' ? MOMENT : (texts[field] ?? words(field))
  return text.padEnd(Number(minLength ?? 0), '.').slice(0, Number(maxLength ?? text.length + 100))
}

/** Maps become a Map, as the renderer expects. Only the outermost object gets links. */
function objectOf(schema: JsonSchema, making: Making): unknown {
  const { properties, additionalProperties } = schema
  if (!properties && typeof additionalProperties === 'object')
    return new Map([['key', exampleOf(additionalProperties as JsonSchema, 'value', making)]])
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, JsonSchema>)
      .filter(([name]) => !seldomSent.has(name))
      .map(([name, field]) => [
        name,
        exampleOf(field, name, name === 'links' ? making : { ...making, links: [] }),
      ]),
  )
}

const rendered = (document: object, name: MediaName): unknown =>
  JSON.parse(renderDocument(document, { name, syntax: 'json', base: BASE }))

/** The response document of this name at this path. */
export function answerExample(name: MediaName, path: string, schemas: Schemas): unknown {
  const item = mediaNames[name]
  const own = path.replaceAll(/\{\w+\}/g, '1').replace(/^\/api/, '')
  if (item === null) {
    const links = [link('self', own, name)]
    return rendered(exampleOf({ $ref: name }, '', { schemas, links }) as object, name)
  }
  const links = Object.hasOwn(mediaNames, item) ? [link('self', `${own}/1`, item as MediaName)] : []
  const collection = [exampleOf({ $ref: item }, '', { schemas, links }) as object]
  const listing = {
    links: [link('first', `${own}?limit=25`), link('last', `${own}?limit=25`)],
    totalSize: 1,
    collection,
  }
  return JSON.parse(renderListing(listing, { name, syntax: 'json', base: BASE }) as string)
}

/** The request body of an operation, with all links of its rules. */
export function bodyExample(
  { as: name, body }: { as: MediaName; body: z.ZodObject },
  schema: JsonSchema,
  schemas: Schemas,
): unknown {
  const sent = body.shape.links as z.ZodType | undefined
  const rules = (sent && linkRules.get(sent)?.rules) ?? {}
  const links = Object.entries(rules).map(([rel, { path }]) => link(rel, path.replaceAll(/:\w+/g, '1')))
  const { id: _id, ...document } = exampleOf(schema, '', { schemas, links }) as Record<string, unknown>
  return rendered(document, name)
}

/** The error document of this fault. */
export const refusalExample = (fault: Fault): unknown => JSON.parse(renderErrors([fault], 'json'))

/** Responses in other media types. */
export const foreignExamples: Record<string, unknown> = {
  'application/json': { access_token: 'eyJhbGciOi…', token_type: 'Bearer', expires_in: 300 },
  'application/samlmetadata+xml':
    '<md:EntityDescriptor entityID="https://cloud.example.com/api/auth/saml/metadata"/>',
  'application/x-www-form-urlencoded': 'oauth_token=0f8b2f2e&oauth_token_secret=6f0c4c59',
  'text/html':
    '<!doctype html><html lang="en"><head><title>401</title></head><body><h1>401</h1></body></html>',
  'text/plain': '1.0.0',
  'text/csv': 'id,name\r\n1,Madrid\r\n',
}

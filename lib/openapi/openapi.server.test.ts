import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isCovered } from '#lib/client/as-of'
import { mediaNames } from '#lib/ground/http/view'
import { documents } from '#lib/openapi/documents'
import { apiRoutes, templateOf } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call, expectStatus } from '#lib/tools/testing/client'

const isPlain = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional
    ? isPlain(schema.unwrap() as z.ZodType)
    : ['string', 'number', 'boolean'].includes(schema.def.type)

type OperationObject = {
  operationId: string
  tags: string[]
  parameters: { name: string; in: string; schema: { type?: string; default?: unknown } }[]
  requestBody?: { content: Record<string, object> }
  responses: Record<string, { description: string; content?: Record<string, object> }>
  security?: object[]
}
type Refused = { $ref: string }
type Document = {
  openapi: string
  info: { contact: object }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  servers: { url: string }[]
  components: { responses: Record<string, OperationObject['responses'][string]> }
}

let document: Document

beforeAll(async () => {
  document = await expectStatus(200, call('GET', '/api/openapi.json', { as: null }))
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

describe('the description of the API (docs/api/description.md, "Description and operation")', () => {
  test('is OpenAPI 3.1, valid to an independent validator, and needs no credentials', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result.errors).toBeUndefined()
    expect([result.valid, document.openapi.slice(0, 3)]).toEqual([true, '3.1'])
  })

  test('has each operation that is routed, and no other', async () => {
    const routed = apiRoutes(await loadRoutes()).flatMap(({ path, handlers }) =>
      Object.keys(handlers).map((method) => `${method} ${templateOf(path)}`),
    )
    const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    expect(described.sort()).toEqual(routed.sort())
  })

  test('has a moment for each operation that the console reads as it was, and for no other', () => {
    for (const { path, method, operation } of operations()) {
      const hasMoment = operation.parameters.some(({ name }) => name === 'asof')
      const isRead = method === 'get' && isCovered(path.replaceAll(/\{[^}]+\}/g, '1'))
      expect([path, isRead]).toEqual([path, hasMoment])
    }
  })

  test('has each plain field of the documents of a list as a column of its CSV file', async () => {
    const lacking: Record<string, string[]> = {}
    for (const { handlers } of apiRoutes(await loadRoutes())) {
      const spec = handlers.GET?.spec
      if (!spec || spec.kind === 'open' || !spec.answers?.csv || !spec.answers.as) continue
      const item = mediaNames[spec.answers.as] as keyof typeof documents
      const columns = new Set(spec.answers.csv.columns.map(({ name }) => name))
      const fields = Object.entries<z.ZodType>(documents[item].shape)
      const names = fields.filter(([, schema]) => isPlain(schema)).map(([name]) => name)
      lacking[item] = names.filter((name) => !columns.has(name))
    }
    // These follow from other columns, but for the number of rules of an IP, and a link that is shown once.
    expect(Object.entries(lacking).filter(([, names]) => names.length > 0)).toEqual([
      ['natrule', ['snat']],
      ['natip', ['ipv6', 'networkName', 'rules']],
      ['natipholding', ['networkName']],
      ['user', ['invitation']],
      ['event', ['userHidden']],
    ])
  })

  test('names each operation once', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]{2,39}$/)
    expect(ids).toEqual(
      expect.arrayContaining(['listNatIps', 'createNatIp', 'getScope', 'updateUser', 'deletePrivateIp']),
    )
  })

  test('groups operations by their subject', () => {
    const groups = Map.groupBy(operations(), ({ operation }) => operation.tags.join())
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...groups.keys()].sort())
    const idsOf = (group: string) => groups.get(group)?.map(({ operation }) => operation.operationId)
    expect(idsOf('NAT rules')).toEqual(
      expect.arrayContaining(['listNatRules', 'listNatRulesOfNatIp', 'deleteNatRules']),
    )
    expect(idsOf('events')).toEqual(
      expect.arrayContaining(['listEvents', 'getDocumentBeforeEvent', 'undoEvent']),
    )
    expect(idsOf('two factor')).toHaveLength(4)
  })

  type Content = Record<string, { schema: object; example?: unknown }>

  test('has an example for each body and answer, which its own schema takes (docs/api/description.md, "Description and operation")', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'api', components: document.components })
    // A document has the same schema in each of its media types.
    const compiled = new Map<string, ValidateFunction>()
    const check = (where: string, content: Content = {}) => {
      for (const [type, { schema, example }] of Object.entries(content)) {
        // An XML document is a text, which is no example of a schema of objects.
        const hasExample = !/^application\/(vnd\..*\+)?xml$/.test(type)
        expect(example !== undefined, `${where} ${type}`).toBe(hasExample)
        if (!type.endsWith('json')) continue
        const text = JSON.stringify(schema).replaceAll('"#/', '"api#/')
        const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object)
        compiled.set(text, validate)
        expect([where, type, validate(example), ajv.errorsText(validate.errors)]).toEqual([
          where,
          type,
          true,
          'No errors',
        ])
      }
    }
    for (const { path, method, operation } of operations()) {
      check(`${method} ${path}`, operation.requestBody?.content as Content)
      for (const answer of Object.values(operation.responses))
        check(`${method} ${path}`, answer.content as Content)
    }
    for (const [name, { content }] of Object.entries(document.components.responses))
      check(name, content as Content)
    // Compiling the schemas takes seconds of processor time.
  }, 60_000)

  test('has examples of bodies that the operations take', async () => {
    for (const { path, handlers } of apiRoutes(await loadRoutes()))
      for (const [method, { spec }] of Object.entries(handlers)) {
        if (!spec.takes) continue
        const content = document.paths[templateOf(path)]?.[method.toLowerCase()]?.requestBody?.content
        const { example } = (content?.['application/json'] ?? {}) as { example?: unknown }
        const { error } = spec.takes.body.safeParse(example)
        expect.soft([method, path, error?.issues]).toEqual([method, path, undefined])
      }
  })

  test('forbids no further field in an answer', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  })

  test('has a parameter for each word that a path leaves open', () => {
    for (const { path, operation } of operations()) {
      const open = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(open)
    }
  })

  test('offers JSON and XML wherever there is a document, sent or answered', () => {
    const contents = [
      ...Object.values(document.components.responses).map(({ content }) => content),
      ...operations().flatMap(({ operation }) => [
        operation.requestBody?.content,
        ...Object.values(operation.responses).map(({ content }) => content),
      ]),
    ]
    for (const types of contents.flatMap((content) => (content ? [Object.keys(content)] : []))) {
      if (!types.some((type) => type.includes('vnd.'))) continue
      const ofSyntax = (syntax: string) =>
        types.filter((type) => type.includes('vnd.') && type.endsWith(syntax))
      expect(ofSyntax('+xml')).toEqual(ofSyntax('+json').map((type) => type.replace('+json', '+xml')))
      expect(types).toEqual(expect.arrayContaining(['application/json', 'application/xml']))
    }
  })

  test('lists every parameter of a list with its default', () => {
    const list = document.paths['/api/admin/datacenters/{datacenter}/natnetworks/action/allips']?.get
    const query = list?.parameters.filter((each) => each.in === 'query')
    expect(Object.fromEntries((query ?? []).map(({ name, schema }) => [name, schema]))).toMatchObject({
      startwith: { type: 'integer', default: 0 },
      limit: { type: 'integer', default: 25 },
      by: { type: 'string', default: 'ip' },
      asc: { type: 'boolean', default: true },
      all: { type: 'boolean' },
      snatdefault: { type: 'boolean' },
      has: { type: 'string' },
    })
  })

  test('offers CSV, with its columns and the parameter that asks for it, where the console shows a list', () => {
    const tables = operations().filter(({ operation }) => operation.responses[200]?.content?.['text/csv'])
    const lists = tables.map(({ path, method }) => `${method} ${path.replace('/api/admin/', '')}`)
    expect(lists.sort()).toEqual([
      'get /api/cloud/virtualdatacenters',
      'get /api/cloud/virtualdatacenters/{virtualdatacenter}/virtualappliances',
      'get /api/cloud/virtualdatacenters/{virtualdatacenter}/virtualappliances/{virtualappliance}/virtualmachines',
      'get /api/cloud/virtualmachines',
      'get /api/events',
      'get /api/events/{event}/rows',
      'get /api/export',
      'get datacenters',
      'get datacenters/{datacenter}/natnetworks',
      'get datacenters/{datacenter}/natnetworks/action/addresshistory',
      'get datacenters/{datacenter}/natnetworks/action/allips',
      'get datacenters/{datacenter}/natnetworks/action/allrules',
      'get datacenters/{datacenter}/natnetworks/action/check',
      'get datacenters/{datacenter}/natnetworks/{natnetwork}/ips',
      'get datacenters/{datacenter}/natnetworks/{natnetwork}/ips/{natip}/rules',
      'get datacenters/{datacenter}/natnetworks/{natnetwork}/rules',
      'get enterprises',
      'get enterprises/{enterprise}/users',
      'get enterprises/{enterprise}/users/{user}/action/virtualmachines',
      'get natnetworks',
      'get natnetworks/action/addresshistory',
      'get natnetworks/action/allips',
      'get natnetworks/action/allrules',
      'get roles',
      'get scopes',
    ])
    const asking = operations().filter(({ operation }) =>
      operation.parameters.some(({ name, schema }) => name === 'format' && 'const' in schema),
    )
    expect(asking).toEqual(tables)
    expect(document.paths['/api/admin/datacenters']?.get?.responses[200]).toMatchObject({
      headers: { 'Content-Disposition': {} },
      content: { 'text/csv': { schema: { description: expect.stringContaining('id, name, location') } } },
    })
  })

  test('has the errors of an operation by status and code', () => {
    const update = document.paths['/api/admin/scopes/{scope}']?.put
    const descriptionOf = (status: string) => {
      const shared = update?.responses[status] as Refused | undefined
      return document.components.responses[shared?.$ref.split('/').at(-1) ?? '']?.description
    }
    expect(Object.keys(update?.responses ?? {})).toEqual(
      expect.arrayContaining([
        '200',
        '400',
        '401',
        '403',
        '404',
        '406',
        '409',
        '412',
        '413',
        '415',
        '500',
        '503',
      ]),
    )
    expect(descriptionOf('409')).toContain('SCOPE-13')
    expect(descriptionOf('403')).toContain('SCOPE-21')
  })

  test('with types=json has JSON alone wherever there is a document', async () => {
    const alone = await expectStatus(200, call('GET', '/api/openapi.json?types=json'))
    const types = (of: object): string[] => {
      const found = new Set<string>()
      JSON.stringify(of, (key, value) => {
        if (key === 'content' && value) for (const type of Object.keys(value)) found.add(type)
        return value
      })
      return [...found].filter((type) => /xml|csv|vnd/.test(type))
    }
    expect(types(document)).toEqual(expect.arrayContaining(['application/xml', 'text/csv']))
    expect(types(alone)).toEqual(['application/samlmetadata+xml'])
    expect(Object.keys(alone.paths)).toEqual(Object.keys(document.paths))
    expect(alone.servers).toEqual(document.servers)
  })

  test('has a contact, and defaults of the type of their field', () => {
    expect(document.info.contact).toEqual({ name: 'The administrators of this console' })
    const parameters = operations().flatMap(({ operation }) => operation.parameters)
    const odd = parameters.filter(
      ({ schema }) => schema.type === 'string' && 'default' in schema && typeof schema.default !== 'string',
    )
    expect(odd.map(({ name }) => name)).toEqual([])
  })

  test('names the server that was asked', () => {
    expect(document.servers).toEqual([{ url: 'http://console.localhost' }])
  })
})

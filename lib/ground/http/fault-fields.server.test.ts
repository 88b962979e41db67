import { beforeAll, describe, expect, test } from 'vitest'
import { allErrorCodes, fieldOfCode } from '#lib/ground/http/errors'
import { apiRoutes, describeApi, templateOf } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call, unique } from '#lib/tools/testing/client'
import { deviceLink, networksPath, newDevice } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'

/* docs/api/errors.md, "Fields of faults" */

type Described = {
  parameters: { name: string; in: string }[]
  requestBody?: { content: Record<string, { example: { links?: { rel: string }[] } }> }
  responses: Record<string, { description?: string; $ref?: string }>
}

type Fault = { code: string; message: string; field?: string }

const SCOPES = '/api/admin/scopes'

const faultsOf = async (response: Response | Promise<Response>): Promise<Fault[]> =>
  (await (await response).json()).collection

describe('the field of a code', () => {
  let operations: { names: Set<string>; codes: Set<string> }[]

  /** The fields, the rels of links and the query parameters of an operation. */
  function namesOf({ parameters, requestBody }: Described): Set<string> {
    const { example = {} } = Object.values(requestBody?.content ?? {})[0] ?? {}
    return new Set([
      // In every document, though a schema ignores it.
      'id',
      ...Object.keys(example),
      ...(example.links ?? []).map(({ rel }) => rel),
      ...parameters.flatMap((each) => (each.in === 'query' ? [each.name] : [])),
    ])
  }

  beforeAll(async () => {
    const routes = await loadRoutes()
    const { paths, components } = describeApi(routes) as {
      paths: Record<string, Record<string, Described>>
      components: { responses: Record<string, { description: string }> }
    }
    operations = apiRoutes(routes).flatMap(({ path }) =>
      Object.values(paths[templateOf(path)] ?? {}).map((described) => {
        const refused = Object.values(described.responses).map(
          ({ $ref, description = '' }) =>
            ($ref && components.responses[$ref.split('/').at(-1) ?? '']?.description) || description,
        )
        const codes = refused.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
        return { names: namesOf(described), codes: new Set(codes) }
      }),
    )
  })

  test.each(allErrorCodes.flatMap((code) => (fieldOfCode(code) ? [[code, fieldOfCode(code) ?? '']] : [])))(
    '%s is %s, which an operation with this refusal takes',
    (code = '', field = '') => {
      const refusing = operations.filter(({ codes }) => codes.has(code))
      expect(refusing.some(({ names }) => names.has(field))).toBe(true)
    },
  )
})

describe('a fault names its field', () => {
  const taken = async () => {
    const name = unique('Scope')
    await call('POST', SCOPES, { body: { name } })
    return { name }
  }
  const link = (rel: string, href: string) => ({ links: [{ rel, href }] })

  test.each<[string, object | (() => Promise<object>), string, string]>([
    ['a field of the body', { name: '' }, 'CONSTR-LENGTH', 'name'],
    [
      'a field within a list',
      { name: 'x', scopeEntities: [{ type: 'DATACENTER' }] },
      'CONSTR-NOTNULL',
      'scopeEntities.0.idResource',
    ],
    [
      'an entry that does not exist',
      { name: 'x', scopeEntities: [{ type: 'DATACENTER', idResource: 999999999 }] },
      'SCOPE-7',
      'scopeEntities.0.idResource',
    ],
    [
      'a link of another kind',
      { name: 'x', ...link('scopeParent', '/api/admin/roles/1') },
      'GEN-6',
      'scopeParent',
    ],
    [
      'a link to nothing',
      { name: 'x', ...link('scopeParent', `${SCOPES}/999999999`) },
      'SCOPE-1',
      'scopeParent',
    ],
    ['a link without an address', { name: 'x', links: [{ rel: 'scopeParent' }] }, 'LINK-1', 'scopeParent'],
    ['a link without a rel', { name: 'x', links: [{ href: SCOPES }] }, 'LINK-0', 'links'],
    ['a rule of state', taken, 'SCOPE-0', 'name'],
    ['the id', { id: 7, name: 'x' }, 'GEN-11', 'id'],
  ])('%s', async (_, sent, code, field) => {
    const body = typeof sent === 'function' ? await sent() : sent
    const answer = (accept: string) => call('POST', SCOPES, { body, headers: { accept } })
    const json = await faultsOf(answer('application/json'))
    const fault = { code, message: expect.any(String), field }
    expect(json).toEqual([fault])
    expect((await (await answer('application/problem+json, application/json')).json()).errors).toEqual(json)
    const xml = await (await answer('application/xml')).text()
    expect(xml).toMatch(
      new RegExp(`<errors><error><code>${code}</code><message>[^<]+</message></error></errors>$`),
    )
  })

  test('a query parameter', async () => {
    const answer = (accept: string) => call('GET', `${SCOPES}?limit=x&by=colour`, { headers: { accept } })
    const json = await faultsOf(answer('application/json'))
    expect(json.map(({ code, field }) => [code, field])).toEqual([
      ['GEN-22', 'limit'],
      ['QUERY-0', 'by'],
    ])
    expect((await (await answer('application/problem+json, application/json')).json()).errors).toEqual(json)
    expect(await (await answer('application/xml')).text()).not.toContain('field')
    expect(await faultsOf(call('GET', `${SCOPES}?enterprise=999999999`))).toEqual([
      { code: 'EN-0', message: expect.any(String), field: 'enterprise' },
    ])
    expect(await faultsOf(call('GET', `${SCOPES}/1?asof=2999-01-01T00:00:00Z`))).toEqual([
      { code: 'ASOF-1', message: expect.any(String), field: 'asof' },
    ])
  })

  test('none where the fault is about the address, or about all of the document', async () => {
    expect(await faultsOf(call('GET', `${SCOPES}/999999999`))).toEqual([
      { code: 'SCOPE-1', message: expect.any(String) },
    ])
    expect(await faultsOf(call('DELETE', `${SCOPES}/1`))).toEqual([
      { code: 'SCOPE-2', message: expect.any(String) },
    ])
    expect(await faultsOf(call('POST', SCOPES, { body: '[' }))).toEqual([
      { code: 'GEN-3', message: expect.any(String) },
    ])
  })

  test('the device of a network with IPs, and the ends of rules within a machine', async () => {
    const machine = await newMachineWithIps()
    const { network, path } = machine
    const device = await newDevice(network.datacenter)
    const moved = { ...network, id: undefined, links: [deviceLink(network.datacenter, device.id)] }
    const networkPath = `${networksPath(network.datacenter)}/${network.id}`
    const [kept] = await faultsOf(call('PUT', networkPath, { body: moved }))
    expect(kept).toMatchObject({ code: 'NAT-NET-4', field: 'device' })

    const natrules = [
      ruleBody(machine, { snat: true }),
      { ...ruleBody(machine, dnat(80)), protocol: 'ICMP' },
      ruleBody(machine, dnat(81), { privateIp: 999999999 }),
      { ...ruleBody(machine, { snat: false, protocol: 'TCP', originalPort: 82 }), links: [] },
    ]
    const { links } = await (await call('GET', path)).json()
    const put = async (some: typeof natrules) => {
      const faults = await faultsOf(call('PUT', path, { body: { name: 'Machine', links, natrules: some } }))
      return faults.map(({ code, field }) => `${code} ${field}`)
    }
    expect(await put(natrules)).toEqual([
      'NAT-RULE-13 natrules.1.protocol',
      'NAT-RULE-1 natrules.3.original',
      'NAT-RULE-2 natrules.3.translated',
      'NAT-RULE-10 natrules.3.translatedPort',
    ])
    expect(await put([natrules[0], natrules[2]].flatMap((rule) => rule ?? []))).toEqual([
      'PRIVATEIP-0 natrules.1.translated',
    ])
  })
})

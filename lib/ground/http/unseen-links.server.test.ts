import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { linkRules } from '#lib/ground/http/input.schema'
import { apiRoutes, describeApi, templateOf } from '#lib/openapi/openapi.server'
import { entityTypes } from '#lib/record/events/events.schema'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call, newUser, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { newTemplateOf } from '#lib/tools/testing/inventory'
import { newDevice } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { create } from '#lib/tools/testing/resources'
import { newScope } from '#lib/tools/testing/scopes'

/*
 * A link to a resource that the caller cannot see is refused like a link to one that does not exist: every link of every body.
 * The test creates each resource in two worlds; the caller sees only the first.
 */

type World = { ids: Record<string, number>; scope: number }

async function newWorld(): Promise<World> {
  const machine = await newMachineWithIps()
  const { datacenter } = machine.network
  const { enterprise } = machine
  const [virtualappliance = 0, virtualmachine = 0] = [...machine.path.matchAll(/\d+/g)].slice(1).map(Number)
  const scope = (await newScope({ enterprises: [enterprise], datacenters: [datacenter] })).id
  const owner = { rel: 'enterprise', href: `${ORIGIN}/api/admin/enterprises/${enterprise}` }
  const role = await create('/api/admin/roles', { name: unique('Role'), links: [owner] })
  const rule = await create(`${machine.path}/natrules`, ruleBody(machine, dnat(80)))
  return {
    scope,
    ids: {
      enterprise,
      datacenter,
      scope,
      privilege: 1,
      devicetype: 1,
      role: role.id,
      natrule: rule.id,
      virtualappliance,
      virtualmachine,
      device: (await newDevice(datacenter)).id,
      natnetwork: machine.network.id,
      natip: machine.natIps[1],
      virtualdatacenter: machine.center,
      privateip: machine.privateIps[1],
      virtualmachinetemplate: (await newTemplateOf(enterprise, datacenter)).id,
      user: (await newUser({ enterpriseId: enterprise, scopeId: scope })).id,
    },
  }
}

/** The type of the resource with the id `:id`, by the word before it. */
const kindOfPath = (path: string): string => {
  const word = path.split('/').at(-2) ?? ''
  return { ips: 'natip', locations: 'datacenter' }[word] ?? word.replace(/s$/, '')
}

/** Fills a path with the ids of a world; `id` replaces the last one. */
const filled = (path: string, { ids }: World, id?: number): string =>
  path.replaceAll(/[:[](\w+)\]?/g, (_, name: string) =>
    String(name === 'id' ? (id ?? ids[kindOfPath(path)]) : (ids[name] ?? 1)),
  )

/** Resources that are visible to everybody. */
const isOpenToAll = (path: string): boolean => /privileges|devicetypes/.test(path)

const MISSING = 987_654_321

let seen: World
let unseen: World
let limited: User

beforeAll(async () => {
  seen = await newWorld()
  unseen = await newWorld()
  limited = await newUser({ scopeId: seen.scope, enterpriseId: seen.ids.enterprise ?? 0 })
})

async function linksOfBodies() {
  const routes = await loadRoutes()
  const described = describeApi(routes) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example: object }> } }>>
  }
  return apiRoutes(routes).flatMap(({ path, handlers }) =>
    Object.entries(handlers).flatMap(([method, { spec }]) => {
      const links = spec.takes?.body.shape.links
      if (!links || spec.kind === 'open') return []
      const content = described.paths[templateOf(path)]?.[method.toLowerCase()]?.requestBody?.content
      const { natrules: _rules, ...example } = (content?.['application/json']?.example ?? {}) as Record<
        string,
        unknown
      >
      const rules = Object.entries(linkRules.get(links as never)?.rules ?? {})
      const targets = rules.map(([rel, rule]) => ({ rel, target: rule.path }))
      return targets.map(({ rel, target }) => ({
        path,
        method,
        rel,
        target,
        example,
        others: targets.filter((other) => other.rel !== rel),
      }))
    }),
  )
}

/** A refusal without ids: only these may differ. */
async function refusalOf(method: string, path: string, body: object) {
  const response = await call(method, path, { as: limited, body })
  const { collection, refusals } = await response.json()
  return { status: response.status, said: JSON.stringify(collection ?? refusals).replaceAll(/\d{2,}/g, '#') }
}

/** Expects the same refusal for a missing resource and for a hidden one, by any path. Returns the refusal. */
async function expectTheSame(
  title: string,
  target: string,
  ask: (href: string) => ReturnType<typeof refusalOf>,
): Promise<Awaited<ReturnType<typeof refusalOf>>> {
  const missing = await ask(filled(target, seen, MISSING))
  for (const href of [
    filled(target, unseen),
    filled(target, seen, unseen.ids[kindOfPath(target)]),
    filled(target, unseen, MISSING),
  ])
    expect.soft({ title, href, ...(await ask(href)) }).toEqual({ title, href, ...missing })
  return missing
}

const linkTo = (rel: string, path: string) => ({ rel, href: `${ORIGIN}/api${path}` })

test('each link of each body: a hidden resource is refused like a missing one', async () => {
  const all = (await linksOfBodies()).filter(({ target }) => !isOpenToAll(target))
  expect(all.length).toBeGreaterThan(25)
  for (const { path, method, rel, target, example, others } of all) {
    const seenLinks = others.map((other) => linkTo(other.rel, filled(other.target, seen)))
    const missing = await expectTheSame(`${method} ${path} ${rel}`, target, (href) => {
      const named = {
        ...('name' in example && { name: unique('Link') }),
        ...('nick' in example && { nick: unique('link').replace(' ', '-') }),
        ...('scopeEntities' in example && { scopeEntities: [] }),
      }
      const links = [...seenLinks, linkTo(rel, href)]
      return refusalOf(method, filled(path, seen), { ...example, ...named, links })
    })
    // The impact is 200, with the refusals of the change in the document.
    expect([404, ...(path.endsWith('/impact') ? [200] : [])], `${method} ${path} ${rel}`).toContain(
      missing.status,
    )
  }
})

const natIps = [
  '/admin/datacenters/:datacenter/natnetworks/:natnetwork/ips/:id',
  '/cloud/virtualdatacenters/:virtualdatacenter/natips/:id',
]
const privateIps = ['/cloud/virtualdatacenters/:virtualdatacenter/privateips/:id']
const MACHINES =
  '/api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines'

test.each([
  ['POST', `${MACHINES}/[virtualmachine]/natrules`],
  ['PUT', `${MACHINES}/[virtualmachine]`],
  ['POST', MACHINES],
])('%s %s: a hidden end of a NAT rule is refused like a missing one', async (method, path) => {
  for (const snat of [true, false]) {
    const ends = {
      [snat ? 'original' : 'translated']: privateIps,
      [snat ? 'translated' : 'original']: natIps,
    }
    for (const [rel, targets] of Object.entries(ends))
      for (const target of targets) {
        const missing = await expectTheSame(`${method} ${path} ${rel} ${snat}`, target, (href) => {
          const [other = '', [seenTarget = ''] = []] =
            Object.entries(ends).find(([each]) => each !== rel) ?? []
          const rule = {
            snat,
            ...(!snat && { protocol: 'TCP', originalPort: 81, translatedPort: 81 }),
            links: [linkTo(rel, href), linkTo(other, filled(seenTarget, seen))],
          }
          const body = path.endsWith('natrules') ? rule : { name: unique('Machine'), natrules: [rule] }
          return refusalOf(method, filled(path, seen), body)
        })
        expect([method, path, rel, snat, target, missing.status]).toEqual([
          method,
          path,
          rel,
          snat,
          target,
          404,
        ])
      }
  }
})

/** The response without its ids; codes keep their numbers. */
async function answerTo(method: string, path: string, body?: object) {
  const response = await call(method, path, { as: limited, ...(body && { body }) })
  const text = await response.text()
  const { totalSize } = /"totalSize":(?<totalSize>\d+)/.exec(text)?.groups ?? {}
  return { status: response.status, totalSize, said: text.replaceAll(/(?<!-)\b\d+/g, '#') }
}

const inner = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? inner(schema.unwrap()) : schema

/** The query parameters whose schema is `queryId`. */
const idsOfQuery = (query: z.ZodObject | undefined): string[] =>
  Object.entries(query?.shape ?? {}).flatMap(([name, schema]) => {
    const { type, minimum } = (inner(schema) as z.ZodType).meta() ?? {}
    return type === 'integer' && minimum === 1 ? [name] : []
  })

const kindsOfQuery: Record<string, readonly string[]> = {
  datacenter: ['datacenter'],
  device: ['device'],
  enterprise: ['enterprise'],
  entityid: entityTypes,
  identerprise: ['enterprise'],
  idScope: ['scope'],
  network: ['natnetwork'],
  parent: ['scope'],
  role: ['role'],
  user: ['user'],
  virtualdatacenter: ['virtualdatacenter'],
  virtualmachine: ['virtualmachine'],
}

test('each id of each query: a hidden resource gets the same response as a missing one', async () => {
  let requests = 0
  for (const { path, handlers } of await loadRoutes()) {
    const spec = handlers.GET?.spec
    // The stream of events has no end, and the query of their list.
    if (spec?.kind !== 'reads' || spec.answers?.stream) continue
    for (const name of idsOfQuery(spec.query))
      for (const kind of kindsOfQuery[name] ?? [name]) {
        const id = unseen.ids[kind]
        if (id === undefined && name === 'entityid') continue
        const query = (value: number | undefined) =>
          `${filled(path, seen)}?${name === 'entityid' ? `entity=${kind}&` : ''}${name}=${value}`
        const title = `${query(id)} (${kind})`
        expect.soft({ title, id }).toEqual({ title, id: expect.any(Number) })
        const missing = await answerTo('GET', query(MISSING))
        expect.soft({ title, ...(await answerTo('GET', query(id))) }).toEqual({ title, ...missing })
        requests += 1
      }
  }
  expect(requests).toBeGreaterThan(25)
})

test('each id of each path of each operation: a hidden resource gets the same response as a missing one', async () => {
  let refused = 0
  for (const { path, handlers } of apiRoutes(await loadRoutes()))
    for (const [method, { spec }] of Object.entries(handlers)) {
      if (spec.kind === 'open') continue
      const body = spec.takes && {}
      const names = [...path.matchAll(/\[(\w+)\]/g)].flatMap(([, name = '']) =>
        unseen.ids[name] === undefined || name === 'privilege' || name === 'devicetype' ? [] : [name],
      )
      for (const some of [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])]) {
        const at = (idOf: (name: string) => number | undefined) =>
          filled(path, {
            ...seen,
            ids: { ...seen.ids, ...Object.fromEntries(some.map((n) => [n, idOf(n) ?? 0])) },
          })
        const title = `${method} ${path} ${some}`
        const missing = await answerTo(
          method,
          at(() => MISSING),
          body,
        )
        const hidden = await answerTo(
          method,
          at((name) => unseen.ids[name]),
          body,
        )
        expect.soft({ title, ...hidden }).toEqual({ title, ...missing })
        if (hidden.status === 404) refused += 1
      }
    }
  expect(refused).toBeGreaterThan(100)
})

test.each(['ENTERPRISE', 'DATACENTER'])(
  'a scope with an entity %s: a hidden entity is refused like a missing one',
  async (type) => {
    const kind = type.toLowerCase()
    const path = `/api/admin/scopes/${seen.scope}`
    for (const [method, address] of [
      ['POST', '/api/admin/scopes'],
      ['PUT', path],
      ['POST', `${path}/action/impact`],
    ] as const) {
      const naming = (idResource: number | undefined) =>
        answerTo(method, address, { name: 'Some scope', scopeEntities: [{ type, idResource }] })
      const [missing, hidden] = [await naming(MISSING), await naming(unseen.ids[kind])]
      expect([method, missing.said]).toEqual([method, expect.stringContaining('"SCOPE-7"')])
      expect([method, hidden]).toEqual([method, missing])
    }
  },
)

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newEnterprise, unique } from '#lib/tools/testing/client'
import {
  addIps,
  attach,
  makeDefault,
  newDatacenter,
  newDevice,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { search, searchTime } from '#lib/tools/testing/search'

/* Random clouds beside the existing one: from any of them a plan leads to any other, and back. */

type Item = Record<string, unknown> & { name: string }
type Cloud = Record<string, Item[]>

const entities = ['enterprises', 'scopes', 'roles', 'users', 'natnetworks', 'natips', 'natrules']

const n = (max: number) => fc.nat({ max })

/** Choices, which `cloudOf` makes a cloud of. */
const choices = fc.record({
  /** For each enterprise whether it is there, and which scope is its default. */
  enterprises: fc.array(fc.tuple(fc.boolean(), n(6)), { minLength: 3, maxLength: 3 }),
  /** For each scope whether it exists, its parent, and the share that it contains of its parent. */
  scopes: fc.array(fc.tuple(fc.boolean(), n(6), fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })), {
    minLength: 5,
    maxLength: 5,
  }),
  turned: fc.boolean(),
  roles: fc.array(
    fc.tuple(fc.boolean(), n(4), fc.subarray(['USERS_VIEW', 'ENTERPRISE_ENUMERATE', 'MANAGE_NATIPS'])),
    { minLength: 2, maxLength: 2 },
  ),
  users: fc.array(fc.tuple(fc.boolean(), n(4), n(3), n(6), fc.boolean()), { minLength: 3, maxLength: 3 }),
  networks: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
  ips: fc.array(fc.tuple(n(3), n(3), fc.boolean()), { minLength: 30, maxLength: 30 }),
})
type Choices = typeof choices extends fc.Arbitrary<infer Value> ? Value : never

let base: Cloud
let mark: string
let place: { datacenter: string; device: string; network: string; centers: string[]; machines: string[] }
let home: string

beforeAll(async () => {
  mark = unique('P')
  const [datacenter, enterprise] = await Promise.all([newDatacenter(), newEnterprise()])
  home = enterprise.name
  const device = await newDevice(datacenter.id)
  const own = {
    datacenter: datacenter.id,
    enterprise: enterprise.id,
    privateIps: ['192.168.0.5', '192.168.0.6'],
  }
  const names = [unique('Center'), unique('Center')]
  const machines = [
    await newMachine({ ...own, virtualDatacenterName: names[0] ?? '' }),
    await newMachine({ ...own, virtualDatacenterName: names[1] ?? '' }),
  ]
  // A virtual datacenter that has a default SNAT keeps one for ever.
  const network = await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: '10.1.0.0/24' })
  await addIps(network, { count: 2 })
  await attach(network, machines[0]?.virtualDatacenter ?? 0, '10.1.0.1', '10.1.0.2')
  await makeDefault(network, '10.1.0.1')
  place = {
    datacenter: datacenter.name,
    device: device.name,
    network: network.name,
    centers: names,
    machines: machines.map(({ name }) => name),
  }
  base = await exported()
})

async function exported(): Promise<Cloud> {
  const { links: _links, ...lists } = await expectStatus(200, call('GET', '/api/export'))
  return lists
}

/** The cloud of these choices: each item refers to existing ones, and a scope contains only the entities of its parent. */
function cloudOf(chosen: Choices): Cloud {
  const named = (word: string, index: number) => `${mark} ${word} ${index}`
  const firms = chosen.enterprises.flatMap(([there], index) => (there ? [named('firm', index)] : []))
  const order = chosen.turned ? chosen.scopes.toReversed() : chosen.scopes
  const scopes: { name: string; parent: string; enterprises: string[] }[] = []
  for (const [index, [there, parent, holds]] of order.entries()) {
    if (!there) continue
    const above = scopes[parent]
    const all = above ? above.enterprises : [...firms, home]
    const enterprises = all.filter((_, at) => holds[at]).sort()
    const number = chosen.turned ? order.length - 1 - index : index
    scopes.push({ name: named('scope', number), parent: above?.name ?? '', enterprises })
  }
  const scopeOf = (enterprise: string, at: number) => {
    const scope = scopes[at]
    return scope?.enterprises.includes(enterprise) ? scope.name : undefined
  }
  const roles = chosen.roles.flatMap(([there, firm, privileges], index) =>
    there
      ? [
          {
            name: named('role', index),
            enterprise: firms[firm] ?? '',
            scope: '',
            privileges: privileges.toSorted(),
          },
        ]
      : [],
  )
  const users = chosen.users.flatMap(([there, firm, role, scope, active], index) => {
    const enterprise = firms[firm] ?? home
    return there
      ? [
          {
            nick: named('user', index),
            name: `User ${index}`,
            enterprise,
            role: roles[role]?.name ?? 'CLOUD_ADMIN',
            scope: scopeOf(enterprise, scope) ?? '',
            active,
          },
        ]
      : []
  })
  return {
    enterprises: chosen.enterprises.flatMap(([there, scope], index) => {
      const name = named('firm', index)
      return there ? [{ name, scope: scopeOf(name, scope) ?? 'Global scope' }] : []
    }),
    scopes: scopes.map((scope) => ({ ...scope, datacenters: [] })),
    roles,
    users: users as never,
    ...natOf(chosen),
  }
}

function natOf({ networks, ips }: Choices): Cloud {
  const { datacenter, device } = place
  const natnetworks = networks.flatMap((there, index) =>
    there ? [{ datacenter, name: `${mark} net ${index}`, cidr: `10.${index + 2}.0.0/24`, device }] : [],
  )
  const natips: Record<string, unknown>[] = []
  const natrules: Record<string, unknown>[] = []
  for (const [index, [state, holder, rule]] of ips.entries()) {
    const network = natnetworks[index % 2]
    if (!network || state === 0) continue
    const ip = network.cidr.replace('.0/24', `.${index + 5}`)
    const center = place.centers[holder]
    const at = { datacenter, network: network.name }
    // An IP with rules is available, and gets none in quarantine.
    const isUsed = center !== undefined && rule
    const flags = { available: isUsed || state !== 1, quarantine: !isUsed && state === 2 }
    natips.push({ ...at, ip, ...flags, virtualDatacenter: center ?? '' })
    if (isUsed)
      natrules.push({
        ...at,
        type: 'DNAT',
        protocol: 'TCP',
        original: ip,
        originalPort: 80 + state,
        translated: state === 3 ? '192.168.0.6' : '192.168.0.5',
        translatedPort: 8080,
        virtualMachine: place.machines[holder],
      })
  }
  return { natnetworks, natips, natrules } as never
}

const plan = (document: object) => expectStatus(201, call('POST', '/api/plans', { body: document }))

/** Makes the cloud exactly this, and returns the resulting one. */
async function become(cloud: Cloud): Promise<{ cloud: Cloud; event: string }> {
  const made = await plan({ ...cloud, mode: 'replace' })
  expect(made.refusals).toEqual([])
  const done = await expectStatus(200, call('POST', `/api/plans/${made.id}/action/apply`))
  const [event = ''] = done.links.flatMap(({ rel, href }: { rel: string; href: string }) =>
    rel === 'event' ? [new URL(href).pathname] : [],
  )
  return { cloud: await exported(), event }
}

const withBase = (cloud: Cloud): Cloud =>
  Object.fromEntries(entities.map((entity) => [entity, [...(base[entity] ?? []), ...(cloud[entity] ?? [])]]))

test('from any cloud to any other and back', { timeout: searchTime(240_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(choices, choices, async (first, second) => {
      const one = await become(withBase(cloudOf(first)))
      const other = await become(withBase(cloudOf(second)))
      expect((await plan({ ...other.cloud, mode: 'replace' })).operations).toEqual([])
      // An export of another cloud leads there, and is empty the next time.
      expect((await become(one.cloud)).cloud).toEqual(one.cloud)
      expect((await plan({ ...one.cloud, mode: 'replace' })).operations).toEqual([])
      const { cloud, event } = await become(other.cloud)
      expect(cloud).toEqual(other.cloud)
      // A refused plan changes nothing.
      const refused = await plan({
        ...one.cloud,
        mode: 'replace',
        scopes: [...(one.cloud.scopes ?? []), { name: '' }],
      })
      expect(await codesOf(call('POST', `/api/plans/${refused.id}/action/apply`))).toEqual(['PLAN-2'])
      expect(await exported()).toEqual(other.cloud)
      // One undo reverts the last plan as a whole.
      const undoable = await plan({ ...one.cloud, mode: 'replace' })
      if (undoable.operations.length > 0) {
        await expectStatus(200, call('POST', `${event}/action/undo`))
        expect(await exported()).toEqual(one.cloud)
      }
    }),
    { seed: 20_261_123, ...search(3), endOnFailure: true },
  )
  expect((await become(base)).cloud).toEqual(base)
})

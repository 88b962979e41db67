import { describe, expect, test } from 'vitest'
import type { NatUseDocument } from '#lib/cloud/nat/networks.schema'
import type { Collection } from '#lib/ground/http/view'
import {
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { addIps, addRule, attach, newDatacenter, newMachine, newNetwork } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const word = unique('Use')
const [busy, empty, away] = [
  await newDatacenter(`${word} b`),
  await newDatacenter(`${word} A`),
  await newDatacenter(`${word} c`),
]

const enterprise = (await newEnterprise()).id

/** Creates a network with `count` IPs, attaches `held` of them, and adds a rule to the first. */
async function newUsedNetwork(datacenter: number, cidr: string, count: number, held: number): Promise<void> {
  const network = await newNetwork({ datacenter, cidr })
  await addIps(network, { count })
  const machine = await newMachine({ datacenter, enterprise, privateIps: ['192.168.0.1'] })
  const addresses = Array.from({ length: held }, (_, index) => cidr.replace(/0\/\d+$/, String(index + 1)))
  await attach(network, machine.virtualDatacenter, ...addresses)
  await addRule(network, addresses[0] ?? '', machine, {
    protocol: 'TCP',
    originalPort: 80,
    translatedPort: 80,
  })
}

await newUsedNetwork(busy.id, '10.1.0.0/24', 10, 4)
await newUsedNetwork(busy.id, '10.2.0.0/24', 5, 1)
await newNetwork({ datacenter: busy.id, cidr: '10.3.0.0/24' })
await newUsedNetwork(away.id, '10.1.0.0/24', 3, 3)

const limited = await newUser({ scopeId: (await newScope({ datacenters: [busy.id, empty.id] })).id })

const path = '/api/admin/natnetworks/action/use'
const has = `has=${encodeURIComponent(word)}`

const read = (query: string, as?: User): Promise<Collection<NatUseDocument>> =>
  expectStatus(200, call('GET', `${path}?${query}`, { ...(as && { as }) }))

const sumsOf = ({ name, networks, ips, usedIps, rules, assignable }: NatUseDocument) => [
  name.at(-1),
  networks,
  ips,
  usedIps,
  rules,
  assignable,
]

describe('the use of NAT IPs by datacenter', () => {
  test('is summed over the networks, and zero without networks', async () => {
    expect((await read(has)).collection.map(sumsOf)).toEqual([
      ['A', 0, 0, 0, 0, 0],
      ['b', 3, 15, 5, 2, 762],
      ['c', 1, 3, 3, 1, 254],
    ])
  })

  test('leaves out what can be in use where a network has more than a program can count', async () => {
    const { id: datacenter, name } = await newDatacenter(unique('Wide'))
    const sum = async () => (await read(`has=${encodeURIComponent(name)}`)).collection[0]?.assignable
    await newNetwork({ datacenter, cidr: '2001:db8::/75' })
    expect(await sum()).toBe(Number.MAX_SAFE_INTEGER)
    await newNetwork({ datacenter, cidr: '192.0.2.1/32' })
    expect(await sum()).toBeUndefined()
    const other = await newDatacenter(unique('Wider'))
    await newNetwork({ datacenter: other.id, cidr: '2001:db8::/64' })
    expect((await read(`has=${encodeURIComponent(other.name)}`)).collection[0]).not.toHaveProperty(
      'assignable',
    )
  })

  test('has only visible datacenters', async () => {
    const { collection, totalSize } = await read('', limited)
    expect([totalSize, collection.map(sumsOf)]).toEqual([
      2,
      [
        ['A', 0, 0, 0, 0, 0],
        ['b', 3, 15, 5, 2, 762],
      ],
    ])
    expect(await read('', await newUser({ scopeId: (await newScope()).id }))).toMatchObject({
      collection: [],
      totalSize: 0,
    })
  })

  test('links the datacenter and its networks, page by page, in JSON and XML', async () => {
    const page = await read('limit=1&startwith=1', limited)
    const datacenter = `${ORIGIN}/api/admin/datacenters/${busy.id}`
    expect(page.collection[0]?.links.map(({ rel, href, title }) => [rel, href, title])).toEqual([
      ['datacenter', datacenter, busy.name],
      ['natnetworks', `${datacenter}/natnetworks`, undefined],
    ])
    expect(page.links.find(({ rel }) => rel === 'previous')?.href).toBe(
      `${ORIGIN}${path}?startwith=0&limit=1&by=name`,
    )
    const headers = { accept: 'application/vnd.service.natuses+xml' }
    const xml = await expectStatus(200, call('GET', `${path}?by=id`, { as: limited, headers }))
    expect(xml).toMatch(/<natuses>.*<totalSize>2<\/totalSize><natuse>.*<usedIps>5<\/usedIps>.*<\/natuses>$/)
  })

  test('is refused to callers who may not read NAT networks', async () => {
    const { status } = await call('GET', path, { as: await newUser({ privileges: ['PHYS_DC_ENUMERATE'] }) })
    expect(status).toBe(403)
    const reader = await newUser({ privileges: ['VDC_ENUMERATE'] })
    expect((await call('GET', path, { as: reader })).status).toBe(200)
    expect(await refusal(call('GET', `${path}?by=ips`))).toEqual([400, 'QUERY-0'])
  })
})

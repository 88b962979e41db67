import { describe, expect, test } from 'vitest'
import type { SearchHit } from '#lib/state/search/search.schema'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { addIps, attach, newDatacenter, newMachine, newNetwork } from '#lib/tools/testing/nat'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { natSample } from '#lib/tools/testing/nat-sample'
import { newScope } from '#lib/tools/testing/scopes'

type Asking = { limit?: number; as?: User; wanted?: 'natip' | 'natrule' }

/** The NAT IPs that the search finds, or the NAT rules. */
async function ask(has: string, { limit = 20, as = admin, wanted = 'natip' }: Asking = {}) {
  const answer = call('GET', `/api/session/search?has=${encodeURIComponent(has)}&limit=${limit}`, { as })
  const { collection }: { collection: SearchHit[] } = await expectStatus(200, answer)
  return collection.filter(({ type }) => type === wanted)
}

const names = (hits: SearchHit[]): string[] => hits.map(({ name }) => name)

describe('an address in the search', () => {
  test('finds its NAT IP with its network and its holder', async () => {
    const [datacenter, enterprise] = await Promise.all([newDatacenter(), newEnterprise()])
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '10.71.0.0/24' })
    await addIps(network, { count: 3 })
    const center = await newMachine({ datacenter: datacenter.id, enterprise: enterprise.id })
    await attach(network, center.virtualDatacenter, '10.71.0.2')
    const path = `${ORIGIN}/api/admin/datacenters/${datacenter.id}/natnetworks/${network.id}`
    const [hit] = await ask(' 10.71.0.2 ')
    expect(hit).toEqual({
      links: [
        {
          rel: 'self',
          href: `${path}/ips/${hit?.id}`,
          type: 'application/vnd.service.natip+json',
          title: '10.71.0.2',
        },
        {
          rel: 'natnetwork',
          href: path,
          type: 'application/vnd.service.natnetwork+json',
          title: network.name,
        },
      ],
      type: 'natip',
      id: expect.any(Number),
      name: '10.71.0.2',
      detail: network.name,
      datacenter: datacenter.id,
      enterprise: enterprise.id,
    })
    expect((await ask('10.71.0.1'))[0]).not.toHaveProperty('enterprise')
  })

  test('finds all that begin like it, the lowest first, and up to the limit', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '10.72.0.0/16' })
    await addIps(network, { from: '10.72.0.99', count: 3 })
    await addIps(network, { from: '10.72.10.1', count: 2 })
    await addIps(network, { from: '10.72.1.0', count: 2, available: false })
    expect(names(await ask('10.72.0.1'))).toEqual(['10.72.0.100', '10.72.0.101'])
    expect(names(await ask('10.72.1'))).toEqual(['10.72.1.0', '10.72.1.1', '10.72.10.1', '10.72.10.2'])
    expect(names(await ask('10.72.1', { limit: 3 }))).toEqual(['10.72.1.0', '10.72.1.1', '10.72.10.1'])
    expect(names(await ask('10.72.', { limit: 1 }))).toEqual(['10.72.0.99'])
    expect(names(await ask('10.72'))).toHaveLength(7)
    expect(await ask('.72.0.99')).toEqual([])
  })

  test('may be of IPv6, in any spelling', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '2001:db8:73::/64' })
    await addIps(network, { from: '2001:db8:73::f', count: 2 })
    for (const text of ['2001:db8:73::f', '2001:0DB8:73:0:0:0:0:F'])
      expect(names(await ask(text))).toEqual(['2001:db8:73::f'])
    for (const text of ['2001:db8:73', '2001:DB8:73:', '2001:db8:73::'])
      expect(names(await ask(text))).toEqual(['2001:db8:73::f', '2001:db8:73::10'])
  })

  test('finds it in each datacenter that the caller sees, and in no other', async () => {
    const here = await newDatacenter()
    const away = await newDatacenter()
    for (const { id: datacenter } of [here, away])
      await addIps(await newNetwork({ datacenter, cidr: '10.74.0.0/24' }), { count: 2 })
    const scope = await newScope({ datacenters: [here.id] })
    const as = await newUser({ scopeId: scope.id })
    const foundIn = async (user?: User) =>
      (await ask('10.74.0.1', user && { as: user })).map(({ datacenter }) => datacenter)
    expect(await foundIn()).toEqual([here.id, away.id])
    expect(await foundIn(as)).toEqual([here.id])
    expect(await foundIn(await newUser({ scopeId: (await newScope()).id }))).toEqual([])
  })

  test('hides the holder from callers who cannot see it', async () => {
    const [datacenter, hidden] = await Promise.all([newDatacenter(), newEnterprise(unique('Hidden'))])
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '10.75.0.0/24' })
    await addIps(network, { count: 1 })
    const center = await newMachine({ datacenter: datacenter.id, enterprise: hidden.id })
    await attach(network, center.virtualDatacenter, '10.75.0.1')
    const scope = await newScope({ datacenters: [datacenter.id] })
    const [seen] = await ask('10.75.0.1', { as: await newUser({ scopeId: scope.id }) })
    expect(seen).toMatchObject({ name: '10.75.0.1', detail: network.name })
    expect(seen).not.toHaveProperty('enterprise')
  })
})

describe('a NAT rule in the search', () => {
  const wanted = 'natrule'

  test('is found by its whole NAT IP, and leads to the rule', async () => {
    const { datacenter, machines } = await natSample()
    const rulesOf = async (address: string) =>
      (await ask(address, { wanted })).filter((hit) => hit.datacenter === datacenter.id)
    const found = await rulesOf('10.0.0.2')
    expect(names(found)).toEqual(['TCP 10.0.0.2:80', 'TCP 10.0.0.2:443', 'SNAT 10.0.0.2'])
    for (const { id, detail, links } of found) {
      expect(detail).toBe(`${machines.seen.name} 192.168.0.5`)
      const { pathname } = new URL(links[0]?.href ?? '')
      expect(await expectStatus(200, call('GET', pathname))).toMatchObject({ id })
    }
    expect(names(await rulesOf('2001:DB8::2'))).toEqual(['TCP [2001:db8::2]:22', 'SNAT 2001:db8::2'])
    expect(names(await rulesOf('10.0.0.2:443'))).toEqual(['TCP 10.0.0.2:443'])
    expect(names(await rulesOf('[2001:db8::2]:22'))).toEqual(['TCP [2001:db8::2]:22'])
    expect(names(await rulesOf('10.0.0.10:1'))).toEqual(['ANY 10.0.0.10'])
    expect(await rulesOf('10.0.0.2:444')).toEqual([])
    expect(await rulesOf('10.0.0.1')).toEqual([])
  })

  test('is not found where the caller does not see its machine', async () => {
    const { datacenter, limited } = await natSample()
    const rulesOf = async (as: User) =>
      names((await ask('10.0.0.10', { wanted, as })).filter((hit) => hit.datacenter === datacenter.id)).sort()
    expect(await rulesOf(admin)).toEqual(['ANY 10.0.0.10', 'TCP 10.0.0.10:80'])
    expect(await rulesOf(limited)).toEqual(['ANY 10.0.0.10'])
  })

  test('is found by the beginning of a tag, up to the limit', async () => {
    const at = await newMachineWithIps()
    const tag = unique('Shop')
    for (const port of [80, 81]) {
      const body = { ...ruleBody(at, dnat(port)), tags: [tag, `${tag} two`] }
      await expectStatus(201, call('POST', `${at.path}/natrules`, { body }))
    }
    const start = tag.toLowerCase().slice(0, -1)
    expect(names(await ask(start, { wanted }))).toEqual(['TCP 192.0.2.1:80', 'TCP 192.0.2.1:81'])
    expect(names(await ask(tag, { wanted, limit: 1 }))).toEqual(['TCP 192.0.2.1:80'])
    const { id: scopeId } = await newScope({ datacenters: [at.network.datacenter], enterprises: [] })
    expect(await ask(tag, { wanted, as: await newUser({ scopeId }) })).toEqual([])
  })
})

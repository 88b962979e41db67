import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User } from '#lib/tools/testing/client'
import { age } from '#lib/tools/testing/histories'
import { centerPath } from '#lib/tools/testing/inventory'
import { networksPath } from '#lib/tools/testing/nat'
import { dnat, ipsPath, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { newScope } from '#lib/tools/testing/scopes'

/*
 * docs/api/conventions.md, "Notes and tags": the notes of a NAT IP belong to its holder, those of a NAT rule to its machine, and a location has none. Callers
 * who see the resource without them do not learn that they changed. All who see a resource of another kind see its notes.
 */

const privileges = ['PHYS_DC_RETRIEVE_DETAILS', 'USERS_VIEW', 'EVENTLOG_VIEW_ALL'] as const

const machine = await newMachineWithIps()
const { network, enterprise } = machine
const { datacenter } = network
const [ip, other] = machine.natIps
const rule = await expectStatus(
  201,
  call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, dnat(80)) }),
)
const readerOf = async (...enterprises: number[]) => {
  const enterpriseId = (await newEnterprise()).id
  const scope = await newScope({ enterprises: [enterpriseId, ...enterprises], datacenters: [datacenter] })
  return newUser({ privileges, scopeId: scope.id, enterpriseId })
}
const stranger = await readerOf()
const holder = await readerOf(enterprise)

const networks = networksPath(datacenter)
const lists = [
  `${ipsPath(network)}`,
  `${networks}/action/allips`,
  '/api/admin/natnetworks/action/allips',
  `${networks}/action/ipstates`,
  `${networks}/${network.id}/rules`,
  `${networks}/action/allrules`,
  '/api/admin/natnetworks/action/allrules',
  `${ipsPath(network)}/${ip}/rules`,
  '/api/admin/datacenters',
  '/api/cloud/locations',
]
const within = new Date(Date.now() - 60_000).toISOString()
const paths = [
  ...lists.flatMap((list) => [
    ...['', 'changed=%3C1h', 'changed=%3E1h', 'limit=0', 'tag=web'].map((query) => `${list}?${query}`),
  ]),
  `${ipsPath(network)}/${ip}`,
  `/api/cloud/locations/${datacenter}`,
  `${networks}/action/ipposition?ip=192.0.2.1`,
  '/api/tags',
  '/api/ends?endsbefore=2100-01-01T00:00:00Z',
  `${networks}/action/addresshistory?ip=192.0.2.1`,
  '/api/session/search?has=web',
  '/api/session/search?has=192.0.2.1',
  '/api/events?by=id&asc=false',
  `/api/events?since=${within}`,
  '/api/events/action/summary',
  `/api/events?natnetwork=${network.id}`,
]

/** They differ in every response. */
const own = /^(date|x-request-id|x-service-token|set-cookie|server-timing)$/

async function readAll(as: User): Promise<unknown[]> {
  const read: unknown[] = []
  for (const path of paths) {
    const answer = await call('GET', path, { as })
    const headers = [...answer.headers].filter(([name]) => !own.test(name))
    read.push([path, answer.status, headers, await answer.text()])
  }
  return read
}

const idsOf = async (list: string, changed: string, as: User): Promise<number[]> => {
  const query = `changed=${encodeURIComponent(changed)}&limit=0&all=true`
  const { collection } = await expectStatus(200, call('GET', `${list}?${query}`, { as }))
  return collection.map(({ id }: { id: number }) => id)
}

const inPlace = (action: string, body: object) =>
  expectStatus(200, call('POST', `${networks}/action/${action}`, { body }))

const changes: Record<string, { list: string; id: number; to: (text: string) => Promise<unknown> }> = {
  'a NAT IP': {
    list: `${networks}/action/allips`,
    id: ip,
    to: (text) =>
      expectStatus(
        200,
        call('PUT', `${centerPath(machine.center)}/natips/${ip}`, {
          body: { defaultSnat: false, description: text, tags: ['web', text] },
        }),
      ),
  },
  'a NAT rule': {
    list: `${networks}/action/allrules`,
    id: rule.id,
    to: (text) =>
      expectStatus(
        200,
        call('PUT', `${machine.path}/natrules/${rule.id}`, {
          body: { ...rule, description: text, tags: ['web', text] },
        }),
      ),
  },
}

describe.each(Object.entries(changes))('the notes of %s', (_kind, { list, id, to }) => {
  test('change for those who see them alone', async () => {
    await age('nat_ips', ip)
    await age('nat_rules', rule.id)
    const before = await readAll(stranger)
    expect(await idsOf(list, '<1h', holder)).not.toContain(id)
    await to('first')
    expect(await idsOf(list, '<1h', holder)).toContain(id)
    expect(await idsOf(list, '>1h', holder)).not.toContain(id)
    await to('second')
    expect(await readAll(stranger)).toEqual(before)
    expect(JSON.stringify(before)).toContain('192.0.2.1')
  })
})

test('a datacenter changes with its notes, not its location', async () => {
  const path = `/api/admin/datacenters/${datacenter}`
  const document = await expectStatus(200, call('GET', path))
  const as = await newUser({ privileges: [], scopeId: (await newScope({ datacenters: [datacenter] })).id })
  const locations = async () => {
    const answers = ['', '?changed=%3C1h', '?changed=%3E1h', `/${datacenter}`].map(async (query) =>
      (await call('GET', `/api/cloud/locations${query}`, { as })).text(),
    )
    return Promise.all(answers)
  }
  await age('datacenters', datacenter)
  const before = await locations()
  expect(before[0]).toContain(document.name)
  await expectStatus(200, call('PUT', path, { body: { ...document, description: 'seen by few' } }))
  expect(await locations()).toEqual(before)
})

test('a bulk change of tags has rows for those who see them alone', async () => {
  const { collection: known } = await expectStatus(200, call('GET', `/api/events?by=id&asc=false&limit=1`))
  await inPlace('changeips', { ids: [ip, other], addTags: ['bulk'] })
  await inPlace('changerules', { ids: [rule.id], addTags: ['bulk'] })
  await inPlace('changeips', { ids: [ip], quarantine: true, addTags: ['both'] })
  await inPlace('changeips', { ids: [ip], quarantine: false })
  const query = `entity=datacenter&entityid=${datacenter}&by=id&limit=4&asc=false`
  const counts = async (as: User) => {
    const { collection } = await expectStatus(200, call('GET', `/api/events?${query}`, { as }))
    expect(collection.every(({ id }: { id: number }) => id > known[0].id)).toBe(true)
    return Promise.all(
      collection.map(async ({ id, count }: { id: number; count: number }) => {
        const rows = await expectStatus(200, call('GET', `/api/events/${id}/rows`, { as }))
        expect([rows.totalSize, rows.collection.length]).toEqual([count, count])
        return count
      }),
    )
  }
  expect(await counts(holder)).toEqual([1, 1, 1, 2])
  expect(await counts(stranger)).toEqual([1, 1, 0, 0])
})

test('a release takes hidden notes unseen', async () => {
  await age('nat_ips', other)
  const released = `${centerPath(machine.center)}/natips/purchased/${other}`
  await expectStatus(200, call('PUT', released))
  const list = `${networks}/action/allips`
  expect(await idsOf(list, '<1h', stranger)).not.toContain(other)
  expect(await idsOf(list, '<1h', holder)).toContain(other)
  // Everybody sees the notes of an IP without a holder.
  const path = `${ipsPath(network)}/${other}`
  await expectStatus(200, call('PUT', path, { body: { quarantine: false, tags: ['free'] } }))
  expect(await idsOf(list, '<1h', stranger)).toContain(other)
})

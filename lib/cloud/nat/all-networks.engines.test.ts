import { describe, expect, test } from 'vitest'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
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
import { readCsv } from '#lib/tools/testing/csv'
import {
  addIps,
  attach,
  networksPath,
  newDatacenter,
  newDevice,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const word = unique('Across')
const [one, two, away] = [
  await newDatacenter(`${word} two`),
  await newDatacenter(`${word} One`),
  await newDatacenter(`${word} three`),
]

/** Letter, datacenter, CIDR, device, number of IPs, number of attached IPs. */
const made = [
  ['b', one, '10.0.0.0/24', 'y', 10, 5],
  ['A', two, '9.0.0.0/24', 'x', 3, 1],
  ['c', two, '2001:db8::/64', 'z', 0, 0],
  ['D', one, '10.0.0.0/28', 'X', 4, 4],
  ['e', away, '8.0.0.0/24', 'w', 8, 1],
] as const

const enterprise = (await newEnterprise()).id
for (const [letter, { id: datacenter }, cidr, device, ips, held] of made) {
  const holder = await newDevice(datacenter, { name: `${word} ${device}` })
  const network = await newNetwork({ datacenter, cidr, device: holder.id, name: `${word} ${letter}` })
  if (ips > 0) await addIps(network, { count: ips })
  if (held === 0) continue
  const { virtualDatacenter } = await newMachine({ datacenter, enterprise })
  const addresses = Array.from({ length: held }, (_, index) => cidr.replace(/0\/\d+$/, String(index + 1)))
  await attach(network, virtualDatacenter, ...addresses)
}

const scope = await newScope({ datacenters: [one.id, two.id] })
const limited = await newUser({ scopeId: scope.id })

const path = '/api/admin/natnetworks'
const has = `has=${encodeURIComponent(word)}`

const list = (query: string, as?: User, from = path): Promise<Collection<NatNetworkDocument>> =>
  expectStatus(200, call('GET', `${from}?${query}`, { ...(as && { as }) }))

const letters = async (query: string, as?: User, from = path): Promise<string> =>
  (await list(query, as, from)).collection.map(({ name }) => name.at(-1)).join('')

describe('the list of all NAT networks', () => {
  test('is ordered by name by default', async () => {
    expect(await letters(has)).toBe('AbcDe')
    expect(await letters(`${has}&asc=false`)).toBe('eDcbA')
  })

  test.each([
    ['id', 'bAcDe'],
    ['cidr', 'eAbDc'],
    ['device', 'eADbc'],
    ['datacenter', 'AcebD'],
    ['use', 'cAebD'],
  ])('is ordered by %s', async (by, order) => {
    expect(await letters(`${has}&by=${by.toUpperCase()}`)).toBe(order)
    expect(await letters(`${has}&by=${by}&asc=false`)).toBe([...order].reverse().join(''))
  })

  test('is searched by name, CIDR and datacenter', async () => {
    expect(await letters(`has=${encodeURIComponent(`${word.toLowerCase()} d`)}`)).toBe('D')
    expect(await letters(`has=${encodeURIComponent(`${word} one`)}`)).toBe('Ac')
    expect((await list('has=10.0.0.0/28&limit=0')).collection.map(({ name }) => name)).toContain(`${word} D`)
  })

  test('has only the networks of visible datacenters, and their number', async () => {
    expect(await letters('by=name', limited)).toBe('AbcD')
    expect(await list('limit=1', limited)).toMatchObject({ totalSize: 4 })
    expect(await letters(`has=${encodeURIComponent(`${word} three`)}`, limited)).toBe('')
    expect(await letters('', await newUser({ scopeId: (await newScope()).id }))).toBe('')
  })

  test('is narrowed to a datacenter that the caller sees, and to the networks that share addresses', async () => {
    expect(await letters(`${has}&datacenter=${one.id}`)).toBe('bD')
    expect(await letters(`datacenter=${away.id}`, limited)).toBe('')
    expect(await letters(`${has}&overlaps=10.0.0.200/32`)).toBe('b')
    const { links } = await list(`${has}&datacenter=${one.id}&overlaps=10.0.0.0/28&limit=1`)
    expect(links.find(({ rel }) => rel === 'next')?.href).toContain(
      `datacenter=${one.id}&overlaps=10.0.0.0%2F28`,
    )
    expect(await refusal(call('GET', `${path}?overlaps=10.0.0`))).toEqual([400, 'GEN-22'])
  })

  test('has pages and full exports, in JSON, XML and CSV', async () => {
    const page = await list('limit=2&startwith=2&by=use', limited)
    expect(page.collection.map(({ name, usedIps, ips }) => [name.at(-1), usedIps, ips])).toEqual([
      ['b', 5, 10],
      ['D', 4, 4],
    ])
    expect(page.links.map(({ rel, href }) => [rel, href])).toEqual([
      ['first', `${ORIGIN}${path}?limit=2&by=use`],
      ['last', `${ORIGIN}${path}?startwith=2&limit=2&by=use`],
      ['previous', `${ORIGIN}${path}?startwith=0&limit=2&by=use`],
    ])
    const headers = { accept: 'application/vnd.service.natnetworks+xml' }
    const xml = await expectStatus(200, call('GET', `${path}?limit=0`, { as: limited, headers }))
    expect(xml.match(/<natnetwork>/g)).toHaveLength(4)
    const { rows } = await readCsv(`${path}?limit=0&by=datacenter`, limited)
    expect(rows.map(({ name, datacenter }) => [name, datacenter])).toEqual([
      [`${word} A`, `${word} One`],
      [`${word} c`, `${word} One`],
      [`${word} b`, `${word} two`],
      [`${word} D`, `${word} two`],
    ])
  })

  test('refuses an unknown order', async () => {
    expect(await refusal(call('GET', `${path}?by=ips`))).toEqual([400, 'QUERY-0'])
  })
})

test('the networks of one datacenter can be ordered by use, but not by datacenter', async () => {
  const from = networksPath(one.id)
  expect(await letters('by=use', undefined, from)).toBe('bD')
  expect(await letters('by=use&asc=false', undefined, from)).toBe('Db')
  expect(await letters('by=use', undefined, networksPath(two.id))).toBe('cA')
  expect(await refusal(call('GET', `${from}?by=datacenter`))).toEqual([400, 'QUERY-0'])
})

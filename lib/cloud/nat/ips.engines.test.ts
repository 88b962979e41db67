import { describe, expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { call, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { type Network, networksPath } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const { datacenter, networks, seen, hidden, machines, limited } = await natSample()

type Ip = {
  id: number
  ip: string
  available: boolean
  quarantine: boolean
  defaultSnat: boolean
  ipv6: boolean
  networkName: string
  links: { rel: string; href: string; title?: string }[]
}

type List = { collection: Ip[]; totalSize: number; links: { rel: string; href: string }[] }

const allips = (): string => `${networksPath(datacenter.id)}/action/allips`

const ipsOf = ({ id }: Network): string => `${networksPath(datacenter.id)}/${id}/ips`

const list = (query = '', { path = allips(), as }: { path?: string; as?: User } = {}): Promise<List> =>
  expectStatus(200, call('GET', `${path}?${query}`, { ...(as && { as }) }))

const addresses = ({ collection }: List): string[] => collection.map(({ ip }) => ip)

describe('allips', () => {
  test('lists available IPs, ordered by address as a number, IPv4 before IPv6', async () => {
    const found = await list('limit=100')
    expect(addresses(found)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12, 30].map((last) => `10.0.0.${last}`),
      ...[1, 2, 3].map((last) => `2001:db8::${last}`),
    ])
    expect(found.totalSize).toBe(17)
    expect(found.collection.every(({ available }) => available)).toBe(true)
  })

  test('orders equal addresses by id', async () => {
    const [first, second] = (await list('has=10.0.0.9')).collection
    expect(first?.networkName).toBe(networks.again.name)
    expect(second?.networkName).toBe(networks.four.name)
    expect(first?.id).toBeLessThan(second?.id ?? 0)
  })

  test.each([
    ['', 17, 13, 1],
    ['all=false', 17, 13, 1],
    ['all=true', 21, 16, 2],
    ['snatdefault=true', 1, 1, 0],
    ['all=true&snatdefault=true', 2, 1, 1],
    ['snatdefault=false', 17, 13, 1],
  ])(
    'with %j has exact totals: of the datacenter %d, of two networks %d and %d',
    async (filter, ...totals) => {
      const places = [allips(), ipsOf(networks.four), ipsOf(networks.again)]
      for (const [index, path] of places.entries()) {
        const whole = await list(`limit=0&${filter}`, { path })
        expect([path, whole.totalSize, whole.collection.length]).toEqual([path, totals[index], totals[index]])
        expect(await list(`limit=0&has=0&${filter}`, { path })).toMatchObject({ totalSize: totals[index] })
      }
    },
  )

  test('lists default SNAT IPs with snatdefault, also unavailable ones with all', async () => {
    expect(addresses(await list('snatdefault=true'))).toEqual(['10.0.0.2'])
    const both = await list('snatdefault=true&all=true')
    expect(both.collection.map(({ ip, defaultSnat, available }) => [ip, defaultSnat, available])).toEqual([
      ['10.0.0.2', true, true],
      ['10.0.0.10', true, false],
    ])
  })

  test('is searched by IP as literal text, in any case', async () => {
    expect(addresses(await list('has=10.0.0.1'))).toEqual(['10.0.0.1', '10.0.0.10', '10.0.0.11', '10.0.0.12'])
    expect(addresses(await list('has=2001:DB8&all=true'))).toHaveLength(3)
    for (const has of ['10_0', '%25', 'four', '\\']) expect((await list(`has=${has}`)).totalSize).toBe(0)
  })

  test('refuses invalid parameters', async () => {
    for (const query of [
      'all=yes',
      'snatdefault=1',
      'asc=down',
      'limit=-1',
      'limit=many',
      'startwith=-1',
      'startwith=1.5',
    ]) {
      expect(await refusal(call('GET', `${allips()}?${query}`))).toEqual([400, 'GEN-22'])
    }
    expect(await refusal(call('GET', `${allips()}?by=mac`))).toEqual([400, 'QUERY-0'])
  })

  test('keeps its filters in the page links', async () => {
    const { links } = await list('all=true&snatdefault=true&limit=1&asc=false')
    const query = 'limit=1&by=ip&asc=false'
    const base = `${ORIGIN}${allips()}?all=true&snatdefault=true&`
    expect(links).toEqual([
      { rel: 'first', href: base + query },
      { rel: 'last', href: `${base}startwith=1&${query}` },
      { rel: 'next', href: `${base}startwith=1&${query}` },
    ])
  })

  test('can be exported in XML', async () => {
    const headers = { accept: 'application/vnd.service.natips+xml' }
    const xml = await expectStatus(200, call('GET', `${allips()}?limit=0&all=true`, { headers }))
    expect(xml.match(/<natip>/g)).toHaveLength(21)
    expect(xml).toContain('<ip>2001:db8::1</ip><available>true</available><quarantine>false</quarantine>')
    expect(xml.endsWith('</natip></natips>')).toBe(true)
  })
})

describe('a NAT IP', () => {
  test('has its fields and links while attached', async () => {
    const [ip] = (await list('has=10.0.0.2')).collection
    const network = `${ORIGIN}${networksPath(datacenter.id)}/${networks.four.id}`
    const { virtualDatacenter } = machines.seen
    const type = (name: string) => `application/vnd.service.${name}+json`
    expect(ip).toEqual({
      links: [
        { rel: 'self', href: `${network}/ips/${ip?.id}`, type: type('natip'), title: '10.0.0.2' },
        { rel: 'natnetwork', href: network, type: type('natnetwork'), title: networks.four.name },
        {
          rel: 'datacenter',
          href: `${ORIGIN}/api/admin/datacenters/${datacenter.id}`,
          type: type('datacenter'),
          title: datacenter.name,
        },
        { rel: 'rules', href: `${network}/ips/${ip?.id}/rules`, type: type('natrules') },
        {
          rel: 'virtualdatacenter',
          href: `${ORIGIN}/api/cloud/virtualdatacenters/${virtualDatacenter}`,
          type: type('virtualdatacenter'),
          title: expect.stringContaining('B visible'),
        },
        {
          rel: 'enterprise',
          href: `${ORIGIN}/api/admin/enterprises/${seen.id}`,
          type: type('enterprise'),
          title: seen.name,
        },
      ],
      id: expect.any(Number),
      ip: '10.0.0.2',
      available: true,
      quarantine: false,
      defaultSnat: true,
      ipv6: false,
      networkName: networks.four.name,
      rules: 3,
      ...noNotes,
    })
  })

  test('links neither a virtual datacenter nor an enterprise while free', async () => {
    const [ip] = (await list('has=2001:db8::1')).collection
    expect(ip).toMatchObject({ ipv6: true, defaultSnat: false })
    expect(ip?.links.map(({ rel }) => rel)).toEqual(['self', 'natnetwork', 'datacenter', 'rules'])
  })

  test('is shown without its holder if the caller cannot see that', async () => {
    const text = JSON.stringify(await list('all=true&limit=0', { as: limited }))
    expect(text).toContain(seen.name)
    expect(text).toContain('2001:db8::2')
    for (const word of [
      hidden.name,
      'A secret',
      `/virtualdatacenters/${machines.hidden.virtualDatacenter}"`,
    ]) {
      expect(text).not.toContain(word)
    }
  })
})

test('the list of a network has its own IPs, with the parameters of allips', async () => {
  const path = ipsOf(networks.six)
  expect(addresses(await list('', { path }))).toEqual(['2001:db8::1', '2001:db8::2', '2001:db8::3'])
  expect(addresses(await list('asc=false&limit=2', { path }))).toEqual(['2001:db8::3', '2001:db8::2'])
  expect((await list('all=true', { path })).links[0]?.href).toContain(
    `/natnetworks/${networks.six.id}/ips?all=true&`,
  )
  expect(await refusal(call('GET', `${networksPath(datacenter.id)}/999999999/ips`))).toEqual([
    404,
    'NAT-NET-1',
  ])
})

test('the lists of IPs require PHYS_DC_RETRIEVE_DETAILS and a visible datacenter', async () => {
  const away = await newUser({ scopeId: (await newScope()).id })
  const enumerates = await newUser({ privileges: ['PHYS_DC_ENUMERATE', 'VDC_ENUMERATE', 'MANAGE_NATIPS'] })
  const details = await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'] })
  for (const path of [allips(), ipsOf(networks.four)]) {
    expect(await refusal(call('GET', path, { as: away }))).toEqual([404, 'DC-0'])
    await expectStatus(403, call('GET', path, { as: enumerates }))
    await expectStatus(200, call('GET', path, { as: details }))
  }
})

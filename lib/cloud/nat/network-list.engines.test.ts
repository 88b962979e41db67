import { describe, expect, test } from 'vitest'
import { call, expectStatus, unique } from '#lib/tools/testing/client'
import { addIps, networksPath, newDatacenter, newDevice, newNetwork } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'

const word = unique('Net')
const { id: datacenter } = await newDatacenter()
const devices = {
  x: await newDevice(datacenter, { name: 'Device x' }),
  Y: await newDevice(datacenter, { name: 'Device Y' }),
  z: await newDevice(datacenter, { name: 'Device z' }),
}

for (const [letter, cidr, device] of [
  ['b', '10.0.0.0/16', 'x'],
  ['A', '2001:db8::/32', 'Y'],
  ['c', '9.0.0.0/8', 'x'],
  ['D', '10.0.0.0/24', 'z'],
  ['e', '172.16.0.0/12', 'Y'],
] as const) {
  const network = await newNetwork({
    datacenter,
    device: devices[device].id,
    cidr,
    name: `${word} ${letter}`,
  })
  if (letter === 'c') await addIps(network, { count: 3 })
}

type Item = { name: string; ips: number }

const list = (query: string) => expectStatus(200, call('GET', `${networksPath(datacenter)}?${query}`))

const letters = async (query: string): Promise<string> =>
  (await list(query)).collection.map(({ name }: Item) => name.at(-1)).join('')

describe('the list of NAT networks', () => {
  test('is ordered by name by default', async () => {
    expect(await letters('')).toBe('AbcDe')
    expect(await letters('by=NAME')).toBe('AbcDe')
    expect(await letters('asc=false')).toBe('eDcbA')
  })

  test('is ordered by id', async () => {
    expect(await letters('by=id')).toBe('bAcDe')
    expect(await letters('by=id&asc=false')).toBe('eDcAb')
  })

  test('is ordered by CIDR: as numbers, wider networks first, IPv4 before IPv6', async () => {
    expect(await letters('by=cidr')).toBe('cbDeA')
    expect(await letters('by=cidr&asc=false')).toBe('AeDbc')
  })

  test('is ordered by the name of the device, then by id', async () => {
    expect(await letters('by=device')).toBe('bcAeD')
    expect(await letters('by=device&asc=false')).toBe('DeAcb')
  })

  test('refuses an unknown order', async () => {
    expect(await refusal(call('GET', `${networksPath(datacenter)}?by=ips`))).toEqual([400, 'QUERY-0'])
  })

  test('is searched by name and CIDR as literal text', async () => {
    expect(await letters(`has=${encodeURIComponent(`${word.toLowerCase()} D`)}`)).toBe('D')
    expect(await letters('has=10.0.0.0')).toBe('bD')
    expect(await letters('has=/12')).toBe('e')
    expect(await letters('has=2001:DB8')).toBe('A')
    expect(await letters('has=%25')).toBe('')
    expect(await letters('has=1_.0')).toBe('')
  })

  test('is filtered by overlap with a range, for all devices or one', async () => {
    expect(await letters('overlaps=10.0.0.128/25')).toBe('bD')
    expect(await letters('overlaps=10.0.0.0/8')).toBe('bD')
    expect(await letters(`overlaps=10.0.0.0/8&device=${devices.z.id}`)).toBe('D')
    expect(await letters('overlaps=10.1.0.0/16')).toBe('')
    expect(await letters('overlaps=2001:db8:1::/48')).toBe('A')
    expect(await letters(`device=${devices.x.id}&by=cidr`)).toBe('cb')
    expect(await letters('overlaps=10.0.0.1/24')).toBe('bD')
    const refused = call('GET', `${networksPath(datacenter)}?overlaps=10.0.0.0/33`)
    expect(await refusal(refused)).toEqual([400, 'GEN-22'])
    const paged = await list(`overlaps=10.0.0.0/8&device=${devices.x.id}&limit=1`)
    expect(paged.links[0].href).toContain('overlaps=10.0.0.0')
  })

  test('can be paged, ordered and searched at once', async () => {
    const page = await list('has=10.&by=cidr&asc=false&limit=1&startwith=1')
    expect(page.collection.map(({ name }: Item) => name.at(-1))).toEqual(['b'])
    expect(page.totalSize).toBe(2)
    const query = 'limit=1&has=10.&by=cidr&asc=false'
    const href = (start: string) => `http://console.localhost${networksPath(datacenter)}?${start}${query}`
    expect(page.links).toEqual([
      { rel: 'first', href: href('') },
      { rel: 'last', href: href('startwith=1&') },
      { rel: 'previous', href: href('startwith=0&') },
    ])
  })

  test('can be exported with limit=0, in JSON and in XML', async () => {
    expect(await letters('limit=0')).toBe('AbcDe')
    const headers = { accept: 'application/vnd.service.natnetworks+xml' }
    const xml = await expectStatus(200, call('GET', `${networksPath(datacenter)}?limit=0`, { headers }))
    expect(xml.match(/<natnetwork>/g)).toHaveLength(5)
    expect(xml).toContain('<totalSize>5</totalSize><natnetwork><link ')
  })

  test('has the totals of each network', async () => {
    const { collection } = await list('')
    expect(collection.map(({ ips }: Item) => ips)).toEqual([0, 0, 3, 0, 0])
  })
})

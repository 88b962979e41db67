import { beforeAll, describe, expect, test } from 'vitest'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import type { AddressCell, AddressMapDocument } from '#lib/cloud/nat/networks.schema'
import { linkOf } from '#lib/ground/http/view'
import { parseAddress, parseCidr } from '#lib/ground/net/addresses'
import { call, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import {
  addIps,
  attach,
  type Network,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const sample = await natSample()

const mapPath = ({ datacenter, id }: Network): string => `${networksPath(datacenter)}/${id}/action/addressmap`

const mapOf = (network: Network, block?: string, as?: User): Promise<AddressMapDocument> =>
  expectStatus(
    200,
    call('GET', mapPath(network) + (block === undefined ? '' : `?block=${block}`), { ...(as && { as }) }),
  )

async function ipsOf({ datacenter, id }: Network, as?: User): Promise<NatIpDocument[]> {
  const path = `${networksPath(datacenter)}/${id}/ips?all=true&limit=0`
  return (await expectStatus(200, call('GET', path, { ...(as && { as }) }))).collection
}

const isIn = (ip: string, cidr: string): boolean => {
  const [address, block] = [parseAddress(ip), parseCidr(cidr)]
  if (!address || !block) return false
  return address.version === block.version && address.value >= block.first && address.value <= block.last
}

/** The expected cell, with its IPs counted one by one. */
function counted(cidr: string, ips: NatIpDocument[]): Omit<AddressCell, 'id'> {
  const own = ips.filter(({ ip }) => isIn(ip, cidr))
  const number = (is: (ip: NatIpDocument) => boolean) => own.filter(is).length
  return {
    cidr,
    ips: own.length,
    available: number(({ available }) => available),
    attached: number((ip) => linkOf(ip, 'virtualdatacenter') !== undefined),
    quarantine: number(({ quarantine }) => quarantine),
    defaultSnat: number(({ defaultSnat }) => defaultSnat),
  }
}

/** Expects that every IP of the block is in one cell of the map, and that the counts of each cell are correct. */
async function requireCorrect(map: AddressMapDocument, network: Network, as?: User): Promise<void> {
  const ips = (await ipsOf(network, as)).filter(({ ip }) => isIn(ip, map.block))
  expect(map.cells.reduce((sum, cell) => sum + cell.ips, 0)).toBe(ips.length)
  for (const cell of map.cells) {
    expect(cell).toMatchObject(counted(cell.cidr, ips))
    expect([cell.cidr, cell.ips > 0, parseCidr(cell.cidr)?.prefix]).toEqual([cell.cidr, true, map.cellPrefix])
  }
  const firsts = map.cells.map(({ cidr }) => parseCidr(cidr)?.first ?? -1n)
  expect(firsts).toEqual(firsts.toSorted((one, other) => (one < other ? -1 : 1)))
}

const wide: Record<'four' | 'six', Network> = {
  four: await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.0.0.0/8' }),
  six: await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '2001:db8::/32' }),
}

beforeAll(async () => {
  await addIps(wide.four, { from: '10.3.3.250', count: 300 })
  await addIps(wide.four, { from: '10.200.0.0', count: 5, available: false })
  await addIps(wide.four, { from: '10.3.7.0', count: 9, quarantine: true })
  await addIps(wide.six, { from: '2001:db8:0:5::1', count: 4 })
  await addIps(wide.six, { from: '2001:db8:0:9::1', count: 3, available: false })
  for (const network of Object.values(wide)) {
    const machine = await newMachine({ datacenter: network.datacenter, enterprise: sample.hidden.id })
    const own = await newMachine({ datacenter: network.datacenter, enterprise: sample.seen.id })
    const [, first = '', second = '', third = ''] = (await ipsOf(network)).map(({ ip }) => ip)
    await attach(network, machine.virtualDatacenter, first, second)
    await attach(network, own.virtualDatacenter, third)
  }
})

describe('the address map of an IPv4 network', () => {
  test('divides the network into 256 cells, without those that have no IPs', async () => {
    const map = await mapOf(wide.four)
    expect(map).toMatchObject({ block: '10.0.0.0/8', version: 4, cellPrefix: 16 })
    expect(map.cells.map(({ cidr, ips, available }) => [cidr, ips, available])).toEqual([
      ['10.3.0.0/16', 309, 309],
      ['10.200.0.0/16', 5, 0],
    ])
    await requireCorrect(map, wide.four)
  })

  test.each([
    ['10.3.0.0/16', 24, 4],
    ['10.3.0.0/17', 25, 5],
    ['10.3.0.0/18', 26, 7],
    ['10.3.0.0/19', 27, 12],
    ['10.3.0.0/21', 29, 42],
    ['10.3.4.0/22', 30, 75],
    ['10.3.4.0/23', 31, 19],
    ['10.0.0.0/9', 17, 1],
    ['10.3.4.0/24', 32, 38],
    ['10.3.4.0/30', 32, 4],
    ['10.3.4.7/32', 32, 1],
    ['10.4.0.0/16', 24, 0],
  ])('divides the block %s into cells of /%d', async (block, cellPrefix) => {
    const map = await mapOf(wide.four, block)
    expect(map).toMatchObject({ block, version: 4, cellPrefix })
    expect(map.cells.length).toBeLessThanOrEqual(256)
    await requireCorrect(map, wide.four)
  })

  test('has the IP and its holder for a cell of one address', async () => {
    const { cells } = await mapOf(sample.networks.four)
    const [ip] = await ipsOf(sample.networks.four).then((ips) => ips.filter(({ ip }) => ip === '10.0.0.2'))
    expect(cells.find(({ cidr }) => cidr === '10.0.0.2/32')).toEqual({
      ...counted('10.0.0.2/32', ip ? [ip] : []),
      id: ip?.id,
      virtualDatacenter: expect.stringContaining('B visible'),
      enterprise: sample.seen.name,
    })
    expect(cells).toHaveLength(16)
    await requireCorrect(await mapOf(sample.networks.four), sample.networks.four)
  })
})

describe('the address map of an IPv6 network', () => {
  test('shows by default the smallest block of whole bytes that contains all IPs', async () => {
    const map = await mapOf(wide.six)
    expect(map).toMatchObject({ block: '2001:db8::/56', version: 6, cellPrefix: 64 })
    expect(map.cells.map(({ cidr, ips }) => [cidr, ips])).toEqual([
      ['2001:db8:0:5::/64', 4],
      ['2001:db8:0:9::/64', 3],
    ])
    await requireCorrect(map, wide.six)
  })

  test('can be read block by block, down to single addresses', async () => {
    for (const block of ['2001:db8::/32', '2001:db8::/53', '2001:db8:0:5::/64', '2001:db8:0:5::/117'])
      await requireCorrect(await mapOf(wide.six, block), wide.six)
    const single = await mapOf(wide.six, '2001:db8:0:5::/120')
    expect(single.cells.map(({ cidr, id }) => [cidr, typeof id])).toEqual(
      [1, 2, 3, 4].map((last) => [`2001:db8:0:5::${last}/128`, 'number']),
    )
  })

  test('shows addresses for few IPs, and the whole network if it has none', async () => {
    const { datacenter } = wide.six
    const network = await newNetwork({ datacenter, cidr: '2001:db8:ffff::/48' })
    expect(await mapOf(network)).toMatchObject({ block: '2001:db8:ffff::/48', cellPrefix: 56, cells: [] })
    await addIps(network, { from: '2001:db8:ffff::1234', count: 1 })
    expect(await mapOf(network)).toMatchObject({ block: '2001:db8:ffff::1200/120', cellPrefix: 128 })
    const narrow = await newNetwork({ datacenter, cidr: '2001:db8:eeee::a0/124' })
    await addIps(narrow, { count: 15 })
    expect(await mapOf(narrow)).toMatchObject({ block: '2001:db8:eeee::a0/124', cellPrefix: 128 })
  })
})

test('the map shows a caller only visible holders', async () => {
  const scope = await newScope({
    datacenters: [wide.four.datacenter, wide.six.datacenter],
    enterprises: [sample.seen.id],
  })
  const as = await newUser({ scopeId: scope.id })
  for (const network of Object.values(wide)) {
    const [everything, seen] = [await mapOf(network), await mapOf(network, undefined, as)]
    expect([everything, seen].map(({ cells }) => cells[0]?.attached)).toEqual([3, 1])
    await requireCorrect(seen, network, as)
  }
  const text = JSON.stringify(await mapOf(wide.four, '10.3.3.0/24', as))
  expect(text).toContain(sample.seen.name)
  expect(text).not.toContain(sample.hidden.name)
})

test('the map links its network and its IPs, in JSON and in XML', async () => {
  const { links } = await mapOf(wide.four)
  const path = `${ORIGIN}${networksPath(wide.four.datacenter)}/${wide.four.id}`
  expect(links.map(({ rel, href }) => [rel, href])).toEqual([
    ['natnetwork', path],
    ['ips', `${path}/ips`],
  ])
  const headers = { accept: 'application/vnd.service.addressmap+xml' }
  const xml = await expectStatus(200, call('GET', mapPath(wide.four), { headers }))
  expect(xml).toContain(
    '<block>10.0.0.0/8</block><version>4</version><cellPrefix>16</cellPrefix><cells><cidr>',
  )
  expect(xml.match(/<cells>/g)).toHaveLength(2)
})

test('GEN-22: an invalid block, or one outside the network, is refused', async () => {
  const wrong = ['', '10.0.0.0', '10.0.0.1/8', '10.0.0.0/7', '11.0.0.0/16', '::/0', '10.0.0.0/33', 'x']
  for (const block of wrong)
    expect([block, ...(await refusal(call('GET', `${mapPath(wide.four)}?block=${block}`)))]).toEqual([
      block,
      400,
      'GEN-22',
    ])
})

test('the map is hidden with its network', async () => {
  const away = await newUser({ scopeId: (await newScope()).id })
  expect(await refusal(call('GET', mapPath(wide.four), { as: away }))).toEqual([404, 'DC-0'])
  const elsewhere = { ...wide.four, datacenter: wide.six.datacenter }
  expect(await refusal(call('GET', `${mapPath(elsewhere)}?block=x`))).toEqual([404, 'NAT-NET-1'])
})

import { describe, expect, test } from 'vitest'
import type { NatIpDocument, NatIpPosition } from '#lib/cloud/nat/ips.schema'
import type { Collection } from '#lib/ground/http/view'
import { parseAddress } from '#lib/ground/net/addresses'
import { call, expectStatus, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { networksPath } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const { datacenter, networks, seen, hidden, limited } = await natSample()

const path = `${networksPath(datacenter.id)}/action/ipposition`

const positionOf = (ip: string, query = '', as?: User): Promise<NatIpPosition> =>
  expectStatus(200, call('GET', `${path}?ip=${encodeURIComponent(ip)}&${query}`, { ...(as && { as }) }))

const ipsOf = async (query: string, as?: User): Promise<NatIpDocument[]> => {
  const whole = `${networksPath(datacenter.id)}/action/allips?limit=0&${query}`
  const list: Collection<NatIpDocument> = await expectStatus(200, call('GET', whole, { ...(as && { as }) }))
  return list.collection
}

const numberOf = (ip: string): bigint => {
  const { version, value } = parseAddress(ip) ?? { version: 4, value: -1n }
  return BigInt(version) * 2n ** 128n + value
}

const ipv4Addresses = ['0.0.0.0', '10.0.0.1', '10.0.0.9', '10.0.0.10', '10.0.0.15', '10.0.0.20', '10.0.0.40']
const otherAddresses = ['255.255.255.255', '::', '2001:db8::2', '2001:db8::3', 'ffff::']

describe('the position of an address', () => {
  test.each([
    '',
    'all=true',
    'available=false',
    'quarantine=true&all=true',
    'attached=true&all=true',
    'attached=false',
    'snatdefault=true',
    'has=.1',
    `network=${networks.again.id}&all=true`,
    `enterprise=${seen.id}`,
  ])('in the list with %j is its index, also of a missing address', async (query) => {
    for (const as of [undefined, limited]) {
      for (const asc of [true, false]) {
        const whole = await ipsOf(`${query}&asc=${asc}`, as)
        for (const ip of [...ipv4Addresses, ...otherAddresses]) {
          const [wanted, down] = [numberOf(ip), asc ? 1 : -1]
          const before = whole.filter((one) => (numberOf(one.ip) < wanted ? 1 : -1) === down && one.ip !== ip)
          const found = whole.find((one) => one.ip === ip)
          expect(await positionOf(ip, `${query}&asc=${asc}`, as)).toEqual({
            links: found ? [expect.objectContaining({ rel: 'natip' })] : [],
            ip,
            exists: found !== undefined,
            position: before.length,
            ...(found && { id: found.id }),
          })
        }
      }
    }
  })

  test('links the IP, in JSON and in XML', async () => {
    const { id, links } = await positionOf('10.0.0.30')
    const href = `${ORIGIN}${networksPath(datacenter.id)}/${networks.four.id}/ips/${id}`
    const type = 'application/vnd.service.natip+json'
    expect(links).toEqual([{ rel: 'natip', href, title: '10.0.0.30', type }])
    const headers = { accept: 'application/vnd.service.natipposition+xml' }
    const xml = await expectStatus(200, call('GET', `${path}?ip=10.0.0.30`, { headers }))
    expect(xml).toContain('<natipposition><link ')
    expect(xml).toContain(`<ip>10.0.0.30</ip><exists>true</exists><position>13</position><id>${id}</id>`)
  })

  test('is found for any spelling of the address', async () => {
    expect(await positionOf(' 2001:DB8:0:0::2 ')).toMatchObject({
      ip: '2001:db8::2',
      exists: true,
      position: 15,
    })
  })

  test('gives the page that contains it', async () => {
    const { position, id } = await positionOf('10.0.0.12', 'all=true')
    const startwith = Math.floor(position / 5) * 5
    const page: Collection<NatIpDocument> = await expectStatus(
      200,
      call('GET', `${networksPath(datacenter.id)}/action/allips?all=true&limit=5&startwith=${startwith}`),
    )
    expect(page.collection[position - startwith]?.id).toBe(id)
  })
})

test('an invalid address is refused, after missing resources', async () => {
  for (const ip of ['', '10.0.0', '10.0.0.1/24', 'fe80::1%25eth0', '010.0.0.1'])
    expect(await refusal(call('GET', `${path}?ip=${ip}`))).toEqual([400, 'CONSTR-PATTERN'])
  expect(await refusal(call('GET', path))).toEqual([400, 'CONSTR-PATTERN'])
  expect(await refusal(call('GET', `${path}?ip=x&network=999999999`))).toEqual([404, 'NAT-NET-1'])
  expect(await refusal(call('GET', `${path}?ip=10.0.0.1&attached=maybe`))).toEqual([400, 'GEN-22'])
})

test('the position requires a visible datacenter and visible filters', async () => {
  const away = await newUser({ scopeId: (await newScope()).id })
  expect(await refusal(call('GET', `${path}?ip=10.0.0.1`, { as: away }))).toEqual([404, 'DC-0'])
  const query = `?ip=10.0.0.1&enterprise=${hidden.id}`
  expect(await refusal(call('GET', path + query, { as: limited }))).toEqual([404, 'EN-0'])
})

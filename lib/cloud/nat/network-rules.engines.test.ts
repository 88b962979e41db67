import { describe, expect, test } from 'vitest'
import { call, expectStatus, unique } from '#lib/tools/testing/client'
import {
  addIps,
  deviceLink,
  type Network,
  networksPath,
  newDatacenter,
  newDevice,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'

async function place() {
  const datacenter = await newDatacenter()
  const device = await newDevice(datacenter.id)
  const links = [deviceLink(datacenter.id, device.id)]
  const post = (cidr: string, change: object = {}) =>
    call('POST', networksPath(datacenter.id), { body: { name: unique('Network'), cidr, links, ...change } })
  return { datacenter, device, post }
}

const pathOf = ({ datacenter, id }: Network) => `${networksPath(datacenter)}/${id}`

/** Sends the document back with changes. */
const put = async (network: Network, change: object) => {
  const document = await expectStatus(200, call('GET', pathOf(network)))
  return call('PUT', pathOf(network), { body: { ...document, ...change } })
}

const messageOf = async (answer: Promise<Response>): Promise<string> =>
  (await (await answer).json()).collection[0].message

describe('NAT-NET-0: a name is unique in its datacenter', () => {
  test('on create and update', async () => {
    const { datacenter, device, post } = await place()
    const one = await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: '10.0.0.0/24' })
    const other = await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: '10.0.1.0/24' })
    expect(await refusal(post('10.0.2.0/24', { name: one.name }))).toEqual([409, 'NAT-NET-0'])
    expect(await refusal(put(other, { name: one.name }))).toEqual([409, 'NAT-NET-0'])
    await expectStatus(200, put(one, {}))
  })

  test('and may be used in another datacenter', async () => {
    const [here, there] = await Promise.all([place(), place()])
    const { name } = await newNetwork({ datacenter: here.datacenter.id, cidr: '10.0.0.0/24' })
    await expectStatus(201, there.post('10.0.0.0/24', { name }))
  })
})

describe('NAT-NET-2: the device must support NAT', () => {
  test('on create and update', async () => {
    const { datacenter, post } = await place()
    const firewall = await newDevice(datacenter.id, { typeName: 'FIREWALL' })
    const links = [deviceLink(datacenter.id, firewall.id)]
    expect(await refusal(post('10.0.0.0/24', { links }))).toEqual([409, 'NAT-NET-2'])
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '10.0.0.0/24' })
    expect(await refusal(put(network, { links }))).toEqual([409, 'NAT-NET-2'])
  })
})

describe('NAT-NET-3: a device must be linked', () => {
  test('on create and update', async () => {
    const { datacenter, post } = await place()
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '10.0.0.0/24' })
    for (const links of [undefined, null, [], [{ rel: 'datacenter', href: networksPath(datacenter.id) }]]) {
      expect(await refusal(post('10.0.1.0/24', { links }))).toEqual([400, 'NAT-NET-3'])
      expect(await refusal(put(network, { links }))).toEqual([400, 'NAT-NET-3'])
    }
  })

  test('by a valid link', async () => {
    const { datacenter, post } = await place()
    const linked = (link: object) => refusal(post('10.0.0.0/24', { links: [link] }))
    expect(await linked({ rel: 'device', href: '/api/config/devicetypes/1' })).toEqual([400, 'GEN-6'])
    expect(await linked({ rel: 'device' })).toEqual([400, 'LINK-1'])
    expect(await linked(deviceLink(datacenter.id, 0))).toEqual([400, 'GEN-1'])
  })

  test('NETDEVICE-1: and exist in this datacenter (docs/api/conventions.md, "Links")', async () => {
    const [here, there] = await Promise.all([place(), place()])
    const linked = (datacenter: number, device: number) =>
      refusal(here.post('10.0.0.0/24', { links: [deviceLink(datacenter, device)] }))
    expect(await linked(there.datacenter.id, there.device.id)).toEqual([404, 'NETDEVICE-1'])
    expect(await linked(here.datacenter.id, there.device.id)).toEqual([404, 'NETDEVICE-1'])
    expect(await linked(here.datacenter.id, 999999999)).toEqual([404, 'NETDEVICE-1'])
  })
})

describe('NAT-NET-4: a network with IPs', () => {
  test('cannot be deleted or get another CIDR or device, but can be renamed', async () => {
    const { datacenter, device, post } = await place()
    const network = await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: '10.0.0.0/24' })
    await addIps(network, { count: 1, available: false })
    const other = await newDevice(datacenter.id)
    expect(await refusal(put(network, { cidr: '10.0.0.0/23' }))).toEqual([409, 'NAT-NET-4'])
    expect(await refusal(put(network, { links: [deviceLink(datacenter.id, other.id)] }))).toEqual([
      409,
      'NAT-NET-4',
    ])
    expect(await refusal(call('DELETE', pathOf(network)))).toEqual([409, 'NAT-NET-4'])
    expect(await expectStatus(200, put(network, { name: unique('Renamed') }))).toMatchObject({ ips: 1 })
    expect(await refusal(post('10.0.0.128/25'))).toEqual([409, 'NAT-NET-6'])
  })
})

describe('NAT-NET-5: the CIDR', () => {
  test.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '300.0.0.0/8',
    '010.0.0.0/8',
    '10.0.0.0/08',
    '::/129',
    'fe80::%1/64',
    'anything',
    '/24',
  ])('%s is refused', async (cidr) => {
    const { datacenter, post } = await place()
    expect(await refusal(post(cidr))).toEqual([400, 'NAT-NET-5'])
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '10.0.0.0/24' })
    expect(await refusal(put(network, { cidr }))).toEqual([400, 'NAT-NET-5'])
  })

  test('with host bits is refused, and the message suggests the network', async () => {
    const { post } = await place()
    expect(await refusal(post('10.1.2.3/16'))).toEqual([400, 'NAT-NET-5'])
    expect(await messageOf(post('10.1.2.3/16'))).toContain('10.1.0.0/16')
    expect(await messageOf(post('2001:DB8::1:0:0:1/64'))).toContain('2001:db8::/64')
  })

  test('and the name are mandatory, of limited type and length', async () => {
    const { post } = await place()
    expect(await refusal(post('', { cidr: undefined }))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(post('', { cidr: 24 }))).toEqual([400, 'GEN-3'])
    expect(await refusal(post('10.0.0.0/24', { name: null }))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(post('10.0.0.0/24', { name: '' }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(post('10.0.0.0/24', { name: 'n'.repeat(129) }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(post('10.0.0.0/24', { id: 3 }))).toEqual([400, 'GEN-11'])
  })

  test('is reported together with faults of other fields and of links (docs/api/errors.md, "Several faults")', async () => {
    const { datacenter, post } = await place()
    const body = { name: '' }
    expect(await refusal(post('none', { ...body, links: [] }))).toEqual([
      400,
      'CONSTR-LENGTH',
      'NAT-NET-5',
      'NAT-NET-3',
    ])
    const [status, ...codes] = await refusal(
      post('none', { ...body, links: [deviceLink(datacenter.id, 999999999)] }),
    )
    expect([status, codes.sort()]).toEqual([404, ['CONSTR-LENGTH', 'NAT-NET-5', 'NETDEVICE-1']])
  })

  test('is not compared with those of other networks if the document has faults', async () => {
    const { datacenter, device, post } = await place()
    await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: '10.0.0.0/24' })
    expect(await refusal(post('10.0.0.0/24', { name: '' }))).toEqual([400, 'CONSTR-LENGTH'])
  })
})

describe('NAT-NET-6: networks of one device do not overlap', () => {
  test.each([
    ['10.0.0.0/24', '10.0.0.0/24'],
    ['10.0.0.0/24', '10.0.0.128/25'],
    ['10.0.0.128/25', '10.0.0.0/24'],
    ['10.0.0.0/8', '10.255.255.255/32'],
    ['2001:db8::/32', '2001:db8:5::/64'],
    ['0.0.0.0/0', '192.0.2.0/24'],
  ])('%s and %s are refused, and the message names the other network', async (first, second) => {
    const { datacenter, device, post } = await place()
    const network = await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: first })
    expect(await refusal(post(second))).toEqual([409, 'NAT-NET-6'])
    expect(await messageOf(post(second))).toContain(network.name)
  })

  test.each([
    ['10.0.0.0/25', '10.0.0.128/25'],
    ['10.0.1.0/24', '10.0.0.0/24'],
    ['::/0', '0.0.0.0/0'],
    ['::a00:0/104', '10.0.0.0/8'],
  ])('%s and %s are allowed', async (first, second) => {
    const { datacenter, device, post } = await place()
    await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: first })
    await expectStatus(201, post(second))
  })

  test('also on update, if a network gets another CIDR or device', async () => {
    const { datacenter, device } = await place()
    const on = { datacenter: datacenter.id, device: device.id }
    const one = await newNetwork({ ...on, cidr: '10.0.0.0/24' })
    const other = await newNetwork({ ...on, cidr: '10.0.1.0/24' })
    expect(await refusal(put(other, { cidr: '10.0.0.0/23' }))).toEqual([409, 'NAT-NET-6'])
    expect(await messageOf(put(other, { cidr: '10.0.0.0/16' }))).toContain(one.name)
    await expectStatus(200, put(other, { cidr: '10.0.1.0/25' }))
    const elsewhere = await newNetwork({ datacenter: datacenter.id, cidr: '10.0.0.0/24' })
    expect(await refusal(put(elsewhere, { links: [deviceLink(datacenter.id, device.id)] }))).toEqual([
      409,
      'NAT-NET-6',
    ])
  })

  test('networks of different devices may overlap', async () => {
    const { datacenter, post } = await place()
    await newNetwork({ datacenter: datacenter.id, cidr: '10.0.0.0/24' })
    await expectStatus(201, post('10.0.0.0/24'))
  })

  test('of simultaneous overlapping networks only one is created', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { post } = await place()
      const answers = await Promise.all([post('10.0.0.0/24'), post('10.0.0.0/16'), post('10.0.0.0/8')])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    }
  })
})

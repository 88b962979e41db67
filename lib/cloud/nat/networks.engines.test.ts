import { describe, expect, test } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import {
  addIps,
  addRule,
  attach,
  deviceLink,
  networksPath,
  newDatacenter,
  newDevice,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

/** A datacenter with a device, and functions that create networks there. */
async function place() {
  const datacenter = await newDatacenter()
  const device = await newDevice(datacenter.id)
  const body = (cidr: string, change: object = {}) => ({
    name: unique('Network'),
    cidr,
    links: [deviceLink(datacenter.id, device.id)],
    ...change,
  })
  const post = (document: object) => call('POST', networksPath(datacenter.id), { body: document })
  return { datacenter, device, body, post }
}

const pathOf = ({ datacenter, id }: { datacenter: number; id: number }) => `${networksPath(datacenter)}/${id}`

const readNetwork = (network: { datacenter: number; id: number }) =>
  expectStatus(200, call('GET', pathOf(network)))

describe('a NAT network', () => {
  test('is created with its Location, its fields and its links', async () => {
    const { datacenter, device, body, post } = await place()
    const document = body('203.0.113.0/24')
    const response = await post(document)
    const made = await expectStatus(201, response)
    const path = ORIGIN + pathOf({ datacenter: datacenter.id, id: made.id })
    expect(response.headers.get('location')).toBe(path)
    const type = (name: string) => `application/vnd.service.${name}+json`
    const home = `${ORIGIN}/api/admin/datacenters/${datacenter.id}`
    expect(made).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('natnetwork'), title: document.name },
        { rel: 'datacenter', href: home, type: type('datacenter'), title: datacenter.name },
        { ...deviceLink(datacenter.id, device.id), type: type('device'), title: device.name },
        { rel: 'ips', href: `${path}/ips`, type: type('natips') },
        { rel: 'rules', href: `${path}/rules`, type: type('natrules') },
      ],
      id: expect.any(Number),
      name: document.name,
      cidr: '203.0.113.0/24',
      ips: 0,
      usedIps: 0,
      description: '',
      tags: [],
      rules: 0,
      assignable: 254,
    })
    expect(await readNetwork({ datacenter: datacenter.id, id: made.id })).toEqual(made)
  })

  test('is unchanged if its document is sent back, in JSON and in XML', async () => {
    const { datacenter, body, post } = await place()
    const made = await expectStatus(201, post(body('2001:db8::/64', { name: unique('<Round> & trip') })))
    const path = pathOf({ datacenter: datacenter.id, id: made.id })
    expect(await expectStatus(200, call('PUT', path, { body: { ...made, extra: [] } }))).toEqual(made)
    const accept = { accept: 'application/vnd.service.natnetwork+xml' }
    const xml = await expectStatus(200, call('GET', path, { headers: accept }))
    expect(xml).toContain('<cidr>2001:db8::/64</cidr>')
    const headers = { ...accept, 'content-type': 'application/vnd.service.natnetwork+xml' }
    expect(await expectStatus(200, call('PUT', path, { body: xml, headers }))).toBe(xml)
  })

  test('has the totals of its IPs, used IPs and rules', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '198.51.100.0/24' })
    const { id: enterprise } = await newEnterprise()
    const machine = await newMachine({ enterprise, datacenter, privateIps: ['10.0.0.2'] })
    await addIps(network, { count: 5 })
    await addIps(network, { count: 2, available: false })
    await attach(network, machine.virtualDatacenter, '198.51.100.1', '198.51.100.2')
    await addRule(network, '198.51.100.1', machine)
    await addRule(network, '198.51.100.1', machine, {
      protocol: 'TCP',
      originalPort: 80,
      translatedPort: 8080,
    })
    await addRule(network, '198.51.100.2', machine, { protocol: 'ANY' })
    expect(await readNetwork(network)).toMatchObject({ ips: 7, usedIps: 2, rules: 3 })
  })

  test('has an IPv4 or IPv6 CIDR in canonical form', async () => {
    const { body, post } = await place()
    for (const [sent, stored] of [
      ['10.9.0.0/16', '10.9.0.0/16'],
      ['2001:DB8:0:1:0:0:0:0/64', '2001:db8:0:1::/64'],
      ['192.0.2.1/32', '192.0.2.1/32'],
      ['192.0.2.2/31', '192.0.2.2/31'],
      [' 192.0.2.128/25 ', '192.0.2.128/25'],
    ] as const) {
      expect(await expectStatus(201, post(body(sent)))).toMatchObject({ cidr: stored })
    }
  })

  test('can be renamed and deleted', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '10.0.0.0/24' })
    const name = unique('Renamed')
    const body = { ...(await readNetwork(network)), name }
    expect(await expectStatus(200, call('PUT', pathOf(network), { body }))).toMatchObject({
      id: network.id,
      name,
    })
    await expectStatus(204, call('DELETE', pathOf(network)))
    expect(await refusal(call('GET', pathOf(network)))).toEqual([404, 'NAT-NET-1'])
  })

  test('can get another CIDR and device while it has no IPs', async () => {
    const { datacenter, body, post } = await place()
    const made = await expectStatus(201, post(body('10.0.0.0/24')))
    const other = await newDevice(datacenter.id, { typeName: 'VYOS-LIKE' })
    const moved = { ...made, cidr: '10.0.0.0/16', links: [deviceLink(datacenter.id, other.id)] }
    const path = pathOf({ datacenter: datacenter.id, id: made.id })
    const changed = await expectStatus(200, call('PUT', path, { body: moved }))
    expect(changed).toMatchObject({ cidr: '10.0.0.0/16' })
    expect(changed.links[2]).toMatchObject({ rel: 'device', title: other.name })
  })

  test('is not changed or deleted with a stale If-Match', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '10.0.0.0/24' })
    const etag = (await call('GET', pathOf(network))).headers.get('etag') ?? ''
    await addIps(network, { count: 1 })
    const body = await readNetwork(network)
    const headers = { 'if-match': etag }
    expect(await refusal(call('PUT', pathOf(network), { body, headers }))).toEqual([
      412,
      '412-PRECONDITION-FAILED',
    ])
    await expectStatus(412, call('DELETE', pathOf(network), { headers }))
  })
})

describe('the operations of NAT networks', () => {
  test('are granted by the listed privileges', async () => {
    const { datacenter, body } = await place()
    const network = await newNetwork({ datacenter: datacenter.id, cidr: '172.16.0.0/16' })
    for (const [index, privilege] of allPrivileges.entries()) {
      const as = await newUser({ privileges: [privilege] })
      const reads = ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'].includes(privilege)
      const writes = privilege === 'PHYS_DC_ALLOW_MODIFY_NETWORK'
      const statuses = [
        await call('GET', networksPath(datacenter.id), { as }),
        await call('GET', pathOf(network), { as }),
        await call('POST', networksPath(datacenter.id), { as, body: body(`10.${index}.0.0/16`) }),
        await call('PUT', pathOf(network), { as, body: {} }),
        await call('DELETE', `${networksPath(datacenter.id)}/999999999`, { as }),
      ].map(({ status }) => status)
      expect([privilege, ...statuses]).toEqual([
        privilege,
        ...(reads ? [200, 200, 201] : [403, 403, 403]),
        ...(writes ? [400, 404] : [403, 403]),
      ])
    }
  })

  test('are hidden with the datacenter', async () => {
    const [seen, hidden] = await Promise.all([place(), place()])
    const network = await newNetwork({ datacenter: hidden.datacenter.id, cidr: '10.0.0.0/24' })
    const as = await newUser({ scopeId: (await newScope({ datacenters: [seen.datacenter.id] })).id })
    const document = hidden.body('10.1.0.0/24')
    expect(await refusal(call('GET', networksPath(hidden.datacenter.id), { as }))).toEqual([404, 'DC-0'])
    expect(await refusal(call('POST', networksPath(hidden.datacenter.id), { as, body: document }))).toEqual([
      404,
      'DC-0',
    ])
    expect(await refusal(call('GET', pathOf(network), { as }))).toEqual([404, 'DC-0'])
    expect(await refusal(call('PUT', pathOf(network), { as, body: document }))).toEqual([404, 'DC-0'])
    expect(await refusal(call('DELETE', pathOf(network), { as }))).toEqual([404, 'DC-0'])
    await expectStatus(200, call('GET', networksPath(seen.datacenter.id), { as }))
  })

  test('NAT-NET-1: find a network only in its own datacenter', async () => {
    const { datacenter, body } = await place()
    const network = await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.0.0.0/24' })
    for (const id of [network.id, 999999999, 'main', '-3']) {
      const path = `${networksPath(datacenter.id)}/${id}`
      expect(await refusal(call('GET', path))).toEqual([404, 'NAT-NET-1'])
      expect(await refusal(call('PUT', path, { body: body('10.0.0.0/24') }))).toEqual([404, 'NAT-NET-1'])
      expect(await refusal(call('DELETE', path))).toEqual([404, 'NAT-NET-1'])
    }
    expect(await refusal(call('GET', `${networksPath(999999999)}/1`))).toEqual([404, 'DC-0'])
  })
})

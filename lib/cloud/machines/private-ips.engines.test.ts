import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, ORIGIN } from '#lib/tools/testing/client'
import {
  centerPath,
  enterpriseLink,
  eventsOf,
  hrefOf,
  listed,
  locationLink,
  machinesPath,
  newAppliance,
  newCenter,
  newPrivateIp,
  nicLink,
  privateIpsPath,
  requireSameInXml,
} from '#lib/tools/testing/inventory'
import { newDatacenter, newMachine } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const type = (name: string) => `application/vnd.service.${name}+json`

const post = (center: number, body: object) => call('POST', privateIpsPath(center), { body })

/** A machine with one private IP. */
async function attached() {
  const appliance = await newAppliance()
  const { center } = appliance
  const privateIp = await newPrivateIp(center, '10.0.0.5')
  const machines = machinesPath(center, appliance.id)
  const body = { name: 'Web', links: [nicLink(0, center, privateIp)] }
  const machine = await expectStatus(201, call('POST', machines, { body }))
  const path = `${privateIpsPath(center)}/${privateIp}`
  return { center, path, machine: `${machines}/${machine.id}` }
}

describe('a private IP', () => {
  test('is created in its virtual datacenter, with its links and the address as title', async () => {
    const center = await newCenter()
    const response = await post(center.id, { ip: '10.1.2.3', mac: '52:54:00:AB:CD:EF' })
    const made = await expectStatus(201, response)
    const path = `${ORIGIN}${privateIpsPath(center.id)}/${made.id}`
    expect(response.headers.get('location')).toBe(path)
    expect(made).toEqual({
      links: [
        { rel: 'self', href: path, type: type('privateip'), title: '10.1.2.3' },
        {
          rel: 'virtualdatacenter',
          href: ORIGIN + centerPath(center.id),
          type: type('virtualdatacenter'),
          title: center.document.name,
        },
        { ...enterpriseLink(center.enterprise), type: type('enterprise'), title: expect.any(String) },
        { ...locationLink(center.datacenter), type: type('datacenter'), title: expect.any(String) },
      ],
      id: made.id,
      ip: '10.1.2.3',
      mac: '52:54:00:ab:cd:ef',
    })
  })

  test('is stored in canonical form, and gets a MAC address if the document has none', async () => {
    const { id } = await newCenter()
    const made = await expectStatus(201, post(id, { ip: ' FD00:0:0::0A ' }))
    expect([made.ip, made.mac]).toEqual(['fd00::a', expect.stringMatching(/^02(:[0-9a-f]{2}){5}$/)])
    const place = { enterprise: (await newEnterprise()).id, datacenter: (await newDatacenter()).id }
    const sample = await newMachine({ ...place, privateIps: ['FD00:0:0::0A'] })
    expect(await listed(privateIpsPath(sample.virtualDatacenter), 'ip')).toEqual(['fd00::a'])
    const next = await expectStatus(201, post(id, { ip: 'fd00::b' }))
    expect(next.mac).not.toBe(made.mac)
  })

  test('CONSTR-PATTERN: must be a valid address', async () => {
    const { id } = await newCenter()
    for (const ip of ['10.0.0', '10.0.0.256', '010.0.0.1', 'fe80::1%eth0', 'host', ' '])
      expect(await refusal(post(id, { ip }))).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refusal(post(id, { ip: '' }))).toEqual([400, 'CONSTR-LENGTH'])
    for (const mac of ['52:54:00:ab:cd', '52-54-00-ab-cd-ef', 'x'])
      expect(await refusal(post(id, { ip: '10.0.0.1', mac }))).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refusal(post(id, {}))).toEqual([400, 'CONSTR-NOTNULL'])
  })

  test('PRIVATEIP-1: must be unique in its virtual datacenter, in any spelling', async () => {
    const { id } = await newCenter()
    await newPrivateIp(id, 'fd00::1')
    const second = await newPrivateIp(id, 'fd00::2')
    expect(await refusal(post(id, { ip: 'FD00::0:1' }))).toEqual([409, 'PRIVATEIP-1'])
    const put = call('PUT', `${privateIpsPath(id)}/${second}`, { body: { ip: 'fd00::1' } })
    expect(await refusal(put)).toEqual([409, 'PRIVATEIP-1'])
    await newPrivateIp((await newCenter()).id, 'fd00::1')
  })

  test('can be changed, in JSON and in XML; without a MAC address it keeps its own', async () => {
    const { id } = await newCenter()
    const made = await expectStatus(201, post(id, { ip: '10.0.0.1' }))
    const path = `${privateIpsPath(id)}/${made.id}`
    const changed = await expectStatus(200, call('PUT', path, { body: { ip: '10.0.0.2' } }))
    expect([changed.ip, changed.mac]).toEqual(['10.0.0.2', made.mac])
    expect(await requireSameInXml(path, 'privateip')).toContain(`<ip>10.0.0.2</ip><mac>${made.mac}</mac>`)
    await expectStatus(204, call('DELETE', path))
    expect(await refusal(call('GET', path))).toEqual([404, 'PRIVATEIP-0'])
    const events = await eventsOf('privateip', made.id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'delete'])
    expect(events[1].changes).toEqual({ ip: { before: '10.0.0.1', after: '10.0.0.2' } })
  })

  test('PRIVATEIP-1: cannot be deleted or get another address while a machine has it', async () => {
    const { path, machine } = await attached()
    const document = await expectStatus(200, call('GET', path))
    expect(hrefOf(document, 'virtualmachine')).toBe(ORIGIN + machine)
    expect(await refusal(call('DELETE', path))).toEqual([409, 'PRIVATEIP-1'])
    expect(await refusal(call('PUT', path, { body: { ...document, ip: '10.0.0.6' } }))).toEqual([
      409,
      'PRIVATEIP-1',
    ])
    const mac = '52:54:00:00:00:09'
    expect(await expectStatus(200, call('PUT', path, { body: { ...document, mac } }))).toMatchObject({ mac })
    await expectStatus(204, call('DELETE', machine))
    await expectStatus(204, call('DELETE', path))
  })

  test('PRIVATEIP-0: is found only in its own virtual datacenter', async () => {
    const { id } = await newCenter()
    const privateIp = await newPrivateIp(id, '10.0.0.1')
    const other = await newCenter()
    expect(await refusal(call('GET', `${privateIpsPath(other.id)}/${privateIp}`))).toEqual([
      404,
      'PRIVATEIP-0',
    ])
    expect(await refusal(call('GET', privateIpsPath(999999999)))).toEqual([404, 'VDC-0'])
  })
})

describe('the list of private IPs', () => {
  test('is ordered by address as a number, IPv4 before IPv6, and searched by address and MAC', async () => {
    const { id } = await newCenter()
    for (const ip of ['10.0.0.10', 'fd00::1', '10.0.0.9']) await newPrivateIp(id, ip)
    await expectStatus(201, post(id, { ip: '9.255.0.1', mac: '52:54:00:0f:0f:0f' }))
    const path = privateIpsPath(id)
    expect(await listed(path, 'ip')).toEqual(['9.255.0.1', '10.0.0.9', '10.0.0.10', 'fd00::1'])
    expect(await listed(`${path}?by=id&asc=false`, 'ip')).toEqual([
      '9.255.0.1',
      '10.0.0.9',
      'fd00::1',
      '10.0.0.10',
    ])
    expect(await listed(`${path}?has=0.0.1`, 'ip')).toEqual(['10.0.0.10'])
    expect(await listed(`${path}?has=0F:0F`, 'ip')).toEqual(['9.255.0.1'])
  })

  test('is hidden with its virtual datacenter', async () => {
    const { id, enterprise } = await newCenter()
    const privateIp = await newPrivateIp(id, '10.0.0.1')
    const as = await newUser({ scopeId: (await newScope({ enterprises: [enterprise] })).id })
    for (const path of [privateIpsPath(id), `${privateIpsPath(id)}/${privateIp}`])
      expect(await refusal(call('GET', path, { as }))).toEqual([404, 'VDC-0'])
  })
})

import { describe, expect, test } from 'vitest'
import { call, expectStatus, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import { newDatacenter, newDevice } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const devicesOf = ({ id }: { id: number }): string => `/api/cloud/locations/${id}/devices`

const typesByName = async (): Promise<Record<string, { id: number; nat: boolean }>> => {
  const { collection } = await expectStatus(200, call('GET', '/api/config/devicetypes'))
  return Object.fromEntries(collection.map((type: { name: string }) => [type.name, type]))
}

describe('the devices of a datacenter', () => {
  test('are listed by name and searched', async () => {
    const datacenter = await newDatacenter()
    for (const name of ['Router b', 'router A', 'Switch']) await newDevice(datacenter.id, { name })
    const names = async (query: string) =>
      (await expectStatus(200, call('GET', devicesOf(datacenter) + query))).collection.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('')).toEqual(['router A', 'Router b', 'Switch'])
    expect(await names('?has=ROUTER&asc=false')).toEqual(['Router b', 'router A'])
    expect(await names('?by=id&limit=1')).toEqual(['Router b'])
  })

  test('are only those whose type supports NAT, or does not, with nat', async () => {
    const datacenter = await newDatacenter()
    const prefix = unique('Device')
    for (const typeName of ['LOGICAL', 'FIREWALL', 'LINUX'])
      await newDevice(datacenter.id, { name: `${prefix} ${typeName}`, typeName })
    const lists = [`${devicesOf(datacenter)}?`, `/api/cloud/devices?has=${prefix}&`]
    for (const list of lists) {
      const names = async (query: string) =>
        (await expectStatus(200, call('GET', list + query))).collection.map(({ name }: { name: string }) =>
          name.slice(prefix.length + 1),
        )
      expect(await names('nat=true')).toEqual(['LINUX', 'LOGICAL'])
      expect(await names('nat=false')).toEqual(['FIREWALL'])
      expect(await names('')).toEqual(['FIREWALL', 'LINUX', 'LOGICAL'])
      expect(await refusal(call('GET', `${list}nat=perhaps`))).toEqual([400, 'GEN-22'])
    }
  })

  test('are read one by one, without their password', async () => {
    const datacenter = await newDatacenter()
    const device = await newDevice(datacenter.id, { typeName: 'VYOS-LIKE', name: unique('Device') })
    const { 'VYOS-LIKE': deviceType } = await typesByName()
    const path = `${devicesOf(datacenter)}/${device.id}`
    const type = (name: string) => `application/vnd.service.${name}+json`
    const machines = `${ORIGIN}/api/cloud/virtualdatacenters?device=${device.id}`
    expect(await expectStatus(200, call('GET', path))).toEqual({
      links: [
        { rel: 'edit', href: ORIGIN + path, type: type('device'), title: device.name },
        {
          rel: 'location',
          href: `${ORIGIN}/api/cloud/locations/${datacenter.id}`,
          type: type('datacenter'),
          title: datacenter.name,
        },
        {
          rel: 'devicetype',
          href: `${ORIGIN}/api/config/devicetypes/${deviceType?.id}`,
          type: type('devicetype'),
          title: 'VYOS-LIKE',
        },
        { rel: 'virtualdatacenters', href: machines, type: type('virtualdatacenters') },
        { rel: 'translations', href: `${ORIGIN}${path}/translations`, type: type('nattranslations') },
        { rel: 'state', href: `${ORIGIN}${path}/state`, type: type('devicestate') },
      ],
      id: device.id,
      name: device.name,
      description: '',
      endpoint: '',
      user: '',
      tags: [],
      status: 'unmanaged',
    })
  })

  test('NETDEVICE-1: are found only in their own datacenter', async () => {
    const [datacenter, other] = await Promise.all([newDatacenter(), newDatacenter()])
    const device = await newDevice(datacenter.id)
    expect(await refusal(call('GET', `${devicesOf(other)}/${device.id}`))).toEqual([404, 'NETDEVICE-1'])
    expect(await refusal(call('GET', `${devicesOf(datacenter)}/999999999`))).toEqual([404, 'NETDEVICE-1'])
    expect(await refusal(call('GET', `${devicesOf(datacenter)}/router`))).toEqual([404, 'NETDEVICE-1'])
    expect(await refusal(call('GET', devicesOf({ id: 999999999 })))).toEqual([404, 'DC-0'])
  })

  test('are hidden with their datacenter, and require PHYS_DC_RETRIEVE_DETAILS or MANAGE_DEVICES', async () => {
    const [datacenter, other] = await Promise.all([newDatacenter(), newDatacenter()])
    const device = await newDevice(datacenter.id)
    const limited = await newUser({ scopeId: (await newScope({ datacenters: [other.id] })).id })
    for (const path of [devicesOf(datacenter), `${devicesOf(datacenter)}/${device.id}`]) {
      expect(await refusal(call('GET', path, { as: limited }))).toEqual([404, 'DC-0'])
      await expectStatus(200, call('GET', path, { as: await newUser({ privileges: ['MANAGE_DEVICES'] }) }))
      await expectStatus(
        200,
        call('GET', path, { as: await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'] }) }),
      )
      await expectStatus(403, call('GET', path, { as: await newUser({ privileges: ['PHYS_DC_ENUMERATE'] }) }))
    }
  })
})

describe('the devices of all datacenters', () => {
  test('are listed if their datacenters are visible, in JSON and XML', async () => {
    const [datacenter, other] = await Promise.all([newDatacenter(), newDatacenter()])
    const name = unique('Edge')
    await newDevice(datacenter.id, { name })
    await newDevice(other.id, { name })
    const path = `/api/cloud/devices?has=${name}`
    const placesFor = async (as?: Awaited<ReturnType<typeof newUser>>) =>
      (await expectStatus(200, call('GET', path, as && { as }))).collection.map(
        (device: { links: { rel: string; title: string }[] }) =>
          device.links.find(({ rel }) => rel === 'location')?.title,
      )
    expect((await placesFor()).toSorted()).toEqual([datacenter.name, other.name].toSorted())
    const scopeId = (await newScope({ datacenters: [other.id] })).id
    expect(await placesFor(await newUser({ scopeId, privileges: ['MANAGE_DEVICES'] }))).toEqual([other.name])
    await expectStatus(403, call('GET', path, { as: await newUser({ privileges: ['PHYS_DC_ENUMERATE'] }) }))
    const xml = await expectStatus(200, call('GET', path, { headers: { accept: 'application/xml' } }))
    expect(xml).toContain(`<name>${name}</name>`)
  })

  test('are only those whose gateway is silent, has drifted or refuses translations, with faulty', async () => {
    const datacenter = await newDatacenter()
    const prefix = unique('Gateway')
    const reports = { well: {}, drifted: { drift: [{ reason: 'gone' }] }, unmanaged: undefined }
    for (const [kind, report] of Object.entries(reports)) {
      const { id } = await newDevice(datacenter.id, { name: `${prefix} ${kind}`, typeName: 'LINUX' })
      if (report)
        await expectStatus(
          200,
          call('PUT', `${devicesOf(datacenter)}/${id}/state`, { body: { revision: 0, ...report } }),
        )
    }
    const names = async (query: string) =>
      (await expectStatus(200, call('GET', `/api/cloud/devices?has=${prefix}${query}`))).collection.map(
        ({ name }: { name: string }) => name.slice(prefix.length + 1),
      )
    expect(await names('&faulty=true')).toEqual(['drifted'])
    expect(await names('&faulty=false')).toEqual(['unmanaged', 'well'])
    expect(await names('')).toEqual(['drifted', 'unmanaged', 'well'])
    expect(await refusal(call('GET', '/api/cloud/devices?faulty=perhaps'))).toEqual([400, 'GEN-22'])
  })
})

describe('device types', () => {
  test('state whether they support NAT: a firewall does not, the others do', async () => {
    const types = await typesByName()
    expect(Object.entries(types).map(([name, { nat }]) => [name, nat])).toEqual([
      ['FIREWALL', false],
      ['LINUX', true],
      ['LOGICAL', true],
      ['VYOS-LIKE', true],
    ])
  })

  test('can be read one by one by any user', async () => {
    const { LOGICAL: logical } = await typesByName()
    const as = await newUser({ privileges: [] })
    const path = `/api/config/devicetypes/${logical?.id}`
    expect(await expectStatus(200, call('GET', path, { as }))).toEqual({
      links: [
        {
          rel: 'self',
          href: ORIGIN + path,
          type: 'application/vnd.service.devicetype+json',
          title: 'LOGICAL',
        },
      ],
      id: logical?.id,
      name: 'LOGICAL',
      nat: true,
    })
    const xml = await expectStatus(200, call('GET', path, { as, headers: { accept: 'text/xml' } }))
    expect(xml).toContain('<name>LOGICAL</name><nat>true</nat></devicetype>')
  })

  test('DEVICETYPE-1: are not found if they do not exist', async () => {
    expect(await refusal(call('GET', '/api/config/devicetypes/999999999'))).toEqual([404, 'DEVICETYPE-1'])
  })
})

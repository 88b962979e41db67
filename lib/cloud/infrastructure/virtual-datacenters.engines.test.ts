import { describe, expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import {
  centerPath,
  enterpriseLink,
  eventsOf,
  hrefOf,
  listed,
  locationLink,
  newAppliance,
  newCenter,
  newPrivateIp,
  requireSameInXml,
  VIRTUAL_DATACENTERS,
} from '#lib/tools/testing/inventory'
import {
  addIps,
  attach,
  deviceLink,
  ipOf,
  makeDefault,
  networksPath,
  newDatacenter,
  newDevice,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const type = (name: string) => `application/vnd.service.${name}+json`

const post = (body: object) => call('POST', VIRTUAL_DATACENTERS, { body })

describe('a virtual datacenter', () => {
  test('is created for an enterprise in a location, with all its links', async () => {
    const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
    const device = await newDevice(datacenter.id)
    const name = unique('Center')
    const links = [
      enterpriseLink(enterprise.id),
      locationLink(datacenter.id),
      deviceLink(datacenter.id, device.id),
    ]
    const response = await post({ name, links })
    const made = await expectStatus(201, response)
    const path = ORIGIN + centerPath(made.id)
    expect(response.headers.get('location')).toBe(path)
    expect(made).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('virtualdatacenter'), title: name },
        { ...enterpriseLink(enterprise.id), type: type('enterprise'), title: enterprise.name },
        { ...locationLink(datacenter.id), type: type('datacenter'), title: datacenter.name },
        { ...deviceLink(datacenter.id, device.id), type: type('device'), title: device.name },
        { rel: 'natips', href: `${path}/natips`, type: type('natips') },
        { rel: 'topurchase', href: `${path}/natips/topurchase`, type: type('natips') },
        { rel: 'purchased', href: `${path}/natips/purchased`, type: type('natips') },
        { rel: 'virtualappliances', href: `${path}/virtualappliances`, type: type('virtualappliances') },
        { rel: 'privateips', href: `${path}/privateips`, type: type('privateips') },
      ],
      id: expect.any(Number),
      name,
      ...noNotes,
    })
    expect(await expectStatus(200, call('GET', centerPath(made.id)))).toEqual(made)
  })

  test('is replaced as a whole: without a device link the device is removed', async () => {
    const { id, datacenter, document } = await newCenter()
    const device = await newDevice(datacenter)
    const links = [...document.links, deviceLink(datacenter, device.id)]
    const name = unique('Renamed')
    const changed = await expectStatus(
      200,
      call('PUT', centerPath(id), { body: { ...document, name, links } }),
    )
    expect(changed.name).toBe(name)
    expect(hrefOf(changed, 'device')).toMatch(`/devices/${device.id}`)
    const bare = await expectStatus(200, call('PUT', centerPath(id), { body: { name } }))
    expect(hrefOf(bare, 'device')).toBeUndefined()
    expect(hrefOf(bare, 'enterprise')).toBe(hrefOf(document, 'enterprise'))
    expect(hrefOf(bare, 'location')).toBe(hrefOf(document, 'location'))
  })

  test('is the same in XML and JSON', async () => {
    const { id, document } = await newCenter()
    const xml = await requireSameInXml(centerPath(id), 'virtualdatacenter')
    expect(xml).toContain(
      `<id>${id}</id><name>${document.name}</name><description></description></virtualdatacenter>`,
    )
  })

  test('GEN-6: cannot be moved to another enterprise or location', async () => {
    const { id, document } = await newCenter()
    const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
    const put = (links: object[]) => refusal(call('PUT', centerPath(id), { body: { ...document, links } }))
    expect(await put([enterpriseLink(enterprise.id)])).toEqual([400, 'GEN-6'])
    expect(await put([locationLink(datacenter.id)])).toEqual([400, 'GEN-6'])
    expect(await put([enterpriseLink(999999999), locationLink(999999999)])).toEqual([404, 'EN-0', 'DC-0'])
  })

  test('is changed and deleted only with a current If-Match', async () => {
    const { id, document } = await newCenter()
    const etag = (await call('GET', centerPath(id))).headers.get('etag') ?? ''
    const put = (name: string) =>
      call('PUT', centerPath(id), { body: { ...document, name }, headers: { 'if-match': etag } })
    await expectStatus(200, put('First'))
    expect(await refusal(put('Second'))).toEqual([412, '412-PRECONDITION-FAILED'])
    const stale = call('DELETE', centerPath(id), { headers: { 'if-match': etag } })
    expect(await refusal(stale)).toEqual([412, '412-PRECONDITION-FAILED'])
  })

  test('leaves an event for each change, with the names of linked resources', async () => {
    const { id, enterprise, datacenter, document } = await newCenter()
    const device = await newDevice(datacenter)
    const body = { ...document, links: [deviceLink(datacenter, device.id)] }
    await expectStatus(200, call('PUT', centerPath(id), { body }))
    await expectStatus(204, call('DELETE', centerPath(id)))
    const events = await eventsOf('virtualdatacenter', id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'delete'])
    expect(events[0].changes).toMatchObject({
      name: { after: document.name },
      enterprise: { after: expect.stringContaining(`(${enterprise})`) },
      location: { after: expect.stringContaining(`(${datacenter})`) },
    })
    expect(events[1].changes).toEqual({ device: { after: `${device.name} (${device.id})` } })
  })
})

describe('the links of a virtual datacenter', () => {
  test('GEN-2: must include the enterprise and the location on create', async () => {
    const { id } = await newEnterprise()
    expect(await refusal(post({ name: 'None' }))).toEqual([400, 'GEN-2', 'GEN-2'])
    expect(await refusal(post({ name: 'One', links: [enterpriseLink(id)] }))).toEqual([400, 'GEN-2'])
  })

  test('must lead to existing resources; all faults are reported at once', async () => {
    const links = [enterpriseLink(999999999), locationLink(999999999)]
    expect(await refusal(post({ name: 'X', links }))).toEqual([404, 'EN-0', 'DC-0'])
    expect(await refusal(post({ name: '', links }))).toEqual([404, 'CONSTR-LENGTH', 'EN-0', 'DC-0'])
    expect(await refusal(post({ links: [] }))).toEqual([400, 'CONSTR-NOTNULL', 'GEN-2', 'GEN-2'])
  })

  test('NETDEVICE-1: must lead to a device of that location (docs/api/conventions.md, "Links")', async () => {
    const { id, datacenter, enterprise, document } = await newCenter()
    const foreign = await newDevice((await newDatacenter()).id)
    const links = [enterpriseLink(enterprise), locationLink(datacenter), deviceLink(datacenter, foreign.id)]
    expect(await refusal(post({ name: 'X', links }))).toEqual([404, 'NETDEVICE-1'])
    const put = call('PUT', centerPath(id), { body: { ...document, links } })
    expect(await refusal(put)).toEqual([404, 'NETDEVICE-1'])
  })

  test('must lead to visible resources', async () => {
    const [seen, hidden] = [await newEnterprise(), await newEnterprise()]
    const [near, far] = [await newDatacenter(), await newDatacenter()]
    const scope = await newScope({ enterprises: [seen.id], datacenters: [near.id] })
    const as = await newUser({ scopeId: scope.id })
    const made = (enterprise: number, datacenter: number) =>
      call('POST', VIRTUAL_DATACENTERS, {
        as,
        body: { name: 'X', links: [enterpriseLink(enterprise), locationLink(datacenter)] },
      })
    await expectStatus(201, made(seen.id, near.id))
    expect(await refusal(made(hidden.id, near.id))).toEqual([404, 'EN-0'])
    expect(await refusal(made(seen.id, far.id))).toEqual([404, 'DC-0'])
  })
})

describe('the list of virtual datacenters', () => {
  test('is filtered by enterprise, datacenter and device, as in the links of these', async () => {
    const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
    const device = await newDevice(datacenter.id)
    const here = await newCenter({ enterprise: enterprise.id, datacenter: datacenter.id })
    const there = await newCenter({ enterprise: enterprise.id })
    const other = await newCenter({ datacenter: datacenter.id })
    const body = { ...here.document, links: [deviceLink(datacenter.id, device.id)] }
    await expectStatus(200, call('PUT', centerPath(here.id), { body }))
    const found = (path = '') => listed(path.replace(ORIGIN, ''), 'id')
    const ofEnterprise = await expectStatus(200, call('GET', `/api/admin/enterprises/${enterprise.id}`))
    expect(await found(hrefOf(ofEnterprise, 'virtualdatacenters'))).toEqual([here.id, there.id])
    const devicePath = `/api/cloud/locations/${datacenter.id}/devices/${device.id}`
    const ofDevice = await expectStatus(200, call('GET', devicePath))
    expect(await found(hrefOf(ofDevice, 'virtualdatacenters'))).toEqual([here.id])
    expect(await found(`${VIRTUAL_DATACENTERS}?datacenter=${datacenter.id}`)).toEqual([here.id, other.id])
    expect(await found(`${VIRTUAL_DATACENTERS}?enterprise=999999999`)).toEqual([])
  })

  test('keeps its filters in the page links, is searched by name, and ordered by name or id', async () => {
    const { id: enterprise } = await newEnterprise()
    const first = await newCenter({ enterprise })
    const second = await newCenter({ enterprise })
    const list = (query: string) => `${VIRTUAL_DATACENTERS}?enterprise=${enterprise}${query}`
    await call('PUT', centerPath(first.id), { body: { name: 'Zürich' } })
    await call('PUT', centerPath(second.id), { body: { name: 'aachen' } })
    expect(await listed(list(''))).toEqual(['aachen', 'Zürich'])
    expect(await listed(list('&by=id'))).toEqual(['Zürich', 'aachen'])
    expect(await listed(list('&has=ZÜR'))).toEqual(['Zürich'])
    const page = await expectStatus(200, call('GET', list('&limit=1')))
    expect([page.totalSize, hrefOf(page, 'next')]).toEqual([
      2,
      `${ORIGIN}${list('&startwith=1&limit=1&by=name')}`,
    ])
    expect(await refusal(call('GET', list('&by=device')))).toEqual([400, 'QUERY-0'])
    expect(await refusal(call('GET', `${VIRTUAL_DATACENTERS}?device=x`))).toEqual([400, 'GEN-22'])
  })

  test('shows only those whose enterprise and datacenter are visible', async () => {
    const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
    const both = await newCenter({ enterprise: enterprise.id, datacenter: datacenter.id })
    const elsewhere = await newCenter({ enterprise: enterprise.id })
    const foreign = await newCenter({ datacenter: datacenter.id })
    const scope = await newScope({ enterprises: [enterprise.id], datacenters: [datacenter.id] })
    const as = await newUser({ scopeId: scope.id })
    expect(await listed(VIRTUAL_DATACENTERS, 'id', as)).toEqual([both.id])
    expect((await expectStatus(200, call('GET', VIRTUAL_DATACENTERS, { as }))).totalSize).toBe(1)
    for (const hidden of [elsewhere, foreign]) {
      for (const method of ['GET', 'DELETE'])
        expect(await refusal(call(method, centerPath(hidden.id), { as }))).toEqual([404, 'VDC-0'])
      const body = { name: 'Mine' }
      expect(await refusal(call('PUT', centerPath(hidden.id), { as, body }))).toEqual([404, 'VDC-0'])
    }
  })
})

describe('deleting a virtual datacenter', () => {
  test('VDC-1: is refused while it has appliances or private IPs', async () => {
    const { id } = await newCenter()
    const appliance = await newAppliance({ center: id })
    expect(await refusal(call('DELETE', centerPath(id)))).toEqual([409, 'VDC-1'])
    await expectStatus(204, call('DELETE', `${centerPath(id)}/virtualappliances/${appliance.id}`))
    const privateIp = await newPrivateIp(id, '10.0.0.1')
    expect(await refusal(call('DELETE', centerPath(id)))).toEqual([409, 'VDC-1'])
    await expectStatus(204, call('DELETE', `${centerPath(id)}/privateips/${privateIp}`))
    await expectStatus(204, call('DELETE', centerPath(id)))
    expect(await refusal(call('GET', centerPath(id)))).toEqual([404, 'VDC-0'])
  })

  test('releases its NAT IPs, also the default SNAT (docs/api/machines.md, "Virtual datacenters")', async () => {
    const { id, datacenter } = await newCenter()
    const other = await newCenter({ datacenter })
    const network = await newNetwork({ datacenter, cidr: '198.51.100.0/24' })
    const second = await newNetwork({ datacenter, cidr: '203.0.113.0/24' })
    await addIps(network, { count: 4 })
    await addIps(second, { count: 1 })
    await attach(network, id, '198.51.100.1', '198.51.100.2')
    await attach(second, id, '203.0.113.1')
    await attach(network, other.id, '198.51.100.3')
    await makeDefault(network, '198.51.100.2')
    await expectStatus(204, call('DELETE', centerPath(id)))
    const used = (of: { id: number }) =>
      expectStatus(200, call('GET', `${networksPath(datacenter)}/${of.id}`)).then(({ usedIps }) => usedIps)
    expect([await used(network), await used(second)]).toEqual([1, 0])
    const all = `${networksPath(datacenter)}/action/allips`
    const page = await expectStatus(200, call('GET', all))
    const isAttached = (ip: { links: [] }) => hrefOf(ip, 'virtualdatacenter') !== undefined
    expect(page.collection.filter(isAttached)).toHaveLength(1)
    expect(page.collection.filter((ip: { defaultSnat: boolean }) => ip.defaultSnat)).toEqual([])
    for (const query of ['?snatdefault=true', '?snatdefault=true&all=true'])
      expect(await expectStatus(200, call('GET', all + query))).toMatchObject({
        totalSize: 0,
        collection: [],
      })
    await attach(network, other.id, (await ipOf(network, '198.51.100.1')).ip)
  })
})

import { describe, expect, test } from 'vitest'
import { database } from '#lib/db/db.server'
import { decrypt } from '#lib/ground/keys/keys.server'
import { call, expectStatus, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import {
  centerPath,
  eventsOf,
  hrefOf,
  newCenter,
  refer,
  requireSameInXml,
} from '#lib/tools/testing/inventory'
import { deviceLink, newDatacenter, newDevice, newNetwork } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const devicesPath = (datacenter: number): string => `/api/cloud/locations/${datacenter}/devices`

async function typeLink(name: 'LOGICAL' | 'VYOS-LIKE' | 'FIREWALL') {
  const { collection } = await expectStatus(200, call('GET', '/api/config/devicetypes'))
  const { id } = collection.find((type: { name: string }) => type.name === name)
  return refer('devicetype', `/api/config/devicetypes/${id}`)
}

/** A datacenter, and functions that create devices there. */
async function place() {
  const { id } = await newDatacenter()
  const links = [await typeLink('LOGICAL')]
  const post = (body: object) => call('POST', devicesPath(id), { body: { links, ...body } })
  const make = async (body: object = {}) => {
    const document = await expectStatus(201, post({ name: unique('Device'), ...body }))
    return { document, id: document.id as number, path: `${devicesPath(id)}/${document.id}` }
  }
  return { datacenter: id, post, make }
}

const storedPassword = async (id: number): Promise<string | null> => {
  const query = database().read.selectFrom('devices').where('id', '=', id).select('password')
  return (await query.executeTakeFirstOrThrow()).password
}

describe('a device', () => {
  test('is created in a location with its type, and replaced as a whole, in JSON and in XML', async () => {
    const { datacenter, post } = await place()
    const name = unique('Device')
    const fields = { name, description: 'In <rack> 1', endpoint: 'https://10.0.0.1:8443', user: 'api' }
    const response = await post(fields)
    const made = await expectStatus(201, response)
    const path = `${devicesPath(datacenter)}/${made.id}`
    expect(response.headers.get('location')).toBe(ORIGIN + path)
    expect(made).toEqual({ links: expect.any(Array), id: made.id, ...fields, tags: [], status: 'unmanaged' })
    expect(hrefOf(made, 'devicetype')).toBe((await typeLink('LOGICAL')).href)
    expect(await requireSameInXml(path, 'device')).toContain(
      '<description>In &lt;rack&gt; 1</description><endpoint>https://10.0.0.1:8443</endpoint><user>api</user>',
    )
    const body = { name: 'Other', links: [await typeLink('VYOS-LIKE')] }
    const changed = await expectStatus(200, call('PUT', path, { body }))
    expect(changed).toMatchObject({ name: 'Other', description: '', endpoint: '', user: '' })
    expect(hrefOf(changed, 'devicetype')).toBe((await typeLink('VYOS-LIKE')).href)
  })

  test('GEN-2, DEVICETYPE-1: must have an existing type', async () => {
    const { post, make } = await place()
    const { path, document } = await make()
    const unknown = [refer('devicetype', '/api/config/devicetypes/999999999')]
    expect(await refusal(post({ name: 'X', links: [] }))).toEqual([400, 'GEN-2'])
    expect(await refusal(post({ name: '', links: unknown }))).toEqual([404, 'CONSTR-LENGTH', 'DEVICETYPE-1'])
    const put = (links: object[]) => refusal(call('PUT', path, { body: { ...document, links } }))
    expect(await put([])).toEqual([400, 'GEN-2'])
    expect(await put(unknown)).toEqual([404, 'DEVICETYPE-1'])
  })

  test('NETDEVICE-2: must have a unique name in its datacenter', async () => {
    const { post, make } = await place()
    const [one, two] = [await make(), await make()]
    expect(await refusal(post({ name: one.document.name }))).toEqual([409, 'NETDEVICE-2'])
    const body = { ...two.document, name: one.document.name }
    expect(await refusal(call('PUT', two.path, { body }))).toEqual([409, 'NETDEVICE-2'])
    await (await place()).make({ name: one.document.name })
  })

  test('NETDEVICE-3: cannot be deleted while it has NAT networks or virtual datacenters', async () => {
    const { datacenter, make } = await place()
    const { id, path } = await make()
    const network = await newNetwork({ datacenter, device: id, cidr: '10.0.0.0/24' })
    expect(await refusal(call('DELETE', path))).toEqual([409, 'NETDEVICE-3'])
    const networkPath = `/api/admin/datacenters/${datacenter}/natnetworks/${network.id}`
    await expectStatus(204, call('DELETE', networkPath))
    const center = await newCenter({ datacenter })
    const body = { ...center.document, links: [deviceLink(datacenter, id)] }
    await expectStatus(200, call('PUT', centerPath(center.id), { body }))
    expect(await refusal(call('DELETE', path))).toEqual([409, 'NETDEVICE-3'])
    await expectStatus(204, call('DELETE', centerPath(center.id)))
    await expectStatus(204, call('DELETE', path))
    expect(await refusal(call('GET', path))).toEqual([404, 'NETDEVICE-1'])
  })

  test('NETDEVICE-3: cannot get a type without NAT while it has NAT networks', async () => {
    const { datacenter, make } = await place()
    const { id, path, document } = await make()
    const put = async (name: 'VYOS-LIKE' | 'FIREWALL') =>
      call('PUT', path, { body: { ...document, links: [await typeLink(name)] } })
    await expectStatus(200, put('FIREWALL'))
    await expectStatus(200, put('VYOS-LIKE'))
    await newNetwork({ datacenter, device: id, cidr: '10.0.0.0/24' })
    expect(await refusal(put('FIREWALL'))).toEqual([409, 'NETDEVICE-3'])
    await expectStatus(200, put('VYOS-LIKE'))
  })

  test('DC-0, NETDEVICE-1: is hidden with its datacenter, also for writes', async () => {
    const { datacenter, make } = await place()
    const { path, document } = await make()
    const other = await newDatacenter()
    const as = await newUser({ scopeId: (await newScope({ datacenters: [other.id] })).id })
    expect(await refusal(call('PUT', path, { as, body: document }))).toEqual([404, 'DC-0'])
    expect(await refusal(call('DELETE', path, { as }))).toEqual([404, 'DC-0'])
    const post = call('POST', devicesPath(datacenter), { as, body: { name: 'X' } })
    expect(await refusal(post)).toEqual([404, 'DC-0'])
    const device = await newDevice(other.id)
    const misplaced = `${devicesPath(datacenter)}/${device.id}`
    expect(await refusal(call('DELETE', misplaced))).toEqual([404, 'NETDEVICE-1'])
  })
})

describe('the password of a device', () => {
  const password = 'a very secret word'

  test('is encrypted at rest, bound to its device, and never read back', async () => {
    const { make } = await place()
    const { id, path, document } = await make({ password })
    const stored = (await storedPassword(id)) ?? ''
    expect(stored).not.toContain(password)
    expect(decrypt(stored, `devices/${id}/password`)).toBe(password)
    expect(() => decrypt(stored, `devices/${id + 1}/password`)).toThrow()
    const answers = [
      JSON.stringify(document),
      await (await call('GET', path)).text(),
      await (await call('GET', path.replace(/\/\d+$/, ''))).text(),
      await (await call('GET', path, { headers: { accept: 'application/xml' } })).text(),
    ]
    for (const answer of answers) expect(answer).not.toMatch(/password|secret/)
  })

  test('stays on a PUT without a password, is replaced by a new one, and removed by an empty one', async () => {
    const { make } = await place()
    const { id, path, document } = await make({ password })
    const before = await storedPassword(id)
    await expectStatus(200, call('PUT', path, { body: { ...document, description: 'New' } }))
    expect(await storedPassword(id)).toBe(before)
    await expectStatus(200, call('PUT', path, { body: { ...document, password: 'another' } }))
    expect(decrypt((await storedPassword(id)) ?? '', `devices/${id}/password`)).toBe('another')
    await expectStatus(200, call('PUT', path, { body: { ...document, password: '' } }))
    expect(await storedPassword(id)).toBeNull()
  })

  test('is in no event; events show only that it changed', async () => {
    const { make } = await place()
    const { id, path, document } = await make({ password })
    await expectStatus(200, call('PUT', path, { body: { ...document, password: 'another secret' } }))
    await expectStatus(200, call('PUT', path, { body: document }))
    await expectStatus(204, call('DELETE', path))
    const events = await eventsOf('device', id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'delete'])
    expect(events[0].changes.password).toEqual({ after: 'changed' })
    expect(events[1].changes).toEqual({ password: { after: 'changed' } })
    expect(JSON.stringify(events)).not.toContain('secret')
  })
})

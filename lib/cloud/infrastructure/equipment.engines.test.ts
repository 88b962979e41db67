import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const [datacenter, other] = await Promise.all([newDatacenter(), newDatacenter()])
const base = `/api/admin/datacenters/${datacenter.id}`

const rackOf = (name: string) => ({
  datacenter_id: datacenter.id,
  name,
  name_key: name.toLowerCase(),
  short_description: `On ${name}`,
})
const serviceOf = (type: string, status: number) => ({
  datacenter_id: datacenter.id,
  type,
  status,
  uri: `https://${type.toLowerCase()}.example`,
})

const { rack, service } = await transaction(async (trx) => {
  const insertRack = (name: string) =>
    trx.insertInto('racks').values(rackOf(name)).returning('id').executeTakeFirstOrThrow()
  const insertService = (type: string, status: number) =>
    trx
      .insertInto('remote_services')
      .values(serviceOf(type, status))
      .returning('id')
      .executeTakeFirstOrThrow()
  const made = { rack: (await insertRack('Rack B')).id, service: (await insertService('NODE', 1)).id }
  await insertRack('rack a')
  await insertService('DHCP', 0)
  return made
})

const links = (rel: string, path: string, title: string) => [
  { rel: 'edit', href: ORIGIN + path, type: `application/vnd.service.${rel}+json`, title },
  {
    rel: 'datacenter',
    href: ORIGIN + base,
    type: 'application/vnd.service.datacenter+json',
    title: datacenter.name,
  },
]

describe('the racks of a datacenter', () => {
  test('are listed by name and searched', async () => {
    const names = async (query: string) =>
      (await expectStatus(200, call('GET', `${base}/racks${query}`))).collection.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('')).toEqual(['rack a', 'Rack B'])
    expect(await names('?asc=false')).toEqual(['Rack B', 'rack a'])
    expect(await names('?has=CK%20B')).toEqual(['Rack B'])
  })

  test('are read one by one', async () => {
    const path = `${base}/racks/${rack}`
    expect(await expectStatus(200, call('GET', path))).toEqual({
      links: links('rack', path, 'Rack B'),
      id: rack,
      name: 'Rack B',
      shortDescription: 'On Rack B',
    })
    const xml = await expectStatus(200, call('GET', path, { headers: { accept: 'application/xml' } }))
    expect(xml).toContain(
      `<id>${rack}</id><name>Rack B</name><shortDescription>On Rack B</shortDescription></rack>`,
    )
  })

  test('are found only in their own datacenter', async () => {
    expect(await refusal(call('GET', `/api/admin/datacenters/${other.id}/racks/${rack}`))).toEqual([
      404,
      'RACK-0',
    ])
    expect(await refusal(call('GET', '/api/admin/datacenters/999999999/racks'))).toEqual([404, 'DC-0'])
  })
})

describe('the remote services of a datacenter', () => {
  test('are listed by type and searched', async () => {
    const types = async (query: string) =>
      (await expectStatus(200, call('GET', `${base}/remoteservices${query}`))).collection.map(
        ({ type }: { type: string }) => type,
      )
    expect(await types('')).toEqual(['DHCP', 'NODE'])
    expect(await types('?by=id')).toEqual(['NODE', 'DHCP'])
    expect(await types('?has=node')).toEqual(['NODE'])
  })

  test('are read one by one', async () => {
    const path = `${base}/remoteservices/${service}`
    expect(await expectStatus(200, call('GET', path))).toEqual({
      links: links('remoteservice', path, 'NODE'),
      id: service,
      type: 'NODE',
      uri: 'https://node.example',
      status: 1,
    })
    const elsewhere = `/api/admin/datacenters/${other.id}/remoteservices/${service}`
    expect(await refusal(call('GET', elsewhere))).toEqual([404, 'REMOTESERVICE-0'])
  })
})

test('the equipment of a datacenter is hidden with it, and requires PHYS_DC_RETRIEVE_DETAILS', async () => {
  const limited = await newUser({ scopeId: (await newScope({ datacenters: [other.id] })).id })
  const without = await newUser({ privileges: ['PHYS_DC_ENUMERATE', 'PHYS_DC_MANAGE'] })
  for (const path of ['racks', `racks/${rack}`, 'remoteservices', `remoteservices/${service}`]) {
    expect(await refusal(call('GET', `${base}/${path}`, { as: limited }))).toEqual([404, 'DC-0'])
    await expectStatus(403, call('GET', `${base}/${path}`, { as: without }))
  }
})

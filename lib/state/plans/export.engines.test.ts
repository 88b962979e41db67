import { describe, expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { call, codesOf, expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import { natSample } from '#lib/tools/testing/nat-sample'
import { newScope, ofDatacenter, ofEnterprise } from '#lib/tools/testing/scopes'
import { saidInJson, saidInXml } from '#lib/tools/testing/xml'

const { datacenter, networks, seen, hidden, limited } = await natSample()

const read = (entity?: string, as?: User) =>
  expectStatus(200, call('GET', `/api/export${entity ? `?entity=${entity}` : ''}`, { ...(as && { as }) }))

const entities = ['enterprises', 'scopes', 'roles', 'users', 'natnetworks', 'natips', 'natrules']

describe('the export', () => {
  test('has every list, or the one in entity', async () => {
    expect(Object.keys(await read())).toEqual(['links', ...entities])
    for (const entity of entities) expect(Object.keys(await read(entity))).toEqual(['links', entity])
  })

  test('names resources instead of giving their ids', async () => {
    const [parent, name] = [await newScope({ name: unique('Above') }), unique('Below')]
    const body = {
      name,
      automaticAddDatacenter: false,
      automaticAddEnterprise: false,
      scopeEntities: [ofEnterprise(seen.id), ofDatacenter(datacenter.id)],
      links: [{ rel: 'scopeParent', href: `http://console.localhost/api/admin/scopes/${parent.id}` }],
    }
    // The parent must contain everything that its child contains.
    await expectStatus(
      200,
      call('PUT', `/api/admin/scopes/${parent.id}`, {
        body: { ...body, name: parent.name, links: [] },
      }),
    )
    await expectStatus(201, call('POST', '/api/admin/scopes', { body }))
    const { scopes } = await read('scopes')
    expect(scopes).toContainEqual({
      name,
      parent: parent.name,
      automaticAddDatacenter: false,
      automaticAddEnterprise: false,
      ...noNotes,
      enterprises: [seen.name],
      datacenters: [datacenter.name],
    })
    const { users } = await read('users')
    expect(users).toContainEqual(expect.objectContaining({ nick: 'admin', role: 'CLOUD_ADMIN' }))
    const { roles } = await read('roles')
    const [admins] = roles.filter((role: { name: string }) => role.name === 'CLOUD_ADMIN')
    expect(admins.privileges).toContain('USERS_MANAGE_SCOPES')
  })

  test('has the NAT networks, IPs in every state, and rules', async () => {
    const { natnetworks, natips, natrules } = await read()
    const at = { datacenter: datacenter.name }
    expect(natnetworks).toContainEqual(
      expect.objectContaining({ ...at, name: networks.four.name, cidr: '10.0.0.0/24' }),
    )
    const of = (ip: string) =>
      natips.filter(
        (one: { network: string; ip: string }) => one.network === networks.four.name && one.ip === ip,
      )
    expect(of('10.0.0.2')).toEqual([
      {
        ...at,
        network: networks.four.name,
        ip: '10.0.0.2',
        available: true,
        quarantine: false,
        defaultSnat: true,
        virtualDatacenter: expect.stringContaining('B visible'),
        enterprise: seen.name,
        ...noNotes,
        ends: '',
      },
    ])
    expect(of('10.0.0.40')).toEqual([expect.objectContaining({ available: false, quarantine: true })])
    const ours = natrules.filter((rule: { datacenter: string }) => rule.datacenter === datacenter.name)
    expect(ours.map(({ type }: { type: string }) => type)).toEqual(expect.arrayContaining(['SNAT', 'DNAT']))
  })

  test('is the same in XML, with an element for each item', async () => {
    const headers = { accept: 'application/xml' }
    // This user does not see resources of other tests in this database.
    const as = limited
    for (const entity of entities) {
      const xml = await expectStatus(200, call('GET', `/api/export?entity=${entity}`, { as, headers }))
      const document = await read(entity, as)
      expect(document[entity].length).toBeGreaterThan(0)
      expect(saidInXml(xml, 'export')).toEqual(saidInJson(document))
    }
  })
})

describe('a limited caller', () => {
  test('gets no hidden resources', async () => {
    const text = JSON.stringify(await read(undefined, limited))
    expect(text).toContain(seen.name)
    for (const name of [hidden.name, 'A secret', 'z Vault']) expect(text).not.toContain(name)
  })

  test('gets only readable lists', async () => {
    const as = await newUser({ privileges: ['USERS_VIEW'] })
    expect(Object.keys(await read(undefined, as))).toEqual(['links', 'users'])
    await expectStatus(403, call('GET', '/api/export?entity=scopes', { as }))
  })
})

test('an unknown entity is refused', async () => {
  expect(await codesOf(call('GET', '/api/export?entity=clouds'))).toEqual(['GEN-22'])
})

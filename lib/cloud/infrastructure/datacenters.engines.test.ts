import { describe, expect, test } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { transaction } from '#lib/db/db.server'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  unique,
} from '#lib/tools/testing/client'
import { newDatacenter, newDevice, newMachine, newTemplate } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, readScope } from '#lib/tools/testing/scopes'

const DATACENTERS = '/api/admin/datacenters'

const pathOf = ({ id }: { id: number }): string => `${DATACENTERS}/${id}`

const body = (name = unique('Datacenter')) => ({ name, location: 'Lisbon' })

const created = (document: unknown) => call('POST', DATACENTERS, { body: document })

describe('a datacenter', () => {
  test('is created with its Location, its fields and its links', async () => {
    const document = body()
    const response = await created(document)
    const made = await expectStatus(201, response)
    const path = ORIGIN + pathOf(made)
    expect(response.headers.get('location')).toBe(path)
    const type = (name: string) => `application/vnd.service.${name}+json`
    const location = `${ORIGIN}/api/cloud/locations/${made.id}`
    expect(made).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('datacenter'), title: document.name },
        { rel: 'racks', href: `${path}/racks`, type: type('racks') },
        { rel: 'remoteServices', href: `${path}/remoteservices`, type: type('remoteservices') },
        { rel: 'tiers', href: `${path}/storage/tiers`, type: type('tiers') },
        { rel: 'network', href: `${path}/network`, type: type('vlans') },
        { rel: 'devices', href: `${location}/devices`, type: type('devices') },
        { rel: 'natnetworks', href: `${path}/natnetworks`, type: type('natnetworks') },
        { rel: 'location', href: location, type: type('datacenter'), title: document.name },
      ],
      id: expect.any(Number),
      ...document,
      ...noNotes,
    })
    expect(await expectStatus(200, call('GET', pathOf(made)))).toEqual(made)
  })

  test('is unchanged if its document is sent back, in JSON and in XML', async () => {
    const made = await expectStatus(201, created(body(unique('<Round> & "trip"'))))
    expect(await expectStatus(200, call('PUT', pathOf(made), { body: { ...made, extra: true } }))).toEqual(
      made,
    )
    const accept = { accept: 'application/vnd.service.datacenter+xml' }
    const xml = await expectStatus(200, call('GET', pathOf(made), { headers: accept }))
    const headers = { ...accept, 'content-type': 'application/xml; charset=utf-8' }
    expect(await expectStatus(200, call('PUT', pathOf(made), { body: xml, headers }))).toBe(xml)
  })

  test('can be changed', async () => {
    const made = await newDatacenter()
    const changed = { name: unique('Renamed'), location: 'Porto' }
    expect(await expectStatus(200, call('PUT', pathOf(made), { body: changed }))).toMatchObject(changed)
    expect(await expectStatus(200, call('GET', pathOf(made)))).toMatchObject({ id: made.id, ...changed })
  })

  test('has a name and a location of limited length', async () => {
    expect(await refusal(created({}))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(created(body('')))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(created({ name: 'n'.repeat(129), location: 'l'.repeat(129) }))).toEqual([
      400,
      'CONSTR-LENGTH',
      'CONSTR-LENGTH',
    ])
    expect(await refusal(created({ ...body(), location: 5 }))).toEqual([400, 'GEN-3'])
    expect(await refusal(created({ ...body(), id: 5 }))).toEqual([400, 'GEN-11'])
  })

  test('DC-0: is not found if it does not exist', async () => {
    for (const id of ['999999999', 'north', '-1', '1.0']) {
      expect(await refusal(call('GET', `${DATACENTERS}/${id}`))).toEqual([404, 'DC-0'])
      expect(await refusal(call('PUT', `${DATACENTERS}/${id}`, { body: body() }))).toEqual([404, 'DC-0'])
      expect(await refusal(call('DELETE', `${DATACENTERS}/${id}`))).toEqual([404, 'DC-0'])
    }
    expect(await refusal(call('GET', `${DATACENTERS}/0`))).toEqual([400, 'GEN-1'])
  })

  test('DC-3: has a unique name', async () => {
    const [one, other] = await Promise.all([newDatacenter(), newDatacenter()])
    expect(await refusal(created(body(one.name)))).toEqual([409, 'DC-3'])
    expect(await refusal(call('PUT', pathOf(other), { body: body(one.name) }))).toEqual([409, 'DC-3'])
    await expectStatus(200, call('PUT', pathOf(one), { body: body(one.name) }))
  })

  test('is created once if several requests use the same name at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const document = body()
      const answers = await Promise.all([created(document), created(document), created(document)])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    }
  })
})

describe('deleting a datacenter', () => {
  test('also deletes its racks and remote services, and removes it from scopes', async () => {
    const made = await newDatacenter()
    const scope = await newScope({ datacenters: [made.id] })
    await transaction(async (trx) => {
      const rack = { datacenter_id: made.id, name: 'R1', name_key: 'r1', short_description: '' }
      await trx.insertInto('racks').values(rack).execute()
      const service = { datacenter_id: made.id, type: 'DHCP', uri: 'https://dhcp.example', status: 1 }
      await trx.insertInto('remote_services').values(service).execute()
    })
    await expectStatus(204, call('DELETE', pathOf(made)))
    expect(await codesOf(call('GET', pathOf(made)))).toEqual(['DC-0'])
    expect(await readScope(scope.id)).toMatchObject({ scopeEntities: [] })
  })

  test('DC-5: is refused while it holds devices, virtual datacenters or templates', async () => {
    const [withDevice, withMachine, withTemplate, enterprise] = await Promise.all([
      newDatacenter(),
      newDatacenter(),
      newDatacenter(),
      newEnterprise(),
    ])
    await newDevice(withDevice.id)
    await newMachine({ enterprise: enterprise.id, datacenter: withMachine.id })
    await newTemplate({ enterpriseId: enterprise.id, datacenterId: withTemplate.id })
    for (const made of [withDevice, withMachine, withTemplate]) {
      expect(await refusal(call('DELETE', pathOf(made)))).toEqual([409, 'DC-5'])
      await expectStatus(200, call('GET', pathOf(made)))
    }
  })
})

describe('the list of datacenters', () => {
  test('is ordered and searched by name, also beyond ASCII', async () => {
    const word = unique('Élan')
    for (const letter of ['b', 'C', 'a']) await newDatacenter(`${word} ${letter}`)
    const query = `?has=${encodeURIComponent(word.toLowerCase())}`
    const listed = async (more = '') =>
      (await expectStatus(200, call('GET', `${DATACENTERS}${query}${more}`))).collection.map(
        ({ name }: { name: string }) => name.at(-1),
      )
    expect(await listed()).toEqual(['a', 'b', 'C'])
    expect(await listed('&by=name&asc=false')).toEqual(['C', 'b', 'a'])
    expect(await listed('&by=id&limit=2')).toEqual(['b', 'C'])
    expect(await refusal(call('GET', `${DATACENTERS}?by=location`))).toEqual([400, 'QUERY-0'])
  })

  test('may be read with a trailing slash', async () => {
    expect(await expectStatus(200, call('GET', `${DATACENTERS}/`))).toHaveProperty('totalSize')
  })

  test.each(allPrivileges)(
    'is granted or refused with only %s (docs/api/authorization.md, "Privileges")',
    async (privilege) => {
      const as = await newUser({ privileges: [privilege] })
      const lists = ['PHYS_DC_ENUMERATE', 'VDC_MANAGE', 'USERS_MANAGE_ENTERPRISE', 'APPLIB_VIEW'].includes(
        privilege,
      )
      expect((await call('GET', DATACENTERS, { as })).status).toBe(lists ? 200 : 403)
      const writes = privilege === 'PHYS_DC_MANAGE'
      expect((await call('POST', DATACENTERS, { as, body: {} })).status).toBe(writes ? 400 : 403)
      expect((await call('DELETE', `${DATACENTERS}/999999999`, { as })).status).toBe(writes ? 404 : 403)
    },
  )
})

describe('a limited caller', () => {
  test('can see only the datacenters of their scope', async () => {
    const [seen, hidden] = await Promise.all([newDatacenter(), newDatacenter()])
    const as = await newUser({ scopeId: (await newScope({ datacenters: [seen.id] })).id })
    const list = await expectStatus(200, call('GET', DATACENTERS, { as }))
    expect(list).toMatchObject({ collection: [{ id: seen.id }], totalSize: 1 })
    await expectStatus(200, call('GET', pathOf(seen), { as }))
    expect(await refusal(call('GET', pathOf(hidden), { as }))).toEqual([404, 'DC-0'])
    expect(await refusal(call('PUT', pathOf(hidden), { as, body: body() }))).toEqual([404, 'DC-0'])
    expect(await refusal(call('DELETE', pathOf(hidden), { as }))).toEqual([404, 'DC-0'])
  })

  test('can see all datacenters if their scope includes all', async () => {
    const { id } = await newScope({ automaticAddDatacenter: true })
    const as = await newUser({ scopeId: id })
    await expectStatus(200, call('GET', pathOf(await newDatacenter()), { as }))
    const made = await expectStatus(201, call('POST', DATACENTERS, { as, body: body() }))
    expect(await readScope(id)).toMatchObject({ scopeEntities: [] })
    await expectStatus(200, call('GET', pathOf(made), { as }))
  })

  test('can see a datacenter that they created, because it is added to their scope (docs/api/authorization.md, "Visibility")', async () => {
    const scope = await newScope()
    const as = await newUser({ scopeId: scope.id })
    const made = await expectStatus(201, call('POST', DATACENTERS, { as, body: body() }))
    expect(await expectStatus(200, call('GET', DATACENTERS, { as }))).toMatchObject({
      collection: [{ id: made.id }],
    })
    const entity = { idResource: made.id, type: 'DATACENTER' }
    expect(await readScope(scope.id)).toMatchObject({ scopeEntities: [entity] })
    await expectStatus(204, call('DELETE', pathOf(made), { as }))
  })
})

import { describe, expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { call, expectStatus, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import {
  appliancesPath,
  enterpriseLink,
  eventsOf,
  listed,
  locationLink,
  machinesPath,
  newAppliance,
  newCenter,
  requireSameInXml,
} from '#lib/tools/testing/inventory'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const type = (name: string) => `application/vnd.service.${name}+json`

describe('a virtual appliance', () => {
  test('is created in its virtual datacenter, with its links', async () => {
    const center = await newCenter()
    const name = unique('Appliance')
    const response = await call('POST', appliancesPath(center.id), { body: { name } })
    const made = await expectStatus(201, response)
    const path = `${ORIGIN}${appliancesPath(center.id)}/${made.id}`
    expect(response.headers.get('location')).toBe(path)
    expect(made).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('virtualappliance'), title: name },
        {
          rel: 'virtualdatacenter',
          href: `${ORIGIN}/api/cloud/virtualdatacenters/${center.id}`,
          type: type('virtualdatacenter'),
          title: center.document.name,
        },
        { ...enterpriseLink(center.enterprise), type: type('enterprise'), title: expect.any(String) },
        { ...locationLink(center.datacenter), type: type('datacenter'), title: expect.any(String) },
        { rel: 'virtualmachines', href: `${path}/virtualmachines`, type: type('virtualmachines') },
      ],
      id: made.id,
      name,
      ...noNotes,
    })
  })

  test('can be renamed, in JSON and in XML, and leaves an event for each change', async () => {
    const { center, id, document } = await newAppliance()
    const path = `${appliancesPath(center)}/${id}`
    await expectStatus(200, call('PUT', path, { body: { ...document, name: 'Renamed' } }))
    expect(await requireSameInXml(path, 'virtualappliance')).toContain('<name>Renamed</name>')
    await expectStatus(204, call('DELETE', path))
    expect(await refusal(call('GET', path))).toEqual([404, 'VAPP-0'])
    const events = await eventsOf('virtualappliance', id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'delete'])
    expect(events[1].changes).toEqual({ name: { before: document.name, after: 'Renamed' } })
  })

  test('CONSTR-LENGTH, CONSTR-NOTNULL: must have a name of 1 to 128 characters', async () => {
    const { id } = await newCenter()
    const post = (body: object) => refusal(call('POST', appliancesPath(id), { body }))
    expect(await post({ name: '' })).toEqual([400, 'CONSTR-LENGTH'])
    expect(await post({ name: 'x'.repeat(129) })).toEqual([400, 'CONSTR-LENGTH'])
    expect(await post({})).toEqual([400, 'CONSTR-NOTNULL'])
  })

  test('VAPP-0, VDC-0: is found only in its own virtual datacenter', async () => {
    const { id } = await newAppliance()
    const other = await newCenter()
    for (const method of ['GET', 'DELETE'])
      expect(await refusal(call(method, `${appliancesPath(other.id)}/${id}`))).toEqual([404, 'VAPP-0'])
    expect(await refusal(call('GET', `${appliancesPath(999999999)}/${id}`))).toEqual([404, 'VDC-0'])
    expect(await refusal(call('GET', appliancesPath(999999999)))).toEqual([404, 'VDC-0'])
    expect(await refusal(call('POST', appliancesPath(999999999), { body: { name: 'X' } }))).toEqual([
      404,
      'VDC-0',
    ])
  })

  test('VAPP-1: cannot be deleted while it has machines', async () => {
    const { center, id } = await newAppliance()
    const path = `${appliancesPath(center)}/${id}`
    const machine = await expectStatus(201, call('POST', machinesPath(center, id), { body: { name: 'M' } }))
    expect(await refusal(call('DELETE', path))).toEqual([409, 'VAPP-1'])
    await expectStatus(204, call('DELETE', `${machinesPath(center, id)}/${machine.id}`))
    await expectStatus(204, call('DELETE', path))
  })

  test('is listed by name or id and searched by callers who can see its virtual datacenter', async () => {
    const { id, enterprise, datacenter } = await newCenter()
    for (const name of ['Shop b', 'shop A', 'Trial'])
      await expectStatus(201, call('POST', appliancesPath(id), { body: { name } }))
    expect(await listed(appliancesPath(id))).toEqual(['shop A', 'Shop b', 'Trial'])
    expect(await listed(`${appliancesPath(id)}?has=SHOP&by=id`)).toEqual(['Shop b', 'shop A'])
    const limited = async (scope: object) => newUser({ scopeId: (await newScope(scope)).id })
    const inside = await limited({ enterprises: [enterprise], datacenters: [datacenter] })
    expect(await listed(appliancesPath(id), 'name', inside)).toHaveLength(3)
    const outside = await limited({ enterprises: [enterprise] })
    expect(await refusal(call('GET', appliancesPath(id), { as: outside }))).toEqual([404, 'VDC-0'])
  })
})

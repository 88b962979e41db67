import { describe, expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import {
  appliancesPath,
  centerPath,
  enterpriseLink,
  eventsOf,
  hrefOf,
  listed,
  locationLink,
  machinesPath,
  newAppliance,
  newPlace,
  newPrivateIp,
  newTemplateOf,
  nicLink,
  nicsOf,
  privateIpsPath,
  refer,
  requireSameInXml,
} from '#lib/tools/testing/inventory'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const type = (name: string) => `application/vnd.service.${name}+json`

const userLink = ({ id, enterpriseId }: { id: number; enterpriseId: number }) =>
  refer('user', `/api/admin/enterprises/${enterpriseId}/users/${id}`)

describe('a virtual machine', () => {
  test('is created with all its links, and belongs to the caller', async () => {
    const { center, enterprise, datacenter, document, appliance, machines, post } = await newPlace()
    const as = await newUser()
    const template = await newTemplateOf(enterprise, datacenter)
    const nics = [await newPrivateIp(center, '10.0.0.1'), await newPrivateIp(center, '10.0.0.2')] as const
    const links = [template.link, nicLink(1, center, nics[0]), nicLink(0, center, nics[1])]
    const name = unique('Machine')
    const response = await post({ name, label: 'Web', state: 'OFF', links }, as)
    const made = await expectStatus(201, response)
    const path = `${ORIGIN}${machines}/${made.id}`
    expect(response.headers.get('location')).toBe(path)
    const title = expect.any(String)
    expect(made).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('virtualmachine'), title: name },
        { ...enterpriseLink(enterprise), type: type('enterprise'), title },
        { ...userLink(as), type: type('user'), title: as.nick },
        {
          ...refer('virtualdatacenter', centerPath(center)),
          type: type('virtualdatacenter'),
          title: document.name,
        },
        { ...locationLink(datacenter), type: type('datacenter'), title },
        {
          ...refer('virtualappliance', `${appliancesPath(center)}/${appliance.id}`),
          type: type('virtualappliance'),
          title: appliance.document.name,
        },
        { ...template.link, type: type('virtualmachinetemplate'), title: template.document.name },
        { ...nicLink(0, center, nics[1]), type: type('privateip'), title: '10.0.0.2' },
        { ...nicLink(1, center, nics[0]), type: type('privateip'), title: '10.0.0.1' },
        { rel: 'natrules', href: `${path}/natrules`, type: type('natrules') },
      ],
      id: made.id,
      name,
      ...noNotes,
      label: 'Web',
      state: 'OFF',
      natrules: [],
    })
    expect(await expectStatus(200, call('GET', `${machines}/${made.id}`))).toEqual(made)
  })

  test('is ON and labelled with its name by default, and has one of the listed states', async () => {
    const { make, post } = await newPlace()
    const { document } = await make({ name: 'Plain' })
    expect([document.state, document.label]).toEqual(['ON', 'Plain'])
    expect(await refusal(post({ name: 'X', state: 'BURNING' }))).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refusal(post({ name: '' }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(post({}))).toEqual([400, 'CONSTR-NOTNULL'])
  })

  test('is replaced as a whole, and unchanged if its document is sent back, in JSON and in XML', async () => {
    const { center, enterprise, datacenter, make } = await newPlace()
    const template = await newTemplateOf(enterprise, datacenter)
    const nic = await newPrivateIp(center, '10.0.0.1')
    const { document, path } = await make({
      label: '<A> & B',
      links: [template.link, nicLink(3, center, nic)],
    })
    expect(await expectStatus(200, call('PUT', path, { body: { ...document, extra: 1 } }))).toEqual(document)
    expect(await requireSameInXml(path, 'virtualmachine')).toContain('<label>&lt;A&gt; &amp; B</label>')
    const changed = await expectStatus(200, call('PUT', path, { body: { name: 'Renamed' } }))
    expect(changed).toMatchObject({ name: 'Renamed', label: 'Renamed', state: 'ON' })
    expect(hrefOf(changed, 'virtualmachinetemplate')).toBeUndefined()
    expect([hrefOf(changed, 'user'), nicsOf(changed)]).toEqual([hrefOf(document, 'user'), ['nic3 10.0.0.1']])
  })

  test('VDC-0, VAPP-0, VM-0: is found only in its own appliance and virtual datacenter', async () => {
    const { center, appliance, make } = await newPlace()
    const { id } = await make()
    const beside = await newAppliance({ center })
    const elsewhere = await newAppliance()
    const at = (path: string) => refusal(call('GET', `${path}/${id}`))
    expect(await at(machinesPath(center, beside.id))).toEqual([404, 'VM-0'])
    expect(await at(machinesPath(elsewhere.center, appliance.id))).toEqual([404, 'VAPP-0'])
    expect(await at(machinesPath(999999999, appliance.id))).toEqual([404, 'VDC-0'])
    expect(await refusal(call('DELETE', `${machinesPath(center, beside.id)}/${id}`))).toEqual([404, 'VM-0'])
    expect(await refusal(call('GET', machinesPath(center, 999999999)))).toEqual([404, 'VAPP-0'])
  })

  test('leaves an event for each change, with the changed fields only', async () => {
    const { center, make } = await newPlace()
    const nic = await newPrivateIp(center, '10.0.0.1')
    const { id, path, document } = await make({ name: 'M' })
    const links = [nicLink(0, center, nic)]
    await expectStatus(200, call('PUT', path, { body: { ...document, state: 'OFF', links } }))
    await expectStatus(204, call('DELETE', path))
    const events = await eventsOf('virtualmachine', id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'delete'])
    expect(events[1].changes).toEqual({
      state: { before: 'ON', after: 'OFF' },
      nic0: { after: `10.0.0.1 (${nic})` },
    })
  })

  test('its events are visible only to callers who can see its enterprise and its datacenter', async () => {
    const { enterprise, datacenter, post } = await newPlace()
    const as = await newUser({ enterpriseId: enterprise })
    const { id } = await expectStatus(201, post({ name: 'M' }, as))
    const limited = async (scope: object) => newUser({ scopeId: (await newScope(scope)).id })
    const inside = await limited({ enterprises: [enterprise], datacenters: [datacenter] })
    expect(await eventsOf('virtualmachine', id, inside)).toHaveLength(1)
    for (const scope of [{ enterprises: [enterprise] }, { datacenters: [datacenter] }])
      expect(await eventsOf('virtualmachine', id, await limited(scope))).toEqual([])
  })
})

describe('the user of a virtual machine', () => {
  test('is the one in the document; a PUT without one keeps the owner', async () => {
    const { make } = await newPlace()
    const [one, two] = [await newUser(), await newUser()]
    const { path, document } = await make({ links: [userLink(one)] })
    expect(hrefOf(document, 'user')).toBe(userLink(one).href)
    const moved = await expectStatus(
      200,
      call('PUT', path, { body: { ...document, links: [userLink(two)] } }),
    )
    expect(hrefOf(moved, 'user')).toBe(userLink(two).href)
    const renamed = await expectStatus(200, call('PUT', path, { body: { name: 'Kept' } }))
    expect(hrefOf(renamed, 'user')).toBe(userLink(two).href)
  })

  test('USER-0: must be visible to the caller, and is shown only to callers who can see them', async () => {
    const { enterprise, datacenter, make, post } = await newPlace()
    const stranger = await newUser()
    const scope = await newScope({ enterprises: [enterprise], datacenters: [datacenter] })
    const as = await newUser({ scopeId: scope.id, enterpriseId: enterprise })
    expect(await refusal(post({ name: 'X', links: [userLink(stranger)] }, as))).toEqual([404, 'USER-0'])
    const { path } = await make({ links: [userLink(stranger)] })
    const document = await expectStatus(200, call('GET', path, { as }))
    expect(hrefOf(document, 'user')).toBeUndefined()
    await expectStatus(200, call('PUT', path, { as, body: document }))
    expect(hrefOf(await expectStatus(200, call('GET', path)), 'user')).toBe(userLink(stranger).href)
  })
})

describe('the template of a virtual machine', () => {
  test('TEMPLATE-0: must belong to its enterprise or be shared with it, in its datacenter', async () => {
    const { enterprise, datacenter, document, post } = await newPlace()
    const owner = await newEnterprise()
    const links = async (template: Promise<{ link: object }>) => ({
      name: 'X',
      links: [(await template).link],
    })
    const made = async (template: Promise<{ link: object }>) => refusal(post(await links(template)))
    expect(await made(newTemplateOf(owner.id, datacenter))).toEqual([404, 'TEMPLATE-0'])
    const foreign = await newScope({ enterprises: [owner.id] })
    expect(await made(newTemplateOf(owner.id, datacenter, foreign.id))).toEqual([404, 'TEMPLATE-0'])
    expect(await made(newTemplateOf(enterprise, (await newDatacenter()).id))).toEqual([404, 'TEMPLATE-0'])
    const common = await newScope({ enterprises: [enterprise] })
    await expectStatus(201, post(await links(newTemplateOf(owner.id, datacenter, common.id))))
    await expectStatus(201, post(await links(newTemplateOf(owner.id, datacenter, 1))))
    expect(hrefOf(document, 'edit')).toContain('/virtualdatacenters/')
  })

  test('is linked at the machine’s own enterprise for callers who cannot see its owner, and can be sent back', async () => {
    const { enterprise, datacenter, make } = await newPlace()
    const scope = await newScope({ enterprises: [enterprise], datacenters: [datacenter] })
    const template = await newTemplateOf((await newEnterprise()).id, datacenter, scope.id)
    const { path, document } = await make({ links: [template.link] })
    expect(hrefOf(document, 'virtualmachinetemplate')).toBe(template.link.href)
    const as = await newUser({ scopeId: scope.id, enterpriseId: enterprise })
    const seen = await expectStatus(200, call('GET', path, { as }))
    const href = hrefOf(seen, 'virtualmachinetemplate') ?? ''
    expect(href).toContain(`/enterprises/${enterprise}/datacenterrepositories/${datacenter}/`)
    await expectStatus(200, call('GET', href, { as }))
    expect(await expectStatus(200, call('PUT', path, { as, body: seen }))).toEqual(seen)
  })
})

describe('virtual machines', () => {
  test('are listed in their appliance, ordered by name or id, and searched', async () => {
    const { machines, make } = await newPlace()
    for (const name of ['Web b', 'web A', 'db']) await make({ name })
    expect(await listed(machines)).toEqual(['db', 'web A', 'Web b'])
    expect(await listed(`${machines}?has=WEB&by=id`)).toEqual(['Web b', 'web A'])
    const page = await expectStatus(200, call('GET', `${machines}?limit=1&startwith=1`))
    expect([page.totalSize, page.collection[0].name]).toEqual([3, 'web A'])
    const xml = await expectStatus(200, call('GET', machines, { headers: { accept: 'application/xml' } }))
    expect(xml).toMatch(/<virtualmachines>.*<totalSize>3<\/totalSize><virtualmachine><link /)
  })

  test('of a user are listed from all places that the caller can see', async () => {
    const user = await newUser()
    const [one, two] = [await newPlace(), await newPlace()]
    await one.make({ name: 'B', links: [userLink(user)] })
    await two.make({ name: 'A', links: [userLink(user)] })
    await two.make({ name: 'Other' })
    const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}/action/virtualmachines`
    const document = await expectStatus(200, call('GET', path.replace('/action/virtualmachines', '')))
    expect(hrefOf(document, 'virtualmachines')).toBe(ORIGIN + path)
    expect(await listed(path)).toEqual(['A', 'B'])
    expect(await listed(path.replace(`enterprises/${user.enterpriseId}`, 'enterprises/_'))).toEqual([
      'A',
      'B',
    ])
    const enterprises = [user.enterpriseId, one.enterprise, two.enterprise]
    const scope = await newScope({ enterprises, datacenters: [two.datacenter] })
    const limited = await newUser({ scopeId: scope.id })
    expect(await listed(path, 'name', limited)).toEqual(['A'])
    expect((await expectStatus(200, call('GET', path, { as: limited }))).totalSize).toBe(1)
    const blind = await newUser({ scopeId: (await newScope({ datacenters: [two.datacenter] })).id })
    expect(await refusal(call('GET', path, { as: blind }))).toEqual([404, 'EN-0'])
    expect(await refusal(call('GET', path.replace(/users\/\d+/, 'users/999999999')))).toEqual([404, 'USER-0'])
  })

  test('are hidden with their virtual datacenter', async () => {
    const { machines, enterprise, make } = await newPlace()
    const { path } = await make()
    const as = await newUser({ scopeId: (await newScope({ enterprises: [enterprise] })).id })
    for (const at of [machines, path]) expect(await refusal(call('GET', at, { as }))).toEqual([404, 'VDC-0'])
  })

  test('release their private IPs when they are deleted', async () => {
    const { center, make } = await newPlace()
    const nic = await newPrivateIp(center, '10.0.0.1')
    const { path } = await make({ links: [nicLink(0, center, nic)] })
    await expectStatus(204, call('DELETE', path))
    expect(await refusal(call('GET', path))).toEqual([404, 'VM-0'])
    const document = await expectStatus(200, call('GET', `${privateIpsPath(center)}/${nic}`))
    expect(hrefOf(document, 'virtualmachine')).toBeUndefined()
    const again = await make({ links: [nicLink(2, center, nic)] })
    expect(nicsOf(again.document)).toEqual(['nic2 10.0.0.1'])
  })
})

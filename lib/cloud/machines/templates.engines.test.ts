import { describe, expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import {
  enterpriseLink,
  eventsOf,
  hrefOf,
  listed,
  machinesPath,
  newAppliance,
  newTemplateOf,
  requireSameInXml,
  scopeLink,
  templatesPath,
} from '#lib/tools/testing/inventory'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, ofEnterprise, putScope, scopePath } from '#lib/tools/testing/scopes'

const type = (name: string) => `application/vnd.service.${name}+json`

/** A template of one enterprise that is shared with another one by a scope. */
async function shared() {
  const [owner, user] = [await newEnterprise(), await newEnterprise()]
  const datacenter = await newDatacenter()
  const scope = await newScope({ enterprises: [user.id] })
  const template = await newTemplateOf(owner.id, datacenter.id, scope.id)
  return {
    owner,
    user,
    datacenter,
    scope,
    template,
    used: `${templatesPath(user.id, datacenter.id)}/${template.id}`,
  }
}

/** A machine of the enterprise, created from the template. */
async function machineOf(enterprise: number, datacenter: number, template: object) {
  const { center, id } = await newAppliance({ enterprise, datacenter })
  const body = { name: unique('Machine'), links: [template] }
  const made = await expectStatus(201, call('POST', machinesPath(center, id), { body }))
  return { ...made, path: `${machinesPath(center, id)}/${made.id}` }
}

describe('a template', () => {
  test('is created in the library of an enterprise in a datacenter, with its links', async () => {
    const [enterprise, datacenter, scope] = [await newEnterprise(), await newDatacenter(), await newScope()]
    const name = unique('Template')
    const library = templatesPath(enterprise.id, datacenter.id)
    const response = await call('POST', library, { body: { name, links: [scopeLink(scope.id)] } })
    const made = await expectStatus(201, response)
    const path = `${ORIGIN}${library}/${made.id}`
    expect(response.headers.get('location')).toBe(path)
    expect(made).toEqual({
      links: [
        { rel: 'edit', href: path, type: type('virtualmachinetemplate'), title: name },
        { ...enterpriseLink(enterprise.id), type: type('enterprise'), title: enterprise.name },
        {
          rel: 'datacenter',
          href: `${ORIGIN}/api/admin/datacenters/${datacenter.id}`,
          type: type('datacenter'),
          title: datacenter.name,
        },
        { ...scopeLink(scope.id), type: type('scope'), title: scope.name },
      ],
      id: made.id,
      name,
      ...noNotes,
    })
    expect(await expectStatus(200, call('GET', `${library}/${made.id}`))).toEqual(made)
  })

  test('is replaced as a whole, in JSON and in XML: without a scope link it is no longer shared', async () => {
    const { template, scope } = await shared()
    expect(await requireSameInXml(template.path, 'virtualmachinetemplate')).toContain(`/scopes/${scope.id}"`)
    const changed = await expectStatus(200, call('PUT', template.path, { body: { name: 'Renamed' } }))
    expect([changed.name, hrefOf(changed, 'scope')]).toEqual(['Renamed', undefined])
    await expectStatus(204, call('DELETE', template.path))
    expect(await refusal(call('GET', template.path))).toEqual([404, 'TEMPLATE-0'])
    const events = await eventsOf('virtualmachinetemplate', template.id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'update', 'delete'])
    expect(events[1].changes.scope).toEqual({ before: `${scope.name} (${scope.id})` })
  })

  test('must have a visible scope, a name and no id on create', async () => {
    const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
    const scope = await newScope({ enterprises: [enterprise.id], datacenters: [datacenter.id] })
    const as = await newUser({ scopeId: scope.id })
    const hidden = await newScope()
    const post = (body: object) =>
      refusal(call('POST', templatesPath(enterprise.id, datacenter.id), { as, body }))
    expect(await post({ name: 'X', links: [scopeLink(hidden.id)] })).toEqual([404, 'SCOPE-1'])
    expect(await post({ name: '', links: [scopeLink(999999999)] })).toEqual([404, 'CONSTR-LENGTH', 'SCOPE-1'])
    expect(await post({ name: 'X', id: 5 })).toEqual([400, 'GEN-11'])
    expect(
      await post({ name: 'X', links: [enterpriseLink(1), { ...enterpriseLink(1), rel: 'scope' }] }),
    ).toEqual([400, 'GEN-6'])
  })

  test('EN-0, DC-0, TEMPLATE-0: is found only in its own library', async () => {
    const { owner, template, datacenter } = await shared()
    const other = await newDatacenter()
    const at = (enterprise: number, place: number) =>
      refusal(call('GET', `${templatesPath(enterprise, place)}/${template.id}`))
    expect(await at(owner.id, other.id)).toEqual([404, 'TEMPLATE-0'])
    expect(await at((await newEnterprise()).id, datacenter.id)).toEqual([404, 'TEMPLATE-0'])
    expect(await at(999999999, 999999998)).toEqual([404, 'EN-0', 'DC-0'])
    const limited = await newUser({ scopeId: (await newScope({ enterprises: [owner.id] })).id })
    expect(await refusal(call('GET', template.path, { as: limited }))).toEqual([404, 'DC-0'])
    expect(await refusal(call('GET', templatesPath(owner.id, datacenter.id), { as: limited }))).toEqual([
      404,
      'DC-0',
    ])
  })

  test('TEMPLATE-1: cannot be deleted while machines use it', async () => {
    const [enterprise, datacenter] = [await newEnterprise(), await newDatacenter()]
    const template = await newTemplateOf(enterprise.id, datacenter.id)
    const machine = await machineOf(enterprise.id, datacenter.id, template.link)
    expect(await refusal(call('DELETE', template.path))).toEqual([409, 'TEMPLATE-1'])
    await expectStatus(204, call('DELETE', machine.path))
    await expectStatus(204, call('DELETE', template.path))
  })
})

describe('a shared template', () => {
  test('is in the libraries of the enterprises of its scope, together with their own templates', async () => {
    const { owner, user, datacenter, template } = await shared()
    const own = await newTemplateOf(user.id, datacenter.id)
    const library = templatesPath(user.id, datacenter.id)
    expect(await listed(`${library}?by=id`, 'id')).toEqual([template.id, own.id])
    expect(await listed(`${library}?has=${encodeURIComponent(own.document.name)}`, 'id')).toEqual([own.id])
    expect(await listed(templatesPath(owner.id, datacenter.id), 'id')).toEqual([template.id])
    expect(await listed(templatesPath((await newEnterprise()).id, datacenter.id), 'id')).toEqual([])
  })

  test('hides its owner and its scope from callers who cannot see them', async () => {
    const { user, datacenter, used, template } = await shared()
    const scope = await newScope({ enterprises: [user.id], datacenters: [datacenter.id] })
    const as = await newUser({ scopeId: scope.id, enterpriseId: user.id })
    const document = await expectStatus(200, call('GET', used, { as }))
    expect(document.links.map(({ rel }: { rel: string }) => rel)).toEqual(['edit', 'datacenter'])
    expect(hrefOf(document, 'edit')).toBe(ORIGIN + used)
    expect(await refusal(call('GET', template.path, { as }))).toEqual([404, 'EN-0'])
  })

  test('GEN-15: can be changed and deleted only in the library of its owner', async () => {
    const { used, template } = await shared()
    const document = await expectStatus(200, call('GET', used))
    expect(hrefOf(document, 'edit')).toBe(ORIGIN + template.path)
    expect(await refusal(call('PUT', used, { body: document }))).toEqual([403, 'GEN-15'])
    expect(await refusal(call('DELETE', used))).toEqual([403, 'GEN-15'])
  })

  test('stays in a hidden scope if the document has none', async () => {
    const { owner, datacenter, template, scope } = await shared()
    const own = await newScope({ enterprises: [owner.id], datacenters: [datacenter.id] })
    const as = await newUser({ scopeId: own.id })
    await expectStatus(200, call('PUT', template.path, { as, body: { name: 'Renamed' } }))
    const document = await expectStatus(200, call('GET', template.path))
    expect([document.name, hrefOf(document, 'scope')]).toEqual(['Renamed', scopeLink(scope.id).href])
  })

  test('SCOPE-11: cannot leave the scope while machines of another enterprise use it', async () => {
    const { owner, user, datacenter, template } = await shared()
    await machineOf(owner.id, datacenter.id, template.link)
    const machine = await machineOf(user.id, datacenter.id, template.link)
    const put = (links: object[]) => call('PUT', template.path, { body: { name: 'X', links } })
    expect(await refusal(put([]))).toEqual([409, 'SCOPE-11'])
    expect(await refusal(put([scopeLink((await newScope()).id)]))).toEqual([409, 'SCOPE-11'])
    const wider = await newScope({ enterprises: [user.id, owner.id] })
    await expectStatus(200, put([scopeLink(wider.id)]))
    await expectStatus(200, put([scopeLink(1)]))
    await expectStatus(204, call('DELETE', machine.path))
    await expectStatus(200, put([]))
  })

  test('SCOPE-10, SCOPE-11: prevents removing the enterprise or the scope while it is used', async () => {
    const { user, datacenter, template, scope } = await shared()
    const machine = await machineOf(user.id, datacenter.id, template.link)
    const stays = { scopeEntities: [ofEnterprise(user.id), ofEnterprise((await newEnterprise()).id)] }
    expect(await refusal(putScope(scope, { scopeEntities: [] }))).toEqual([409, 'SCOPE-10'])
    expect(await refusal(call('DELETE', scopePath(scope.id)))).toEqual([409, 'SCOPE-11'])
    await expectStatus(200, putScope(scope, stays))
    await expectStatus(204, call('DELETE', machine.path))
    await expectStatus(200, putScope(scope, { scopeEntities: [] }))
    await expectStatus(200, call('PUT', template.path, { body: { name: 'Alone' } }))
    await expectStatus(204, call('DELETE', scopePath(scope.id)))
  })
})

import { describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  unique,
} from '#lib/tools/testing/client'
import { newDatacenter } from '#lib/tools/testing/nat'
import {
  newScope,
  ofDatacenter,
  ofEnterprise,
  parentLink,
  putScope,
  readScope,
  SCOPES,
  scopeBody,
  scopePath,
} from '#lib/tools/testing/scopes'

describe('a scope', () => {
  test('is created, with its address, and read back the same', async () => {
    const [enterprise, datacenter, parent] = await Promise.all([newEnterprise(), newDatacenter(), newScope()])
    const body = scopeBody({ parent: parent.id, enterprises: [enterprise.id], datacenters: [datacenter.id] })
    const response = await call('POST', SCOPES, { body })
    const made = await expectStatus(201, response)
    expect(response.headers.get('location')).toBe(ORIGIN + scopePath(made.id))
    const type = 'application/vnd.service.scope+json'
    const self = { rel: 'scope', href: ORIGIN + scopePath(made.id), type, title: body.name }
    expect(made).toEqual({
      links: [
        { rel: 'edit', href: ORIGIN + scopePath(made.id), type, title: body.name },
        { rel: 'scopeParent', href: ORIGIN + scopePath(parent.id), type, title: parent.name },
      ],
      id: expect.any(Number),
      name: body.name,
      automaticAddDatacenter: false,
      automaticAddEnterprise: false,
      ...noNotes,
      scopeEntities: [
        { links: [self], id: expect.any(Number), idResource: enterprise.id, type: 'ENTERPRISE' },
        { links: [self], id: expect.any(Number), idResource: datacenter.id, type: 'DATACENTER' },
      ],
    })
    expect(await readScope(made.id)).toEqual(made)
  })

  test('needs a name alone', async () => {
    const name = unique('Scope')
    const made = await expectStatus(201, call('POST', SCOPES, { body: { name } }))
    expect(made).toMatchObject({
      name,
      automaticAddDatacenter: false,
      automaticAddEnterprise: false,
      scopeEntities: [],
    })
  })

  test('may be unlimited in either dimension as a root', async () => {
    expect(await newScope({ automaticAddDatacenter: true })).toMatchObject({
      automaticAddDatacenter: true,
      automaticAddEnterprise: false,
    })
    expect(await newScope({ automaticAddEnterprise: true, automaticAddDatacenter: true })).toMatchObject({
      automaticAddDatacenter: true,
      automaticAddEnterprise: true,
    })
  })

  test('takes the types of its entities in any case, and each entity once', async () => {
    const { id } = await newEnterprise()
    const scopeEntities = [
      { idResource: id, type: 'enterprise' },
      { idResource: id, type: 'Enterprise' },
    ]
    const made = await expectStatus(201, call('POST', SCOPES, { body: { ...scopeBody(), scopeEntities } }))
    expect(made.scopeEntities).toEqual([expect.objectContaining({ idResource: id, type: 'ENTERPRISE' })])
  })

  test('is unchanged when the whole document is sent back (docs/api/existing-clients.md, "Existing clients")', async () => {
    const [enterprise, parent] = await Promise.all([newEnterprise(), newScope()])
    const made = await newScope({ parent: parent.id, enterprises: [enterprise.id] })
    const echo = {
      ...made,
      unknown: { nested: [1] },
      scopeEntities: made.scopeEntities.map((entity: object) => ({ ...entity, extra: 1 })),
    }
    expect(await expectStatus(200, call('PUT', scopePath(made.id), { body: echo }))).toEqual(made)
  })

  test('survives a round trip in XML', async () => {
    const [enterprise, datacenter, parent] = await Promise.all([newEnterprise(), newDatacenter(), newScope()])
    const made = await newScope({
      name: unique('Round & <trip> "é"'),
      parent: parent.id,
      enterprises: [enterprise.id],
      datacenters: [datacenter.id],
    })
    const accept = { accept: 'application/vnd.service.scope+xml' }
    const xml = await expectStatus(200, call('GET', scopePath(made.id), { headers: accept }))
    expect(xml).toContain('<scope><link title="Round &amp; &lt;trip&gt; &quot;é&quot;')
    expect(xml).toContain('<type>DATACENTER</type></scopeEntities>')
    const headers = { ...accept, 'content-type': 'application/vnd.service.scope+xml' }
    expect(await expectStatus(200, call('PUT', scopePath(made.id), { body: xml, headers }))).toBe(xml)
    expect(await readScope(made.id)).toEqual(made)
  })

  test('is created from XML', async () => {
    const { id } = await newEnterprise()
    const body = `<scope><name>${unique('Scope')}</name><scopeEntities><idResource>${id}</idResource><type>enterprise</type></scopeEntities></scope>`
    const headers = { 'content-type': 'application/xml', accept: 'application/json' }
    expect(await expectStatus(201, call('POST', SCOPES, { body, headers }))).toMatchObject({
      scopeEntities: [{ idResource: id, type: 'ENTERPRISE' }],
    })
  })

  test('is deleted with its entities', async () => {
    const { id } = await newScope({ enterprises: [(await newEnterprise()).id] })
    await expectStatus(204, call('DELETE', scopePath(id)))
    expect(await codesOf(call('GET', scopePath(id)))).toEqual(['SCOPE-1'])
    expect(await codesOf(call('DELETE', scopePath(id)))).toEqual(['SCOPE-1'])
  })
})

describe('PUT of a scope', () => {
  test('replaces name, entities and parent as a whole', async () => {
    const [one, other, parent] = await Promise.all([newEnterprise(), newEnterprise(), newScope()])
    const made = await newScope({ parent: parent.id, enterprises: [one.id] })
    const name = unique('Renamed')
    const changed = await expectStatus(
      200,
      putScope(made, { name, scopeEntities: [ofEnterprise(other.id)], links: [] }),
    )
    expect(changed).toMatchObject({ id: made.id, name, scopeEntities: [{ idResource: other.id }] })
    expect(changed.links.map(({ rel }: { rel: string }) => rel)).toEqual(['edit'])
  })

  test('takes missing entities for none, in either format (docs/api/conventions.md, "Values")', async () => {
    const made = await newScope({ enterprises: [(await newEnterprise()).id] })
    expect(await expectStatus(200, putScope(made, { scopeEntities: undefined }))).toMatchObject({
      scopeEntities: [],
    })
  })

  test('leaves the ids of the entities that stay', async () => {
    const [one, other, datacenter] = await Promise.all([newEnterprise(), newEnterprise(), newDatacenter()])
    const made = await newScope({ enterprises: [one.id], datacenters: [datacenter.id] })
    const scopeEntities = [ofDatacenter(datacenter.id), ofEnterprise(other.id), ofEnterprise(one.id)]
    const changed = await expectStatus(200, putScope(made, { scopeEntities }))
    expect(changed.scopeEntities.slice(0, 2)).toEqual(made.scopeEntities)
    expect(changed.scopeEntities).toHaveLength(3)
  })

  test('is refused where the document was changed meanwhile', async () => {
    const made = await newScope()
    const etag = (await call('GET', scopePath(made.id))).headers.get('etag') ?? ''
    await expectStatus(200, putScope(made, { name: unique('Renamed') }))
    const late = await call('PUT', scopePath(made.id), { body: made, headers: { 'if-match': etag } })
    expect(late.status).toBe(412)
    expect(await codesOf(late)).toEqual(['412-PRECONDITION-FAILED'])
  })

  test('does not ask for an id, and refuses another one', async () => {
    const made = await newScope()
    expect(await expectStatus(200, putScope(made, { id: undefined }))).toEqual(made)
    const body = { ...made, id: made.id + 1 }
    expect(await codesOf(call('PUT', scopePath(made.id), { body }))).toEqual(['GEN-16'])
  })
})

describe('the list of scopes', () => {
  test('is in the order of the names, and is searched by name', async () => {
    const word = unique('Listed')
    for (const letter of ['b', 'C', 'a']) await newScope({ name: `${word} ${letter}` })
    const namesOf = async (query: string) =>
      (
        await expectStatus(
          200,
          call('GET', `${SCOPES}?has=${encodeURIComponent(word.toUpperCase())}${query}`),
        )
      ).collection.map(({ name }: { name: string }) => name.at(-1))
    expect(await namesOf('')).toEqual(['a', 'b', 'C'])
    expect(await namesOf('&asc=false')).toEqual(['C', 'b', 'a'])
    expect(await namesOf('&by=ID')).toEqual(['b', 'C', 'a'])
    expect(await namesOf('&limit=0')).toEqual(['a', 'b', 'C'])
    expect(await namesOf('&limit=1&startwith=1')).toEqual(['b'])
  })

  test('holds whole documents in XML too', async () => {
    const { id } = await newEnterprise()
    const made = await newScope({ enterprises: [id] })
    const query = `?has=${encodeURIComponent(made.name)}`
    const xml = await expectStatus(200, call('GET', SCOPES + query, { headers: { accept: 'text/xml' } }))
    expect(xml).toContain('<totalSize>1</totalSize><scope><link ')
    expect(xml).toContain(
      `<idResource>${id}</idResource><type>ENTERPRISE</type></scopeEntities></scope></scopes>`,
    )
  })

  test('is filtered by an enterprise that the scopes contain', async () => {
    const [wanted, other] = await Promise.all([newEnterprise(), newEnterprise()])
    const named = await newScope({ enterprises: [wanted.id] })
    const unlimited = await newScope({ automaticAddEnterprise: true })
    const without = await newScope({ enterprises: [other.id], automaticAddDatacenter: true })
    const { collection, links, totalSize } = await expectStatus(
      200,
      call('GET', `${SCOPES}?limit=0&enterprise=${wanted.id}`),
    )
    const ids = collection.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(expect.arrayContaining([1, named.id, unlimited.id]))
    expect(ids).not.toContain(without.id)
    expect(totalSize).toBe(ids.length)
    expect(links[0].href).toContain(`?enterprise=${wanted.id}&limit=0`)
  })

  test('of an enterprise that does not exist is EN-0', async () => {
    expect(await codesOf(call('GET', `${SCOPES}?enterprise=999999999`))).toEqual(['EN-0'])
    expect(await codesOf(call('GET', `${SCOPES}?enterprise=none`))).toEqual(['GEN-22'])
  })
})

describe('the operations of scopes', () => {
  const readers: Privilege[] = ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_SCOPES', 'USERS_MANAGE_USERS']

  test.each(allPrivileges)('are granted with %s alone as the specification lists', async (privilege) => {
    const as = await newUser({ privileges: [privilege] })
    const manages = privilege === 'USERS_MANAGE_SCOPES'
    const lists = [...readers, 'APPLIB_ALLOW_MODIFY', 'MANAGE_VAPP_SPEC'].includes(privilege)
    const statuses = [
      await call('GET', SCOPES, { as }),
      await call('GET', scopePath(1), { as }),
      await call('POST', SCOPES, { as, body: scopeBody() }),
      await call('PUT', scopePath(1), { as, body: {} }),
      await call('DELETE', scopePath(1), { as }),
    ].map(({ status }) => status)
    const one = readers.includes(privilege) ? 200 : 403
    expect(statuses).toEqual([lists ? 200 : 403, one, ...(manages ? [201, 400, 409] : [403, 403, 403])])
  })

  test('are refused without a privilege, whether or not the scope exists', async () => {
    const as = await newUser({ privileges: [] })
    await expectStatus(403, call('GET', scopePath(999999999), { as }))
    await expectStatus(403, call('DELETE', scopePath(999999999), { as }))
  })
})

test('a parent may be named by any href of a scope', async () => {
  const parent = await newScope()
  const links = [
    { rel: 'scopeParent', href: `https://elsewhere.example:8443/api/admin/scopes/${parent.id}/?x=1` },
  ]
  const made = await expectStatus(201, call('POST', SCOPES, { body: { ...scopeBody(), links } }))
  expect(made.links[1]).toEqual(
    expect.objectContaining({ rel: 'scopeParent', href: parentLink(parent.id).href }),
  )
})

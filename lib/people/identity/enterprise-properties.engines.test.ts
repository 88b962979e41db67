import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { ENTERPRISES, eventsOf } from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const pathOf = (id: number) => `${ENTERPRISES}/${id}/properties`

const put = (id: number, properties: unknown, as?: User) =>
  call('PUT', pathOf(id), { body: { properties }, ...(as && { as }) })

const asXml = { accept: 'application/xml' }

describe('the properties of an enterprise', () => {
  test('are empty at first, and have links and an ETag', async () => {
    const { id, name } = await newEnterprise()
    const response = await call('GET', pathOf(id))
    expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    const type = (of: string) => `application/vnd.service.${of}+json`
    const own = { rel: 'edit', href: ORIGIN + pathOf(id), type: type('enterpriseproperties'), title: name }
    const href = `${ORIGIN}${ENTERPRISES}/${id}`
    expect(await expectStatus(200, response)).toEqual({
      links: [own, { rel: 'enterprise', href, type: type('enterprise'), title: name }],
      properties: {},
    })
  })

  test('are replaced as a whole, and a missing map counts as empty (docs/api/conventions.md, "Values")', async () => {
    const { id } = await newEnterprise()
    await expectStatus(200, put(id, { colour: 'red', '1 & <2>': 'a "b"' }))
    const changed = await expectStatus(200, put(id, { colour: 'blue', empty: '' }))
    expect(changed.properties).toEqual({ colour: 'blue', empty: '' })
    expect(await expectStatus(200, call('GET', pathOf(id)))).toEqual(changed)
    const emptied = await expectStatus(200, call('PUT', pathOf(id), { body: {} }))
    expect(emptied.properties).toEqual({})
  })

  test('leave one event of the enterprise for each change, with old and new values', async () => {
    const { id, name } = await newEnterprise()
    await expectStatus(200, put(id, { kept: 'x', colour: 'red' }))
    await expectStatus(200, put(id, { kept: 'x', colour: 'blue' }))
    await expectStatus(200, put(id, { kept: 'x', colour: 'blue' }))
    const events = await eventsOf('enterprise', id)
    expect(events).toHaveLength(2)
    expect(events[1]).toMatchObject({ action: 'update', entityName: name, entityType: 'enterprise' })
    expect(events[1].changes).toEqual({ 'properties.colour': { before: 'red', after: 'blue' } })
    expect(events[1].links).toContainEqual(
      expect.objectContaining({ rel: 'entity', href: `${ORIGIN}${ENTERPRISES}/${id}` }),
    )
  })

  test('CONSTR-LENGTH, CONSTR-PATTERN, CONSTR-NOTNULL, GEN-3: are texts of limited number and length', async () => {
    const { id } = await newEnterprise()
    const many = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`key ${index}`, '']))
    expect(await refusal(put(id, many))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(put(id, { '': 'x' }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(put(id, { [`k${'x'.repeat(128)}`]: 'x' }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(put(id, { key: 'x'.repeat(2049) }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(put(id, { 'a\u0007': 'x' }))).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refusal(put(id, { a: 'x\u0000' }))).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refusal(put(id, { a: null }))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(put(id, { a: 5 }))).toEqual([400, 'GEN-3'])
    expect(await refusal(put(id, ['a']))).toEqual([400, 'GEN-3'])
  })

  test('412: a stale If-Match changes nothing', async () => {
    const { id } = await newEnterprise()
    const tag = (await call('GET', pathOf(id), { headers: asXml })).headers.get('etag') ?? ''
    const change = (value: string) =>
      call('PUT', pathOf(id), { body: { properties: { value } }, headers: { 'if-match': tag } })
    expect((await expectStatus(200, change('one'))).properties).toEqual({ value: 'one' })
    expect(await refusal(change('two'))).toEqual([412, '412-PRECONDITION-FAILED'])
  })
})

describe('access to properties', () => {
  test('users can read those of their own enterprise; others need the privileges of the enterprise', async () => {
    const one = await newUser({ privileges: [] })
    await expectStatus(200, call('GET', pathOf(one.enterpriseId), { as: one }))
    await expectStatus(403, call('GET', pathOf((await newEnterprise()).id), { as: one }))
    await expectStatus(403, put(one.enterpriseId, {}, one))
    const manager = await newUser({ privileges: ['USERS_MANAGE_ENTERPRISE'] })
    await expectStatus(200, put(one.enterpriseId, { a: 'b' }, manager))
  })

  test('EN-0: those of a hidden enterprise are not found', async () => {
    const as = await newUser({ scopeId: (await newScope()).id })
    const { id } = await newEnterprise()
    expect(await refusal(call('GET', pathOf(id), { as }))).toEqual([404, 'EN-0'])
    expect(await refusal(put(id, {}, as))).toEqual([404, 'EN-0'])
  })
})

describe('a map in XML (docs/api/conventions.md, "JSON and XML")', () => {
  const putXml = (id: number, properties: string) =>
    call('PUT', pathOf(id), {
      body: `<enterpriseproperties>${properties}</enterpriseproperties>`,
      headers: { ...asXml, 'content-type': 'application/xml' },
    })

  test('is written and read as a list of entries', async () => {
    const { id } = await newEnterprise()
    const entry = (key: string, value: string) => `<entry><key>${key}</key><value>${value}</value></entry>`
    const sent = `<properties>${entry('a &lt;b&gt;', ' x ')}${entry('links', '5')}</properties>`
    const answer = await expectStatus(200, putXml(id, sent))
    expect(answer).toContain(sent)
    const { properties } = await expectStatus(200, call('GET', pathOf(id)))
    expect(properties).toEqual({ 'a <b>': ' x ', links: '5' })
    const one = await expectStatus(200, putXml(id, `<properties>${entry('a', '')}</properties>`))
    expect(one).toContain(`<properties>${entry('a', '')}</properties>`)
    expect(await expectStatus(200, putXml(id, '<properties> </properties>'))).toContain(
      '<properties></properties>',
    )
  })

  test('GEN-3: is refused in any other form', async () => {
    const { id } = await newEnterprise()
    for (const wrong of [
      'text',
      '<entry>text</entry>',
      '<entry><value>x</value></entry>',
      '<key>a</key>',
      '<entry><key>a</key><value>b</value></entry><other/>',
    ]) {
      const response = await putXml(id, `<properties>${wrong}</properties>`)
      expect([wrong, response.status, await response.text()]).toEqual([
        wrong,
        400,
        expect.stringContaining('<code>GEN-3</code>'),
      ])
    }
  })

  test('is also the form of the changes of an event', async () => {
    const { id } = await newEnterprise()
    await expectStatus(200, put(id, { a: 'b' }))
    const path = `/api/events?entity=enterprise&entityid=${id}`
    const xml = await expectStatus(200, call('GET', path, { headers: asXml }))
    expect(xml).toContain(
      '<changes><entry><key>properties.a</key><value><after>b</after></value></entry></changes>',
    )
  })
})

import { describe, expect, test } from 'vitest'
import { apiRoutes } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import {
  admin,
  basicOf,
  call,
  codesOf,
  expectStatus,
  ORIGIN,
  router,
  unique,
} from '#lib/tools/testing/client'

const post = (body: string, type: string, path = '/api/admin/datacenters') =>
  call('POST', path, { body, headers: { 'content-type': type } })
const postJson = (body: string) => post(body, 'application/json')
const postXml = (body: string) => post(body, 'application/xml')

const refused = async (answer: Promise<Response>, status: number, ...codes: string[]) => {
  const response = await answer
  expect([response.status, await codesOf(response)]).toEqual([status, codes])
}

const MIB = 1024 * 1024

describe('JSON', () => {
  test.each([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '5',
    'true',
    '[{}]',
    '{"name":}',
    "{'name':'x'}",
    'undefined',
    '\u0000',
  ])('%j is no valid document', (body) => refused(postJson(body), 400, 'GEN-3'))

  test('a body that is not UTF-8 is refused', async () => {
    const request = new Request(`${ORIGIN}/api/admin/datacenters`, {
      method: 'POST',
      body: Buffer.from(`{"name":"${unique('caf\u00e9')}"}`, 'latin1'),
      headers: { authorization: basicOf(admin), 'content-type': 'application/json' },
    })
    await refused((await router()).fetch(request), 400, 'GEN-3')
  })

  test('a byte order mark is ignored', async () => {
    await expectStatus(201, postJson(`\uFEFF${JSON.stringify({ name: unique('Place') })}`))
  })

  test('64 levels are read, 65 are refused', async () => {
    const nested = (levels: number) =>
      `{"name":${JSON.stringify(unique('Place'))},"extra":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    await expectStatus(201, postJson(nested(64)))
    await refused(postJson(nested(65)), 400, 'GEN-3')
    await refused(postJson(nested(500_000)), 400, 'GEN-3')
  })

  test('30,000 values are read, more are refused', async () => {
    // The root, its two fields and the items.
    const list = (values: number) =>
      `{"name":${JSON.stringify(unique('Place'))},"extra":[${'0,'.repeat(values - 4)}0]}`
    await expectStatus(201, postJson(list(30_000)))
    await refused(postJson(list(30_001)), 413, '413-PAYLOAD-TOO-LARGE')
    await refused(postJson(list(430_000)), 413, '413-PAYLOAD-TOO-LARGE')
  })

  test('objects of 1,000 members are read, larger ones are refused, at each level', async () => {
    const inner = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"member${index}":[1,2]`).join(',')}}`
    const holding = (extra: string) => `{"name":${JSON.stringify(unique('Place'))},"extra":[${extra},{}]}`
    await expectStatus(201, postJson(holding(`${inner(1000)},${inner(1000)}`)))
    await refused(postJson(holding(inner(1001))), 413, '413-PAYLOAD-TOO-LARGE')
    await refused(postJson(inner(1001)), 413, '413-PAYLOAD-TOO-LARGE')
  })

  test('at most 200 faults are reported', async () => {
    const links = Array.from({ length: 25_000 }, () => ({}))
    const response = await call('POST', '/api/admin/scopes', { body: { name: unique('Scope'), links } })
    expect([response.status, (await codesOf(response)).length]).toEqual([400, 200])
  })

  test('a body of 1 MiB is read, one byte more is refused', async () => {
    const sized = (bytes: number) => {
      const start = `{"name":${JSON.stringify(unique('Place'))},"extra":"`
      return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
    }
    await expectStatus(201, postJson(sized(MIB)))
    await refused(postJson(sized(MIB + 1)), 413, '413-PAYLOAD-TOO-LARGE')
  })

  test('the limit counts bytes, not characters', () =>
    refused(postJson(`{"extra":"${'\u00e9'.repeat(MIB / 2)}"}`), 413, '413-PAYLOAD-TOO-LARGE'))

  test('a null field counts as missing', async () => {
    const place = await expectStatus(
      201,
      postJson(JSON.stringify({ name: unique('Place'), location: null, id: null })),
    )
    expect(place.location).toBe('')
    await refused(postJson('{"name":null}'), 400, 'CONSTR-NOTNULL')
  })

  test('unknown fields are ignored, also those named like members of Object', async () => {
    const name = unique('Place')
    const place = await expectStatus(
      201,
      postJson(
        `{"name":${JSON.stringify(name)},"uuid":"x","__proto__":{"location":"y"},"constructor":1,"racks":[{"id":5}]}`,
      ),
    )
    expect(place).toMatchObject({ name, location: '' })
    expect(place).not.toHaveProperty('uuid')
  })

  test('a document can be sent back whole, with its links and unknown fields, or without id and links', async () => {
    const place = await expectStatus(
      201,
      postJson(JSON.stringify({ name: unique('Place'), location: 'Here' })),
    )
    const path = `/api/admin/datacenters/${place.id}`
    expect(await expectStatus(200, call('PUT', path, { body: { ...place, somethingNew: 1 } }))).toEqual(place)
    const { id: _id, links: _links, ...bare } = place
    expect(await expectStatus(200, call('PUT', path, { body: bare }))).toEqual(place)
  })

  test('the id on create, and another id than that of the path', async () => {
    await refused(postJson(JSON.stringify({ id: 5, name: unique('Place') })), 400, 'GEN-11')
    await refused(call('PUT', '/api/admin/scopes/1', { body: { id: 2, name: 'x' } }), 400, 'GEN-16')
    await refused(call('PUT', '/api/admin/scopes/1', { body: { id: 'one', name: 'x' } }), 400, 'GEN-16')
  })
})

describe('XML', () => {
  const place = (content: string) => `<datacenter>${content}</datacenter>`

  test.each([
    ['', 'nothing'],
    ['<datacenter>', 'an unclosed element'],
    ['<datacenter><name>x</datacenter></name>', 'crossed elements'],
    ['<scope><name>x</name></scope>', 'another root'],
    ['<datacenters><datacenter><name>x</name></datacenter></datacenters>', 'a list'],
    ['<datacenter/><datacenter/>', 'two roots'],
    ['{"name":"x"}', 'JSON'],
    ['<datacenter><name>a & b</name></datacenter>', 'a bare ampersand'],
    ['<datacenter><name>x<b>y</b></name></datacenter>', 'an element in place of a text'],
    ['<datacenter><name>x</name><name>y</name></datacenter>', 'a repeated field'],
  ])('%s is no valid document: %s', (body) => refused(postXml(body), 400, 'GEN-3'))

  test.each([
    ['an external entity', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'],
    ['an internal entity', '<!DOCTYPE d [<!ENTITY x "y">]>', '&x;'],
    ['nested entities', '<!DOCTYPE d [<!ENTITY a "aaa"><!ENTITY b "&a;&a;&a;">]>', '&b;'],
    ['a parameter entity', '<!DOCTYPE d [<!ENTITY % p SYSTEM "http://localhost/x"> %p;]>', 'x'],
    ['a bare declaration in lower case', '<!doctype datacenter>', 'x'],
    ['an external subset', '<!DOCTYPE d SYSTEM "http://localhost/x.dtd">', 'x'],
    ['an undeclared entity', '', '&xxe;'],
    ['an entity of HTML', '', 'a&nbsp;b'],
    ['a character beyond Unicode', '', '&#x110000;'],
    ['the character 0', '', '&#0;'],
  ])('%s is refused, not expanded', async (_what, doctype, content) => {
    const response = await postXml(`<?xml version="1.0"?>${doctype}${place(`<name>${content}</name>`)}`)
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text).toContain('GEN-3')
    expect(text).not.toMatch(/root:|aaa/)
  })

  test('64 levels are read, 65 are refused', async () => {
    const nested = (levels: number) =>
      place(`<name>${unique('Place')}</name>${'<e>'.repeat(levels - 1)}${'</e>'.repeat(levels - 1)}`)
    await expectStatus(201, postXml(nested(64)))
    await refused(postXml(nested(65)), 400, 'GEN-3')
    await refused(postXml(nested(100_000)), 400, 'GEN-3')
  })

  test.each([
    ['elements', (count: number) => `<name>x</name>${'<e/>'.repeat(count - 2)}`],
    [
      'attributes',
      (count: number) =>
        `<name>x</name><e ${Array.from({ length: count }, (_, place) => `a${place}=""`).join(' ')}/>`,
    ],
    ['links', (count: number) => `<name>x</name>${'<link rel="x" href="y"/>'.repeat(count / 2)}`],
  ])('30,000 %s are read, more are refused', async (_what, content) => {
    const read = (count: number) => postXml(place(content(count).replace('x', unique('Place'))))
    await expectStatus(201, read(30_000))
    await refused(read(30_002), 413, '413-PAYLOAD-TOO-LARGE')
  })

  test.each(['Datacenter', 'DATACENTER', 'dataCenter'])(
    'the root may be %s (docs/api/conventions.md, "JSON and XML")',
    async (root) => {
      await expectStatus(201, postXml(`<${root}><name>${unique('Place')}</name></${root}>`))
    },
  )

  test('more than 1 MiB is refused', () =>
    refused(postXml(place(`<name>${'x'.repeat(MIB)}</name>`)), 413, '413-PAYLOAD-TOO-LARGE'))

  test.each([
    ['&lt;b&gt; &amp;amp; &quot;&apos;', `<b> &amp; "'`],
    ['&#65;&#x42;&#x1F600;', 'AB\u{1F600}'],
    ['<![CDATA[<b> & &#65; &amp;]]>', '<b> & &#65; &amp;'],
    ['one<!-- &nothing; -->two', 'onetwo'],
    ['a&#13;b', 'a\rb'],
    ['&#38;lt;', '&lt;'],
  ])('the text %s is read as %j', async (written, meant) => {
    const name = unique('Place')
    const made = await expectStatus(
      201,
      postXml(place(`<name>${name}</name><location>${written}</location>`)),
    )
    expect(made.location).toBe(meant)
  })

  test('prologue, namespaces, indentation, unknown elements and attributes are tolerated', async () => {
    const name = unique('Place')
    const made = await expectStatus(
      201,
      postXml(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!-- a comment -->
        <ns:datacenter xmlns:ns="urn:x" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="attribute">
          <ns:unknown><deep/></ns:unknown>
          <ns:name lang="en">${name}</ns:name>
          <location xsi:nil="true"/>
        </ns:datacenter>
      `),
    )
    expect(made).toMatchObject({ name, location: '' })
  })

  test('booleans are true and false only, with or without spaces around them', async () => {
    const scope = (flag: string) =>
      post(
        `<scope><name>${unique('Scope')}</name><automaticAddDatacenter>${flag}</automaticAddDatacenter></scope>`,
        'application/xml',
        '/api/admin/scopes',
      )
    expect(await expectStatus(201, scope('true'))).toMatchObject({ automaticAddDatacenter: true })
    expect(await expectStatus(201, scope('\n false '))).toMatchObject({ automaticAddDatacenter: false })
    for (const flag of ['yes', '1', 'TRUE', '']) await refused(scope(flag), 400, 'GEN-3')
  })

  test('two links of one rel with different targets are refused, in JSON too', async () => {
    const links = [
      { rel: 'scopeParent', href: '/api/admin/scopes/1' },
      { rel: 'scopeParent', href: '/api/admin/scopes/2' },
    ]
    const as = { name: unique('Scope'), links }
    await refused(call('POST', '/api/admin/scopes', { body: as }), 400, 'GEN-6')
    const xml = (attributes: string) =>
      post(
        `<scope><link ${attributes}/><name>${unique('Scope')}</name></scope>`,
        'application/xml',
        '/api/admin/scopes',
      )
    await refused(
      xml('xmlns:a="b" rel="scopeParent" href="/api/admin/scopes/1" a:href="/api/admin/scopes/2"'),
      400,
      'GEN-6',
    )
    await refused(
      xml('rel="scopeParent" href="/api/admin/scopes/1"/><link rel="scopeParent" href="/api/admin/scopes/2"'),
      400,
      'GEN-6',
    )
  })

  test('xsi:nil is true or 1', async () => {
    const nil = (value: string) =>
      post(
        `<scope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><name>${unique('Scope')}</name><automaticAddDatacenter xsi:nil="${value}"/></scope>`,
        'application/xml',
        '/api/admin/scopes',
      )
    for (const value of ['true', '1']) await expectStatus(201, nil(value))
    for (const value of ['false', '0']) await refused(nil(value), 400, 'GEN-3')
  })

  test('an empty root element lacks its mandatory fields', async () => {
    for (const body of ['<datacenter/>', '<datacenter>\n</datacenter>'])
      await refused(postXml(body), 400, 'CONSTR-NOTNULL')
  })

  test('the id on create, and another id than that of the path', async () => {
    await refused(postXml(place(`<id>5</id><name>${unique('Place')}</name>`)), 400, 'GEN-11')
    const put = (id: string) =>
      call('PUT', '/api/admin/scopes/1', {
        body: `<scope><id>${id}</id><name>x</name></scope>`,
        headers: { 'content-type': 'text/xml' },
      })
    await refused(put('2'), 400, 'GEN-16')
    await refused(put('1'), 409, 'SCOPE-3')
  })
})

describe('an operation that needs no credentials', () => {
  const opened = async () =>
    apiRoutes(await loadRoutes()).flatMap(({ path, handlers }) =>
      Object.entries(handlers).flatMap(([method, { spec }]) =>
        spec.kind === 'open' && method !== 'GET' ? [{ path, method, spec }] : [],
      ),
    )
  const json = { 'content-type': 'application/json' }

  test('accepts its declared size or 8 KiB: one byte more is 413', async () => {
    for (const { path, method, spec } of await opened()) {
      const most = spec.largestBody ?? 8 * 1024
      const headers = { ...json, 'content-length': String(most + 1) }
      const response = await call(method, path, { as: null, body: 'x'.repeat(most + 1), headers })
      expect([method, path, response.status]).toEqual([method, path, 413])
    }
  })

  test('has the same limit for a body without Content-Length', async () => {
    for (const { path, method, spec } of await opened()) {
      if (!spec.takes) continue
      const body = `{"nick":"${'x'.repeat(8 * 1024)}"}`
      const { status } = await call(method, path, { as: null, body, headers: json })
      // Without a mail server a password reset is refused before the body is read.
      expect([413, 409], `${method} ${path}`).toContain(status)
    }
  })

  test('accepts more than 8 KiB only for messages of identity providers', async () => {
    const large = (await opened()).filter(({ spec }) => (spec.largestBody ?? 0) > 8 * 1024)
    expect(large.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'POST /api/auth/saml/acs',
      'POST /api/auth/saml/logout',
    ])
  })
})

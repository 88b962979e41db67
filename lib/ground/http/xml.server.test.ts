import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, unique } from '#lib/tools/testing/client'

const asXml = { accept: 'application/xml' }

const getXml = async (path: string): Promise<string> =>
  expectStatus(200, call('GET', path, { headers: asXml }))

const written = (type: string, body: string) => ({ body, headers: { 'content-type': type, accept: type } })

/** A plain parser, independent of the one that the API uses. */
const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => name === 'link',
})

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

describe('XML of one resource (docs/api/conventions.md, "JSON and XML")', () => {
  test('has the name of the media type as root, links first, then the fields', async () => {
    const name = unique('Place <&> "x"')
    const { id } = await expectStatus(
      201,
      call('POST', '/api/admin/datacenters', { body: { name, location: 'Here' } }),
    )
    const base = `${ORIGIN}/api/admin/datacenters/${id}`
    const type = (of: string) => `application/vnd.service.${of}+xml`
    const escaped = name.replace('<&>', '&lt;&amp;&gt;').replaceAll('"', '&quot;')
    expect(await getXml(`/api/admin/datacenters/${id}`)).toBe(
      `${declaration}<datacenter>` +
        `<link title="${escaped}" rel="edit" type="${type('datacenter')}" href="${base}"/>` +
        `<link rel="racks" type="${type('racks')}" href="${base}/racks"/>` +
        `<link rel="remoteServices" type="${type('remoteservices')}" href="${base}/remoteservices"/>` +
        `<link rel="tiers" type="${type('tiers')}" href="${base}/storage/tiers"/>` +
        `<link rel="network" type="${type('vlans')}" href="${base}/network"/>` +
        `<link rel="devices" type="${type('devices')}" href="${ORIGIN}/api/cloud/locations/${id}/devices"/>` +
        `<link rel="natnetworks" type="${type('natnetworks')}" href="${base}/natnetworks"/>` +
        `<link title="${escaped}" rel="location" type="${type('datacenter')}" href="${ORIGIN}/api/cloud/locations/${id}"/>` +
        `<id>${id}</id><name>${escaped}</name><location>Here</location><description></description></datacenter>`,
    )
  })

  test('has arrays as repeated elements, each with its links first, and booleans as true and false', async () => {
    const [one, two] = [await newEnterprise(), await newEnterprise()]
    const scopeEntities = [one, two].map(({ id }) => ({ idResource: id, type: 'ENTERPRISE' }))
    const made = await expectStatus(
      201,
      call('POST', '/api/admin/scopes', { body: { name: unique('Scope'), scopeEntities } }),
    )
    const xml = await getXml(`/api/admin/scopes/${made.id}`)
    expect(xml).toContain('<automaticAddDatacenter>false</automaticAddDatacenter>')
    const elements = xml.match(/<scopeEntities>.*?<\/scopeEntities>/g) ?? []
    expect(elements).toHaveLength(2)
    for (const element of elements) expect(element).toMatch(/^<scopeEntities><link .*?\/><id>/)
    expect(await getXml('/api/admin/scopes/1')).toContain(
      '<automaticAddEnterprise>true</automaticAddEnterprise>',
    )
  })

  test('leaves out an optional field without a value', async () => {
    const { id, enterpriseId } = await newUser()
    const xml = await getXml(`/api/admin/enterprises/${enterpriseId}/users/${id}`)
    expect(xml).not.toMatch(/null|undefined|<allowedCIDRs>|<privileges>/)
    expect(xml).toContain('<email></email>')
  })

  test('characters that XML cannot represent are refused in both formats', async () => {
    for (const name of ['a\u0000b', 'a\u0007b', 'a\uFFFEb', 'a\uD800b']) {
      const response = await call('POST', '/api/admin/datacenters', {
        body: { name: `${unique('Place')}${name}` },
      })
      expect(response.status).toBe(400)
    }
  })
})

describe('XML of a list', () => {
  test('has the plural name as root, page links, the total, then the items', async () => {
    const word = unique('listed')
    for (const name of ['b', 'a']) {
      await expectStatus(201, call('POST', '/api/admin/scopes', { body: { name: `${word} ${name}` } }))
    }
    const xml = await getXml(`/api/admin/scopes?has=${encodeURIComponent(word)}`)
    expect(xml).toMatch(
      /^<\?xml [^>]*\?><scopes>(<link rel="(first|last)" href="[^"]*"\/>){2}<totalSize>2<\/totalSize><scope><link /,
    )
    expect(xml).toMatch(/<\/scope><\/scopes>$/)
    const { scopes } = parser.parse(xml)
    expect(scopes.scope.map(({ name }: { name: string }) => name)).toEqual([`${word} a`, `${word} b`])
    expect(scopes.link[0]['@_href']).toContain('limit=25&has=')
  })

  test('has its root, links and total even if empty', async () => {
    const xml = await getXml(`/api/admin/scopes?has=${encodeURIComponent(unique('nothing'))}`)
    expect(xml).toMatch(/<totalSize>0<\/totalSize><\/scopes>$/)
  })

  test('has the same form as a full export, which is streamed', async () => {
    const word = unique('streamed')
    await expectStatus(201, call('POST', '/api/admin/scopes', { body: { name: word } }))
    const has = encodeURIComponent(word)
    const [paged, streamed] = [
      await getXml(`/api/admin/scopes?has=${has}`),
      await getXml(`/api/admin/scopes?limit=0&has=${has}`),
    ]
    expect(streamed).toBe(paged.replaceAll('limit=25', 'limit=0'))
  })
})

describe('round trips', () => {
  const kinds = [
    ['application/vnd.service.datacenter+xml', 'datacenter', '/api/admin/datacenters'],
    ['application/vnd.service.datacenter+json', 'datacenter', '/api/admin/datacenters'],
    ['application/vnd.service.scope+xml', 'scope', '/api/admin/scopes'],
    ['application/vnd.service.scope+json', 'scope', '/api/admin/scopes'],
  ] as const

  test.each(kinds)('a document read as %s can be written back unchanged', async (type, _kind, collection) => {
    const entities = [{ idResource: (await newEnterprise()).id, type: 'ENTERPRISE' }]
    const body = {
      name: `${unique('Round')} <trip> & "\u00fc\u{1F30D}" 'x'\n\r\tend `,
      location: ' ',
      scopeEntities: entities,
    }
    const { id } = await expectStatus(201, call('POST', collection, { body }))
    const path = `${collection}/${id}`
    const before = await (await call('GET', path, { headers: { accept: type } })).text()
    const response = await call('PUT', path, written(type, before))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toBe(before)
    expect(await expectStatus(200, call('GET', path))).toMatchObject({ name: body.name })
  })

  test('a scope can be created in XML as in JSON', async () => {
    const enterprise = await newEnterprise()
    const document = (name: string) =>
      `<scope><link rel="scopeParent" href="/api/admin/scopes/1"/><name>${name}</name>` +
      `<scopeEntities><idResource>${enterprise.id}</idResource><type>enterprise</type></scopeEntities></scope>`
    const response = await call(
      'POST',
      '/api/admin/scopes',
      written('application/xml', document(unique('Scope'))),
    )
    expect(response.status).toBe(201)
    const { scope } = parser.parse(await response.text())
    expect(scope.scopeEntities).toMatchObject({ idResource: String(enterprise.id), type: 'ENTERPRISE' })
    expect(scope.link.map((link: Record<string, string>) => link['@_rel'])).toEqual(['edit', 'scopeParent'])
  })
})

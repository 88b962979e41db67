import { beforeAll, describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise } from '#lib/tools/testing/client'
import { ownPath, type Resource, resources } from '#lib/tools/testing/resources'
import { saidInJson, saidInXml, toXml } from '#lib/tools/testing/xml'

const XML = { accept: 'application/xml' }
const sendsXml = { ...XML, 'content-type': 'application/xml' }

const names = [
  'scope',
  'datacenter',
  'device',
  'natnetwork',
  'natip',
  'enterprise',
  'role',
  'user',
  'virtualdatacenter',
  'virtualappliance',
  'virtualmachine',
  'privateip',
  'natsetaside',
  'virtualmachinetemplate',
]

let all: Resource[]

beforeAll(async () => {
  all = await resources()
})

test('every writable resource is tested here', () => {
  expect(all.map(({ name }) => name)).toEqual(names)
})

const readJson = (path: string) => expectStatus(200, call('GET', path))
const readXml = (path: string): Promise<string> => expectStatus(200, call('GET', path, { headers: XML }))

describe.each(names)('a %s', (name) => {
  const find = () => all.find((resource) => resource.name === name) as Resource

  test('survives a round trip: XML written, JSON read and written back, XML read', async () => {
    const { list, body } = find()
    const document = await body()
    const made = await call('POST', list, { body: toXml(name, document), headers: sendsXml })
    const answered: string = await expectStatus(201, made)
    const path = new URL(made.headers.get('location') ?? '').pathname

    const json = await readJson(path)
    expect(ownPath(json)).toBe(path)
    expect(saidInXml(answered, name)).toEqual(saidInJson(json))
    const {
      password: _password,
      links: _links,
      scopeEntities: _entities,
      ...fields
    } = document as Record<string, unknown>
    expect(json).toMatchObject(fields)

    const first = await readXml(path)
    await expectStatus(200, call('PUT', path, { body: json }))
    expect(await readXml(path)).toBe(first)
    await expectStatus(200, call('PUT', path, { body: first, headers: sendsXml }))
    expect(await readJson(path)).toEqual(json)
  })

  test('is the same in the lists of both formats', async () => {
    const { list, body } = find()
    const made = await expectStatus(201, call('POST', list, { body: await body() }))
    const query = `${list}?by=id&asc=false&limit=2${name === 'natip' ? '&all=true' : ''}`
    if (!['natip', 'privateip'].includes(name)) expect((await readJson(query)).collection[0]).toEqual(made)
    const { collection, ...page } = await readJson(query.replace('by=id&asc=false&', ''))
    const said = saidInXml(await readXml(query.replace('by=id&asc=false&', '')), `${name}s`)
    expect(said).toEqual(saidInJson({ ...page, [name]: collection }))
  })
})

test('maps are entries in XML (docs/api/conventions.md, "JSON and XML") and survive a round trip', async () => {
  const { id } = await newEnterprise()
  const path = `/api/admin/enterprises/${id}/properties`
  const properties = { 'a key': 'one & <two>', ключ: '', 'xml:lang': 'en' }
  const body = toXml('enterpriseproperties', { properties })
  const answered: string = await expectStatus(200, call('PUT', path, { body, headers: sendsXml }))
  const json = await readJson(path)
  expect(json.properties).toEqual(properties)
  expect(saidInXml(answered, 'enterpriseproperties')).toEqual(saidInJson(json))
  const first = await readXml(path)
  await expectStatus(200, call('PUT', path, { body: json }))
  await expectStatus(200, call('PUT', path, { body: first, headers: sendsXml }))
  expect([await readXml(path), await readJson(path)]).toEqual([first, json])
})

/** Paths whose XML root differs from the last segment of the path. */
const roots: Record<string, string> = { '/api/login': 'user', '/api/cloud/locations': 'datacenters' }

test.each([
  '/api/admin/roles',
  '/api/config/privileges',
  '/api/config/devicetypes',
  '/api/cloud/locations',
  '/api/events',
  '/api/login',
])('a read-only resource is the same in both formats: %s', async (path) => {
  const root = roots[path] ?? path.split('/').at(-1) ?? ''
  const { collection, ...rest } = await readJson(path)
  const said = saidInXml(await readXml(path), root)
  expect(said).toEqual(saidInJson(collection ? { ...rest, [root.slice(0, -1)]: collection } : rest))
})

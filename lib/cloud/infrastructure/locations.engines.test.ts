import { expect, test } from 'vitest'
import { call, expectStatus, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import { hrefOf, listed } from '#lib/tools/testing/inventory'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const LOCATIONS = '/api/cloud/locations'

test('any user can read a location, the short form of a datacenter', async () => {
  const { id, name } = await newDatacenter()
  const as = await newUser({ privileges: [] })
  const path = `${LOCATIONS}/${id}`
  const document = await expectStatus(200, call('GET', path, { as }))
  expect(document).toEqual({
    links: [
      { rel: 'self', href: ORIGIN + path, type: 'application/vnd.service.datacenter+json', title: name },
      { rel: 'devices', href: `${ORIGIN}${path}/devices`, type: 'application/vnd.service.devices+json' },
    ],
    id,
    name,
    location: 'Here',
  })
  const xml = await expectStatus(200, call('GET', path, { as, headers: { accept: 'application/xml' } }))
  expect(xml).toContain(`<id>${id}</id><name>${name}</name><location>Here</location></datacenter>`)
  const datacenter = await expectStatus(200, call('GET', `/api/admin/datacenters/${id}`))
  expect(hrefOf(datacenter, 'location')).toBe(ORIGIN + path)
})

test('DC-0: the locations of hidden datacenters are not found', async () => {
  const [seen, hidden] = [await newDatacenter(), await newDatacenter()]
  const as = await newUser({ scopeId: (await newScope({ datacenters: [seen.id] })).id })
  expect(await listed(LOCATIONS, 'id', as)).toEqual([seen.id])
  expect((await expectStatus(200, call('GET', LOCATIONS, { as }))).totalSize).toBe(1)
  expect(await refusal(call('GET', `${LOCATIONS}/${hidden.id}`, { as }))).toEqual([404, 'DC-0'])
  expect(await refusal(call('GET', `${LOCATIONS}/nowhere`))).toEqual([404, 'DC-0'])
})

test('locations are searched by name and ordered by name or id', async () => {
  const mark = unique('Spot')
  const [one, two] = [await newDatacenter(`Zürich ${mark}`), await newDatacenter(`aachen ${mark}`)]
  const found = `${LOCATIONS}?has=${encodeURIComponent(mark.toUpperCase())}`
  expect(await listed(found, 'id')).toEqual([two.id, one.id])
  expect(await listed(`${found}&by=id`, 'id')).toEqual([one.id, two.id])
  expect(await refusal(call('GET', `${LOCATIONS}?by=location`))).toEqual([400, 'QUERY-0'])
})

test('locations have the type datacenter, or location if the client accepts only that (docs/api/datacenters.md, "Datacenters and locations")', async () => {
  const { id } = await newDatacenter()
  const typeOf = async (path: string, accept?: string) => {
    const response = await call('GET', path, { headers: accept ? { accept } : {} })
    return [response.headers.get('content-type') ?? response.status, (await response.text()).slice(0, 90)]
  }
  const vendor = (name: string) => `application/vnd.service.${name}`
  for (const [path, own, other] of [
    [LOCATIONS, 'datacenters', 'locations'],
    [`${LOCATIONS}/${id}`, 'datacenter', 'location'],
  ] as const) {
    for (const accept of [undefined, '*/*', `${vendor(own)}+json`])
      expect((await typeOf(path, accept))[0]).toBe(`${vendor(own)}+json`)
    expect((await typeOf(path, `${vendor(other)}+json`))[0]).toBe(`${vendor(other)}+json`)
    expect(await typeOf(path, `${vendor(other)}+xml`)).toEqual([
      `${vendor(other)}+xml`,
      expect.stringContaining(`<${other}>`),
    ])
    expect(await typeOf(path, `${vendor(own)}+xml`)).toEqual([
      `${vendor(own)}+xml`,
      expect.stringContaining(`<${own}>`),
    ])
    expect(await typeOf(path, `${vendor(own)}+json;q=0, ${vendor(other)}+json;q=0.1`)).toEqual([
      `${vendor(other)}+json`,
      expect.anything(),
    ])
  }
  expect(
    (await call('GET', `/api/admin/datacenters/${id}`, { headers: { accept: `${vendor('location')}+json` } }))
      .status,
  ).toBe(406)
})

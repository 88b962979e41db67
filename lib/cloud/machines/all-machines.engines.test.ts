import { expect, test } from 'vitest'
import { call, expectStatus, newUser, unique } from '#lib/tools/testing/client'
import { listed, newPlace } from '#lib/tools/testing/inventory'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const MACHINES = '/api/cloud/virtualmachines'

test('the list of all machines links each by its full path (docs/api/machines.md, "Appliances and virtual machines")', async () => {
  const mark = unique('Everywhere')
  const [one, two] = [await newPlace(), await newPlace()]
  const first = await one.make({ name: `${mark} b`, label: 'Web' })
  const second = await two.make({ name: `${mark} a`, label: 'web' })
  const has = encodeURIComponent(mark.toUpperCase())
  const answer = await expectStatus(200, call('GET', `${MACHINES}?has=${has}`))
  expect(answer.totalSize).toBe(2)
  expect(answer.collection).toEqual([second.document, first.document])
  expect(await listed(`${MACHINES}?has=${has}&limit=1&startwith=1`, 'id')).toEqual([first.id])
  expect(await listed(`${MACHINES}?has=${has}&by=id&asc=False`, 'id')).toEqual([second.id, first.id])
  const xml = await expectStatus(
    200,
    call('GET', `${MACHINES}?has=${has}`, { headers: { accept: 'application/xml' } }),
  )
  expect(xml).toContain(`<totalSize>2</totalSize><virtualmachine>`)
})

test('vmlabel finds exactly this label', async () => {
  const label = unique('Label')
  const { make } = await newPlace()
  const { id } = await make({ label })
  await make({ label: `${label}x` })
  await make({ label: label.toUpperCase() })
  const answer = await expectStatus(200, call('GET', `${MACHINES}?vmlabel=${encodeURIComponent(label)}`))
  expect([answer.totalSize, answer.collection.map((each: { id: number }) => each.id)]).toEqual([1, [id]])
  expect(answer.links[0].href).toContain(`vmlabel=${encodeURIComponent(label)}`)
  expect(await listed(`${MACHINES}?vmlabel=${encodeURIComponent(label.slice(0, -1))}`, 'id')).toEqual([])
})

test('the list of all machines is filtered by place, by user and by state', async () => {
  const mark = unique('Filtered')
  const [one, two] = [await newPlace(), await newPlace()]
  const owner = await newUser({ enterpriseId: one.enterprise })
  const user = { rel: 'user', href: `/api/admin/enterprises/${one.enterprise}/users/${owner.id}` }
  const own = await one.make({ name: `${mark} own`, links: [user] })
  const off = await one.make({ name: `${mark} off`, state: 'OFF' })
  const other = await two.make({ name: `${mark} other` })
  const found = (filter: string) => listed(`${MACHINES}?has=${mark}&by=id&${filter}`, 'id')
  expect(await found(`enterprise=${one.enterprise}`)).toEqual([own.id, off.id])
  expect(await found(`datacenter=${two.datacenter}`)).toEqual([other.id])
  expect(await found(`virtualdatacenter=${one.center}`)).toEqual([own.id, off.id])
  expect(await found(`virtualdatacenter=${one.center}&state=OFF`)).toEqual([off.id])
  expect(await found(`user=${owner.id}`)).toEqual([own.id])
  expect(await refusal(call('GET', `${MACHINES}?state=off`))).toEqual([400, 'GEN-22'])
})

test('a filter by a hidden user finds no machine, although its machines are visible', async () => {
  const [place, elsewhere] = [await newPlace(), await newPlace()]
  const stranger = await newUser({ enterpriseId: elsewhere.enterprise })
  const href = `/api/admin/enterprises/${elsewhere.enterprise}/users/${stranger.id}`
  const { id } = await place.make({ links: [{ rel: 'user', href }] })
  const { id: scopeId } = await newScope({
    enterprises: [place.enterprise],
    datacenters: [place.datacenter],
  })
  const limited = await newUser({ privileges: ['VDC_ENUMERATE'], scopeId })
  expect(await listed(`${MACHINES}?user=${stranger.id}`, 'id')).toEqual([id])
  expect(await listed(MACHINES, 'id', limited)).toEqual([id])
  expect(await listed(`${MACHINES}?user=${stranger.id}`, 'id', limited)).toEqual([])
})

test('machines of hidden enterprises or datacenters are not listed', async () => {
  const [seen, unseen] = [await newPlace(), await newPlace()]
  const { id } = await seen.make()
  await unseen.make()
  const both = await newScope({ enterprises: [seen.enterprise], datacenters: [seen.datacenter] })
  const elsewhere = await newScope({ enterprises: [seen.enterprise], datacenters: [unseen.datacenter] })
  const privileges = ['VDC_ENUMERATE'] as const
  expect(await listed(MACHINES, 'id', await newUser({ privileges, scopeId: both.id }))).toEqual([id])
  expect(await listed(MACHINES, 'id', await newUser({ privileges, scopeId: elsewhere.id }))).toEqual([])
  const user = await newUser({ privileges: ['VDC_MANAGE'] })
  expect((await call('GET', MACHINES, { as: user })).status).toBe(403)
  expect(await refusal(call('GET', `${MACHINES}?by=label`))).toEqual([400, 'QUERY-0'])
})

test('the lists of storage tiers and private networks are empty (docs/api/datacenters.md, "Datacenters and locations")', async () => {
  const { datacenter } = await newPlace()
  const hidden = await newUser({ scopeId: (await newScope()).id })
  for (const path of ['storage/tiers', 'network']) {
    const own = `/api/admin/datacenters/${datacenter}/${path}`
    expect(await expectStatus(200, call('GET', own))).toMatchObject({ collection: [], totalSize: 0 })
    expect(await refusal(call('GET', own, { as: hidden }))).toEqual([404, 'DC-0'])
  }
})

test.each(['json', 'xml'])(
  'a request that accepts acceptedrequest+%s gets the created machine at once (docs/api/existing-clients.md, "Existing clients")',
  async (syntax) => {
    const accept = `application/vnd.service.acceptedrequest+${syntax}`
    const { machines } = await newPlace()
    const made = await call('POST', machines, { body: { name: unique('Machine') }, headers: { accept } })
    expect([made.status, made.headers.get('content-type')]).toEqual([
      201,
      'application/vnd.service.virtualmachine+json',
    ])
    const refused = await call('POST', machines, { body: {}, headers: { accept } })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      400,
      'application/vnd.service.errors+json',
    ])
  },
)

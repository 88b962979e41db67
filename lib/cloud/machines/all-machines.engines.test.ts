import { expect, test } from 'vitest'
import { call, expectStatus, newUser, unique } from '#lib/tools/testing/client'
import { listed, newPlace } from '#lib/tools/testing/inventory'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const MACHINES = '/api/cloud/virtualmachines'

test('the list of all machines links each by its full path (docs/api.md, "Appliances and virtual machines")', async () => {
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

test('the lists of storage tiers and private networks are empty (docs/api.md, "Datacenters and locations")', async () => {
  const { datacenter } = await newPlace()
  const hidden = await newUser({ scopeId: (await newScope()).id })
  for (const path of ['storage/tiers', 'network']) {
    const own = `/api/admin/datacenters/${datacenter}/${path}`
    expect(await expectStatus(200, call('GET', own))).toMatchObject({ collection: [], totalSize: 0 })
    expect(await refusal(call('GET', own, { as: hidden }))).toEqual([404, 'DC-0'])
  }
})

test.each(['json', 'xml'])(
  'a request that accepts acceptedrequest+%s gets the created machine at once (docs/api.md, "Existing clients")',
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

import { expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { centerPath, newCenter } from '#lib/tools/testing/inventory'
import { ipOf, type Network, networksPath } from '#lib/tools/testing/nat'
import { attachIp, ipsPath, newTenIps, releasePath } from '#lib/tools/testing/nat-rules'
import { newScope } from '#lib/tools/testing/scopes'

/* docs/api/conventions.md, "Notes and tags": the notes of a NAT IP belong to its holder. */

const notes = { description: 'shop\nof Ana', tags: ['web', '=1+1'] }
const none = { description: '', tags: [] }

const read = (path: string, as?: User) => expectStatus(200, call('GET', path, { ...(as && { as }) }))

async function undoLast(entity: string, id: number) {
  const { collection } = await read(`/api/events?entity=${entity}&entityid=${id}&by=id&limit=1&asc=false`)
  await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
}

/** Two attached IPs with notes. */
async function attached() {
  const network = await newTenIps()
  const center = await newCenter({ datacenter: network.datacenter })
  const ids: number[] = []
  for (const ip of ['192.0.2.1', '192.0.2.2']) {
    const id = await attachIp(network, center.id, ip)
    const body = { defaultSnat: false, ...notes }
    await expectStatus(200, call('PUT', `${centerPath(center.id)}/natips/${id}`, { body }))
    ids.push(id)
  }
  const [first = 0, second = 0] = ids
  const notesOf = async (id: number) => {
    const { description, tags } = await read(`${ipsPath(network)}/${id}`)
    return { description, tags }
  }
  return { network, center, first, second, notesOf }
}

test('a released IP loses its notes, and an undo brings them back with its holder', async () => {
  const { center, network, first, second, notesOf } = await attached()
  expect(await notesOf(first)).toEqual(notes)
  await expectStatus(200, call('PUT', releasePath(center.id, first)))
  expect([await notesOf(first), await notesOf(second)]).toEqual([none, notes])
  await undoLast('natip', first)
  expect(await notesOf(first)).toEqual(notes)
  const bulk = `${networksPath(network.datacenter)}/action/releaseips`
  await expectStatus(200, call('POST', bulk, { body: { ids: [first, second] } }))
  expect([await notesOf(first), await notesOf(second)]).toEqual([none, none])
  await undoLast('datacenter', network.datacenter)
  expect([await notesOf(first), await notesOf(second)]).toEqual([notes, notes])
})

test('an IP loses its notes with its virtual datacenter, and by a plan', async () => {
  const { center, network, first, second, notesOf } = await attached()
  const item = { datacenter: '', network: network.name, ip: '192.0.2.2', virtualDatacenter: '' }
  item.datacenter = (await read(`/api/admin/datacenters/${network.datacenter}`)).name
  const plan = await expectStatus(201, call('POST', '/api/plans', { body: { natips: [item] } }))
  await expectStatus(200, call('POST', `/api/plans/${plan.id}/action/apply`))
  expect([await notesOf(first), await notesOf(second)]).toEqual([notes, none])
  await expectStatus(204, call('DELETE', centerPath(center.id)))
  expect(await notesOf(first)).toEqual(none)
})

test('a plan gives notes, and an export has them', async () => {
  const network = await newTenIps()
  const datacenter = (await read(`/api/admin/datacenters/${network.datacenter}`)).name
  const item = { datacenter, network: network.name, ip: '192.0.2.3', ...notes }
  const plan = await expectStatus(201, call('POST', '/api/plans', { body: { natips: [item] } }))
  await expectStatus(200, call('POST', `/api/plans/${plan.id}/action/apply`))
  const { natips } = await read('/api/export?entity=natips')
  expect(natips).toContainEqual(expect.objectContaining(item))
})

test('who does not see the holder sees no notes, finds none, and changes none', async () => {
  const { center, network, first, notesOf } = await attached()
  const scope = await newScope({
    enterprises: [(await newEnterprise()).id],
    datacenters: [network.datacenter],
  })
  const privileges = [
    'PHYS_DC_RETRIEVE_DETAILS',
    'PHYS_DC_ALLOW_MODIFY_NETWORK',
    'EVENTLOG_VIEW_ALL',
  ] as const
  const as = await newUser({ privileges, scopeId: scope.id })
  const ip = `${ipsPath(network)}/${first}`
  expect(await read(ip, as)).toMatchObject(none)
  expect(await read(`${ipsPath(network)}?tag=web`, as)).toMatchObject({ totalSize: 0 })
  expect((await read('/api/tags', as)).totalSize).toBe(0)
  const body = { quarantine: true, description: 'mine', tags: [] }
  await expectStatus(200, call('PUT', ip, { as, body }))
  expect(await notesOf(first)).toEqual(notes)
  const many = `${networksPath(network.datacenter)}/action/changeips`
  const addTags = Array.from({ length: 20 }, (_, at) => `tag ${at}`)
  const change = { ids: [first], addTags, removeTags: ['web'] }
  // Too many together with the hidden ones, which a refusal would give away.
  expect(await expectStatus(200, call('POST', many, { as, body: change }))).toMatchObject({
    changed: 0,
    unchanged: 1,
    refused: 0,
  })
  expect(await notesOf(first)).toEqual(notes)
  expect(await expectStatus(200, call('POST', many, { body: { ids: [first], addTags } }))).toMatchObject({
    refused: 1,
  })
  const all = `${networksPath(network.datacenter)}/action/releaseips`
  await expectStatus(200, call('POST', all, { body: { ids: [first] } }))
  const { collection } = await read(`/api/events?entity=datacenter&entityid=${network.datacenter}`, as)
  for (const event of collection)
    for (const row of (await read(`/api/events/${event.id}/rows`, as)).collection)
      expect(JSON.stringify(row)).not.toContain('Ana')
  expect(center.id).toBeGreaterThan(0)
})

test('the lists, states and positions of IPs follow their tags', async () => {
  const network: Network = await newTenIps()
  const tag = unique('tag')
  for (const last of [2, 5, 7]) {
    const path = `${ipsPath(network)}/${(await ipOf(network, `192.0.2.${last}`)).id}`
    await expectStatus(200, call('PUT', path, { body: { quarantine: last === 7, tags: [tag] } }))
  }
  const query = `tag=${encodeURIComponent(tag.toUpperCase())}`
  const list = await read(`${ipsPath(network)}?${query}&limit=2&startwith=1`)
  expect(list.totalSize).toBe(3)
  expect(list.collection.map(({ ip }: { ip: string }) => ip)).toEqual(['192.0.2.5', '192.0.2.7'])
  const actions = `${networksPath(network.datacenter)}/action`
  expect(await read(`${actions}/ipstates?${query}`)).toMatchObject({ ips: 3, quarantine: 1, free: 2 })
  expect(await read(`${actions}/ipposition?ip=192.0.2.7&${query}`)).toMatchObject({ position: 2 })
  const found = await read(`/api/session/search?has=${encodeURIComponent(tag.toUpperCase())}`)
  expect(found.collection.map(({ name }: { name: string }) => name)).toEqual([
    '192.0.2.2',
    '192.0.2.5',
    '192.0.2.7',
  ])
  expect(await read(`/api/tags?has=${encodeURIComponent(tag)}`)).toMatchObject({ collection: [{ count: 3 }] })
})

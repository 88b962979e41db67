import { expect, test } from 'vitest'
import { call, expectStatus, newUser, unique } from '#lib/tools/testing/client'
import { ipOf, networksPath } from '#lib/tools/testing/nat'
import { dnat, ipsPath, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'

/* docs/api/bulk-changes.md, "Bulk changes": tags of many. */

const read = (path: string) => expectStatus(200, call('GET', path))
const change = (path: string, body: object) => expectStatus(200, call('POST', path, { body }))

async function undoLast(entity: string, id: number) {
  const { collection } = await read(`/api/events?entity=${entity}&entityid=${id}&by=id&limit=1&asc=false`)
  await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
}

test('tags of NAT IPs and rules are added and removed, by ids and by a tag, and an undo takes it back', async () => {
  const machine = await newMachineWithIps()
  const { network, natIps } = machine
  const free = (await ipOf(network, '192.0.2.9')).id
  const actions = `${networksPath(network.datacenter)}/action`
  const tagsOf = async (path: string) => (await read(path)).tags
  const ip = `${ipsPath(network)}/${natIps[0]}`
  const report = await change(`${actions}/changeips`, { ids: [...natIps, free], addTags: ['Web', 'old'] })
  expect(report).toMatchObject({ changed: 3, refused: 0 })
  expect(await change(`${actions}/changeips`, { ids: [free], addTags: ['WEB'] })).toMatchObject({
    changed: 0,
    unchanged: 1,
  })
  const swap = { filter: 'tag=web&all=true', addTags: ['new'], removeTags: ['OLD'] }
  expect(await change(`${actions}/changeips`, swap)).toMatchObject({ changed: 3 })
  expect(await tagsOf(ip)).toEqual(['Web', 'new'])
  await undoLast('datacenter', network.datacenter)
  expect(await tagsOf(ip)).toEqual(['Web', 'old'])
  const body = { ...ruleBody(machine, dnat(80)), tags: Array.from({ length: 20 }, (_, at) => `tag ${at}`) }
  const full = await expectStatus(201, call('POST', `${machine.path}/natrules`, { body }))
  const other = { ...ruleBody(machine, dnat(81)), tags: ['one'] }
  const rule = await expectStatus(201, call('POST', `${machine.path}/natrules`, { body: other }))
  const rules = await change(`${actions}/changerules`, { ids: [full.id, rule.id], addTags: ['more'] })
  expect(rules).toMatchObject({ changed: 1, refused: 1, refusals: [{ id: full.id, code: 'CONSTR-LENGTH' }] })
  expect(await tagsOf(`${machine.path}/natrules/${rule.id}`)).toEqual(['one', 'more'])
  await undoLast('datacenter', network.datacenter)
  expect(await tagsOf(`${machine.path}/natrules/${rule.id}`)).toEqual(['one'])
})

test('tags of users are added and removed, also by a job', async () => {
  const [one, two] = [await newUser({}), await newUser({ enterpriseId: 1 })]
  const tag = unique('tag')
  const path = '/api/admin/enterprises/_/users/action/changeusers'
  const ids = [one.id, two.id]
  expect(await change(path, { ids, addTags: [tag], removeTags: ['none'], links: [] })).toMatchObject({
    changed: 2,
  })
  const list = `/api/admin/enterprises/_/users?tag=${encodeURIComponent(tag)}`
  expect((await read(list)).totalSize).toBe(2)
  const filter = `tag=${encodeURIComponent(tag)}`
  expect(await change(path, { filter, removeTags: [tag], links: [] })).toMatchObject({ changed: 2 })
  expect((await read(list)).totalSize).toBe(0)
  const job = await call('POST', path, {
    body: { ids, addTags: [tag], links: [] },
    headers: { prefer: 'respond-async' },
  })
  expect(job.status).toBe(202)
})

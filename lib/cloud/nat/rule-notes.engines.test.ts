import { expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User } from '#lib/tools/testing/client'
import { networksPath } from '#lib/tools/testing/nat'
import { dnat, ipsPath, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { newScope } from '#lib/tools/testing/scopes'

/* docs/api/conventions.md, "Notes and tags": the notes of NAT rules. */

const notes = { description: 'shop\nof Ana', tags: ['Web', '=1+1', 'a, b'] }

const read = (path: string, as?: User) => expectStatus(200, call('GET', path, { ...(as && { as }) }))

async function notedRule() {
  const machine = await newMachineWithIps()
  const body = { ...ruleBody(machine, dnat(80)), ...notes }
  const rule = await expectStatus(201, call('POST', `${machine.path}/natrules`, { body }))
  return { machine, rule, path: `${machine.path}/natrules/${rule.id}` }
}

test('a rule has notes that a PUT of it, or of its machine, without them leaves', async () => {
  const { machine, rule, path } = await notedRule()
  expect(rule).toMatchObject(notes)
  const { description: _, tags: __, ...old } = rule
  expect(await expectStatus(200, call('PUT', path, { body: old }))).toMatchObject(notes)
  const document = await read(machine.path)
  const natrules = document.natrules.map(({ tags: _, description: __, ...each }: typeof rule) => each)
  await expectStatus(200, call('PUT', machine.path, { body: { ...document, natrules } }))
  expect(await read(path)).toMatchObject(notes)
  const changed = { ...rule, tags: ['a', ' b'], description: '' }
  expect(await expectStatus(200, call('PUT', path, { body: changed }))).toMatchObject({
    tags: ['a', 'b'],
    description: '',
  })
  const { collection } = await read(`/api/events?entity=natrule&entityid=${rule.id}&by=id&limit=1&asc=false`)
  await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
  expect(await read(path)).toMatchObject(notes)
  await expectStatus(204, call('DELETE', path))
  const deletion = await read(`/api/events?entity=natrule&entityid=${rule.id}&action=delete`)
  await expectStatus(200, call('POST', `/api/events/${deletion.collection[0].id}/action/undo`))
  expect(await read(path)).toMatchObject(notes)
})

test('every list of rules takes a tag, also as of a moment', async () => {
  const { machine, rule, path } = await notedRule()
  const { network } = machine
  const networks = networksPath(network.datacenter)
  const lists = [
    `${machine.path}/natrules`,
    `${networks}/${network.id}/rules`,
    `${networks}/action/allrules`,
    '/api/admin/natnetworks/action/allrules',
    `${ipsPath(network)}/${machine.natIps[0]}/rules`,
  ]
  const ids = async (query: string) =>
    Promise.all(
      lists.map(async (list) =>
        (await read(`${list}?${query}&datacenter=${network.datacenter}`)).collection.map(
          ({ id }: { id: number }) => id,
        ),
      ),
    )
  const all = lists.map(() => [rule.id])
  expect(await ids('tag=WEB&tag=a, b')).toEqual(all)
  expect(await ids('tag=none')).toEqual(lists.map(() => []))
  await expectStatus(200, call('PUT', path, { body: { ...rule, tags: [] } }))
  expect(await ids('tag=web')).toEqual(lists.map(() => []))
})

test('who does not see the machine sees no notes, and finds none', async () => {
  const { machine } = await notedRule()
  const { network } = machine
  const scope = await newScope({
    enterprises: [(await newEnterprise()).id],
    datacenters: [network.datacenter],
  })
  const as = await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'], scopeId: scope.id })
  const rules = `${networksPath(network.datacenter)}/action/allrules`
  expect((await read(rules, as)).collection).toMatchObject([{ description: '', tags: [] }])
  expect((await read(`${rules}?tag=web`, as)).totalSize).toBe(0)
  expect((await read('/api/tags', as)).totalSize).toBe(0)
})

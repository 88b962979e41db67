import { describe, expect, test } from 'vitest'
import type { EventDocument } from '#lib/record/events/events.schema'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import {
  createdUser,
  enterpriseLink,
  newRole,
  putUser,
  readUser,
  relinked,
  scopeLink,
} from '#lib/tools/testing/identity'
import { centerPath, newCenter, newPrivateIp, nicLink } from '#lib/tools/testing/inventory'
import {
  attachIp,
  dnat,
  ipsPath,
  newMachineWithIps,
  newTenIps,
  releasePath,
  ruleBody,
} from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, ofEnterprise, parentLink, putScope, scopePath } from '#lib/tools/testing/scopes'
import { changeUser } from '#lib/tools/testing/session'

const eventsOf = async (entity: string, id: number): Promise<EventDocument[]> =>
  (await expectStatus(200, call('GET', `/api/events?entity=${entity}&entityid=${id}&by=id`))).collection

const lastOf = async (entity: string, id: number): Promise<EventDocument> => {
  const last = (await eventsOf(entity, id)).at(-1)
  if (!last) throw new Error(`no event of ${entity} ${id}`)
  return last
}

/** The newest event. */
const newest = async (): Promise<EventDocument> =>
  (await expectStatus(200, call('GET', '/api/events?limit=1&by=id&asc=false'))).collection[0]

const undo = (event: { id: number }, query = '', as: User = admin) =>
  call('POST', `/api/events/${event.id}/action/undo${query}`, { as })
const read = (path: string) => expectStatus(200, call('GET', path))

describe('undo', () => {
  test('of a deletion restores the resource under its id, and undo of the undo removes it again', async () => {
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id] })
    const before = await read(scopePath(scope.id))
    await expectStatus(204, call('DELETE', scopePath(scope.id)))
    const deletion = await lastOf('scope', scope.id)
    const undone = await expectStatus(200, undo(deletion))
    expect(undone).toMatchObject({ action: 'create', entityId: scope.id, entityName: before.name })
    expect(await read(scopePath(scope.id))).toEqual(before)
    expect(await refusal(undo(deletion))).toEqual([409, 'UNDO-2'])
    await expectStatus(200, undo(undone))
    expect(await refusal(call('GET', scopePath(scope.id)))).toEqual([404, 'SCOPE-1'])
  })

  test('of an update reverts only the event’s changes', async () => {
    const [one, two] = [await newEnterprise(), await newEnterprise()]
    const scope = await newScope()
    const name = unique('Renamed')
    await expectStatus(200, putScope(scope, { name, scopeEntities: [ofEnterprise(one.id)] }))
    const change = await lastOf('scope', scope.id)
    await expectStatus(
      200,
      putScope(scope, { name, scopeEntities: [ofEnterprise(one.id), ofEnterprise(two.id)] }),
    )
    const dry = await expectStatus(200, undo(change, '?dryrun=true'))
    expect(dry).not.toHaveProperty('id')
    expect((await read(scopePath(scope.id))).name).toBe(name)
    await expectStatus(200, undo(change))
    expect(await read(scopePath(scope.id))).toMatchObject({
      name: scope.name,
      scopeEntities: [{ idResource: two.id, type: 'ENTERPRISE' }],
    })
  })

  test('is refused if a field was changed since then', async () => {
    const scope = await newScope()
    await expectStatus(200, putScope(scope, { name: unique('Second') }))
    const change = await lastOf('scope', scope.id)
    await expectStatus(200, putScope(scope, { name: unique('Third') }))
    expect(await refusal(undo(change))).toEqual([409, 'UNDO-1'])
  })
})

test('a user who was moved comes back, and the event of the undo shows both enterprises', async () => {
  const [from, to] = [await newEnterprise(), await newEnterprise()]
  const user = await createdUser(from.id, { role: await newRole() })
  await expectStatus(200, putUser(user, { links: relinked(user, 'enterprise', enterpriseLink(to.id)) }))
  const path = `/api/events?entity=user&entityid=${user.id}&by=id`
  const moved = (await expectStatus(200, call('GET', path))).collection.at(-1)
  const undone = await expectStatus(200, call('POST', `/api/events/${moved.id}/action/undo`))
  expect(undone.changes).toEqual({
    enterprise: { before: `${to.name} (${to.id})`, after: `${from.name} (${from.id})` },
  })
})

test('a flag of a NAT IP that was changed since then stays if the event changed the other one', async () => {
  const { network } = await newMachineWithIps()
  const { collection } = await read(`${ipsPath(network)}?all=true&limit=6`)
  const free = collection.find((ip: { links: { rel: string }[] }) =>
    ip.links.every(({ rel }) => rel !== 'virtualdatacenter'),
  )
  const path = `${ipsPath(network)}/${free.id}`
  await expectStatus(200, call('PUT', path, { body: { available: false, quarantine: false } }))
  const change = await newest()
  await expectStatus(200, call('PUT', path, { body: { available: false, quarantine: true } }))
  await expectStatus(200, undo(change))
  expect(await read(path)).toMatchObject({ available: true, quarantine: true })
})

test('a private IP with NAT rules stays attached to its machine', async () => {
  const place = await newMachineWithIps()
  const machine = await read(place.path)
  const privateIp = await newPrivateIp(place.center, '10.0.0.3')
  const links = [...machine.links, nicLink(2, place.center, privateIp)]
  await expectStatus(200, call('PUT', place.path, { body: { ...machine, links } }))
  const attached = await newest()
  const body = ruleBody(place, dnat(80), { privateIp })
  const rule = await expectStatus(201, call('POST', `${place.path}/natrules`, { body }))
  expect(await refusal(undo(attached))).toEqual([409, 'PRIVATEIP-1'])
  await expectStatus(204, call('DELETE', `${place.path}/natrules/${rule.id}`))
  await expectStatus(200, undo(attached))
  expect(await read(place.path)).toEqual(machine)
})

test('a machine with a NAT rule that was made since stays, and the rule too', async () => {
  const place = await newMachineWithIps()
  const machine = await read(place.path)
  const creation = await lastOf('virtualmachine', machine.id)
  const rule = await expectStatus(
    201,
    call('POST', `${place.path}/natrules`, { body: ruleBody(place, dnat(80)) }),
  )
  const { collection } = await expectStatus(409, undo(creation))
  expect(collection).toEqual([
    { code: 'UNDO-1', message: `The NAT rule ${rule.id} was made since, and would be deleted too` },
  ])
  expect((await read(`${place.path}/natrules/${rule.id}`)).id).toBe(rule.id)
  await expectStatus(204, call('DELETE', `${place.path}/natrules/${rule.id}`))
  await expectStatus(200, undo(creation))
  expect(await refusal(call('GET', place.path))).toEqual([404, 'VM-0'])
})

async function adminsEnterprise(): Promise<number> {
  const { links } = await read('/api/login')
  const { href } = links.find(({ rel }: { rel: string }) => rel === 'enterprise')
  return Number(href.split('/').at(-1))
}

describe('hidden resources', () => {
  test('that hold a NAT IP now are not in the refusal', async () => {
    const network = await newTenIps()
    const { datacenter } = network
    const [seen, hidden] = [await newCenter({ datacenter }), await newCenter({ datacenter })]
    const [first, second] = [
      await attachIp(network, seen.id, '192.0.2.1'),
      await attachIp(network, seen.id, '192.0.2.2'),
    ]
    const makeDefault = (id: number) =>
      expectStatus(200, call('PUT', `${centerPath(seen.id)}/natips/${id}`, { body: { defaultSnat: true } }))
    await makeDefault(first)
    const change = await newest()
    await makeDefault(second)
    await expectStatus(200, call('PUT', releasePath(seen.id, first)))
    await attachIp(network, hidden.id, '192.0.2.1')
    const scope = await newScope({
      enterprises: [seen.enterprise, await adminsEnterprise()],
      datacenters: [datacenter],
    })
    const as = await newUser({ enterpriseId: seen.enterprise, scopeId: scope.id })
    const { collection } = await expectStatus(409, undo(change, '', as))
    expect(collection).toEqual([
      { code: 'UNDO-1', message: 'The event changed something that you do not see' },
    ])
  })

  test('are not ignored by an undo, which stays available to others', async () => {
    const { id: enterpriseId } = await newEnterprise()
    const [shown, kept, hidden] = [
      await newScope({ enterprises: [enterpriseId] }),
      await newScope({ enterprises: [enterpriseId] }),
      await newScope({ enterprises: [enterpriseId] }),
    ]
    const below = await newScope({ enterprises: [enterpriseId, await adminsEnterprise()] })
    const as = await newUser({ enterpriseId, scopeId: below.id })
    for (const scope of [shown, kept])
      await expectStatus(200, putScope(scope, { links: [parentLink(below.id)] }))
    const user = await newUser({ enterpriseId, scopeId: hidden.id, privileges: [] })
    const moved = async (scope: number) => {
      const document = await readUser(user.id)
      await expectStatus(200, putUser(document, { links: relinked(document, 'scope', scopeLink(scope)) }))
      return lastOf('user', user.id)
    }
    const state = () => read(`/api/admin/enterprises/_/users/${user.id}`)
    const refused = async (event: { id: number }) => {
      const before = await state()
      expect(await refusal(undo(event, '', as))).toEqual([409, 'UNDO-1'])
      expect(await state()).toEqual(before)
    }
    const seen = { fromHidden: await moved(shown.id), betweenSeen: await moved(kept.id) }
    expect(await refusal(undo(seen.fromHidden, '', as))).toEqual([409, 'UNDO-1'])
    await expectStatus(200, undo(seen.betweenSeen, '', as))
    await refused(seen.fromHidden)
    await expectStatus(200, undo(seen.fromHidden))
    await expectStatus(204, call('DELETE', `/api/admin/enterprises/_/users/${user.id}`))
    const deletion = await lastOf('user', user.id)
    expect(await refusal(undo(deletion, '', as))).toEqual([409, 'UNDO-1'])
    await expectStatus(200, undo(deletion))
    expect((await state()).links).toContainEqual(
      expect.objectContaining({ rel: 'scope', title: hidden.name }),
    )
  })

  test('are not in the list that an undo of a list leaves', async () => {
    const [seen, other] = [await newEnterprise(), await newEnterprise()]
    const scope = await newScope()
    await expectStatus(200, putScope(scope, { scopeEntities: [ofEnterprise(other.id)] }))
    const change = await lastOf('scope', scope.id)
    await expectStatus(200, putScope(scope, { scopeEntities: [ofEnterprise(seen.id)] }))
    expect(await refusal(undo(change))).toEqual([409, 'UNDO-1'])
    expect(await lastOf('scope', scope.id)).not.toMatchObject({ id: change.id })
  })
})

test('a resource deleted with texts that today’s rules refuse stays deleted, and the refusal has the reason', async () => {
  const user = await newUser({ privileges: [] })
  const path = `/api/admin/enterprises/_/users/${user.id}`
  await changeUser(user, { nick: `old:${user.nick}`, name: '' })
  await expectStatus(204, call('DELETE', path))
  const deletion = await lastOf('user', user.id)
  const answer = await expectStatus(409, undo(deletion))
  expect(answer.collection).toContainEqual({
    code: 'UNDO-1',
    message: expect.stringContaining('not valid any more'),
  })
  expect((await read(`/api/events/${deletion.id}`)).links).toContainEqual(
    expect.objectContaining({ rel: 'undo' }),
  )
})

import { expect, onTestFinished, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import type { EventDocument } from '#lib/record/events/events.schema'
import { call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import {
  addRule,
  attach,
  deviceLink,
  newDatacenter,
  newDevice,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { newScope } from '#lib/tools/testing/scopes'

const eventsOf = async (network: number, as?: User): Promise<[string, string][]> => {
  const path = `/api/events?natnetwork=${network}&by=id&asc=true`
  const { collection } = await expectStatus(200, call('GET', path, { ...(as && { as }) }))
  return collection.map(({ action, entityType }: EventDocument) => [action, entityType])
}

test('the events of a NAT network are about it, its NAT IPs and their rules, for readers of its datacenter', async () => {
  const [{ id: datacenter }, elsewhere] = [await newDatacenter(), await newDatacenter()]
  const { id: device } = await newDevice(datacenter)
  const network = await newNetwork({ datacenter, device, cidr: '10.31.0.0/24' })
  const second = await newNetwork({ datacenter, device, cidr: '10.32.0.0/24' })
  const base = `/api/admin/datacenters/${datacenter}/natnetworks`
  const ana = await newUser()
  const place = { enterprise: ana.enterpriseId, datacenter }
  const machine = await newMachine({ ...place, privateIps: ['192.168.7.2'] })
  const bulk = (action: string, filter: string, more = {}) =>
    expectStatus(200, call('POST', `${base}/action/${action}`, { body: { filter, ...more } }))

  for (const [{ id }, ip] of [
    [network, '10.31.0.7'],
    [network, '10.31.0.8'],
    [second, '10.32.0.7'],
  ] as const)
    await expectStatus(201, call('POST', `${base}/${id}/ips`, { body: { ip } }))
  await attach(network, machine.virtualDatacenter, '10.31.0.7')
  await addRule(network, '10.31.0.7', machine)
  await bulk('changeips', 'has=10.31.0.8', { available: false })
  await bulk('changeips', 'has=10.32.0.7', { available: false })
  await bulk('deleterules', 'has=10.31.0.7')
  const renamed = { ...network, name: `${network.name} two`, links: [deviceLink(datacenter, device)] }
  await expectStatus(200, call('PUT', `${base}/${network.id}`, { body: renamed }))

  const actions = await eventsOf(network.id)
  expect(actions).toEqual([
    ['create', 'natnetwork'],
    ['create', 'natip'],
    ['create', 'natip'],
    ['change-natips', 'datacenter'],
    ['delete-natrules', 'datacenter'],
    ['update', 'natnetwork'],
  ])
  const scopeId = (await newScope({ datacenters: [datacenter], automaticAddEnterprise: true })).id
  expect(await eventsOf(network.id, await newUser({ scopeId }))).toEqual(actions)
  const blind = (await newScope({ datacenters: [elsewhere.id], automaticAddEnterprise: true })).id
  const other = await newUser({ scopeId: blind })
  expect(await eventsOf(network.id, other)).toEqual([])
  // The event of a plan has no place, and its readers must not learn what it touched.
  const setPlace = (before: number | null, after: number | null) =>
    transaction((trx) =>
      trx
        .updateTable('events')
        .set({ about_datacenter_id: after })
        .where('action', '=', 'change-natips')
        .where('entity_id', '=', datacenter)
        .where('about_datacenter_id', 'is not distinct from', before)
        .execute(),
    )
  await setPlace(datacenter, null)
  onTestFinished(() => setPlace(null, datacenter).then(() => undefined))
  expect(await eventsOf(network.id, other)).toEqual([])
  expect(await eventsOf(network.id)).toEqual(actions)
})

import { beforeAll, expect, test } from 'vitest'
import { admin, call, codesOf, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { centerPath } from '#lib/tools/testing/inventory'
import { ipOf, networksPath } from '#lib/tools/testing/nat'
import { ipsPath, type MachineWithIps, newMachineWithIps } from '#lib/tools/testing/nat-rules'
import { newScope } from '#lib/tools/testing/scopes'

/* An event about many NAT IPs and rules, which is undone in batches: every fifth IP is in quarantine, one is the default SNAT. */

const COUNT = 30

let place: MachineWithIps
let event: { id: number }

const read = (path: string) => expectStatus(200, call('GET', path))

/** The documents of all IPs and rules, with their ids, and the totals of the network. */
const state = async () => {
  const path = `${networksPath(place.network.datacenter)}/${place.network.id}`
  const [ips, rules] = [await read(`${path}/ips?all=true&limit=0`), await read(`${path}/rules?limit=0`)]
  return { network: await read(path), ips: ips.collection, rules: rules.collection }
}

const undo = (id: number, as?: User) => call('POST', `/api/events/${id}/action/undo`, { ...(as && { as }) })

const address = (index: number): string => `192.0.2.${100 + index}`

async function planned(port = 80) {
  const { name: datacenter } = await read(`/api/admin/datacenters/${place.network.datacenter}`)
  const { name: virtualDatacenter } = await read(centerPath(place.center))
  const at = { datacenter, network: place.network.name }
  const each = Array.from({ length: COUNT }, (_, index) => index)
  return {
    natips: each.map((index) => ({
      ...at,
      ip: address(index),
      quarantine: index % 5 === 0,
      defaultSnat: index === 1,
      virtualDatacenter,
    })),
    natrules: each.map((index) => ({
      ...at,
      type: 'DNAT',
      protocol: 'TCP',
      original: address(index),
      originalPort: port,
      translated: '10.0.0.1',
      translatedPort: 8080,
    })),
  }
}

/** Applies a plan, and returns its event. */
async function applied(body: object): Promise<{ id: number }> {
  const { id, refusals } = await expectStatus(201, call('POST', '/api/plans', { body }))
  expect(refusals).toEqual([])
  const { links } = await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`))
  const { href } = links.find(({ rel }: { rel: string }) => rel === 'event')
  return read(new URL(href).pathname)
}

let before: Awaited<ReturnType<typeof state>>
let after: Awaited<ReturnType<typeof state>>

beforeAll(async () => {
  place = await newMachineWithIps()
  before = await state()
  event = await applied(await planned())
  after = await state()
  expect(after.rules.length - before.rules.length).toBe(COUNT)
}, 60_000)

test.each([['VAPP_CUSTOMISE_SETTINGS'], ['MANAGE_NATIPS'], ['PHYS_DC_ALLOW_MODIFY_NETWORK']] as const)(
  'without %s the caller takes nothing back',
  async (missing) => {
    const privileges = [
      'EVENTLOG_VIEW_ALL',
      'VAPP_CUSTOMISE_SETTINGS',
      'VDC_ENUMERATE',
      'MANAGE_NATIPS',
      'PHYS_DC_ALLOW_MODIFY_NETWORK',
    ] as const
    const as = await newUser({ privileges: privileges.filter((each) => each !== missing) })
    expect((await undo(event.id, as)).status).toBe(403)
    expect(await state()).toEqual(after)
  },
)

test('a caller who does not see the machine undoes nothing', async () => {
  const login = await expectStatus(200, call('GET', '/api/login', { as: admin }))
  const own = login.links.find(({ rel }: { rel: string }) => rel === 'enterprise').href
  const scope = await newScope({
    enterprises: [Number(own.split('/').at(-1))],
    datacenters: [place.network.datacenter],
  })
  const as = await newUser({ scopeId: scope.id })
  expect(await codesOf(undo(event.id, as))).toEqual(['UNDO-1'])
  expect(await state()).toEqual(after)
  const inQuarantine = (rule: { original: string }) =>
    after.ips.some((ip: { ip: string; quarantine: boolean }) => ip.quarantine && ip.ip === rule.original)
  const { natrules } = await planned(81)
  const rules = await applied({ natrules: natrules.filter((rule) => !inQuarantine(rule)) })
  const withRules = await state()
  expect(await codesOf(undo(rules.id, as))).toEqual(['UNDO-1'])
  expect(await state()).toEqual(withRules)
  await expectStatus(200, undo(rules.id))
  expect(await state()).toEqual(after)
})

test('fields changed since then are reported, and the rest stays too', async () => {
  const { id } = await ipOf(place.network, address(7))
  const path = `${ipsPath(place.network)}/${id}`
  await expectStatus(200, call('PUT', path, { body: { available: true, quarantine: true } }))
  const { collection } = await expectStatus(409, undo(event.id))
  expect(collection).toEqual([
    { code: 'UNDO-1', message: `${address(7)}: quarantine was false after the event and is true now` },
  ])
  await expectStatus(200, call('PUT', path, { body: { available: true, quarantine: false } }))
  expect(await state()).toEqual(after)
})

test('undo, its undo and the undo of that alternate between two states, under the same ids', async () => {
  let last = event.id
  for (const expected of [before, after, before]) {
    last = (await expectStatus(200, undo(last))).id
    expect(await state()).toEqual(expected)
  }
})

test('the answer reports the progress of the undo', async () => {
  const { id } = await applied(await planned())
  const headers = { accept: 'text/event-stream' }
  const text = await (await call('POST', `/api/events/${id}/action/undo`, { headers })).text()
  const messages = text
    .trim()
    .split('\n\n')
    .map((message) => message.split('\n'))
  // 30 rules and 30 IPs.
  expect(messages[0]).toEqual(['event: progress', `data: {"phase":"undo","done":0,"total":${2 * COUNT}}`])
  expect(messages.at(-1)?.[0]).toBe('event: event')
  expect(JSON.parse(messages.at(-1)?.[1]?.slice('data: '.length) ?? '')).toHaveProperty('id')
  expect(await state()).toEqual(before)
})

import { afterEach, describe, expect, test, vi } from 'vitest'
import { remindOfEnds } from '#lib/state/ends/end-notices.server'
import { endDue } from '#lib/state/ends/ends.server'
import { call, expectStatus, newUser } from '#lib/tools/testing/client'
import { centerPath, newCenter } from '#lib/tools/testing/inventory'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { ipOf, networksPath } from '#lib/tools/testing/nat'
import {
  attachPath,
  dnat,
  newMachineWithIps,
  newTenIps,
  releasePath,
  ruleBody,
} from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const DAY = 24 * 60 * 60 * 1000

const inDays = (days: number) => {
  const at = Date.now() + days * DAY
  return { at, ends: new Date(at).toISOString() }
}

/** A free IP, a virtual datacenter, and the paths of both. */
async function place() {
  const network = await newTenIps()
  const center = await newCenter({ datacenter: network.datacenter })
  const { id } = await ipOf(network, '192.0.2.3')
  const path = `${networksPath(network.datacenter)}/${network.id}/ips/${id}`
  return { network, center, id, path, held: `${centerPath(center.id)}/natips/${id}` }
}

const read = (path: string) => expectStatus(200, call('GET', path))

const attach = (center: number, id: number, ends: string) =>
  call('PUT', attachPath(center, id), { body: { ends } })

const eventOf = async (id: number) =>
  (await read(`/api/events?entity=natip&entityid=${id}&by=id&asc=false`)).collection[0]

afterEach(() => {
  vi.useRealTimers()
})

describe('the end of an attached NAT IP (docs/api/ends.md, "Ends")', () => {
  test('comes with its attachment or later, and goes with its release', async () => {
    const { center, id, path, held } = await place()
    const { ends } = inDays(3)
    expect(await refusal(attach(center.id, id, inDays(-1).ends))).toEqual([400, 'ENDS-1'])
    expect((await expectStatus(200, attach(center.id, id, ends))).ends).toBe(ends)
    const put = (body: object) => call('PUT', held, { body: { defaultSnat: false, ...body } })
    expect((await expectStatus(200, put({}))).ends).toBe(ends)
    expect(await refusal(put({ ends: inDays(-1).ends }))).toEqual([400, 'ENDS-1'])
    expect(await expectStatus(200, put({ ends: '' }))).not.toHaveProperty('ends')
    await expectStatus(200, put({ ends }))
    await expectStatus(200, call('PUT', releasePath(center.id, id)))
    expect(await read(path)).not.toHaveProperty('ends')
    expect(await refusal(put({ ends }))).toEqual([409, 'NAT-IP-8'])
    expect(await expectStatus(200, call('PUT', attachPath(center.id, id)))).not.toHaveProperty('ends')
  })

  test('releases the IP once, in one process or two, and can be undone', async () => {
    const { center, id, path } = await place()
    const { at, ends } = inDays(3)
    await expectStatus(200, attach(center.id, id, ends))
    await endDue(at - 1)
    expect((await read(path)).ends).toBe(ends)
    await Promise.all([endDue(at), endDue(at)])
    const free = await read(path)
    expect(free).not.toHaveProperty('ends')
    expect(free.links.some(({ rel }: { rel: string }) => rel === 'virtualdatacenter')).toBe(false)
    const event = await eventOf(id)
    expect(event).toMatchObject({ action: 'end', changes: { ends: { before: ends } } })
    expect(event).not.toHaveProperty('user')
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    await expectStatus(200, call('POST', `/api/events/${event.id}/action/undo`))
    const back = await read(path)
    expect(back).not.toHaveProperty('ends')
    expect(back.links.some(({ rel }: { rel: string }) => rel === 'virtualdatacenter')).toBe(true)
  })

  test('comes back when a release before the end is undone', async () => {
    const { center, id, path } = await place()
    const { ends } = inDays(3)
    await expectStatus(200, attach(center.id, id, ends))
    await expectStatus(200, call('PUT', releasePath(center.id, id)))
    await expectStatus(200, call('POST', `/api/events/${(await eventOf(id)).id}/action/undo`))
    expect((await read(path)).ends).toBe(ends)
  })

  test('NAT-IP-3: an IP with rules stays, without an end', async () => {
    const machine = await newMachineWithIps()
    const [id = 0] = machine.natIps
    const held = `${centerPath(machine.center)}/natips/${id}`
    const { at, ends } = inDays(3)
    await expectStatus(200, call('PUT', held, { body: { defaultSnat: false, ends } }))
    await expectStatus(201, call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, dnat(80)) }))
    await endDue(at)
    expect(await read(held)).not.toHaveProperty('ends')
    const event = await eventOf(id)
    expect(event).toMatchObject({ action: 'end-refused', changes: { reason: { after: 'NAT-IP-3' } } })
    expect(await refusal(call('POST', `/api/events/${event.id}/action/undo`))).toEqual([409, 'UNDO-3'])
  })

  test('is hidden, and its changes are, from callers who do not see the holder', async () => {
    const { network, center, id, path, held } = await place()
    const scope = await newScope({ datacenters: [network.datacenter] })
    const other = await newUser({ scopeId: scope.id })
    await expectStatus(200, attach(center.id, id, inDays(3).ends))
    const as = { as: other }
    const shown = await expectStatus(200, call('GET', path, as))
    expect(shown).not.toHaveProperty('ends')
    const list = `${networksPath(network.datacenter)}/action/allips?endsbefore=2100-01-01T00:00:00Z`
    const idsOf = async (as?: { as: typeof other }) =>
      (await expectStatus(200, call('GET', list, as))).collection.map((ip: { id: number }) => ip.id)
    expect(await idsOf()).toEqual([id])
    expect(await idsOf(as)).toEqual([])
    expect((await call('PUT', held, { ...as, body: { defaultSnat: false, ends: '' } })).status).toBe(404)
  })

  test('is in exports and plans', async () => {
    const { network, center, id, path } = await place()
    const { ends } = inDays(30)
    await expectStatus(200, attach(center.id, id, ends))
    const { natips } = await read('/api/export?entity=natips')
    const item = natips.find(
      (each: { network: string; ip: string }) => each.network === network.name && each.ip === '192.0.2.3',
    )
    expect(item.ends).toBe(ends)
    const later = inDays(60).ends
    const plan = await expectStatus(
      201,
      call('POST', '/api/plans', { body: { natips: [{ ...item, ends: later }] } }),
    )
    expect(plan.operations[0].changes).toEqual([{ field: 'ends', before: ends, after: later }])
    await expectStatus(200, call('POST', `/api/plans/${plan.id}/action/apply`))
    expect((await read(path)).ends).toBe(later)
  })

  test('comes with the attachment of many', async () => {
    const { network, center, id, path } = await place()
    const { ends } = inDays(3)
    const links = [{ rel: 'virtualdatacenter', href: centerPath(center.id) }]
    const many = `${networksPath(network.datacenter)}/action/attachips`
    const attaching = (end: string) => call('POST', many, { body: { ids: [id], links, ends: end } })
    const refused = await expectStatus(200, attaching(inDays(-1).ends))
    expect(JSON.stringify(refused)).toContain('ENDS-1')
    await expectStatus(200, attaching(ends))
    expect((await read(path)).ends).toBe(ends)
  })

  test('is announced by mail to the user who set it', () =>
    withMailbox(async ({ of }) => {
      const { center, id } = await place()
      const email = newAddress()
      const setter = await newUser({ email })
      const { at, ends } = inDays(3)
      await expectStatus(200, call('PUT', attachPath(center.id, id), { as: setter, body: { ends } }))
      await remindOfEnds(at - 0.5 * DAY)
      await remindOfEnds(at - 0.4 * DAY)
      expect((await of(email)).map(({ subject }) => subject)).toEqual(['192.0.2.3 ends soon'])
    }))
})

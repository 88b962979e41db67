import { describe, expect, test } from 'vitest'
import { database } from '#lib/db/db.server'
import { idOfLink, type LinkDocument } from '#lib/ground/http/view'
import type { EventDocument } from '#lib/record/events/events.schema'
import {
  admin,
  basicOf,
  call,
  expectStatus,
  newUser,
  ORIGIN,
  router,
  type User,
} from '#lib/tools/testing/client'
import { eventsOf, newCenter } from '#lib/tools/testing/inventory'
import {
  addIps,
  ipOf,
  makeDefault,
  type Network,
  networksPath,
  newDatacenter,
  newNetwork,
} from '#lib/tools/testing/nat'
import { attachIp, ipsPath, newMachineWithIps, newTenIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { closeEvent } from '#lib/tools/testing/seals'
import { fewer } from '#lib/tools/testing/search'

/** The rows that the filter finds, and two bulk changes at once. */
const [MANY, BOTH] = [fewer(3045, 245), fewer(300, 60)]

type Action = 'changeips' | 'deleteips' | 'attachips' | 'releaseips' | 'deleterules'

const send = (place: { datacenter: number }, action: Action, body: unknown, as?: User) =>
  call('POST', `${networksPath(place.datacenter)}/action/${action}`, { body, ...(as && { as }) })

const bulk = (place: { datacenter: number }, action: Action, body: unknown, as?: User) =>
  expectStatus(200, send(place, action, body, as))

const totals = async ({ datacenter, id }: Network) => {
  const { ips, usedIps, rules } = await expectStatus(200, call('GET', `${networksPath(datacenter)}/${id}`))
  return { ips, usedIps, rules }
}

const many = async (count: number): Promise<Network> => {
  const { id: datacenter } = await newDatacenter()
  const network = await newNetwork({ datacenter, cidr: '10.0.0.0/16' })
  await addIps(network, { count })
  return network
}

const centerLink = (id: number) => ({
  rel: 'virtualdatacenter',
  href: `${ORIGIN}/api/cloud/virtualdatacenters/${id}`,
})

const eventOf = (document: LinkDocument) => idOfLink(document)

/** The rows that these events count. */
const sum = (events: readonly EventDocument[]): number =>
  events.reduce((rows, { changes }) => rows + Number(changes.count?.after), 0)

const quarantined = (place: Network, limit = 10_000) =>
  database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', place.id)
    .where('quarantine', '=', 1)
    .select('id')
    .limit(limit)
    .execute()

describe('a bulk change of NAT IPs', () => {
  test('by ids reports changed, unchanged and refused rows', async () => {
    const place = await newTenIps()
    const [one, two] = [await ipOf(place, '192.0.2.1'), await ipOf(place, '192.0.2.2')]
    await bulk(place, 'changeips', { ids: [one.id], quarantine: true })
    const ids = [two.id, one.id, 999_999_999]
    const report = await bulk(place, 'changeips', { ids, quarantine: true })
    expect(report).toMatchObject({ total: 3, changed: 1, unchanged: 1, refused: 1, ids: [two.id] })
    expect(report.refusals).toMatchObject([{ id: 999_999_999, code: 'NAT-IP-0' }])
    expect(await quarantined(place)).toHaveLength(2)
  })

  test('by the filter of the list changes the rows that the list shows, and its events count the rows', {
    timeout: 120_000,
  }, async () => {
    const place = await many(MANY)
    const filter = `network=${place.id}&has=10.0.`
    const report = await bulk(place, 'changeips', { filter, quarantine: true })
    expect(report).toMatchObject({ total: MANY, changed: MANY, refused: 0 })
    expect(report.ids).toHaveLength(MANY)
    expect(report.next).toBeUndefined()
    expect(await quarantined(place)).toHaveLength(MANY)
    const events: EventDocument[] = (await eventsOf('datacenter', place.datacenter)).slice(1)
    // One, unless this machine takes so long that the first is due to be sealed.
    expect(events.map(({ id }) => id)).toEqual(report.links.map(eventOf))
    expect(sum(events)).toBe(MANY)
    for (const event of events)
      expect(event).toMatchObject({
        action: 'change-natips',
        changes: { refused: { after: '0' }, quarantine: { after: 'true' }, filter: { after: filter } },
      })
    const undone = await bulk(place, 'changeips', { ids: report.ids, quarantine: false })
    expect(undone.changed).toBe(MANY)
    expect(await quarantined(place)).toHaveLength(0)
  })

  test('continues where the call before ended, in the same event', async () => {
    const place = await newTenIps()
    const selection = { filter: 'all=true', available: false, most: 4 }
    const reports = [await bulk(place, 'changeips', selection)]
    for (let last = reports[0]; last.next !== undefined; last = reports.at(-1))
      reports.push(await bulk(place, 'changeips', { ...selection, after: last.next, event: last.event }))
    expect(reports.map(({ total, changed }) => [total, changed])).toEqual([
      [10, 4],
      [6, 4],
      [2, 2],
    ])
    const events = (await eventsOf('datacenter', place.datacenter)).slice(1)
    expect(events).toMatchObject([{ action: 'change-natips', changes: { count: { after: '10' } } }])
  })

  test('continues in a new event once the event is closed for its seal', async () => {
    const place = await newTenIps()
    const selection = { filter: 'all=true', available: false }
    const first = await bulk(place, 'changeips', { ...selection, most: 4 })
    await closeEvent(first.event)
    const second = await bulk(place, 'changeips', {
      ...selection,
      after: first.next,
      event: first.event,
      most: 4,
    })
    expect(second.links.map(eventOf)).toEqual([second.event])
    const third = await bulk(place, 'changeips', { ...selection, after: second.next, event: second.event })
    expect(third.event).toBe(second.event)
    const events: EventDocument[] = (await eventsOf('datacenter', place.datacenter)).slice(1)
    expect(events.map(({ id, changes }) => [id, changes.count?.after])).toEqual([
      [first.event, '4'],
      [second.event, '6'],
    ])
  })

  test('continues neither the event of another user nor that of another change', async () => {
    const place = await newTenIps()
    const first = await bulk(place, 'changeips', { filter: '', most: 1, quarantine: true })
    const rest = { filter: '', after: first.next, event: first.event }
    const as = await newUser()
    expect(await refusal(send(place, 'changeips', { ...rest, quarantine: true }, as))).toEqual([
      404,
      'EVENT-0',
    ])
    expect(await refusal(send(place, 'deleteips', rest))).toEqual([404, 'EVENT-0'])
    expect((await totals(place)).ips).toBe(10)
  })

  test('of unavailable IPs refuses those with rules and changes the others', async () => {
    const machine = await newMachineWithIps()
    await expectStatus(
      201,
      call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, { snat: true }) }),
    )
    const report = await bulk(machine.network, 'changeips', { filter: '', available: false })
    expect(report).toMatchObject({ changed: 9, refused: 1 })
    expect(report.refusals).toMatchObject([{ id: machine.natIps[0], name: '192.0.2.1', code: 'NAT-IP-4' }])
  })

  test('deletes, attaches and releases; the totals stay correct', async () => {
    const place = await newTenIps()
    const center = await newCenter({ datacenter: place.datacenter })
    await attachIp(place, center.id, '192.0.2.1')
    const links = [centerLink(center.id)]
    const attached = await bulk(place, 'attachips', { filter: 'attached=false', links })
    expect(attached).toMatchObject({ total: 9, changed: 9, refused: 0 })
    await makeDefault(place, '192.0.2.1')
    const again = await bulk(place, 'attachips', { filter: '', links })
    expect(again).toMatchObject({ changed: 0, refused: 10 })
    expect(again.refusals[0].code).toBe('NAT-IP-13')
    expect((await totals(place)).usedIps).toBe(10)
    const released = await bulk(place, 'releaseips', { ids: attached.ids })
    expect(released.changed).toBe(9)
    expect(
      (await bulk(place, 'releaseips', { filter: '' })).refusals.map((row: { code: string }) => row.code),
    ).toContain('NAT-IP-14')
    const deleted = await bulk(place, 'deleteips', { filter: 'all=true' })
    expect(deleted).toMatchObject({ changed: 9, refused: 1 })
    expect(deleted.refusals).toMatchObject([{ name: '192.0.2.1', code: 'NAT-IP-12' }])
    expect(await totals(place)).toEqual({ ips: 1, usedIps: 1, rules: 0 })
  })

  test('as a dry run reports the uses of the rows, and changes nothing', async () => {
    const machine = await newMachineWithIps()
    const { network } = machine
    await expectStatus(
      201,
      call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, { snat: true }) }),
    )
    await makeDefault(network, '192.0.2.2')
    const report = await bulk(network, 'changeips', { filter: '', quarantine: true, dryrun: true })
    expect(report).toMatchObject({
      total: 10,
      changed: 0,
      impact: { attached: 2, defaultSnat: 1, rules: 1, totalEnterprises: 1 },
    })
    expect(report.impact.enterprises).toHaveLength(1)
    expect(await quarantined(network)).toHaveLength(0)
  })

  test('can be sent and answered in XML', async () => {
    const place = await newTenIps()
    const { id } = await ipOf(place, '192.0.2.3')
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const body = `<bulkchange><ids>${id}</ids><ids>999999999</ids><quarantine>true</quarantine></bulkchange>`
    const path = `${networksPath(place.datacenter)}/action/changeips`
    const xml = await expectStatus(200, call('POST', path, { body, headers }))
    expect(xml).toMatch(/<bulkreport>.*<changed>1<\/changed>.*<refused>1<\/refused>.*<code>NAT-IP-0<\/code>/)
    expect(await quarantined(place)).toHaveLength(1)
  })

  test.each([
    [{}, 400, 'CONSTR-NOTNULL'],
    [{ ids: [1], filter: '' }, 400, 'CONSTR-NOTNULL'],
    [{ filter: 'attached=perhaps' }, 400, 'GEN-22'],
    [{ filter: 'quarantin=true' }, 400, 'GEN-22'],
    [{ filter: 'asof=2026-01-01T00:00:00Z' }, 400, 'GEN-22'],
    [{ filter: 'has=%00' }, 400, 'GEN-22'],
    [{ filter: 'by=nothing' }, 400, 'QUERY-0'],
    [{ filter: 'network=999999999' }, 404, 'NAT-NET-1'],
    [{ filter: '', most: 0 }, 400, 'CONSTR-MIN'],
  ])('%j is refused with %i %s', async (body, status, code) => {
    expect(await refusal(send(await newTenIps(), 'changeips', body))).toEqual([status, code])
  })

  test('changes nothing with dryrun in the query either, at once or as a job', async () => {
    const place = await newTenIps()
    const path = `${networksPath(place.datacenter)}/action/changeips?dryrun=true`
    const body = { filter: 'all=true', quarantine: true }
    for (const prefer of ['', 'respond-async'])
      expect(await expectStatus(200, call('POST', path, { body, headers: { prefer } }))).toMatchObject({
        total: 10,
        changed: 0,
        impact: { attached: 0 },
      })
    expect(await quarantined(place)).toEqual([])
  })

  test('needs the privilege of the single change, and for a filter that of the list', async () => {
    const place = await newTenIps()
    const { id } = await ipOf(place, '192.0.2.1')
    const ids = { ids: [id], quarantine: true }
    const reader = await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'] })
    const writer = await newUser({ privileges: ['PHYS_DC_ALLOW_MODIFY_NETWORK'] })
    const holder = await newUser({ privileges: ['MANAGE_NATIPS'] })
    for (const action of ['changeips', 'deleteips', 'attachips', 'releaseips', 'deleterules'] as const)
      expect((await send(place, action, ids, reader)).status).toBe(403)
    expect((await send(place, 'changeips', ids, holder)).status).toBe(403)
    expect((await send(place, 'releaseips', ids, writer)).status).toBe(403)
    expect((await bulk(place, 'changeips', ids, writer)).changed).toBe(1)
    expect((await send(place, 'changeips', { filter: '', quarantine: true }, writer)).status).toBe(403)
  })

  test('reaches no IP of another datacenter', async () => {
    const [one, other] = [await newTenIps(), await newTenIps()]
    const { id } = await ipOf(other, '192.0.2.1')
    expect((await bulk(one, 'deleteips', { ids: [id] })).refusals).toMatchObject([{ code: 'NAT-IP-0' }])
    expect((await totals(other)).ips).toBe(10)
  })

  test('stops between two steps when the client is gone; the event counts the finished rows', async () => {
    const place = await many(1000)
    const leaving = new AbortController()
    const path = `${networksPath(place.datacenter)}/action/changeips`
    const request = new Request(ORIGIN + path, {
      method: 'POST',
      body: JSON.stringify({ filter: '', quarantine: true }),
      headers: { authorization: basicOf(admin), 'content-type': 'application/json' },
      signal: leaving.signal,
    })
    const answer = (await router()).fetch(request)
    // One row is read: the last step must not be over before the client is gone.
    while ((await quarantined(place, 1)).length === 0) await new Promise(setImmediate)
    leaving.abort()
    await answer.catch(() => undefined)
    const done = (await quarantined(place)).length
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(1000)
    const [, event] = await eventsOf('datacenter', place.datacenter)
    expect(event.changes.count.after).toBe(String(done))
  })

  test('gives each IP to one of two concurrent changes', { timeout: 120_000 }, async () => {
    const place = await many(BOTH)
    const centers = [
      await newCenter({ datacenter: place.datacenter }),
      await newCenter({ datacenter: place.datacenter }),
    ]
    const reports = await Promise.all(
      centers.map(({ id }) => bulk(place, 'attachips', { filter: 'all=true', links: [centerLink(id)] })),
    )
    expect(reports[0].changed + reports[1].changed).toBe(BOTH)
    expect(reports[0].refused + reports[1].refused).toBeLessThanOrEqual(BOTH)
    expect((await totals(place)).usedIps).toBe(BOTH)
  })
})

test('rules are deleted by ids and by the filter, only those of visible machines', async () => {
  const machine = await newMachineWithIps()
  await expectStatus(
    201,
    call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, { snat: true }) }),
  )
  const { collection } = await expectStatus(200, call('GET', `${machine.path}/natrules`))
  const ids = collection.map(({ id }: { id: number }) => id)
  const dry = await bulk(machine.network, 'deleterules', { filter: '', dryrun: true })
  expect(dry).toMatchObject({ total: 1, impact: { rules: 1, totalEnterprises: 1 } })
  expect(await bulk(machine.network, 'deleterules', { filter: 'snat=false' })).toMatchObject({ total: 0 })
  expect(await bulk(machine.network, 'deleterules', { ids })).toMatchObject({ changed: 1, ids })
  expect((await totals(machine.network)).rules).toBe(0)
  expect((await expectStatus(200, call('GET', ipsPath(machine.network)))).totalSize).toBe(10)
})

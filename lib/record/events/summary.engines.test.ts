import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import type { EventSummaryDocument } from '#lib/record/events/summary.schema'
import { MOST_EVENTS } from '#lib/record/events/summary.server'
import { call, expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import { addRule, attach, newDatacenter, newMachine, newNetwork } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, putScope, scopePath } from '#lib/tools/testing/scopes'

const [HOUR, DAY] = [60 * 60 * 1000, 24 * 60 * 60 * 1000]
const path = '/api/events/action/summary'

const summaryFor = (as: User, query = ''): Promise<EventSummaryDocument> =>
  expectStatus(200, call('GET', `${path}${query}`, { as }))

type Actor = Awaited<ReturnType<typeof newUser>>

/** A user who sees the events of the actor's enterprise. No other test writes events there. */
const colleagueOf = ({ enterpriseId }: Actor, more: Parameters<typeof newUser>[0] = {}) =>
  newUser({ privileges: ['EVENTLOG_VIEW_ENTERPRISE'], ...more, enterpriseId })

/** The actor's part of the summary. */
const partOf = async (actor: Actor, as: User, query?: string) =>
  (await summaryFor(as, query)).users.find(({ id }) => id === actor.id)

const inserted: number[] = []

/** Events of the actor, a second apart, the last one at this age. */
async function wereChanged({ id, nick, enterpriseId }: Actor, count: number, age = 0): Promise<void> {
  inserted.push(id)
  const now = Date.now() - age
  for (let start = 0; start < count; start += 500)
    await transaction((trx) =>
      trx
        .insertInto('events')
        .values(
          Array.from({ length: Math.min(500, count - start) }, (_, index) => ({
            timestamp: now - (start + index) * 1000,
            action: 'update',
            entity_type: 'scope',
            entity_name: 'Some',
            entity_key: 'some',
            changes: '{}',
            structured: 1,
            user_id: id,
            user_nick: nick,
            enterprise_id: enterpriseId,
            about_enterprise_id: enterpriseId,
            request_id: 'r',
            ip: '127.0.0.1',
          })),
        )
        .execute(),
    )
}

afterAll(() => transaction((trx) => trx.deleteFrom('events').where('user_id', 'in', inserted).execute()))

describe('the summary of events (docs/api/events.md, "Events")', () => {
  test('counts the changes of each user to objects of each kind, most first, without sign-ins', async () => {
    const [ana, ben] = [await newUser(), await newUser()]
    const as = await newUser({ privileges: ['EVENTLOG_VIEW_ALL', 'USERS_VIEW'] })
    const [one, two] = [await newScope({}, ana), await newScope({}, ana)]
    // More than most others, whatever other tests have done before: the summary names 25 users.
    const updates = 60
    for (let round = 0; round < updates; round++)
      await expectStatus(200, putScope(one, { name: unique('Other') }, ana))
    await expectStatus(204, call('DELETE', scopePath(two.id), { as: ana }))
    await newScope({}, ben)
    await expectStatus(201, call('POST', '/api/admin/datacenters', { as: ana, body: { name: unique('D') } }))

    const { users, totalUsers, from } = await summaryFor(as, '?users=25')
    expect(totalUsers).toBeGreaterThanOrEqual(2)
    expect(users.map(({ count }) => count)).toEqual(users.map(({ count }) => count).toSorted((a, b) => b - a))
    const part = users.find(({ id }) => id === ana.id)
    expect(part).toMatchObject({ user: ana.nick, name: 'Test', count: updates + 4 })
    expect(part?.changes).toEqual([
      { action: 'update', entityType: 'scope', count: updates },
      { action: 'create', entityType: 'scope', count: 2 },
      { action: 'create', entityType: 'datacenter', count: 1 },
      { action: 'delete', entityType: 'scope', count: 1 },
    ])
    expect(Date.now() - Date.parse(from)).toBeGreaterThanOrEqual(7 * DAY)
    expect(Date.now() - Date.parse(from)).toBeLessThanOrEqual(7 * DAY + HOUR)
    expect(part?.links.map(({ rel, href }) => [rel, href])).toEqual([
      ['user', expect.stringMatching(`/api/admin/enterprises/${ana.enterpriseId}/users/${ana.id}$`)],
      ['events', expect.stringContaining(`/api/events?user=${ana.id}&from=${encodeURIComponent(from)}`)],
    ])
    const listed = await expectStatus(200, call('GET', part?.links.at(-1)?.href ?? '', { as }))
    expect(listed.totalSize).toBeGreaterThanOrEqual(updates + 4)
  })

  test('counts the rows of bulk changes and of ranges, and leaves out those without changes', async () => {
    const ana = await newUser()
    const as = await colleagueOf(ana)
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '10.9.0.0/24' })
    const base = `/api/admin/datacenters/${datacenter}/natnetworks`
    const body = { numips: 12, ipaddress: '10.9.0.1' }
    await expectStatus(
      201,
      call('POST', `${base}/${network.id}/ips`, { as: ana, body: { ip: '10.9.0.200' } }),
    )
    const headers = { 'content-type': 'application/vnd.service.ipsbulkcreation+json' }
    await expectStatus(201, call('POST', `${base}/${network.id}/ips`, { as: ana, body, headers }))
    const bulk = (action: string, more: object) =>
      expectStatus(200, call('POST', `${base}/action/${action}`, { as: ana, body: { filter: '', ...more } }))
    const machine = await newMachine({
      enterprise: ana.enterpriseId,
      datacenter,
      privateIps: ['192.168.0.2'],
    })
    await attach(network, machine.virtualDatacenter, '10.9.0.1')
    await addRule(network, '10.9.0.1', machine)
    await bulk('changeips', { available: false, filter: 'has=10.9.0.20' })
    expect(await bulk('deleteips', { filter: 'has=10.9.0.2' })).toMatchObject({ changed: 1 })
    await bulk('deleterules', {})

    expect((await partOf(ana, as))?.changes).toEqual([
      { action: 'create', entityType: 'natip', count: 13 },
      { action: 'delete', entityType: 'natip', count: 1 },
      { action: 'delete', entityType: 'natrule', count: 1 },
      { action: 'update', entityType: 'natip', count: 1 },
    ])
  })

  test('begins as many days ago as asked, and names as many users as asked', async () => {
    const ana = await newUser()
    const ben = await newUser({ enterpriseId: ana.enterpriseId })
    const as = await colleagueOf(ana)
    await wereChanged(ana, 3)
    await wereChanged(ben, 2)
    await wereChanged(ben, 4, 2 * DAY + HOUR)
    const counts = async (query: string) => {
      const { users, totalUsers } = await summaryFor(as, query)
      return [totalUsers, ...users.map(({ user, count }) => `${user} ${count}`)]
    }
    expect(await counts('')).toEqual([2, `${ben.nick} 6`, `${ana.nick} 3`])
    expect(await counts('?users=1')).toEqual([2, `${ben.nick} 6`])
    expect(await counts('?days=2')).toEqual([2, `${ana.nick} 3`, `${ben.nick} 2`])
  })

  test('shows neither events nor users that the caller cannot see, nor names without the privilege', async () => {
    const ana = await newUser()
    const stranger = await newUser()
    const as = await colleagueOf(ana)
    const limited = await newScope({ enterprises: [ana.enterpriseId] })
    const narrow = await colleagueOf(ana, { privileges: ['EVENTLOG_VIEW_ALL'], scopeId: limited.id })
    await newDatacenter()
    await expectStatus(201, call('POST', '/api/admin/datacenters', { as: ana, body: { name: unique('D') } }))
    await wereChanged(ana, 2)
    await wereChanged(stranger, 1)
    const seen = await summaryFor(as)
    expect(seen.users).toMatchObject([{ id: ana.id, count: 3 }])
    expect(seen.users[0]).not.toHaveProperty('name')
    expect(await summaryFor(narrow)).toMatchObject({ totalUsers: 1, users: [{ id: ana.id, count: 2 }] })

    // A user who moved to a hidden enterprise is not named.
    await transaction((trx) =>
      trx
        .updateTable('users')
        .set({ enterprise_id: stranger.enterpriseId })
        .where('id', '=', ana.id)
        .execute(),
    )
    expect(await summaryFor(narrow)).toMatchObject({ totalUsers: 0, users: [] })
  })

  test('keeps the nick of a user who was deleted, without a link', async () => {
    const ana = await newUser()
    const as = await colleagueOf(ana)
    await wereChanged(ana, 1)
    await transaction((trx) => trx.deleteFrom('users').where('id', '=', ana.id).execute())
    const part = await partOf(ana, as)
    expect(part).toMatchObject({ user: ana.nick, count: 1 })
    expect(part?.links.map(({ rel }) => rel)).toEqual(['events'])
  })

  test('reads only the latest events, and reports their beginning', async () => {
    const ana = await newUser()
    const ben = await newUser({ enterpriseId: ana.enterpriseId })
    const as = await colleagueOf(ana)
    await wereChanged(ana, MOST_EVENTS + 100)
    await wereChanged(ben, 5, DAY)
    const { from, users } = await summaryFor(as)
    expect(users.map(({ id }) => id)).toEqual([ana.id])
    expect(users[0]?.count).toBeLessThanOrEqual(MOST_EVENTS)
    expect(users[0]?.count).toBeGreaterThan(MOST_EVENTS - 100)
    expect(Date.now() - Date.parse(from)).toBeLessThan(7 * HOUR)
    const { rows } = await sql<{ count: number }>`select count(*) as count from events
      where user_id = ${ana.id} and timestamp >= ${Date.parse(from)}`.execute(database().read)
    expect(users[0]?.count).toBe(Number(rows[0]?.count))
  })

  test('is empty where nothing changed, and is written as XML', async () => {
    const ana = await newUser()
    const as = await colleagueOf(ana)
    expect(await summaryFor(as)).toMatchObject({ totalUsers: 0, users: [] })
    await wereChanged(ana, 2)
    const headers = { accept: 'application/vnd.service.eventsummary+xml' }
    expect(await expectStatus(200, call('GET', path, { as, headers }))).toContain(
      `<user>${ana.nick}</user><count>2</count><changes><action>update</action><entityType>scope</entityType><count>2</count></changes>`,
    )
  })

  test.each(['days=0', 'days=32', 'days=x', 'users=26', 'users=1.5'])(
    'refuses %s with GEN-22',
    async (query) => {
      expect(await refusal(call('GET', `${path}?${query}`))).toEqual([400, 'GEN-22'])
    },
  )
})

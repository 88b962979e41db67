import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { removeOldChanges } from '#lib/cloud/translations/retention.server'
import { countWaiting, endWaiting, untilNewer } from '#lib/cloud/translations/revisions.server'
import { database, transaction } from '#lib/db/db.server'
import { createFrontServer } from '#lib/server/front.server'
import {
  basicOf,
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  router,
} from '#lib/tools/testing/client'
import { centerPath } from '#lib/tools/testing/inventory'
import {
  addIps,
  addRule,
  attach,
  makeDefault,
  newDatacenter,
  newDevice,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { changeUser } from '#lib/tools/testing/session'

type Entry = { rule?: number; kind: string }

/** A gateway's device with one network of ten IPs, and a machine with two private IPs. */
async function cloud(cidr = '203.0.113.0/24') {
  const [{ id: enterprise }, { id: datacenter }] = [await newEnterprise(), await newDatacenter()]
  const { id: device } = await newDevice(datacenter, { typeName: 'LINUX' })
  const network = await newNetwork({ datacenter, device, cidr })
  await addIps(network, { count: 10 })
  const machine = await newMachine({ enterprise, datacenter, privateIps: ['192.168.0.10', '192.168.0.11'] })
  await attach(network, machine.virtualDatacenter, '203.0.113.1', '203.0.113.2')
  const path = `/api/cloud/locations/${datacenter}/devices/${device}`
  return { enterprise, datacenter, device, network, machine, path, translations: `${path}/translations` }
}

type Cloud = Awaited<ReturnType<typeof cloud>>

const read = (at: Cloud, query = '') => expectStatus(200, call('GET', `${at.translations}${query}`))

/** Once no earlier transaction of another test holds the revision back. */
async function settledAfter(
  at: Cloud,
  revision: number,
  query = '',
): Promise<{ revision: number; entries: Entry[] }> {
  return vi.waitFor(async () => {
    const now = await read(at, query)
    expect(now.revision).toBeGreaterThan(revision)
    return now
  }, 15_000)
}

const web = { protocol: 'TCP', originalPort: 80, translatedPort: 8000 } as const

const changeRules = (at: Cloud, columns: { original_port_end?: number | null; sources?: string | null }) =>
  transaction((trx) =>
    trx.updateTable('nat_rules').set(columns).where('nat_network_id', '=', at.network.id).execute(),
  )

const deleteRules = async ({ machine, network }: Cloud) => {
  const rules = await database()
    .read.selectFrom('nat_rules')
    .where('nat_network_id', '=', network.id)
    .select(['id', 'virtual_machine_id'])
    .execute()
  const appliance = await database()
    .read.selectFrom('virtual_machines')
    .where('id', '=', machine.id)
    .select('virtual_appliance_id')
    .executeTakeFirstOrThrow()
  for (const { id } of rules)
    await expectStatus(
      204,
      call(
        'DELETE',
        `${centerPath(machine.virtualDatacenter)}/virtualappliances/${appliance.virtual_appliance_id}/virtualmachines/${machine.id}/natrules/${id}`,
      ),
    )
}

describe('the translations of a device', () => {
  test('are its rules and the default SNAT of each private IP without an SNAT rule', async () => {
    const at = await cloud()
    expect(await read(at)).toMatchObject({ entries: [] })
    await addRule(at.network, '203.0.113.1', at.machine, web)
    await makeDefault(at.network, '203.0.113.2')
    const { entries } = await read(at)
    expect(entries).toEqual([
      {
        rule: expect.any(Number),
        kind: 'dnat',
        protocol: 'TCP',
        natIp: '203.0.113.1',
        natPort: 80,
        privateIp: '192.168.0.10',
        privatePort: 8000,
      },
      { kind: 'default', natIp: '203.0.113.2', privateIp: '192.168.0.10' },
      { kind: 'default', natIp: '203.0.113.2', privateIp: '192.168.0.11' },
    ])
    await addRule(at.network, '203.0.113.1', at.machine)
    expect((await read(at)).entries.slice(1)).toEqual([
      { rule: expect.any(Number), kind: 'snat', natIp: '203.0.113.1', privateIp: '192.168.0.10' },
      { kind: 'default', natIp: '203.0.113.2', privateIp: '192.168.0.11' },
    ])
    const xml = await call('GET', at.translations, {
      headers: { accept: 'application/vnd.service.nattranslations+xml' },
    })
    expect(await xml.text()).toMatch(
      /<nattranslations>.*<revision>\d+<\/revision><entries><rule>\d+<\/rule><kind>dnat<\/kind>.*<\/nattranslations>$/,
    )
  })

  test('since a revision are the added and removed ones, whose sum is the present state', async () => {
    const at = await cloud()
    const known = new Map<string, Entry>()
    let { revision } = await read(at)
    const steps = [
      () => addRule(at.network, '203.0.113.1', at.machine, web),
      () => makeDefault(at.network, '203.0.113.2'),
      () => addRule(at.network, '203.0.113.1', at.machine),
      () => makeDefault(at.network, '203.0.113.1'),
      () => deleteRules(at),
    ]
    for (const step of steps) {
      await step()
      const after = await settledAfter(at, revision)
      const change = await read(at, `?since=${revision}`)
      expect(change).not.toHaveProperty('entries')
      for (const entry of change.removed) expect(known.delete(JSON.stringify(entry))).toBe(true)
      for (const entry of change.added) known.set(JSON.stringify(entry), entry)
      expect([...known.values()]).toEqual(expect.arrayContaining(after.entries))
      expect(known.size).toBe(after.entries.length)
      ;({ revision } = after)
    }
    expect([...known.values()]).toEqual([
      { kind: 'default', natIp: '203.0.113.1', privateIp: '192.168.0.11' },
      { kind: 'default', natIp: '203.0.113.1', privateIp: '192.168.0.10' },
    ])
  })

  test('keep their revision while something else changes, and a change that is taken back adds up to nothing', async () => {
    const at = await cloud()
    const other = await cloud()
    await addRule(at.network, '203.0.113.1', at.machine, web)
    const { revision, entries } = await settledAfter(at, 0)
    await addRule(other.network, '203.0.113.1', other.machine, web)
    await settledAfter(other, 0)
    expect((await read(at)).revision).toBe(revision)
    await deleteRules(at)
    await addRule(at.network, '203.0.113.1', at.machine, web)
    await vi.waitFor(async () => {
      const { added, removed } = await read(at, `?since=${revision}`)
      expect(removed).toEqual(entries)
      expect(added).toEqual([{ ...entries[0], rule: expect.any(Number) }])
    }, 15_000)
  })

  test('have the end of a range and the sources, and a change of these is a change of the translation', async () => {
    const at = await cloud()
    await addRule(at.network, '203.0.113.1', at.machine, web)
    const known = '?formatVersion=2'
    const {
      revision,
      entries: [exact],
    } = await settledAfter(at, 0)
    await changeRules(at, { original_port_end: 90 })
    const ranged = await settledAfter(at, revision, known)
    expect(ranged.entries).toEqual([{ ...exact, natPortEnd: 90 }])
    await changeRules(at, { original_port_end: null, sources: '198.51.100.0/24,192.0.2.7/32' })
    const sourced = { ...exact, sources: ['198.51.100.0/24', '192.0.2.7/32'] }
    const { revision: last, entries } = await settledAfter(at, ranged.revision, known)
    expect(entries).toEqual([sourced])
    expect(await read(at, `${known}&since=${ranged.revision}`)).toMatchObject({
      added: [sourced],
      removed: ranged.entries,
    })
    const xml = await call('GET', `${at.translations}${known}`, { headers: { accept: 'application/xml' } })
    expect(await xml.text()).toContain(
      '<natPort>80</natPort><sources>198.51.100.0/24</sources><sources>192.0.2.7/32</sources>',
    )
    await changeRules(at, { original_port_end: null })
    expect((await read(at)).revision).toBe(last)
    await changeRules(at, { sources: null })
    await settledAfter(at, last)
    expect(await read(at, `${known}&since=${revision}`)).toMatchObject({ added: [], removed: [] })
  })

  test('leave out rules that a program would carry for every source, or for one port, and count them', async () => {
    const at = await cloud()
    await addRule(at.network, '203.0.113.1', at.machine, web)
    const { revision, entries } = await settledAfter(at, 0)
    await changeRules(at, { sources: '198.51.100.0/24' })
    const narrowed = await settledAfter(at, revision)
    expect(narrowed).toMatchObject({ entries: [], leftOut: 1 })
    expect(await read(at, `?since=${revision}`)).toMatchObject({ added: [], removed: entries, leftOut: 1 })
    expect(await read(at, `?since=${revision}&formatVersion=1`)).toMatchObject({ added: [] })
    expect(await read(at, '?formatVersion=2')).not.toHaveProperty('leftOut')
    await changeRules(at, { sources: null, original_port_end: 90 })
    const ranged = await settledAfter(at, narrowed.revision)
    expect(ranged).toMatchObject({ entries: [], leftOut: 1 })
    await changeRules(at, { original_port_end: null })
    expect(await settledAfter(at, ranged.revision)).toEqual({
      ...narrowed,
      revision: expect.any(Number),
      entries,
      leftOut: undefined,
    })
    expect(await read(at, `?since=${narrowed.revision}`)).toMatchObject({ added: entries, removed: [] })
    for (const wrong of ['0', '-1', '1.5', 'new', '', '1000'])
      expect(await refusal(call('GET', `${at.translations}?formatVersion=${wrong}`))).toEqual([400, 'GEN-22'])
  })

  test('have the revision as ETag; an unknown one is 410, and none is 400', async () => {
    const at = await cloud()
    await addRule(at.network, '203.0.113.1', at.machine, web)
    const { revision } = await settledAfter(at, 0)
    const response = await call('GET', at.translations)
    expect(response.headers.get('etag')).toBe(`"${revision}"`)
    const same = await call('GET', at.translations, { headers: { 'if-none-match': `"${revision}"` } })
    expect([same.status, await same.text()]).toEqual([304, ''])
    expect(await read(at, `?since=${revision}`)).toMatchObject({ revision, added: [], removed: [] })
    for (const unknown of [revision + 1, revision - 1, 10 ** 14])
      expect(await refusal(call('GET', `${at.translations}?since=${unknown}`))).toEqual([410, 'DEVICE-2'])
    for (const query of ['since=x', 'since=-1', 'since=', 'wait=x', 'wait=-1'])
      expect(await refusal(call('GET', `${at.translations}?${query}`))).toEqual([400, 'GEN-22'])
  })

  test('are waited for: an answer comes with the change, or 304 without one', async () => {
    const at = await cloud()
    const { revision } = await read(at)
    const began = Date.now()
    const waiting = call('GET', `${at.translations}?since=${revision}&wait=99`)
    await addRule(at.network, '203.0.113.1', at.machine, web)
    expect(await expectStatus(200, waiting)).toMatchObject({ added: [{ kind: 'dnat' }], removed: [] })
    expect(Date.now() - began).toBeLessThan(15_000)
    const { revision: next } = await read(at)
    const nothing = await call('GET', `${at.translations}?since=${next}&wait=1`)
    expect([nothing.status, nothing.headers.get('etag')]).toEqual([304, `"${next}"`])
  })

  test('are refused to a user who was disabled during the wait', async () => {
    const at = await cloud()
    const user = await newUser()
    const { revision } = await read(at)
    const waiting = call('GET', `${at.translations}?since=${revision}&wait=99`, { as: user })
    await vi.waitFor(() => expect(countWaiting()).toBeGreaterThan(0), 15_000)
    await changeUser(user, { active: 0 })
    await addRule(at.network, '203.0.113.1', at.machine, web)
    expect((await waiting).status).toBe(403)
  })

  test('whose changes are no longer kept are read as a whole', async () => {
    const at = await cloud()
    await addRule(at.network, '203.0.113.1', at.machine, web)
    const { revision } = await settledAfter(at, 0)
    await makeDefault(at.network, '203.0.113.2')
    const after = await settledAfter(at, revision)
    // Other tests may have set the clock ahead by a thousand days.
    await removeOldChanges(Date.now() + 3000 * 86_400_000)
    expect(await codesOf(call('GET', `${at.translations}?since=${revision}`))).toEqual(['DEVICE-2'])
    expect(await read(at)).toEqual(expect.objectContaining(after))
    expect(await read(at, `?since=${after.revision}`)).toMatchObject({ added: [], removed: [] })
    await deleteRules(at)
    const { revision: last } = await settledAfter(at, after.revision)
    expect((await read(at, `?since=${after.revision}`)).removed).toHaveLength(1)
    expect(last).toBeGreaterThan(after.revision)
  })

  test('are answered for all waiting requests when the process ends', async () => {
    const at = await cloud()
    const { revision } = await read(at)
    const waiting = call('GET', `${at.translations}?since=${revision}&wait=30`)
    const others = [...Array(3)].map(() => call('GET', `${at.translations}?since=${revision}&wait=30`))
    await vi.waitFor(() => expect(countWaiting()).toBe(4), 15_000)
    endWaiting()
    for (const each of [waiting, ...others]) expect((await each).status).toBe(304)
  })

  test('have a few places for waiting requests, and a client that leaves frees its own', async () => {
    const [at, other] = [await cloud(), await cloud()]
    const user = await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'] })
    const query = async (of: Cloud) => `${of.translations}?since=${(await read(of)).revision}&wait=30`
    const [path, elsewhere] = [await query(at), await query(other)]
    const limits = { requests: 256, delay: 1000 }
    const front = createFrontServer({ router: await router(), servePage: () => {}, limits })
    const server = front.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = new AbortController()
    const wait = (sent: string) =>
      fetch(`http://127.0.0.1:${port}${sent}`, {
        headers: { authorization: basicOf(user) },
        signal: client.signal,
      })
    try {
      const four = [...Array(4)].map(() => wait(path).catch((error: Error) => error.name))
      await vi.waitFor(() => expect(countWaiting()).toBe(4), 15_000)
      const fifth = await call('GET', path, { as: user })
      expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '5'])
      const another = call('GET', path)
      const atAnother = wait(elsewhere).catch((error: Error) => error.name)
      await vi.waitFor(() => expect(countWaiting()).toBe(6), 15_000)
      client.abort()
      expect(await Promise.all([...four, atAnother])).toEqual(Array(5).fill('AbortError'))
      await vi.waitFor(() => expect(countWaiting()).toBe(1), 15_000)
      const again = call('GET', path, { as: user })
      await vi.waitFor(() => expect(countWaiting()).toBe(2), 15_000)
      endWaiting()
      expect([(await another).status, (await again).status]).toEqual([304, 304])
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  test('have places for sixteen requests of a user, and at a device', async () => {
    const left = new AbortController()
    const wait = (device: number, user: number) =>
      untilNewer({ device, user, revision: 0, ms: 30_000, left: left.signal })
    const full = (pairs: [number, number][]) => pairs.map(([device, user]) => wait(-device, -user))
    const byOne = full([...Array(16)].map((_, index) => [index + 1, 1]))
    await expect(wait(-17, -1)).rejects.toMatchObject({ status: 429 })
    const atOne = full([...Array(15)].map((_, index) => [1, index + 2]))
    await expect(wait(-1, -20)).rejects.toMatchObject({ status: 429 })
    left.abort()
    await Promise.all([...byOne, ...atOne])
    expect(countWaiting()).toBe(0)
  })

  test('and the state are linked by the device', async () => {
    const at = await cloud()
    const expected = [
      { rel: 'translations', href: `${ORIGIN}${at.translations}` },
      { rel: 'state', href: `${ORIGIN}${at.path}/state` },
    ]
    const { links } = await expectStatus(200, call('GET', at.path))
    expect(links).toEqual(expect.arrayContaining(expected.map((link) => expect.objectContaining(link))))
    const xml: string = await expectStatus(
      200,
      call('GET', at.path, { headers: { accept: 'application/xml' } }),
    )
    for (const { rel, href } of expected) {
      expect(xml).toMatch(
        new RegExp(`<link[^>]*href="${href}"[^>]*rel="${rel}"|<link[^>]*rel="${rel}"[^>]*href="${href}"`),
      )
      await expectStatus(200, call('GET', href))
    }
  })
})

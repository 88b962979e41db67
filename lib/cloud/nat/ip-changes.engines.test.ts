import { describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { eventsOf, newCenter } from '#lib/tools/testing/inventory'
import { addIps, ipOf, type Network, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { attachIp, ipsPath, newMachineWithIps, newTenIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { fewer } from '#lib/tools/testing/search'

const network = async (cidr: string): Promise<Network> =>
  newNetwork({ datacenter: (await newDatacenter()).id, cidr })

const create = (place: Network, body: object) => call('POST', ipsPath(place), { body })

const totals = async ({ datacenter, id }: Network) => {
  const { ips, usedIps, rules } = await expectStatus(200, call('GET', `${networksPath(datacenter)}/${id}`))
  return { ips, usedIps, rules }
}

describe('a new NAT IP', () => {
  test('without an address is the lowest free one, and never the network or broadcast address', async () => {
    const place = await network('192.0.2.0/30')
    expect(await expectStatus(201, create(place, {}))).toMatchObject({
      ip: '192.0.2.1',
      available: true,
      quarantine: false,
    })
    expect(await expectStatus(201, create(place, {}))).toMatchObject({ ip: '192.0.2.2' })
    expect(await refusal(create(place, {}))).toEqual([409, 'NAT-IP-5'])
  })

  test('fills the gap of a deleted one', async () => {
    const place = await network('192.0.2.0/24')
    for (const _ of Array(4)) await expectStatus(201, create(place, {}))
    const { id } = await ipOf(place, '192.0.2.2')
    await expectStatus(204, call('DELETE', `${ipsPath(place)}/${id}`))
    expect((await expectStatus(201, create(place, {}))).ip).toBe('192.0.2.2')
    expect((await expectStatus(201, create(place, {}))).ip).toBe('192.0.2.5')
  })

  test('has the requested address in canonical form, the flags and a Location', async () => {
    const place = await network('2001:db8::/64')
    const response = await create(place, { ip: '2001:DB8:0::00a', available: false, quarantine: true })
    const made = await expectStatus(201, response)
    expect(made).toMatchObject({
      ip: '2001:db8::a',
      available: false,
      quarantine: true,
      ipv6: true,
      defaultSnat: false,
    })
    expect(response.headers.get('location')).toBe(`${ORIGIN}${ipsPath(place)}/${made.id}`)
  })

  test.each([
    ['192.0.3.1', 400, 'NAT-IP-9'],
    ['2001:db8::1', 400, 'NAT-IP-9'],
    ['192.0.2.256', 400, 'CONSTR-PATTERN'],
    ['here', 400, 'CONSTR-PATTERN'],
  ])('%s is refused: %i %s', async (ip, status, code) => {
    expect(await refusal(create(await network('192.0.2.0/24'), { ip }))).toEqual([status, code])
  })

  test('may be the network or the broadcast address if that is requested, and nothing beyond', async () => {
    const place = await network('192.0.2.0/24')
    for (const ip of ['192.0.2.0', '192.0.2.255'])
      expect(await expectStatus(201, create(place, { ip }))).toMatchObject({ ip })
    const { collection } = await expectStatus(400, create(place, { ip: '192.0.3.0' }))
    expect(collection[0].message).toBe('192.0.3.0 is outside 192.0.2.0/24')
  })

  test('NAT-IP-10: must be unique in its network', async () => {
    const place = await network('192.0.2.0/24')
    await expectStatus(201, create(place, { ip: '192.0.2.7' }))
    expect(await refusal(create(place, { ip: '192.0.2.7' }))).toEqual([409, 'NAT-IP-10'])
    expect(await totals(place)).toEqual({ ips: 1, usedIps: 0, rules: 0 })
  })
})

describe('many new NAT IPs in one request', () => {
  const bulk = { 'content-type': 'application/vnd.service.ipsbulkcreation+json' }

  test('are the lowest free run, all or none; the response has the first page and their number', async () => {
    const place = await network('192.0.2.0/24')
    await expectStatus(201, create(place, { ip: '192.0.2.3' }))
    const made = await expectStatus(201, create(place, { numips: 40 }))
    expect(made.totalSize).toBe(40)
    expect(made.collection).toHaveLength(25)
    expect([made.collection[0].ip, made.collection[24].ip]).toEqual(['192.0.2.4', '192.0.2.28'])
    const next = made.links.find(({ rel }: { rel: string }) => rel === 'next')
    expect((await expectStatus(200, call('GET', next.href))).collection[0].ip).toBe('192.0.2.29')
    expect(await refusal(create(place, { numips: 220 }))).toEqual([409, 'NAT-IP-5'])
    expect((await totals(place)).ips).toBe(41)
  })

  test('are refused with the number of addresses that are free', async () => {
    const place = await network('192.0.2.0/24')
    const message = async (numips: number) =>
      (await expectStatus(409, create(place, { numips }))).collection[0].message
    const few = (free: number, asked: number) =>
      `Only ${free} of the ${asked} addresses are free. Ask for fewer, or choose another network`
    expect(await message(300)).toBe(few(254, 300))
    await expectStatus(201, create(place, { ip: '192.0.2.100' }))
    expect(await message(200)).toBe('253 addresses are free, but at most 154 in a row. Ask for 154 or fewer')
    await expectStatus(201, create(place, { numips: 154 }))
    expect(await message(100)).toBe(few(99, 100))
    await expectStatus(201, create(place, { ip: '192.0.2.90' }))
    expect(await message(98)).toBe('98 addresses are free, but at most 89 in a row. Ask for 89 or fewer')
    for (const numips of [89, 9]) await expectStatus(201, create(place, { numips }))
    expect(await message(2)).toBe(await message(1))
  })

  test('start at the requested address, with the requested flags', async () => {
    const place = await network('192.0.2.0/24')
    const body = { ip: '192.0.2.100', numips: 3, available: false }
    const { collection } = await expectStatus(201, call('POST', ipsPath(place), { body, headers: bulk }))
    expect(
      collection.map(({ ip, available }: { ip: string; available: boolean }) => [ip, available]),
    ).toEqual([
      ['192.0.2.100', false],
      ['192.0.2.101', false],
      ['192.0.2.102', false],
    ])
  })

  test.each([
    [{ numips: 0 }, 'CONSTR-MIN'],
    [{ numips: 65_537 }, 'CONSTR-MAX'],
    [{ numips: 'many' }, 'GEN-3'],
    [{ numips: 1, ip: '10.0.0.1' }, 'NAT-IP-9'],
  ])('%j is refused with %s', async (body, code) => {
    expect(await refusal(create(await network('192.0.2.0/24'), body))).toEqual([400, code])
  })

  test('can be requested in XML', async () => {
    const place = await network('192.0.2.0/24')
    const headers = { 'content-type': 'application/xml', accept: 'application/vnd.service.natips+xml' }
    const body = '<ipsbulkcreation><numips>2</numips></ipsbulkcreation>'
    const xml = await expectStatus(201, call('POST', ipsPath(place), { body, headers }))
    expect(xml).toMatch(/<natips>.*<totalSize>2<\/totalSize>.*<ip>192\.0\.2\.1<\/ip>.*<ip>192\.0\.2\.2<\/ip>/)
  })

  test('are not created if the client accepts no possible response type', async () => {
    const place = await network('192.0.2.0/24')
    const headers = { ...bulk, accept: 'application/vnd.service.scope+json' }
    expect(await refusal(call('POST', ipsPath(place), { body: { numips: 2 }, headers }))).toEqual([
      406,
      '406-NOT-ACCEPTABLE',
    ])
    expect((await totals(place)).ips).toBe(0)
  })

  test('can be all of a /16, within seconds', { timeout: 60_000 }, async () => {
    const prefix = fewer(16, 20)
    const all = 2 ** (32 - prefix) - 2
    const place = await network(`10.7.0.0/${prefix}`)
    const began = performance.now()
    expect((await expectStatus(201, create(place, { numips: all }))).totalSize).toBe(all)
    expect(performance.now() - began).toBeLessThan(20_000)
    expect((await totals(place)).ips).toBe(all)
    expect(await refusal(create(place, {}))).toEqual([409, 'NAT-IP-5'])
  })

  test('are one event of the network', async () => {
    const place = await network('192.0.2.0/24')
    await expectStatus(201, create(place, { numips: 5 }))
    const events = await eventsOf('natnetwork', place.id)
    expect(events.at(-1)).toMatchObject({
      action: 'create-natips',
      entityName: place.name,
      changes: { numips: { after: '5' }, ip: { after: '192.0.2.1' } },
    })
    expect(events).toHaveLength(2)
  })
})

describe('new NAT IPs in any state', () => {
  test('count in the totals at once, and again when their deletion is undone', async () => {
    const place = await network('192.0.2.0/24')
    const actions = `${networksPath(place.datacenter)}/action`
    const states = async () => {
      const { ips, free, quarantine, unavailable } = await expectStatus(
        200,
        call('GET', `${actions}/ipstates`),
      )
      return [ips, free, quarantine, unavailable]
    }
    for (const [body, expected] of [
      [{}, [1, 1, 0, 0]],
      [{ available: false }, [2, 1, 0, 1]],
      [{ ip: '192.0.2.99', quarantine: true }, [3, 1, 1, 1]],
      [{ available: false, quarantine: true }, [4, 1, 2, 2]],
      [{ numips: 3, quarantine: true }, [7, 1, 5, 2]],
      [{ numips: 2 }, [9, 3, 5, 2]],
    ] as const) {
      await expectStatus(201, create(place, body))
      expect([body, await states()]).toEqual([body, expected])
    }
    const all = () => expectStatus(200, call('GET', `${ipsPath(place)}?all=true`))
    const before = await all()
    const { event } = await expectStatus(
      200,
      call('POST', `${actions}/deleteips`, { body: { filter: 'all=true' } }),
    )
    expect(await states()).toEqual([0, 0, 0, 0])
    await expectStatus(200, call('POST', `/api/events/${event}/action/undo`))
    expect(await states()).toEqual([9, 3, 5, 2])
    expect(await all()).toEqual(before)
  })
})

test('the response to many new NAT IPs shows these alone, with links into the list of all', async () => {
  const place = await network('10.0.0.0/22')
  await addIps(place, { from: '10.0.0.9', count: 292 })
  const few = await expectStatus(201, create(place, { numips: 3, available: false }))
  expect(few.collection.map(({ ip }: { ip: string }) => ip)).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3'])
  const { links, totalSize } = await expectStatus(201, create(place, { numips: 30 }))
  const href = (start: string) => `${ORIGIN}${ipsPath(place)}?all=true&${start}limit=25&by=ip`
  expect([totalSize, links]).toEqual([
    30,
    [
      { rel: 'first', href: href('') },
      { rel: 'last', href: href('startwith=300&') },
      { rel: 'previous', href: href('startwith=270&') },
      { rel: 'next', href: href('startwith=320&') },
    ],
  ])
})

const AT_ONCE = fewer(200, 40)

test(`${AT_ONCE} simultaneous requests for the next free IP get as many different ones, without a gap`, {
  timeout: 60_000,
}, async () => {
  const place = await network('192.0.2.0/23'.replace('192.0.2', '198.18.0'))
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => expectStatus(201, create(place, {}))),
  )
  const last = answers.map(({ ip }) => Number(ip.split('.').at(-1))).sort((a, b) => a - b)
  expect(last).toEqual(Array.from({ length: AT_ONCE }, (_, index) => index + 1))
  expect((await totals(place)).ips).toBe(AT_ONCE)
})

describe('a NAT IP', () => {
  test('can be made unavailable and put in quarantine, and back; the totals stay correct', async () => {
    const place = await newTenIps()
    const path = `${ipsPath(place)}/${(await ipOf(place, '192.0.2.5')).id}`
    const before = await expectStatus(200, call('GET', path))
    const after = await expectStatus(
      200,
      call('PUT', path, { body: { ...before, available: false, quarantine: true } }),
    )
    expect(after).toMatchObject({ available: false, quarantine: true })
    expect((await expectStatus(200, call('GET', ipsPath(place)))).totalSize).toBe(9)
    expect((await expectStatus(200, call('GET', `${ipsPath(place)}?all=true`))).totalSize).toBe(10)
    await expectStatus(200, call('PUT', path, { body: before }))
    expect((await expectStatus(200, call('GET', ipsPath(place)))).totalSize).toBe(10)
    const events = await eventsOf('natip', before.id)
    expect(
      events.map(({ action, changes }: { action: string; changes: object }) => [action, changes]),
    ).toEqual([
      [
        'update',
        { available: { before: 'true', after: 'false' }, quarantine: { before: 'false', after: 'true' } },
      ],
      [
        'update',
        { available: { before: 'false', after: 'true' }, quarantine: { before: 'true', after: 'false' } },
      ],
    ])
  })

  test('cannot get another address', async () => {
    const place = await newTenIps()
    const path = `${ipsPath(place)}/${(await ipOf(place, '192.0.2.5')).id}`
    expect(await refusal(call('PUT', path, { body: { ip: '192.0.2.6' } }))).toEqual([400, 'CONSTR-PATTERN'])
  })

  test('NAT-IP-4, NAT-IP-3 and NAT-IP-12: cannot be made unavailable with rules, or deleted while attached', async () => {
    const machine = await newMachineWithIps()
    const [used, attached] = machine.natIps
    const path = (id: number) => `${ipsPath(machine.network)}/${id}`
    await expectStatus(
      201,
      call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, { snat: true }) }),
    )
    expect(await refusal(call('PUT', path(used), { body: { available: false } }))).toEqual([409, 'NAT-IP-4'])
    expect(await refusal(call('DELETE', path(used)))).toEqual([409, 'NAT-IP-3', 'NAT-IP-12'])
    expect(await refusal(call('DELETE', path(attached)))).toEqual([409, 'NAT-IP-12'])
    await expectStatus(200, call('PUT', path(used), { body: { quarantine: true } }))
    const rules = await expectStatus(200, call('GET', `${path(used)}/rules`))
    expect([rules.totalSize, rules.collection[0].snat]).toEqual([1, true])
    expect((await expectStatus(200, call('GET', `${path(attached)}/rules`))).totalSize).toBe(0)
  })

  test('NAT-IP-0: is found only in its own network', async () => {
    const [one, other] = [await newTenIps(), await newTenIps()]
    const { id } = await ipOf(one, '192.0.2.1')
    for (const word of [String(id), '999999999', 'abc'])
      expect(await codesOf(call('GET', `${ipsPath(other)}/${word}`))).toEqual(['NAT-IP-0'])
    expect(await codesOf(call('GET', `${ipsPath(other)}/0`))).toEqual(['GEN-1'])
  })

  test('is changed only with a current If-Match and the privilege', async () => {
    const place = await newTenIps()
    const path = `${ipsPath(place)}/${(await ipOf(place, '192.0.2.1')).id}`
    const headers = { 'if-match': '"stale"' }
    expect(await refusal(call('DELETE', path, { headers }))).toEqual([412, '412-PRECONDITION-FAILED'])
    const tag = (await call('GET', path)).headers.get('etag') ?? ''
    const as = await newUser({ privileges: ['PHYS_DC_RETRIEVE_DETAILS'] })
    expect((await call('DELETE', path, { as })).status).toBe(403)
    await expectStatus(204, call('DELETE', path, { headers: { 'if-match': tag } }))
  })

  test('links its virtual datacenter and enterprise while attached', async () => {
    const place = await newTenIps()
    const center = await newCenter({ datacenter: place.datacenter })
    const id = await attachIp(place, center.id, '192.0.2.1')
    const { links } = await expectStatus(200, call('GET', `${ipsPath(place)}/${id}`))
    expect(links.map(({ rel }: { rel: string }) => rel)).toEqual(
      expect.arrayContaining(['virtualdatacenter', 'enterprise']),
    )
  })
})

import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { NatFinding, NatFindingCounts } from '#lib/cloud/nat/check.schema'
import { type Trx, transaction } from '#lib/db/db.server'
import type { Collection } from '#lib/ground/http/view'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
} from '#lib/tools/testing/client'
import { readCsv } from '#lib/tools/testing/csv'
import { centerPath, newCenter, newPrivateIp } from '#lib/tools/testing/inventory'
import {
  addIps,
  changeIp,
  ipOf,
  networksPath,
  newDatacenter,
  newDevice,
  newNetwork,
} from '#lib/tools/testing/nat'
import {
  attachIp,
  dnat,
  ipsPath,
  type MachineWithIps,
  newMachineWithIps,
  newTenIps,
  ruleBody,
} from '#lib/tools/testing/nat-rules'
import { newScope } from '#lib/tools/testing/scopes'

const checkPath = (datacenter: number, query = ''): string =>
  `${networksPath(datacenter)}/action/check${query}`

type Findings = Collection<NatFinding> & { totalSize: number }

const check = (datacenter: number, query?: string, as: User = admin): Promise<Findings> =>
  expectStatus(200, call('GET', checkPath(datacenter, query), { as }))

const codes = async (datacenter: number, as?: User): Promise<string[]> =>
  (await check(datacenter, '', as)).collection.map(({ code }) => code)

const countsOf = (datacenter: number, as: User = admin, query = ''): Promise<NatFindingCounts> =>
  expectStatus(200, call('GET', `${networksPath(datacenter)}/action/checkcounts${query}`, { as }))

/** The only finding. */
async function theFinding(datacenter: number): Promise<NatFinding> {
  const { collection, totalSize } = await check(datacenter)
  const [finding, ...others] = collection
  if (!finding || others.length > 0 || totalSize !== 1) throw new Error(JSON.stringify(collection))
  return finding
}

/** Sends the request as it is proposed. */
async function mend({ fix }: NatFinding): Promise<void> {
  if (!fix) throw new Error('The finding has no fix')
  const headers = { ...(fix.type && { 'content-type': fix.type }), accept: '*/*' }
  const path = fix.href.replace(ORIGIN, '')
  const response = await call(fix.method, path, {
    headers,
    ...(fix.document && { body: JSON.stringify(fix.document) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

async function mendedBy(datacenter: number): Promise<void> {
  await mend(await theFinding(datacenter))
  expect((await check(datacenter)).collection).toEqual([])
}

async function newRule(
  machine: MachineWithIps,
  rule: Parameters<typeof ruleBody>[1] = dnat(443),
): Promise<number> {
  const made = await expectStatus(
    201,
    call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, rule) }),
  )
  return made.id
}

/** A machine with a rule, whose second NAT IP is the default SNAT: nothing is wrong. */
async function soundPlace() {
  const machine = await newMachineWithIps()
  const rule = await newRule(machine)
  const path = `${centerPath(machine.center)}/natips/${machine.natIps[1]}`
  await expectStatus(200, call('PUT', path, { body: { defaultSnat: true } }))
  return { ...machine, rule, datacenter: machine.network.datacenter }
}

/** A caller who sees the datacenter but not the enterprise. */
async function strangerTo(datacenter: number): Promise<User> {
  const enterprise = await newEnterprise()
  const scope = await newScope({ enterprises: [enterprise.id], datacenters: [datacenter] })
  return newUser({ enterpriseId: enterprise.id, scopeId: scope.id })
}

test('nothing is found where all is sound', async () => {
  const { datacenter } = await soundPlace()
  expect(await check(datacenter)).toMatchObject({ collection: [], totalSize: 0 })
  expect(await countsOf(datacenter)).toMatchObject({ error: 0, warning: 0, info: 0 })
})

describe('a rule', () => {
  test('on an IP that is unavailable is found, and making the IP available fixes it', async () => {
    const { datacenter, natIps, rule, network } = await soundPlace()
    await changeIp(natIps[0], { available: 0 })
    await transaction((trx) =>
      trx.updateTable('nat_rules').set({ original_port_end: 9000 }).where('id', '=', rule).execute(),
    )
    const finding = await theFinding(datacenter)
    expect(finding).toMatchObject({
      code: 'NATCHECK-1',
      severity: 'error',
      rule: { originalPortEnd: 9000 },
      fix: {
        method: 'PUT',
        href: `${ORIGIN}${ipsPath(network)}/${natIps[0]}`,
        type: 'application/vnd.service.natip+json',
        document: { available: true, quarantine: false },
      },
    })
    expect(finding.message).toMatch(/rule \d+ is on the NAT IP 192\.0\.2\.1, which is unavailable/)
    expect(idOfLink(linkOf(finding, 'natrule'))).toBe(rule)
    expect(idOfLink(linkOf(finding, 'natip'))).toBe(natIps[0])
    await mendedBy(datacenter)
  })

  test('on an IP in quarantine is found, and deleting the rule fixes it', async () => {
    const { datacenter, natIps, network, path, rule } = await soundPlace()
    await expectStatus(
      200,
      call('PUT', `${ipsPath(network)}/${natIps[0]}`, { body: { available: true, quarantine: true } }),
    )
    expect(await theFinding(datacenter)).toMatchObject({
      code: 'NATCHECK-2',
      severity: 'error',
      fix: { method: 'DELETE', href: `${ORIGIN}${path}/natrules/${rule}` },
    })
    await mend(await theFinding(datacenter))
    // The address has no rule now, but not for long.
    expect(await codes(datacenter)).toEqual([])
  })

  test('on an IP that is attached nowhere is found, and attaching the IP fixes it', async () => {
    const { datacenter, natIps, center } = await soundPlace()
    await changeIp(natIps[0], { virtual_datacenter_id: null })
    expect(await theFinding(datacenter)).toMatchObject({
      code: 'NATCHECK-3',
      fix: { method: 'PUT', href: `${ORIGIN}${centerPath(center)}/natips/topurchase/${natIps[0]}` },
    })
    await mendedBy(datacenter)
  })

  test('on an IP of another virtual datacenter is found, and deleting the rule fixes it', async () => {
    const { datacenter, natIps } = await soundPlace()
    const other = await newCenter({ datacenter })
    await changeIp(natIps[0], { virtual_datacenter_id: other.id })
    expect(await theFinding(datacenter)).toMatchObject({ code: 'NATCHECK-3', fix: { method: 'DELETE' } })
    await mendedBy(datacenter)
  })

  test('to a machine that is off is found, and has no fix: deleting it would be too much', async () => {
    const { datacenter, path } = await soundPlace()
    const machine = await expectStatus(200, call('GET', path))
    await expectStatus(200, call('PUT', path, { body: { ...machine, state: 'OFF' } }))
    const finding = await theFinding(datacenter)
    expect(finding).toMatchObject({ code: 'NATCHECK-9', severity: 'warning' })
    expect(finding.message).toContain('to the machine Machine, which is off')
    expect(finding).not.toHaveProperty('fix')
    expect(finding.rule).toEqual({ snat: false, protocol: 'TCP', originalPort: 443, translatedPort: 443 })
  })
})

describe('networks', () => {
  test('of one device that overlap are found, and deleting the empty one fixes it', async () => {
    const { id: datacenter } = await newDatacenter()
    const device = await newDevice(datacenter)
    const one = await newNetwork({ datacenter, device: device.id, cidr: '198.51.100.0/24' })
    const two = await newNetwork({ datacenter, device: device.id, cidr: '203.0.113.0/24' })
    await newNetwork({ datacenter, cidr: '198.51.100.0/25' })
    await addIps(one, { count: 1 })
    expect(await codes(datacenter)).toEqual([])
    const { first_key, last_key } = { first_key: '4c6336480', last_key: '4c63364ff' }
    await transaction((trx) =>
      trx
        .updateTable('nat_networks')
        .set({ cidr: '198.51.100.128/25', first_key, last_key, prefix: 25 })
        .where('id', '=', two.id)
        .execute(),
    )
    const finding = await theFinding(datacenter)
    expect(finding).toMatchObject({
      code: 'NATCHECK-4',
      fix: { method: 'DELETE', href: `${ORIGIN}${networksPath(datacenter)}/${two.id}` },
    })
    expect(finding.links.map(({ rel, title }) => [rel, title])).toEqual([
      ['natnetwork', one.name],
      ['natnetwork', two.name],
      ['device', device.name],
    ])
    await mendedBy(datacenter)
  })

  test('with more than nine of ten assignable addresses attached are found, and nothing can be added', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '192.0.2.0/28' })
    await addIps(network, { count: 13 })
    const center = await newCenter({ datacenter })
    for (let last = 1; last <= 12; last += 1) await attachIp(network, center.id, `192.0.2.${last}`)
    expect(await codes(datacenter)).toEqual([])
    // 12 of 13 that can be in use.
    const spare = await ipOf(network, '192.0.2.13')
    await expectStatus(200, call('PUT', `${ipsPath(network)}/${spare.id}`, { body: { quarantine: true } }))
    const { collection } = await check(datacenter, '?code=NATCHECK-8')
    expect(collection).toMatchObject([{ code: 'NATCHECK-8', severity: 'warning' }])
    expect(collection[0]).not.toHaveProperty('fix')
    expect(collection[0]?.message).toContain('Of the 13 IPs of the NAT network')
    expect(collection[0]?.message).toContain('12 are attached (92 %)')
  })

  test('whose added IPs are all attached are found, and the next 16 fix it', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '192.0.2.0/24' })
    const center = await newCenter({ datacenter })
    expect(await codes(datacenter)).toEqual([])
    await addIps(network, { count: 2 })
    await attachIp(network, center.id, '192.0.2.1')
    expect(await codes(datacenter)).toEqual([])
    await attachIp(network, center.id, '192.0.2.2')
    const finding = await theFinding(datacenter)
    expect(finding).toMatchObject({
      code: 'NATCHECK-12',
      severity: 'warning',
      links: [{ rel: 'natnetwork', title: network.name }],
      fix: {
        method: 'POST',
        href: ORIGIN + ipsPath(network),
        document: { numips: 16 },
        type: 'application/vnd.service.ipsbulkcreation+json',
      },
    })
    expect(await codes((await newDatacenter()).id)).toEqual([])
    await mendedBy(datacenter)
  })

  test('whose added IPs are all attached are fixed by what is left, and full ones are not found', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '192.0.2.0/29' })
    const center = await newCenter({ datacenter })
    await addIps(network, { count: 4 })
    for (const last of [1, 2, 3, 4]) await attachIp(network, center.id, `192.0.2.${last}`)
    expect((await theFinding(datacenter)).fix?.document).toEqual({ numips: 2 })
    await mendedBy(datacenter)
    for (const last of [5, 6]) await attachIp(network, center.id, `192.0.2.${last}`)
    expect(await codes(datacenter)).toEqual(['NATCHECK-8'])
  })

  test('beyond what can be counted are never nearly full, but their added IPs may all be attached', async () => {
    const { id: datacenter } = await newDatacenter()
    const network = await newNetwork({ datacenter, cidr: '2001:db8::/64' })
    const center = await newCenter({ datacenter })
    await addIps(network, { count: 1 })
    await attachIp(network, center.id, '2001:db8::1')
    expect(await theFinding(datacenter)).toMatchObject({
      code: 'NATCHECK-12',
      fix: { document: { numips: 16 } },
    })
    await mendedBy(datacenter)
  })
})

test('a private address that is behind one device twice is found', async () => {
  const { datacenter, center, network } = await soundPlace()
  const other = await newCenter({ datacenter })
  await newPrivateIp(other.id, '10.0.0.1')
  expect(await codes(datacenter)).toEqual([])
  await attachIp(network, other.id, '192.0.2.5')
  const { id } = await ipOf(network, '192.0.2.5')
  await expectStatus(
    200,
    call('PUT', `${centerPath(other.id)}/natips/${id}`, { body: { defaultSnat: true } }),
  )
  const finding = await theFinding(datacenter)
  expect(finding).toMatchObject({ code: 'NATCHECK-5', severity: 'error' })
  expect(finding).not.toHaveProperty('fix')
  expect(finding.message).toContain('The private address 10.0.0.1 is 2 times behind the device')
  const linked = finding.links.filter(({ rel }) => rel === 'virtualdatacenter').map(idOfLink)
  expect(linked).toEqual([center, other.id])
})

test('a default SNAT that no private IP uses is found', async () => {
  const { datacenter, ...machine } = await soundPlace()
  await newRule(machine, { snat: true })
  expect(await codes(datacenter)).toEqual([])
  const body = ruleBody(machine, { snat: true }, { privateIp: machine.privateIps[1] })
  await expectStatus(201, call('POST', `${machine.path}/natrules`, { body }))
  expect(await theFinding(datacenter)).toMatchObject({ code: 'NATCHECK-6', severity: 'info' })
})

describe('an attached IP without a rule', () => {
  const DAY = 24 * 60 * 60 * 1_000_000
  const ago = (days: number): number => Date.now() * 1000 - days * DAY

  /** The journal as if it had begun long ago. */
  async function oldJournal(): Promise<void> {
    const { moment } = await transaction((trx) =>
      trx.selectFrom('journal_beginning').select('moment').executeTakeFirstOrThrow(),
    )
    const begin = (at: number) =>
      transaction((trx) => trx.updateTable('journal_beginning').set({ moment: at }).execute())
    await begin(ago(100))
    onTestFinished(async () => {
      await begin(moment)
    })
  }

  /** The journal of the tests may be ahead of the clock, which some of them set. */
  const aheadOf = async (trx: Trx, moment: number): Promise<number> => {
    const { rows } = await sql<{ last: number }>`select max(until) as last from past_rows`.execute(trx)
    return Math.max(0, (rows[0]?.last ?? 0) - moment)
  }

  /** Moves the history of the address and its rules back by so many days. */
  const earlier = (id: number, days: number) =>
    transaction(async (trx) =>
      sql`update past_rows set until = until - ${days * DAY + (await aheadOf(trx, ago(0)))} where (source = 'nat_ips' and id = ${id})
        or (source = 'nat_rules' and content like ${`%"nat_ip_id":%${id}%`})`.execute(trx),
    )

  test('and without default SNAT is found after 30 days, and releasing it fixes it', async () => {
    await oldJournal()
    const network = await newTenIps()
    const { datacenter } = network
    const center = await newCenter({ datacenter })
    const id = await attachIp(network, center.id, '192.0.2.1')
    expect(await codes(datacenter)).toEqual([])
    await earlier(id, 29)
    expect(await codes(datacenter)).toEqual([])
    await earlier(id, 2)
    const finding = await theFinding(datacenter)
    expect(finding).toMatchObject({
      code: 'NATCHECK-7',
      severity: 'info',
      fix: { method: 'PUT', href: `${ORIGIN}${centerPath(center.id)}/natips/purchased/${id}` },
    })
    expect(await codes(datacenter, await strangerTo(datacenter))).toEqual([])
    await mendedBy(datacenter)
  })

  test('counts from the end of its last rule, and from the end as default SNAT', async () => {
    await oldJournal()
    const { datacenter, rule, path, natIps, center } = await soundPlace()
    await expectStatus(204, call('DELETE', `${path}/natrules/${rule}`))
    expect(await codes(datacenter)).toEqual([])
    await earlier(natIps[0], 31)
    expect(await codes(datacenter)).toEqual(['NATCHECK-7'])
    const defaultSnat = `${centerPath(center)}/natips/${natIps[0]}`
    await earlier(natIps[1], 31)
    await expectStatus(200, call('PUT', defaultSnat, { body: { defaultSnat: true } }))
    expect(await codes(datacenter)).toEqual([])
    await earlier(natIps[1], 31)
    const { fix } = await theFinding(datacenter)
    expect(fix?.href).toBe(`${ORIGIN}${centerPath(center)}/natips/purchased/${natIps[1]}`)
  })
})

const reportDrift = (datacenter: number, device: number, drift: object[]) =>
  expectStatus(
    200,
    call('PUT', `/api/cloud/locations/${datacenter}/devices/${device}/state`, {
      body: { revision: 0, mode: 'watch', translations: 0, drift, agent: { name: 'gateway', version: '1' } },
    }),
  )

test('drift that a gateway reported is found until it reports none', async () => {
  const { datacenter } = await soundPlace()
  const { id } = await newDevice(datacenter, { typeName: 'LINUX' })
  const report = (drift: object[]) => reportDrift(datacenter, id, drift)
  await report([{ reason: 'a foreign rule in the chain pre' }, { reason: '10.0.0.9 is missing' }])
  const finding = await theFinding(datacenter)
  expect(finding).toMatchObject({ code: 'NATCHECK-10', severity: 'error' })
  expect(finding.message).toContain('reported 2 differences')
  expect(finding.message).not.toContain('10.0.0.9')
  await report([])
  expect(await codes(datacenter)).toEqual([])
})

describe('the list', () => {
  /** A place with two errors, a warning and an information. */
  async function unsound() {
    const { datacenter, ...machine } = await soundPlace()
    const second = await newRule(machine, dnat(80))
    await changeIp(machine.natIps[0], { available: 0 })
    await transaction((trx) =>
      trx
        .updateTable('virtual_machines')
        .set({ state: 'OFF' })
        .where('virtual_datacenter_id', '=', machine.center)
        .execute(),
    )
    return { ...machine, datacenter, second }
  }

  test('has errors first, pages them, and counts them by code and severity', async () => {
    const { datacenter } = await unsound()
    const all = await codes(datacenter)
    expect(all).toEqual(['NATCHECK-1', 'NATCHECK-1', 'NATCHECK-9', 'NATCHECK-9'])
    const whole = (await check(datacenter)).collection
    for (const limit of [1, 2, 3]) {
      const pages: NatFinding[] = []
      for (let start = 0; start < all.length; start += limit) {
        const page = await check(datacenter, `?limit=${limit}&startwith=${start}`)
        expect(page.totalSize).toBe(4)
        const shown = Math.min(start, Math.floor(3 / limit) * limit)
        expect(page.collection).toEqual(whole.slice(shown, shown + limit))
        pages.push(...page.collection)
      }
      expect(pages).toEqual(whole)
    }
    expect((await check(datacenter, '?limit=0')).collection).toEqual(whole)
    const down = await check(datacenter, '?by=code&asc=false')
    expect(down.collection).toEqual(whole.toReversed())
    expect(await countsOf(datacenter)).toEqual({
      links: [],
      error: 2,
      warning: 2,
      info: 0,
      setAside: 0,
      codes: [
        { code: 'NATCHECK-1', severity: 'error', count: 2 },
        { code: 'NATCHECK-9', severity: 'warning', count: 2 },
      ],
    })
  })

  test('takes filters and a search', async () => {
    const { datacenter } = await unsound()
    const total = async (query: string) => (await check(datacenter, query)).totalSize
    expect(await total('?code=NATCHECK-9')).toBe(2)
    expect(await total('?severity=error')).toBe(2)
    expect(await total('?severity=info')).toBe(0)
    expect(await total('?code=NATCHECK-9&severity=error')).toBe(0)
    expect(await total('?has=192.0.2.1')).toBe(4)
    expect(await total('?has=192.0.2.2')).toBe(0)
    await expectStatus(400, call('GET', checkPath(datacenter, '?code=NATCHECK-99')))
    await expectStatus(404, call('GET', checkPath(987_654_321)))
  })

  test('is limited to a network, its IPs, its rules and its device', async () => {
    const { datacenter, network, natIps } = await unsound()
    const device = await newDevice(datacenter, { typeName: 'LINUX' })
    const other = await newNetwork({ datacenter, device: device.id, cidr: '203.0.113.0/24' })
    await reportDrift(datacenter, device.id, [{ reason: 'a foreign rule' }])
    const totals = async (id: number) => {
      const { collection, totalSize } = await check(datacenter, `?network=${id}`)
      const { error, warning, info } = await countsOf(datacenter, admin, `?network=${id}`)
      expect(error + warning + info).toBe(totalSize)
      return collection.map(({ code }) => code)
    }
    expect(await totals(network.id)).toEqual(['NATCHECK-1', 'NATCHECK-1', 'NATCHECK-9', 'NATCHECK-9'])
    expect(await totals(other.id)).toEqual(['NATCHECK-10'])
    await changeIp(natIps[0], { quarantine: 1, virtual_datacenter_id: null })
    const states = ['NATCHECK-1', 'NATCHECK-2', 'NATCHECK-3', 'NATCHECK-9']
    expect(await totals(network.id)).toEqual(states.flatMap((code) => [code, code]))
    expect(await totals(other.id)).toEqual(['NATCHECK-10'])
    const { links } = await check(datacenter, `?network=${network.id}&limit=1`)
    expect(links.find(({ rel }) => rel === 'next')?.href).toContain(`network=${network.id}`)
    for (const action of ['check', 'checkcounts'])
      await expectStatus(404, call('GET', `${networksPath(datacenter)}/action/${action}?network=987654321`))
  })

  test('of a network has the private addresses that it translates and that are twice behind its device', async () => {
    const { datacenter, network } = await soundPlace()
    const device = await newDevice(datacenter)
    const apart = await newNetwork({ datacenter, device: device.id, cidr: '203.0.113.0/24' })
    const other = await newCenter({ datacenter })
    await newPrivateIp(other.id, '10.0.0.1')
    await attachIp(network, other.id, '192.0.2.5')
    const { id } = await ipOf(network, '192.0.2.5')
    const path = `${centerPath(other.id)}/natips/${id}`
    await expectStatus(200, call('PUT', path, { body: { defaultSnat: true } }))
    expect((await check(datacenter, `?network=${network.id}`)).collection).toHaveLength(1)
    expect((await check(datacenter, `?network=${apart.id}`)).collection).toEqual([])
  })

  test('is XML and CSV too', async () => {
    const { datacenter, natIps, network } = await unsound()
    const headers = { accept: 'application/vnd.service.natfindings+xml' }
    const xml = await expectStatus(200, call('GET', checkPath(datacenter, '?code=NATCHECK-1'), { headers }))
    expect(xml).toContain('<code>NATCHECK-1</code><severity>error</severity>')
    expect(xml).toContain(
      `<fix><method>PUT</method><href>${ORIGIN}${ipsPath(network)}/${natIps[0]}</href><type>application/vnd.service.natip+xml</type><document><available>true</available><quarantine>false</quarantine></document></fix>`,
    )
    const { rows } = await readCsv(checkPath(datacenter))
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatchObject({ finding: 'NATCHECK-1', severity: 'error', natIp: '192.0.2.1' })
  })

  test('names no machine that the caller does not see, and has nothing that is only about it', async () => {
    const { datacenter } = await unsound()
    const stranger = await strangerTo(datacenter)
    const { collection } = await check(datacenter, '', stranger)
    expect(collection.map(({ code }) => code)).toEqual(['NATCHECK-1', 'NATCHECK-1'])
    expect(collection[0]?.links.map(({ rel }) => rel)).toEqual(['natip', 'natnetwork'])
    expect(JSON.stringify(collection)).not.toContain('Machine')
    expect(await countsOf(datacenter, stranger)).toMatchObject({ error: 2, warning: 0 })
  })
})

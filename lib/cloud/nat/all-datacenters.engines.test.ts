import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { natScopeOf } from '#lib/cloud/nat/counts.server'
import { ipIds } from '#lib/cloud/nat/ip-filters.server'
import type { NatIpDocument, NatIpPosition, NatIpStates } from '#lib/cloud/nat/ips.schema'
import { idsIn } from '#lib/cloud/nat/long-list.server'
import { ruleIds } from '#lib/cloud/nat/rule-filters.server'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { database } from '#lib/db/db.server'
import type { Collection } from '#lib/ground/http/view'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { parseAddress } from '#lib/ground/net/addresses'
import {
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { readCsv } from '#lib/tools/testing/csv'
import {
  addIps,
  addRule,
  attach,
  makeDefault,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'
import { daily, isLong, swept } from '#lib/tools/testing/search'

/* The NAT IPs and rules of all datacenters: four datacenters share addresses, one of them is hidden from `limited` and `single`. */

const [one, two, empty, away] = [
  await newDatacenter(unique('z One')),
  await newDatacenter(unique('A Two')),
  await newDatacenter(unique('Empty')),
  await newDatacenter(unique('m Away')),
]
const [seen, hidden] = [await newEnterprise(), await newEnterprise()]

const networkIn = (datacenter: number, cidr: string) => newNetwork({ datacenter, cidr })
const networks = {
  wide: await networkIn(one.id, '10.0.0.0/14'),
  same: await networkIn(one.id, '10.0.0.0/16'),
  other: await networkIn(two.id, '10.0.0.0/15'),
  six: await networkIn(two.id, '2001:db8::/64'),
  away: await networkIn(away.id, '10.0.0.0/16'),
}
await addIps(networks.away, { from: '10.0.0.1', count: 300 })
await addIps(networks.other, { from: '10.0.0.200', count: 270 })
await addIps(networks.other, { from: '10.1.0.250', count: 20 })
await addIps(networks.wide, { from: '10.0.0.5', count: 300 })
await addIps(networks.wide, { from: '10.2.7.1', count: 40, quarantine: true })
await addIps(networks.same, { from: '10.0.0.1', count: 30 })
await addIps(networks.same, { from: '10.0.1.1', count: 10, available: false })
await addIps(networks.six, { count: 40 })

const machineIn = (datacenter: number, enterprise: number, name: string, privateIp: string) =>
  newMachine({ datacenter, enterprise, name: unique(name), privateIps: [privateIp] })
const machines = {
  one: await machineIn(one.id, seen.id, 'k Web', '192.168.0.5'),
  two: await machineIn(two.id, hidden.id, 'a Vault', '172.30.9.9'),
  away: await machineIn(away.id, seen.id, 'Far', '192.168.7.7'),
}
await attach(networks.wide, machines.one.virtualDatacenter, '10.0.0.7', '10.0.0.220', '10.0.1.20')
await attach(networks.other, machines.two.virtualDatacenter, '10.0.0.220', '10.1.0.255')
await attach(networks.away, machines.away.virtualDatacenter, '10.0.0.220')
await makeDefault(networks.wide, '10.0.0.220')
await makeDefault(networks.other, '10.0.0.220')
await makeDefault(networks.away, '10.0.0.220')
for (const originalPort of Array.from({ length: 105 }, (_, index) => index + 1)) {
  const rule = { protocol: originalPort % 2 ? ('TCP' as const) : ('UDP' as const), originalPort }
  await addRule(networks.wide, originalPort % 3 ? '10.0.0.220' : '10.0.0.7', machines.one, rule)
  await addRule(networks.other, originalPort % 3 ? '10.0.0.220' : '10.1.0.255', machines.two, rule)
}
await addRule(networks.wide, '10.0.0.7', machines.one)
await addRule(networks.away, '10.0.0.220', machines.away, { protocol: 'TCP', originalPort: 80 })

const userOf = async (datacenters: number[], enterprises?: number[]): Promise<User> =>
  newUser({ scopeId: (await newScope({ datacenters, ...(enterprises && { enterprises }) })).id })
const callers: Record<string, User | undefined> = {
  unlimited: undefined,
  limited: await userOf([one.id, two.id, empty.id], [seen.id]),
  single: await userOf([two.id]),
  none: await userOf([]),
}
const { limited, none } = callers

const all = '/api/admin/natnetworks/action'

const isEmbedded = database().engine === 'sqlite'

type NatDocument = NatIpDocument | NatRuleDocument

const read = async <T>(path: string, as?: User): Promise<T> =>
  expectStatus(200, call('GET', path, { ...(as && { as }) }))

const listed = <T extends NatDocument>(path: string, as?: User): Promise<Collection<T>> => read(path, as)

const datacenterOf = (row: NatDocument): number => idOfLink(linkOf(row, 'datacenter')) ?? 0

const addressOf = (row: NatDocument): bigint => {
  const natEnd = 'snat' in row && (row.snat ? 'translated' : 'original')
  const text = 'ip' in row ? row.ip : natEnd ? linkOf(row, natEnd)?.title : ''
  const { version, value } = parseAddress(text ?? '') ?? { version: 4, value: -1n }
  return BigInt(version) * 2n ** 128n + value
}

const compare = <T>(one: T, other: T): number => Number(one > other) - Number(one < other)

type Key = (row: NatDocument) => string | number

/** The rows of each datacenter's own list, sorted by the key, then by address, datacenter and id. */
async function expectedRows(
  list: string,
  query: string,
  as?: User,
  key: Key = () => 0,
): Promise<NatDocument[]> {
  const centers = await read<Collection<{ id: number; links: [] }>>('/api/admin/datacenters?limit=0', as)
  const rows: NatDocument[] = []
  for (const { id } of centers.collection) {
    const own = await listed<NatDocument>(`${networksPath(id)}/action/${list}?${query}&limit=0`, as)
    rows.push(...own.collection)
  }
  return rows.toSorted(
    (one, other) =>
      compare(key(one), key(other)) ||
      compare(addressOf(one), addressOf(other)) ||
      compare(datacenterOf(one), datacenterOf(other)) ||
      compare(one.id, other.id),
  )
}

const idsOf = (rows: readonly NatDocument[]): number[] => rows.map(({ id }) => id)

/** Expects these rows as whole list, and pages of it at both ends and between, in both directions. */
async function expectPages(path: string, rows: readonly NatDocument[], as?: User): Promise<void> {
  for (const asc of [true, false]) {
    const ids = asc ? idsOf(rows) : idsOf(rows).reverse()
    const page = async (query: string) => {
      const { collection, totalSize } = await listed<NatDocument>(`${path}&asc=${asc}&${query}`, as)
      expect(totalSize).toBe(ids.length)
      return idsOf(collection)
    }
    expect(await page('limit=0')).toEqual(ids)
    const last = Math.max(ids.length - 7, 0)
    for (const start of new Set([0, Math.floor(ids.length / 3), Math.floor(ids.length / 2), last]))
      expect(await page(`limit=7&startwith=${start}`)).toEqual(ids.slice(start, start + 7))
    expect(await page('limit=7&startwith=999999')).toEqual(ids.slice(last))
    if (ids.length > 20) expect(await page('limit=400&startwith=20')).toEqual(ids.slice(20, 420))
  }
}

const queries = {
  allips: [
    '',
    'all=true',
    'available=false',
    'snatdefault=true',
    'state=quarantine',
    'state=attached',
    'state=free',
    'state=unavailable',
    'attached=true&all=true',
    'quarantine=true',
    'has=10.0.0.2',
    'has=.7',
    'address=10.0.0.220',
  ],
  allrules: ['', 'snat=true', 'snat=false', 'protocol=UDP', 'has=tcp', 'has=10.0.0.7', 'has=vault'],
}

const filtered = Object.entries(queries).flatMap(([list, queries]) =>
  queries.map((query) => [list, query] as const),
)

/** The caller's visibility and the filter are independent conditions: each filter is tested with one caller, with another one each day. */
const ofCaller = <T>(all: readonly T[], name: string): T[] => {
  const index = Object.keys(callers).indexOf(name)
  return isLong ? [...all] : all.filter((_, at) => (at + daily()) % Object.keys(callers).length === index)
}

describe.each(Object.entries(callers))('to the caller %s', (name, as) => {
  // Each filter has tests of its own on both engines (lib/cloud/nat/ip-filters, lib/cloud/nat/rule-filters).
  test.each(ofCaller(isEmbedded ? filtered : swept(filtered, 3), name))(
    '%s with %j has the rows of all visible datacenters in the order of addresses',
    async (list, query) => {
      await expectPages(`${all}/${list}?${query}`, await expectedRows(list, query, as), as)
    },
  )

  test.each(ofCaller(['all=true', 'all=true&attached=true', 'has=.2'], name))(
    'the position of an address with %j is its first index in the list',
    async (query) => {
      for (const asc of [true, false]) {
        const path = `${all}/allips?limit=0&asc=${asc}&${query}`
        const { collection } = await listed<NatIpDocument>(path, as)
        for (const ip of ['10.0.0.0', '10.0.0.220', '10.0.0.221', '10.1.0.255', '11.0.0.0', '2001:db8::3']) {
          const at = `${all}/ipposition?ip=${ip}&asc=${asc}&${query}`
          const { position, exists, id, links } = await read<NatIpPosition>(at, as)
          const index = collection.findIndex((one) => one.ip === ip)
          const number = addressOf({ ip } as NatIpDocument)
          const before = collection.filter((one) =>
            asc ? addressOf(one) < number : addressOf(one) > number,
          ).length
          expect({ ip, position }).toEqual({ ip, position: before })
          const row = collection[index]
          expect({ exists, id }).toEqual({ exists: index >= 0, id: row?.id })
          expect(linkOf({ links }, 'natip')?.href).toBe(row && linkOf(row, 'self')?.href)
        }
      }
    },
  )

  test('the states are counted over all visible datacenters', async () => {
    const states = await read<NatIpStates>(`${all}/ipstates`, as)
    for (const [state, query] of [
      ['ips', 'all=true'],
      ['free', 'state=free'],
      ['attached', 'state=attached'],
      ['quarantine', 'state=quarantine'],
      ['unavailable', 'state=unavailable'],
    ] as const) {
      if (state === 'free' && as !== undefined) expect(states.free).toBeUndefined()
      else expect([state, states[state]]).toEqual([state, (await expectedRows('allips', query, as)).length])
    }
  })
})

const seesAll = { scope: { id: 1, allDatacenters: true, allEnterprises: true }, enterpriseId: 1 }
const noFilters = { has: '', all: false, snatdefault: false }

const titleOf = (row: NatDocument, rel: string): string => linkOf(row, rel)?.title?.toLowerCase() ?? ''

test.each<[string, string, Key]>([
  ['allips', 'datacenter', (row) => titleOf(row, 'datacenter')],
  ['allips', 'network', (row) => titleOf(row, 'natnetwork')],
  ['allips', 'available', (row) => ('available' in row ? Number(row.available) : 0)],
  ['allips', 'enterprise', (row) => titleOf(row, 'enterprise')],
  ['allrules', 'datacenter', (row) => titleOf(row, 'datacenter')],
  ['allrules', 'virtualmachine', (row) => titleOf(row, 'virtualmachine')],
  ['allrules', 'originalport', (row) => ('originalPort' in row ? (row.originalPort ?? 0) : 0)],
])('%s is ordered by %s, then by address, datacenter and id', async (list, by, key) => {
  const query = list === 'allips' ? 'all=true' : 'has='
  const rows = await expectedRows(list, query, limited, key)
  await expectPages(`${all}/${list}?${query}&by=${by}`, rows, limited)
})

describe('the filter by datacenter', () => {
  const within = (rows: NatDocument[], datacenter: number) =>
    rows.filter((row) => datacenterOf(row) === datacenter)

  test.each(['allips', 'allrules'])('of %s leaves the rows of one', async (list) => {
    const rows = within(await expectedRows(list, 'has=', limited), two.id)
    expect(rows.length).toBeGreaterThan(100)
    await expectPages(`${all}/${list}?datacenter=${two.id}`, rows, limited)
    const { links } = await listed<NatDocument>(`${all}/${list}?datacenter=${two.id}&limit=5`, limited)
    expect(linkOf({ links }, 'next')?.href).toBe(
      `${ORIGIN}${all}/${list}?datacenter=${two.id}&startwith=5&limit=5&by=ip`,
    )
  })

  test.each(['allips', 'allrules'])('of %s finds nothing in a hidden or missing datacenter', async (list) => {
    for (const id of [away.id, 999_999_999])
      expect(await listed(`${all}/${list}?datacenter=${id}`, limited)).toMatchObject({
        totalSize: 0,
        collection: [],
      })
  })

  test('counts the states and positions of one', async () => {
    const states = await read<NatIpStates>(`${all}/ipstates?datacenter=${two.id}`, limited)
    expect(states).toMatchObject({ ips: 330, attached: 0, quarantine: 0 })
    expect(await read(`${all}/ipstates?datacenter=${away.id}`, limited)).toMatchObject({
      ips: 0,
      attached: 0,
    })
    const at = `${all}/ipposition?ip=10.1.0.250`
    expect(await read(`${at}&datacenter=${two.id}`, limited)).toMatchObject({ position: 270, exists: true })
    expect(await read(`${at}&datacenter=${away.id}`, limited)).toMatchObject({ position: 0, exists: false })
  })
})

describe('the filter by network', () => {
  test('leaves the rows of one network, which must be in the datacenter', async () => {
    const path = `${all}/allips?all=true&network=${networks.same.id}`
    const rows = (await expectedRows('allips', 'all=true', limited)).filter(
      (row) => idOfLink(linkOf(row, 'natnetwork')) === networks.same.id,
    )
    await expectPages(path, rows, limited)
    await expectPages(`${path}&datacenter=${one.id}`, rows, limited)
    await expectPages(`${path}&datacenter=${two.id}`, [], limited)
    expect(await read(`${all}/ipstates?network=${networks.same.id}`, limited)).toMatchObject({ ips: 40 })
    expect(
      await read(`${all}/ipposition?ip=11.0.0.0&network=${networks.same.id}&datacenter=${two.id}`, limited),
    ).toMatchObject({ position: 0 })
  })

  test.each(['allips', 'allrules', 'ipstates', 'ipposition'])('of %s refuses a hidden one', async (name) => {
    const path = `${all}/${name}?network=${networks.away.id}${name === 'ipposition' ? '&ip=10.0.0.1' : ''}`
    expect(await refusal(call('GET', path, { ...(limited && { as: limited }) }))).toEqual([404, 'NAT-NET-1'])
    await read(path)
  })
})

test('a filter by holder or machine finds rows of every visible datacenter, and refuses a hidden one', async () => {
  for (const [list, query] of [
    ['allips', `all=true&enterprise=${seen.id}`],
    ['allips', `virtualdatacenter=${machines.one.virtualDatacenter}`],
    ['allrules', `enterprise=${seen.id}`],
    ['allrules', `virtualmachine=${machines.one.id}`],
  ]) {
    const path = `${all}/${list}?${query}`
    for (const as of [undefined, limited])
      await expectPages(path, await expectedRows(list ?? '', query ?? '', as), as)
  }
  const as = limited && { as: limited }
  expect(await refusal(call('GET', `${all}/allips?enterprise=${hidden.id}`, as))).toEqual([404, 'EN-0'])
  expect(await refusal(call('GET', `${all}/allrules?virtualmachine=${machines.away.id}`, as))).toEqual([
    404,
    'VM-0',
  ])
})

test('no name of a hidden datacenter, its networks and machines is shown, in any form', async () => {
  for (const list of ['allips', 'allrules'])
    for (const accept of ['application/json', 'application/xml', 'text/csv']) {
      const headers = { accept }
      const response = await call('GET', `${all}/${list}?limit=0`, {
        headers,
        ...(limited && { as: limited }),
      })
      const text = await response.text()
      expect(text).toContain(one.name)
      expect(text).not.toContain(away.name)
      expect(text).not.toContain(networks.away.name)
      expect(text).not.toContain(machines.two.name)
      const empty = await call('GET', `${all}/${list}?limit=0`, { headers, ...(none && { as: none }) })
      expect(await empty.text()).not.toContain('10.')
    }
})

test('each row names its datacenter, in JSON, XML and CSV', async () => {
  for (const [list, item] of [
    ['allips', 'natip'],
    ['allrules', 'natrule'],
  ]) {
    const path = `${all}/${list}?datacenter=${one.id}&limit=3`
    const { collection } = await listed<NatDocument>(path, limited)
    const href = `${ORIGIN}/api/admin/datacenters/${one.id}`
    for (const row of collection) expect(linkOf(row, 'datacenter')).toMatchObject({ href, title: one.name })
    const headers = { accept: `application/vnd.service.${item}s+xml` }
    const xml: string = await expectStatus(
      200,
      call('GET', path, { headers, ...(limited && { as: limited }) }),
    )
    expect(xml.match(new RegExp(`<${item}>`, 'g'))).toHaveLength(3)
    expect(xml).toContain(`href="${href}"`)
    const { rows } = await readCsv(path, limited)
    expect(rows.map(({ id, datacenter, datacenterId }) => [id, datacenter, datacenterId])).toEqual(
      collection.map(({ id }) => [String(id), one.name, String(one.id)]),
    )
  }
})

test.each(['allips', 'allrules'])(
  '%s of one datacenter is not ordered or filtered by datacenter',
  async (list) => {
    const path = `${networksPath(one.id)}/action/${list}`
    expect(await refusal(call('GET', `${path}?by=datacenter`))).toEqual([400, 'QUERY-0'])
    const whole = await listed<NatDocument>(`${path}?limit=1`)
    expect(await listed<NatDocument>(`${path}?limit=1&datacenter=${two.id}`)).toMatchObject({
      totalSize: whole.totalSize,
    })
  },
)

test('a page of many rows follows an index of all addresses, one of few rows those of each datacenter', async () => {
  const { read, engine } = database()
  // On PostgreSQL the plan depends on the size of the tables.
  if (engine !== 'sqlite') return
  const place = natScopeOf([one, two])
  const window = { size: 25, offset: 300, from: '40a00', to: '40a00~', ascending: true }
  for (const [within, table, index] of [
    [{ ...place, byAddress: true }, 'nat_ips', 'nat_ips_address'],
    [{ ...place, byAddress: true }, 'nat_rules', 'nat_rules_address'],
    [place, 'nat_ips', 'nat_ips_available'],
    [place, 'nat_rules', 'nat_rules_order'],
  ] as const) {
    const rows =
      table === 'nat_ips'
        ? idsIn(ipIds(read, seesAll, within, noFilters), { table, place: within }, window)
        : idsIn(ruleIds(read, within, {}), { table, place: within }, window)
    const { rows: plan } = await sql`explain query plan select id from ${rows} as page`.execute(read)
    expect(JSON.stringify(plan)).toContain(` ${index} (`)
  }
})

import { describe, expect, test } from 'vitest'
import type { NatIpDocument, NatIpStates } from '#lib/cloud/nat/ips.schema'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { type Collection, linkOf } from '#lib/ground/http/view'
import { addressKeyOf, boundsOf } from '#lib/ground/net/addresses'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, type User } from '#lib/tools/testing/client'
import { readCsv } from '#lib/tools/testing/csv'
import {
  addIps,
  addRule,
  attach,
  type Network,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'
import { swept } from '#lib/tools/testing/search'

/* Ranges of addresses in lists: two networks of one datacenter and one of another share addresses. */

const [here, there] = [await newDatacenter(), await newDatacenter()]
const enterprise = await newEnterprise()
const [wide, same, six, away] = [
  await newNetwork({ datacenter: here.id, cidr: '10.0.0.0/14' }),
  await newNetwork({ datacenter: here.id, cidr: '10.0.0.0/16' }),
  await newNetwork({ datacenter: here.id, cidr: '2001:db8::/48' }),
  await newNetwork({ datacenter: there.id, cidr: '10.0.0.0/14' }),
]
const machine = await newMachine({
  datacenter: here.id,
  enterprise: enterprise.id,
  privateIps: ['192.168.0.1'],
})
await addIps(wide, { from: '10.0.0.190', count: 360 })
await addIps(wide, { from: '10.0.255.240', count: 40, available: false })
await addIps(wide, { from: '10.3.7.0', count: 40, quarantine: true })
await addIps(same, { from: '10.0.1.0', count: 40 })
await addIps(six, { from: '2001:db8::fff0', count: 40 })
await addIps(away, { from: '10.0.2.0', count: 60 })
await attach(wide, machine.virtualDatacenter, '10.0.0.195', '10.0.1.7', '10.0.2.9')
await attach(six, machine.virtualDatacenter, '2001:db8::1:1')
const ruled: [Network, string][] = [
  [wide, '10.0.0.195'],
  [wide, '10.0.1.7'],
  [wide, '10.0.2.9'],
  [six, '2001:db8::1:1'],
]
for (const [network, ip] of ruled)
  for (const originalPort of [80, 443])
    await addRule(network, ip, machine, { protocol: 'TCP', originalPort, translatedPort: originalPort })
const scope = await newScope({ datacenters: [here.id, there.id], enterprises: [] })
const limited = await newUser({ scopeId: scope.id })

/** A quarter of them a day. */
const ranges = swept(
  [
    '10.0.1.7',
    '10.0.1.0/24',
    '10.0.0.200-10.0.2.30',
    '10.0.0.0/15',
    '10.0.255.250-10.3.7.9',
    '0.0.0.0/0',
    '2001:db8::fff8-2001:db8::1:4',
    '::/0',
  ],
  4,
)

const actions = `${networksPath(here.id)}/action`
const all = '/api/admin/natnetworks/action'

const read = <T>(path: string, as?: User): Promise<T> =>
  expectStatus(200, call('GET', path, { ...(as && { as }) }))

const isIn = (ip: string, range: string): boolean => {
  const { from, to } = boundsOf(range)
  const key = addressKeyOf(ip) ?? ''
  return key >= from && key < to
}

const idsOf = ({ collection }: Collection<{ id: number }>) => collection.map(({ id }) => id)

const ipOfRule = (rule: NatRuleDocument): string =>
  linkOf(rule, rule.snat ? 'translated' : 'original')?.title ?? ''

describe.each([
  ['a network', `${networksPath(here.id)}/${wide.id}/ips`],
  ['a datacenter', `${actions}/allips`],
  ['all datacenters', `${all}/allips`],
])('the NAT IPs of %s in a range', (_, path) => {
  test.each([
    'all=true',
    'all=true&asc=false',
    'state=attached',
    'all=true&by=network',
    'has=.1',
    `enterprise=${enterprise.id}`,
  ])('are a part of the list with %s, page by page', async (query) => {
    const whole = await read<Collection<NatIpDocument>>(`${path}?limit=0&${query}`)
    for (const within of ranges) {
      const expected = whole.collection.filter(({ ip }) => isIn(ip, within)).map(({ id }) => id)
      const at = `${path}?within=${within}&${query}`
      const starts = new Set([0, 300, Math.max(expected.length - 7, 0)])
      for (const start of starts) {
        if (start > 0 && start >= expected.length) continue
        const page = await read<Collection<NatIpDocument>>(`${at}&limit=7&startwith=${start}`)
        expect([at, start, page.totalSize, ...idsOf(page)]).toEqual([
          at,
          start,
          expected.length,
          ...expected.slice(start, start + 7),
        ])
      }
      expect(idsOf(await read(`${at}&limit=0`))).toEqual(expected)
    }
  })
})

describe.each([
  ['a datacenter', `${actions}`],
  ['all datacenters', all],
])('the positions and states of %s in a range', (_, path) => {
  test.each(['all=true', 'all=true&asc=false', 'has=.1'])('are those of the list with %s', async (query) => {
    for (const within of ranges) {
      const list = await read<Collection<NatIpDocument>>(`${path}/allips?limit=0&within=${within}&${query}`)
      for (const ip of ['9.0.0.0', '10.0.1.7', '10.0.255.255', '11.0.0.0', '2001:db8::ffff', 'ffff::']) {
        const key = addressKeyOf(ip) ?? ''
        const before = list.collection.filter((one) => {
          const own = addressKeyOf(one.ip) ?? ''
          return query.includes('asc=false') ? own > key : own < key
        })
        const position = await read(`${path}/ipposition?ip=${ip}&within=${within}&${query}`)
        const found = list.collection.find((one) => one.ip === ip)
        expect([within, ip, position]).toMatchObject([
          within,
          ip,
          { position: before.length, exists: found !== undefined, ...(found && { id: found.id }) },
        ])
      }
    }
  })

  test.each([
    '',
    'has=.1',
    `enterprise=${enterprise.id}`,
    'attached=false',
    'available=false',
    'quarantine=true',
    'state=attached',
    'all=false',
    `network=${wide.id}`,
    'address=10.0.1.7',
    'snatdefault=true',
  ])('have the totals of the list with %j by state', async (query) => {
    for (const within of ['', 'within=10.0.1.0/24', 'within=10.0.255.250-10.3.7.9']) {
      for (const as of [undefined, limited]) {
        if (as && query.startsWith('enterprise')) continue
        const {
          links: _,
          ips,
          ...counted
        } = await read<NatIpStates>(`${path}/ipstates?${query}&${within}`, as)
        const listed = (filter: string) =>
          read<Collection<NatIpDocument>>(`${path}/allips?limit=0&${filter}&${within}`, as)
        const wanted = query === 'all=false' || query.startsWith('state') ? query : `${query}&all=true`
        const { totalSize, collection } = await listed(wanted)
        expect([query, within, ips]).toEqual([query, within, totalSize])
        expect(Object.keys(counted)).toHaveLength(as ? 3 : 4)
        const rows = query === 'all=false' ? (await listed('all=true')).collection : collection
        for (const [state, count] of Object.entries(counted)) {
          const inState = rows.filter((ip) => isInState(ip, state))
          expect([query, within, state, count]).toEqual([query, within, state, inState.length])
        }
      }
    }
  })
})

function isInState(ip: NatIpDocument, state: string): boolean {
  const isAttached = linkOf(ip, 'virtualdatacenter') !== undefined
  if (state === 'attached') return isAttached
  if (state === 'quarantine') return ip.quarantine
  return state === 'unavailable' ? !ip.available : ip.available && !ip.quarantine && !isAttached
}

describe.each([
  ['a network', `${networksPath(here.id)}/${wide.id}/rules`],
  ['a datacenter', `${actions}/allrules`],
  ['all datacenters', `${all}/allrules`],
])('the NAT rules of %s in a range', (_, path) => {
  test.each(['', 'asc=false', 'snat=false', 'protocol=TCP', 'by=originalport', 'has=.1'])(
    'are a part of the list with %j',
    async (query) => {
      const whole = await read<Collection<NatRuleDocument>>(`${path}?limit=0&${query}`)
      for (const within of ranges) {
        const expected = whole.collection.filter((rule) => isIn(ipOfRule(rule), within)).map(({ id }) => id)
        const page = await read<Collection<NatRuleDocument>>(`${path}?within=${within}&limit=3&${query}`)
        expect([within, page.totalSize, ...idsOf(page)]).toEqual([
          within,
          expected.length,
          ...expected.slice(0, 3),
        ])
      }
    },
  )
})

test('the links of a page have the range in canonical form', async () => {
  const spelled = encodeURIComponent(' 10.0.1.9/24 ')
  const { links, totalSize } = await read<Collection<NatIpDocument>>(
    `${actions}/allips?within=${spelled}&limit=1`,
  )
  expect(totalSize).toBe(296)
  expect(links[0]?.href).toBe(`${ORIGIN}${actions}/allips?within=10.0.1.0%2F24&limit=1&by=ip`)
})

test('the range works in XML and in a CSV file', async () => {
  const path = `${actions}/allips?within=10.0.1.6-10.0.1.7&network=${wide.id}`
  const headers = { accept: 'application/vnd.service.natips+xml' }
  const xml = await expectStatus(200, call('GET', path, { headers }))
  expect(xml.match(/<ip>[^<]*/g)).toEqual(['<ip>10.0.1.6', '<ip>10.0.1.7'])
  const { rows } = await readCsv(`${path}&limit=0`)
  expect(rows.map(({ ip }) => ip)).toEqual(['10.0.1.6', '10.0.1.7'])
})

test('a bulk change by a filter takes the range', async () => {
  const path = `${actions}/changeips?dryrun=true`
  const body = { filter: 'within=10.3.7.0/28&all=true', quarantine: true }
  expect(await expectStatus(200, call('POST', path, { body }))).toMatchObject({ total: 16 })
})

test.each([
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.9-10.0.0.1',
  '10.0.0.1-2001:db8::1',
  '10.0.0.1-',
  '-10.0.0.1',
  '10.0.0.1-10.0.0.2-10.0.0.3',
  '10.0.0.0/24-10.0.1.0/24',
  '010.0.0.1',
  '',
])('GEN-22: the range %j', async (within) => {
  const ask = (path: string) =>
    refusal(call('GET', `${path}?within=${encodeURIComponent(within)}&ip=10.0.0.1`))
  const below = `${networksPath(here.id)}/${wide.id}`
  for (const path of [`${below}/ips`, `${below}/rules`]) expect(await ask(path)).toEqual([400, 'GEN-22'])
  for (const base of [actions, all]) {
    for (const name of ['allips', 'allrules', 'ipposition'])
      expect(await ask(`${base}/${name}`)).toEqual([400, 'GEN-22'])
    expect(await refusal(call('GET', `${base}/ipstates?within=${encodeURIComponent(within)}`))).toEqual([
      400,
      'GEN-22',
    ])
  }
})

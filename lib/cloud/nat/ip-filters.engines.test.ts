import { describe, expect, test } from 'vitest'
import type { NatIpDocument, NatIpStates } from '#lib/cloud/nat/ips.schema'
import { type Collection, linkOf } from '#lib/ground/http/view'
import { call, expectStatus, newEnterprise, ORIGIN, type User } from '#lib/tools/testing/client'
import { networksPath, newDatacenter, newMachine, newNetwork } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { refusal } from '#lib/tools/testing/refusal'

const { datacenter, networks, seen, hidden, machines, limited } = await natSample()

const allips = `${networksPath(datacenter.id)}/action/allips`
const ipsOfFour = `${networksPath(datacenter.id)}/${networks.four.id}/ips`

type ReadContext = { path?: string; as?: User | undefined }

const list = (query = '', { path = allips, as }: ReadContext = {}): Promise<Collection<NatIpDocument>> =>
  expectStatus(200, call('GET', `${path}?${query}`, { ...(as && { as }) }))

const addresses = async (query: string, context: ReadContext = {}): Promise<string[]> =>
  (await list(query, context)).collection.map(({ ip }) => ip)

type Filters = Partial<
  Record<'all' | 'state' | 'available' | 'quarantine' | 'attached' | 'snatdefault' | 'has', boolean | string>
>

const isAttached = (ip: NatIpDocument): boolean => linkOf(ip, 'virtualdatacenter') !== undefined

function statesOf(ip: NatIpDocument): string[] {
  const states = [
    ...(isAttached(ip) ? ['attached'] : []),
    ...(ip.quarantine ? ['quarantine'] : []),
    ...(ip.available ? [] : ['unavailable']),
  ]
  return states.length === 0 ? ['free'] : states
}

/** Whether the IP matches the filters: a plain model of the API. */
function passes(ip: NatIpDocument, { all, state, ...filters }: Filters) {
  const { available, quarantine, attached, snatdefault, has } = filters
  const isShown = all === true || state !== undefined || ip.available
  return (
    (available === undefined ? isShown : ip.available === available) &&
    (state === undefined || statesOf(ip).includes(String(state))) &&
    (quarantine === undefined || ip.quarantine === quarantine) &&
    (attached === undefined || isAttached(ip) === attached) &&
    (snatdefault !== true || ip.defaultSnat) &&
    (has === undefined || ip.ip.includes(String(has)))
  )
}

const choices: Record<Exclude<keyof Filters, 'state'>, (boolean | string | undefined)[]> = {
  all: [undefined, true],
  available: [undefined, true, false],
  quarantine: [undefined, true, false],
  attached: [undefined, true, false],
  snatdefault: [undefined, true],
  has: [undefined, '.1'],
}

const combined = Object.entries(choices).reduce<Filters[]>(
  (made, [name, values]) =>
    made.flatMap((filters) =>
      values.map((value) => (value === undefined ? filters : { ...filters, [name]: value })),
    ),
  [{}],
)

/** Each state alone, and with one more filter of each kind. */
const ofState = ['free', 'attached', 'quarantine', 'unavailable'].flatMap((state) =>
  combined.filter((filters) => Object.keys(filters).length <= 1).map((filters) => ({ ...filters, state })),
)

const every = [...combined, ...ofState]

const queryOf = (filters: Filters): string =>
  Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

describe.each([
  ['a caller who sees everything', undefined, allips],
  ['a caller who cannot see all enterprises', limited, allips],
  ['the list of one network', undefined, ipsOfFour],
] as const)('the filters of NAT IPs, for %s', (_, as, path) => {
  test('match the model in every combination, with exact totals', {
    timeout: 60_000,
  }, async () => {
    const context = { path, as }
    const whole = (await list('all=true&limit=0', context)).collection
    for (const filters of every) {
      const expected = whole.filter((ip) => passes(ip, filters)).map(({ id }) => id)
      const query = queryOf(filters)
      const { collection, totalSize } = await list(`limit=3&${query}`, context)
      expect([query, totalSize, ...collection.map(({ id }) => id)]).toEqual([
        query,
        expected.length,
        ...expected.slice(0, 3),
      ])
    }
  })
})

test('the sample has IPs in every state that the filters distinguish', async () => {
  const whole = (await list('all=true&limit=0')).collection
  const states = new Set(
    whole.map((ip) => [ip.available, ip.quarantine, isAttached(ip), ip.defaultSnat].join()),
  )
  expect(states.size).toBeGreaterThanOrEqual(7)
})

test('the filter attached uses only visible holders', async () => {
  const held = ['10.0.0.2', '10.0.0.3', '10.0.0.10']
  expect(await addresses('all=true&attached=true')).toEqual([...held, '10.0.0.10', '2001:db8::2'])
  expect(await addresses('all=true&attached=true', { as: limited })).toEqual(held)
  const free = await addresses('all=true&attached=false&limit=0', { as: limited })
  expect(free).toContain('2001:db8::2')
})

test('the filters enterprise and virtualdatacenter show their IPs', async () => {
  const { seen: web, hidden: vault } = machines
  for (const as of [undefined, limited]) {
    expect(await addresses(`enterprise=${seen.id}`, { as })).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.10'])
    expect(await addresses(`virtualdatacenter=${web.virtualDatacenter}&has=.10`, { as })).toEqual([
      '10.0.0.10',
    ])
  }
  expect(await addresses(`enterprise=${hidden.id}`)).toEqual(['2001:db8::2'])
  expect(await addresses(`virtualdatacenter=${vault.virtualDatacenter}&available=false`)).toEqual([
    '10.0.0.10',
  ])
  expect(await addresses(`enterprise=${hidden.id}&all=true`, { path: ipsOfFour })).toEqual([])
  const both = `enterprise=${seen.id}&virtualdatacenter=${vault.virtualDatacenter}&all=true`
  expect(await list(both)).toMatchObject({ totalSize: 0, collection: [] })
})

test('the filter enterprise shows only its IPs in this datacenter', async () => {
  const elsewhere = await newDatacenter()
  const other = await newMachine({ datacenter: elsewhere.id, enterprise: seen.id })
  expect(await addresses(`virtualdatacenter=${other.virtualDatacenter}`)).toEqual([])
  const path = `${networksPath(elsewhere.id)}/action/allips`
  expect(await addresses(`enterprise=${seen.id}`, { path })).toEqual([])
})

test('the filter network shows the IPs of one network, with its stored totals', async () => {
  const query = `network=${networks.again.id}&all=true`
  expect(await addresses(query)).toEqual(['10.0.0.9', '10.0.0.10'])
  expect((await list(`${query}&limit=1`)).totalSize).toBe(2)
  expect(await addresses(`${query}&enterprise=${hidden.id}`)).toEqual(['10.0.0.10'])
})

test('page links have all filters', async () => {
  const query = `available=false&quarantine=false&attached=false&network=${networks.four.id}`
  const { links } = await list(`${query}&limit=1`)
  expect(links.map(({ rel, href }) => [rel, href])).toEqual([
    ['first', `${ORIGIN}${allips}?${query}&limit=1&by=ip`],
    ['last', `${ORIGIN}${allips}?${query}&startwith=1&limit=1&by=ip`],
    ['next', `${ORIGIN}${allips}?${query}&startwith=1&limit=1&by=ip`],
  ])
  const held = `enterprise=${seen.id}&virtualdatacenter=${machines.seen.virtualDatacenter}`
  expect((await list(held)).links[0]?.href).toBe(`${ORIGIN}${allips}?${held}&limit=25&by=ip`)
})

test('the filters work in XML, and in every order', async () => {
  const headers = { accept: 'application/vnd.service.natips+xml' }
  const xml = await expectStatus(200, call('GET', `${allips}?available=false&quarantine=true`, { headers }))
  expect(xml.match(/<ip>[^<]*/g)).toEqual(['<ip>10.0.0.40'])
  for (const by of ['network', 'quarantine', 'virtualdatacenter', 'enterprise'])
    expect((await addresses(`attached=true&all=true&by=${by}`)).length).toBe(5)
})

test('a filter by a hidden resource is refused like one by a missing resource', async () => {
  const away = await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.0.0.0/24' })
  const ask = (query: string, as?: User, path = allips) =>
    refusal(call('GET', `${path}?${query}`, { ...(as && { as }) }))
  expect(await ask(`network=${away.id}`)).toEqual([404, 'NAT-NET-1'])
  expect(await ask('enterprise=999999999')).toEqual([404, 'EN-0'])
  expect(await ask(`enterprise=${hidden.id}`, limited)).toEqual([404, 'EN-0'])
  expect(await ask('virtualdatacenter=999999999')).toEqual([404, 'VDC-0'])
  const vault = machines.hidden.virtualDatacenter
  for (const path of [allips, ipsOfFour])
    expect(await ask(`virtualdatacenter=${vault}`, limited, path)).toEqual([404, 'VDC-0'])
  expect(await ask(`network=999999999&enterprise=999999999&virtualdatacenter=999999999`)).toEqual([
    404,
    'NAT-NET-1',
    'EN-0',
    'VDC-0',
  ])
  const foreign = (await newEnterprise()).id
  expect(await addresses(`enterprise=${foreign}`)).toEqual([])
})

test('an invalid filter value is refused', async () => {
  for (const query of ['available=yes', 'quarantine=1', 'attached=', 'network=0', 'enterprise=x'])
    expect(await refusal(call('GET', `${allips}?${query}`))).toEqual([400, 'GEN-22'])
})

const states = (query = '', as?: User): Promise<NatIpStates> =>
  expectStatus(
    200,
    call('GET', `${networksPath(datacenter.id)}/action/ipstates?${query}`, { ...(as && { as }) }),
  )

test('the numbers of IPs in each state are those of the lists, in one network too', async () => {
  for (const query of ['', `network=${networks.four.id}`]) {
    const { links: _, ips, ...counted } = await states(query)
    expect(ips).toBe((await list(`all=true&${query}`)).totalSize)
    for (const [state, count] of Object.entries(counted))
      expect([state, (await list(`state=${state}&${query}`)).totalSize]).toEqual([state, count])
    expect(Object.keys(counted)).toEqual(['free', 'attached', 'quarantine', 'unavailable'])
  }
})

test('a caller who cannot see all enterprises gets the attached IPs that they see, and not the free ones', async () => {
  const counted = await states('', limited)
  expect(counted.free).toBeUndefined()
  expect(counted.attached).toBe((await list('state=attached', { as: limited })).totalSize)
  expect(counted.attached).toBeLessThan((await states()).attached)
})

test('NAT-NET-1: the states of a network of another datacenter are refused', async () => {
  const other = await newDatacenter()
  const path = `${networksPath(other.id)}/action/ipstates?network=${networks.four.id}`
  expect(await refusal(call('GET', path))).toEqual([404, 'NAT-NET-1'])
})

test('`address` finds exactly this address, however it is written', async () => {
  const [first] = await addresses('all=true&limit=1')
  expect(new Set(await addresses(`all=true&limit=0&address=${first}`))).toEqual(new Set([first]))
  expect(await refusal(call('GET', `${allips}?address=10.0.0`))).toEqual([400, 'GEN-22'])
})

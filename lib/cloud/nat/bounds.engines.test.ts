import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { passMillisecond } from '#lib/tools/testing/histories'
import {
  addIps,
  addRule,
  attach,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

/* Filters by a number: NAT IPs and NAT networks by their rules, NAT networks by their use. */

const word = unique('Bounds')
const { id: datacenter } = await newDatacenter()
const full = await newNetwork({ datacenter, cidr: '10.0.0.0/29', name: `${word} full` })
const spare = await newNetwork({ datacenter, cidr: '10.1.0.0/24', name: `${word} spare` })
await addIps(full, { count: 4 })
await addIps(spare, { count: 1 })
const enterprise = (await newEnterprise()).id
const machine = await newMachine({ datacenter, enterprise, privateIps: ['192.168.0.1'] })
await attach(full, machine.virtualDatacenter, '10.0.0.1', '10.0.0.2', '10.0.0.3')
const began = passMillisecond()
for (const [ip, port] of [
  ['10.0.0.1', 80],
  ['10.0.0.1', 81],
  ['10.0.0.1', 82],
  ['10.0.0.2', 80],
] as const)
  await addRule(full, ip, machine, { protocol: 'TCP', originalPort: port, translatedPort: port })

const networks = networksPath(datacenter)
const scope = await newScope({ datacenters: [datacenter] })
const limited = await newUser({ scopeId: scope.id })

const found = async (path: string, query: string, as?: User) =>
  expectStatus(200, call('GET', `${path}?${query}`, { ...(as && { as }) }))

const ipLists = [
  `${networks}/${full.id}/ips`,
  `${networks}/action/allips`,
  '/api/admin/natnetworks/action/allips',
]

describe.each(ipLists)('%s', (path) => {
  const ips = async (rules: string, more = '', as?: User): Promise<string> => {
    const page = await found(path, `datacenter=${datacenter}&rules=${encodeURIComponent(rules)}${more}`, as)
    expect(page.links[0].href).toContain(`rules=${encodeURIComponent(rules)}`)
    const last = page.collection.map(({ ip }: { ip: string }) => ip.slice('10.'.length))
    expect(page.totalSize).toBe(last.length)
    return last.filter((ip: string) => ip.startsWith('0.')).join(' ')
  }

  test('is narrowed by the number of rules', async () => {
    expect(await ips('>0')).toBe('0.0.1 0.0.2')
    expect(await ips('>1')).toBe('0.0.1')
    expect(await ips('>2', '&asc=false')).toBe('0.0.1')
    expect(await ips('>3')).toBe('')
    expect(await ips('<1')).toBe('0.0.3 0.0.4')
    expect(await ips('<3', '&by=quarantine')).toBe('0.0.2 0.0.3 0.0.4')
    expect(await ips('<3', '&limit=0&has=0.0.2')).toBe('0.0.2')
    expect(await ips('<0')).toBe('')
    expect(await ips('>0', '', limited)).toBe('0.0.1 0.0.2')
  })

  test('counts the rules of the moment', async () => {
    expect(await ips('>0', `&asof=${began}`)).toBe('')
    expect(await ips('<1', `&asof=${began}`)).toBe('0.0.1 0.0.2 0.0.3 0.0.4')
  })

  test.each(['10', '>', '>-1', '=3', '>1.5', '>1e3', '> 1', ''])('refuses rules=%s', async (rules) => {
    const asked = call('GET', `${path}?rules=${encodeURIComponent(rules)}`)
    expect(await refusal(asked)).toEqual([400, 'GEN-22'])
  })
})

test('the numbers by state, the position, CSV and bulk changes follow the number of rules', async () => {
  const narrow = `network=${full.id}&rules=%3E0`
  expect(await found(`${networks}/action/ipstates`, narrow)).toMatchObject({ ips: 2, attached: 2, free: 0 })
  expect(await found(`${networks}/action/ipposition`, `${narrow}&ip=10.0.0.2`)).toMatchObject({ position: 1 })
  const csv = await found(`${networks}/action/allips`, `${narrow}&format=csv`)
  expect(csv.trim().split(/\r?\n/)).toHaveLength(3)
  const body = { filter: `all=true&network=${full.id}&rules=%3C1`, quarantine: true, dryrun: true }
  const bulk = call('POST', `${networks}/action/changeips`, { body })
  expect(await expectStatus(200, bulk)).toMatchObject({ total: 2 })
})

describe.each([networks, '/api/admin/natnetworks'])('%s', (path) => {
  const names = async (query: string, as?: User): Promise<string> => {
    const { collection, totalSize } = await found(path, `has=${encodeURIComponent(word)}&${query}`, as)
    expect(totalSize).toBe(collection.length)
    return collection.map(({ name }: { name: string }) => name.slice(word.length + 1)).join(' ')
  }

  test('is narrowed by the number of rules', async () => {
    expect(await names('rules=%3E3')).toBe('full')
    expect(await names('rules=%3E4')).toBe('')
    expect(await names('rules=%3C4')).toBe('spare')
    expect(await names('rules=%3C5', limited)).toBe('full spare')
    expect(await names(`rules=%3E0&asof=${began}`)).toBe('')
  })

  test('is narrowed by the percentage in use', async () => {
    expect(await names('used=%3E49')).toBe('full')
    // 3 of 6.
    expect(await names('used=%3E50')).toBe('')
    expect(await names('used=%3C50')).toBe('spare')
    expect(await names('used=%3C51&by=use')).toBe('spare full')
    expect(await names('used=%3C1&rules=%3E0')).toBe('')
    for (const used of ['80', '>80%', '>x'])
      expect(await refusal(call('GET', `${path}?used=${encodeURIComponent(used)}`))).toEqual([400, 'GEN-22'])
  })

  test('is narrowed by an address, a CIDR or a range', async () => {
    expect(await names('overlaps=10.0.0.9')).toBe('')
    expect(await names('overlaps=10.0.0.7')).toBe('full')
    expect(await names('overlaps=10.0.0.7/24')).toBe('full')
    expect(await names('overlaps=10.0.0.7-10.1.0.0')).toBe('full spare')
    expect(await names('overlaps=10.0.0.8-10.0.255.255')).toBe('')
    expect(await names('overlaps=2001:db8::/32')).toBe('')
    for (const range of ['10.0.0', '10.0.0.9-10.0.0.1', '10.0.0.0-2001:db8::', ''])
      expect(await refusal(call('GET', `${path}?overlaps=${range}`))).toEqual([400, 'GEN-22'])
  })
})

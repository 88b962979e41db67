import fc from 'fast-check'
import { expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { attachIps, makeDefaultSnat, releaseIpsOf } from '#lib/nat/attachments.server'
import { narrowBlock, wideBlock } from '#lib/nat/counts.server'
import { call, expectStatus, newEnterprise } from '#lib/testing/client'
import {
  addIps,
  addRule,
  type Network,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/testing/nat'

const { id: datacenter } = await newDatacenter()
const machine = await newMachine({
  datacenter,
  enterprise: (await newEnterprise()).id,
  privateIps: ['192.168.0.1'],
})
// Two networks share addresses: a block then has rows of both.
const networks = await Promise.all(
  ['10.0.0.0/8', '10.0.0.0/12', '2001:db8::/32'].map((cidr) => newNetwork({ datacenter, cidr })),
)
const starts = [
  ['10.0.0.9', '10.0.255.200', '10.3.7.0'],
  ['10.0.0.1', '10.0.255.1'],
  ['2001:db8::1', '2001:db8::ffff:fff0'],
]
for (const [index, network] of networks.entries())
  for (const from of starts[index] ?? []) await addIps(network, { from, count: 310 })

const ipsOf = (network: Network) =>
  database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', network.id)
    .selectAll()
    .orderBy('ip_key')
    .execute()

/** One random change of some NAT IPs through what changes them. */
async function change(network: Network, kind: number, pick: number): Promise<void> {
  const ips = await ipsOf(network)
  const ip = ips[pick % ips.length]
  if (!ip) return
  const path = `${networksPath(datacenter)}/${network.id}/ips/${ip.id}`
  const free = ip.virtual_datacenter_id === null && ip.available === 1 && ip.quarantine === 0
  const center = machine.virtualDatacenter
  if (kind === 0)
    await addIps(network, { count: (pick % 40) + 1, available: pick % 3 > 0, quarantine: pick % 7 === 0 })
  if (kind === 1 && ip.virtual_datacenter_id === null) await call('DELETE', path)
  if (kind === 2)
    await call('PUT', path, { body: { available: ip.available === 0, quarantine: ip.quarantine === 0 } })
  if (kind === 3 && free) await transaction((trx) => attachIps(trx, network.id, [ip.id], center))
  if (kind === 4 && ip.virtual_datacenter_id !== null) await transaction((trx) => makeDefaultSnat(trx, ip.id))
  if (kind === 5)
    await addRule(network, ip.ip, machine, { protocol: 'TCP', originalPort: 1 + (pick % 60_000) })
  if (kind === 6 && pick % 5 === 0) await transaction((trx) => releaseIpsOf(trx, center))
}

const sumBy = <T>(rows: readonly T[], key: (row: T) => string, count: (row: T) => number) =>
  Object.fromEntries(
    [...Map.groupBy(rows, key)]
      .map(([name, own]) => [name, own.reduce((sum, row) => sum + count(row), 0)] as const)
      .filter(([, sum]) => sum !== 0),
  )

/** The totals of the blocks are those that counting gives. */
async function requireTrueBlocks(): Promise<void> {
  const blocks = await database()
    .read.selectFrom('nat_blocks')
    .where('datacenter_id', '=', datacenter)
    .selectAll()
    .execute()
  const ips = (await Promise.all(networks.map(ipsOf))).flat()
  const rules = await database()
    .read.selectFrom('nat_rules')
    .where('datacenter_id', '=', datacenter)
    .selectAll()
    .execute()
  for (const [wide, blockOf] of [narrowBlock, wideBlock].entries()) {
    const kept = blocks.filter((block) => block.wide === wide)
    const total = (column: Exclude<keyof (typeof blocks)[number], 'block'>) =>
      sumBy(
        kept,
        (block) => `${block.nat_network_id} ${block.block}`,
        (block) => Number(block[column]),
      )
    const where = (row: { nat_network_id: number; ip_key: string }) =>
      `${row.nat_network_id} ${blockOf(row.ip_key)}`
    expect(total('ips')).toEqual(sumBy(ips, where, () => 1))
    expect(total('available_ips')).toEqual(sumBy(ips, where, (ip) => ip.available))
    expect(total('used_ips')).toEqual(sumBy(ips, where, (ip) => (ip.virtual_datacenter_id === null ? 0 : 1)))
    expect(total('quarantine_ips')).toEqual(sumBy(ips, where, (ip) => ip.quarantine))
    expect(total('default_snat_ips')).toEqual(sumBy(ips, where, (ip) => ip.default_snat))
    expect(total('available_default_snat_ips')).toEqual(
      sumBy(ips, where, (ip) => ip.available * ip.default_snat),
    )
    expect(total('snat_rules')).toEqual(sumBy(rules, where, (rule) => rule.snat))
    expect(total('dnat_rules')).toEqual(sumBy(rules, where, (rule) => 1 - rule.snat))
  }
}

const idsOf = async (query: string): Promise<number[]> => {
  const path = `${networksPath(datacenter)}/action/allips?${query}`
  const { collection } = await expectStatus(200, call('GET', path))
  return collection.map(({ id }: { id: number }) => id)
}

const filters = [
  '',
  'all=true',
  'available=false',
  'attached=false&all=true',
  'quarantine=true&all=true',
  'has=.1&all=true',
  'has=10.3.7',
  'by=network&all=true',
  'by=virtualdatacenter&has=0',
  `network=${networks[0]?.id}`,
]

test('after any changes each page is what it is in the whole list, and the totals of blocks are true', async () => {
  const changes = fc.array(fc.tuple(fc.nat(2), fc.nat(6), fc.nat(100_000)), { minLength: 5, maxLength: 12 })
  const pages = fc.array(
    fc.tuple(fc.constantFrom(...filters), fc.nat(2500), fc.integer({ min: 1, max: 60 }), fc.boolean()),
    {
      minLength: 8,
      maxLength: 8,
    },
  )
  await fc.assert(
    fc.asyncProperty(changes, pages, async (changes, pages) => {
      for (const [network, kind, pick] of changes) {
        const chosen = networks[network]
        if (chosen) await change(chosen, kind, pick)
      }
      await requireTrueBlocks()
      for (const [filter, startwith, limit, asc] of pages) {
        const whole = await idsOf(`${filter}&asc=${asc}&limit=0`)
        const start = startwith < whole.length ? startwith : Math.max(whole.length - limit, 0)
        const page = await idsOf(`${filter}&asc=${asc}&startwith=${startwith}&limit=${limit}`)
        expect(page).toEqual(whole.slice(start, start + limit))
      }
    }),
    { numRuns: 6 },
  )
}, 120_000)

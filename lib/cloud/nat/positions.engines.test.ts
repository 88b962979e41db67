import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { releaseIpsOf } from '#lib/cloud/nat/attachments.server'
import { middleBlock, narrowBlock, wideBlock } from '#lib/cloud/nat/counts.server'
import { removeRulesOfMachine } from '#lib/cloud/nat/machine-rules.server'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { migrationTypes } from '#lib/db/dialect.server'
import { unwatch } from '#lib/db/journal.server'
import { statements } from '#lib/db/migrations/008-nat-blocks.server'
import { statements as freeStatements } from '#lib/db/migrations/021-free-ips.server'
import { statements as middleStatements } from '#lib/db/migrations/027-middle-blocks.server'
import { call, expectStatus, newEnterprise } from '#lib/tools/testing/client'
import {
  addIps,
  addRule,
  type Network,
  networksPath,
  newDatacenter,
  newMachine,
  newNetwork,
} from '#lib/tools/testing/nat'
import { attachPath, releasePath } from '#lib/tools/testing/nat-rules'
import { search, searchTime } from '#lib/tools/testing/search'

const { id: datacenter } = await newDatacenter()
const { id: enterprise } = await newEnterprise()
const machine = await newMachine({ datacenter, enterprise, privateIps: ['192.168.0.1'] })
const another = await newMachine({ datacenter, enterprise, privateIps: ['192.168.0.2'] })
// Two networks share addresses, so that a block has rows of both.
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

let port = 0

/** Sends one random change of NAT IPs or rules, which may be refused. */
async function change(network: Network, kind: number, pick: number): Promise<void> {
  const ips = await ipsOf(network)
  const ip = ips[pick % ips.length]
  if (!ip) return
  const center = machine.virtualDatacenter
  const all = `${networksPath(datacenter)}/${network.id}/ips`
  // Most IPs are free, so a change of an attached IP picks one of the attached.
  const attached = ips.filter(({ virtual_datacenter_id }) => virtual_datacenter_id !== null)
  const held = attached[pick % attached.length] ?? ip
  const any = pick % 2 > 0 ? held : ip
  const run = { numips: 1 + (pick % 40), available: pick % 3 > 0, quarantine: pick % 7 === 0 }
  const kinds: (() => Promise<unknown>)[] = [
    () => sendAllowingRefusal('POST', all, run),
    () => sendAllowingRefusal('POST', all, { available: pick % 2 > 0 }),
    () => sendAllowingRefusal('DELETE', `${all}/${any.id}`),
    () =>
      sendAllowingRefusal('PUT', `${all}/${any.id}`, {
        available: any.available === 0,
        quarantine: any.quarantine === 0,
      }),
    () => sendAllowingRefusal('PUT', attachPath(center, ip.id)),
    () => sendAllowingRefusal('PUT', releasePath(center, held.id)),
    () =>
      sendAllowingRefusal('PUT', `/api/cloud/virtualdatacenters/${center}/natips/${held.id}`, {
        defaultSnat: pick % 5 > 0,
      }),
    () => {
      port += 1
      return addRule(network, ip.ip, machine, { protocol: 'TCP', originalPort: port })
    },
    async () => {
      await transaction((trx) => removeRulesOfMachine(trx, another.id))
      await addRule(network, ip.ip, another)
    },
    () => transaction((trx) => removeRulesOfMachine(trx, machine.id)),
    () => transaction((trx) => releaseIpsOf(trx, center)),
  ]
  await kinds[kind]?.()
}

async function sendAllowingRefusal(method: string, path: string, body?: object): Promise<void> {
  const response = await call(method, path, body && { body })
  if (response.status >= 500) throw new Error(`${method} ${path}: ${await response.text()}`)
}

const totalColumns = [
  'ips',
  'available_ips',
  'used_ips',
  'quarantine_ips',
  'free_ips',
  'default_snat_ips',
  'available_default_snat_ips',
  'snat_rules',
  'dnat_rules',
] as const

const sumBy = <T>(rows: readonly T[], key: (row: T) => string, count: (row: T) => number) =>
  Object.fromEntries(
    [...Map.groupBy(rows, key)]
      .map(([name, own]) => [name, own.reduce((sum, row) => sum + count(row), 0)] as const)
      .filter(([, sum]) => sum !== 0),
  )

type Counted = { nat_network_id: number; ip_key: string } & Record<(typeof totalColumns)[number], number>

/** The counts that each IP and each rule adds to the totals. */
async function countedRows(): Promise<Counted[]> {
  const nothing = Object.fromEntries(totalColumns.map((column) => [column, 0])) as Omit<Counted, 'ip_key'>
  const rules = await database()
    .read.selectFrom('nat_rules')
    .where('datacenter_id', '=', datacenter)
    .selectAll()
    .execute()
  const ips = (await Promise.all(networks.map(ipsOf))).flat()
  return [
    ...ips.map(({ nat_network_id, ip_key, available, quarantine, default_snat, virtual_datacenter_id }) => ({
      ...nothing,
      nat_network_id,
      ip_key,
      ips: 1,
      available_ips: available,
      used_ips: virtual_datacenter_id === null ? 0 : 1,
      quarantine_ips: quarantine,
      free_ips: available === 1 && quarantine === 0 && virtual_datacenter_id === null ? 1 : 0,
      default_snat_ips: default_snat,
      available_default_snat_ips: available * default_snat,
    })),
    ...rules.map(({ nat_network_id, ip_key, snat }) => ({
      ...nothing,
      nat_network_id,
      ip_key,
      snat_rules: snat,
      dnat_rules: 1 - snat,
    })),
  ]
}

/** Expects that the stored totals of networks and blocks equal the counts of their rows. */
async function requireCorrectTotals(): Promise<void> {
  const { read } = database()
  const rows = await countedRows()
  const counts = await read
    .selectFrom('nat_counts')
    .where('datacenter_id', '=', datacenter)
    .selectAll()
    .execute()
  const blocks = await read
    .selectFrom('nat_blocks')
    .where('datacenter_id', '=', datacenter)
    .selectAll()
    .execute()
  for (const column of totalColumns) {
    const network = ({ nat_network_id }: { nat_network_id: number }) => `${nat_network_id}`
    const count = (row: Record<typeof column, number>) => row[column]
    expect(sumBy(counts, network, count)).toEqual(sumBy(rows, network, count))
    for (const [wide, blockOf] of [narrowBlock, wideBlock, middleBlock].entries()) {
      const stored = blocks.filter((block) => block.wide === wide)
      expect(sumBy(stored, (row) => `${network(row)} ${row.block}`, count)).toEqual(
        sumBy(rows, (row) => `${network(row)} ${blockOf(row.ip_key)}`, count),
      )
    }
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

test(
  'after random changes each page is a slice of the full export, and the totals are correct',
  async () => {
    const kinds = fc.constantFrom(0, 1, 2, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10)
    const changes = fc.array(fc.tuple(fc.nat(2), kinds, fc.nat(100_000)), { minLength: 15, maxLength: 25 })
    const limits = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 490, max: 1200 }))
    const page = fc.tuple(fc.constantFrom(...filters), fc.nat(2500), limits, fc.boolean())
    const pages = fc.array(page, { minLength: 8, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(changes, pages, async (changes, pages) => {
        for (const [network, kind, pick] of changes) {
          const chosen = networks[network]
          if (chosen) await change(chosen, kind, pick)
        }
        await requireCorrectTotals()
        for (const [filter, startwith, limit, asc] of pages) {
          const whole = await idsOf(`${filter}&asc=${asc}&limit=0`)
          const start = startwith < whole.length ? startwith : Math.max(whole.length - limit, 0)
          const page = await idsOf(`${filter}&asc=${asc}&startwith=${startwith}&limit=${limit}`)
          expect(page).toEqual(whole.slice(start, start + limit))
        }
      }),
      search(6),
    )
  },
  searchTime(120_000),
)

test('the totals are correct after simultaneous changes', async () => {
  const [first, second] = networks
  if (!first || !second) throw new Error('no networks')
  for (let round = 0; round < 3; round += 1) {
    const kinds = [0, 1, 1, 2, 3, 4, 4, 5, 6, 6, 7]
    await Promise.all(
      kinds.flatMap((kind, index) => [
        change(first, kind, round * 7 + index),
        change(second, kind, round + index),
      ]),
    )
    await requireCorrectTotals()
  }
}, 60_000)

test('a network whose IPs were deleted can be deleted with its totals', async () => {
  const network = await newNetwork({ datacenter, cidr: '192.0.2.0/24' })
  await addIps(network, { count: 2 })
  const path = `${networksPath(datacenter)}/${network.id}`
  for (const { id } of await ipsOf(network)) await expectStatus(204, call('DELETE', `${path}/ips/${id}`))
  await expectStatus(204, call('DELETE', path))
})

const totalsIn = async (trx: Trx) => ({
  quarantine: await trx
    .selectFrom('nat_counts')
    .select(['nat_network_id', 'quarantine_ips', 'free_ips'])
    .orderBy('nat_network_id')
    .execute(),
  blocks: await trx
    .selectFrom('nat_blocks')
    .where((where) => where.or(totalColumns.map((column) => where(column, '<>', 0))))
    .selectAll()
    .orderBy('nat_network_id')
    .orderBy('wide')
    .orderBy('block')
    .execute(),
})

test('the migrations that add totals count their totals from existing rows', async () => {
  const undone = new Error('undone')
  const work = transaction(async (trx) => {
    const before = await totalsIn(trx)
    expect(before.blocks.length).toBeGreaterThan(10)
    await unwatch(trx, database().engine)
    await sql`drop table nat_blocks`.execute(trx)
    await sql`alter table nat_counts drop column quarantine_ips`.execute(trx)
    await sql`alter table nat_counts drop column free_ips`.execute(trx)
    const first = statements(migrationTypes[database().engine])
    for (const statement of [...first, ...freeStatements(), ...middleStatements()])
      await sql.raw(statement).execute(trx)
    expect(await totalsIn(trx)).toEqual(before)
    throw undone
  })
  await expect(work).rejects.toBe(undone)
})

import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import { keepUseOfToday } from '#lib/cloud/nat/use-days.server'
import { chunksOf } from '#lib/db/chunks'
import type { Db, Trx } from '#lib/db/db.server'
import { FEW_ROWS, oneOf, paddedIds, statement, together } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'

/**
 * Visible datacenters, or one NAT network of a visible datacenter. Made by `natScopeOf`. `byAddress`: the rows are found by the index of
 * the addresses of all datacenters, not by the index of each datacenter.
 */
export type NatScope = { datacenters: readonly number[]; network?: number; byAddress?: true }

export const natScopeOf = (datacenters: readonly { id: number }[], network?: number): NatScope => ({
  datacenters: paddedIds(datacenters),
  ...(network !== undefined && { network }),
})

/** True if the rows of a place may be in several datacenters. No index has these in the order of addresses. */
export const isAcross = ({ datacenters }: NatScope): boolean => datacenters.length > 1

/** True if the column is a datacenter of the place. */
export const isWithin = ({ datacenters }: NatScope, column: string): RawBuilder<SqlBool> =>
  sql`${sql.raw(column)} in (${sql.join(datacenters)})`

const columns = [
  'ips',
  'available_ips',
  'used_ips',
  'quarantine_ips',
  'free_ips',
  'default_snat_ips',
  'available_default_snat_ips',
  'snat_rules',
  'dnat_rules',
] as const satisfies (keyof Tables['nat_counts'])[]

type Counts = Record<(typeof columns)[number], number>

export const noCounts = Object.fromEntries(columns.map((column) => [column, 0])) as Counts

type IpFlags = { available: number; quarantine: number; virtual_datacenter_id: number | null }

/** 1 for an IP that counts as free, otherwise 0. */
export const isFree = ({ available, quarantine, virtual_datacenter_id }: IpFlags): 0 | 1 =>
  available === 1 && quarantine === 0 && virtual_datacenter_id === null ? 1 : 0

type Located = { nat_network_id: number; datacenter_id: number; ip_key: string }
type IpState = IpFlags & { default_snat: number }
export type CountedIp = Located & IpState
export type CountedRule = Located & { snat: 0 | 1 | boolean }
/** NAT IPs of one network that are alike. */
type CountedIps = IpState & Omit<Located, 'ip_key'> & { keys: readonly string[] }

/** The columns of `nat_ips` that the totals depend on. */
export const countedColumns = [
  'nat_network_id',
  'datacenter_id',
  'ip_key',
  'available',
  'quarantine',
  'default_snat',
  'virtual_datacenter_id',
] as const satisfies (keyof CountedIp)[]

/** The share of a NAT IP or a NAT rule in the totals of its network and of the blocks of its address. */
function countOf(row: IpState | CountedRule): Counts {
  if ('snat' in row) return { ...noCounts, [row.snat ? 'snat_rules' : 'dnat_rules']: 1 }
  return {
    ...noCounts,
    ips: 1,
    available_ips: row.available,
    used_ips: row.virtual_datacenter_id === null ? 0 : 1,
    quarantine_ips: row.quarantine,
    free_ips: isFree(row),
    default_snat_ips: row.default_snat,
    available_default_snat_ips: row.default_snat * row.available,
  }
}

/** An expression on the columns of the totals. */
export type Counted =
  | 'ips'
  | 'available_ips'
  | 'default_snat_ips'
  | 'available_default_snat_ips'
  | 'used_ips'
  | 'free_ips'
  | 'quarantine_ips'
  | 'snat_rules'
  | 'dnat_rules'
  | 'ips - used_ips'
  | 'ips - available_ips'
  | 'default_snat_ips - available_default_snat_ips'
  | 'snat_rules + dnat_rules'

const totals = (counted: Counted) =>
  statement(`total of ${counted}`, (db, place: NatScope) =>
    db
      .selectFrom('nat_counts')
      .where(isWithin(place, 'datacenter_id'))
      .$if(place.network !== undefined, (query) => query.where('nat_network_id', '=', place.network ?? 0))
      .select(sumOf(counted).as('total')),
  )

/** The exact total of a place, summed over its networks without counting rows. */
export async function totalOfCounted(db: Db, place: NatScope, counted: Counted): Promise<number> {
  const [sum] = await totals(counted)(db, place)
  return Number(sum?.total ?? 0)
}

const everything = (counted: Counted) =>
  statement(`total of all ${counted}`, (db) => db.selectFrom('nat_counts').select(sumOf(counted).as('total')))

/**
 * Reads by address if that is cheaper: for many rows, which then need not be sorted, unless they are a small part of the table. The total
 * of all datacenters is only used for this choice and is not shown.
 */
export async function natScopeToRead(
  db: Db,
  place: NatScope,
  { counted, rows }: { counted: Counted; rows: number },
) {
  if (!isAcross(place) || rows <= FEW) return place
  const [all] = await everything(counted.includes('rules') ? 'snat_rules + dnat_rules' : 'ips')(db, {})
  const own = await totalOfCounted(db, place, counted)
  return own * 4 >= Number(all?.total) ? { ...place, byAddress: true as const } : place
}

/** Sorting this many rows takes less time than choosing. */
const FEW = 512

export const sumOf = (counted: Counted): RawBuilder<number> => sql`coalesce(sum(${sql.raw(counted)}), 0)`

/** The prefix that the keys of a block's addresses share: 256 addresses in a narrow block, 4,096 in a middle one, 65,536 in a wide one. */
export const narrowBlock = (key: string): string => key.slice(0, -2)
export const middleBlock = (key: string): string => key.slice(0, -3)
export const wideBlock = (key: string): string => key.slice(0, -4)

const inUseDays = new Set(['ips', 'available_ips', 'used_ips', 'free_ips'])

type Rows = readonly (CountedIp | CountedIps | CountedRule)[]

type Changed = { before?: Rows; after?: Rows }

/**
 * Changes the totals of networks and blocks from the counts of these rows `before` a change to their counts `after` it. Runs in the
 * transaction that changes the rows.
 */
export const recount = (trx: Trx, changed: Changed): Promise<void> =>
  inEachNetwork(changed, async (own) => {
    await together(addToTotals(trx, own), addToBlocks(trx, own))
  })

/** As `recount`, without the blocks and the use of today, which the journal does not keep. `recountBlocks` follows in the same transaction. */
export const recountTotals = (trx: Trx, changed: Changed): Promise<void> =>
  inEachNetwork(changed, (own) => addToTotals(trx, own))

export const recountBlocks = (trx: Trx, changed: Changed): Promise<void> =>
  inEachNetwork(changed, (own) => addToBlocks(trx, own))

async function inEachNetwork(
  { before = [], after = [] }: Changed,
  write: (own: readonly Change[]) => Promise<void>,
): Promise<void> {
  const changeOf = (sign: 1 | -1) => (row: Rows[number]) => ({
    network: row.nat_network_id,
    datacenter: row.datacenter_id,
    keys: 'keys' in row ? row.keys : [row.ip_key],
    sign,
    counts: countOf(row),
  })
  const changes = [...before.map(changeOf(-1)), ...after.map(changeOf(1))]
  for (const own of Map.groupBy(changes, ({ network }) => network).values()) await write(own)
}

type Change = { network: number; datacenter: number; keys: readonly string[]; sign: 1 | -1; counts: Counts }

type Sums = { network: number; added: Partial<Counts> }

/** Adds to these totals of a network. */
const grownTotals = statement('totals', (db, { network, added }: Sums) =>
  db
    .updateTable('nat_counts')
    .set(
      Object.fromEntries(
        Object.entries(added).map(([column, own]) => [column, sql<number>`${sql.ref(column)} + ${own}`]),
      ),
    )
    .where('nat_network_id', '=', network)
    .returning('nat_network_id'),
)

type Grown = { rows: Insertable<Tables['nat_blocks']>[]; columns: { [column in keyof Counts]?: true } }

/** Adds to these columns of the blocks, of which some may be new. */
const grownBlocks = statement(
  'blocks',
  (db, { rows, columns }: Grown) => {
    const grown = Object.keys(columns).map((column) => [
      column,
      sql`${sql.ref(`nat_blocks.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ])
    return db
      .insertInto('nat_blocks')
      .values(rows)
      .onConflict((on) =>
        on.columns(['nat_network_id', 'wide', 'block']).doUpdateSet(Object.fromEntries(grown)),
      )
  },
  FEW_ROWS,
)

/** The columns whose blocks change. A change inside one block that cancels out changes neither these nor the totals. */
const changedOf = (blocks: readonly Block[]) =>
  columns.filter((column) => blocks.some(({ added }) => added[column] !== 0))

/** The changes are of one network. */
async function addToTotals(trx: Trx, changes: readonly Change[]): Promise<void> {
  const changed = changedOf(blocksOf(changes))
  if (changed.length === 0) return
  const total = { ...noCounts }
  for (const { keys, sign, counts } of changes) add(total, counts, sign * keys.length)
  const added = Object.fromEntries(changed.map((column) => [column, total[column]]))
  const { network } = oneOf(changes[0])
  const [counted] = await grownTotals(trx, { network, added })
  oneOf(counted)
}

/** The changes are of one network, whose totals have them already. */
async function addToBlocks(trx: Trx, changes: readonly Change[]): Promise<void> {
  const { network, datacenter } = oneOf(changes[0])
  const blocks = blocksOf(changes)
  const changed = changedOf(blocks)
  if (changed.length === 0) return
  const rows = blocks
    .filter(({ added }) => changed.some((column) => added[column] !== 0))
    .map(({ added, ...block }) => ({
      nat_network_id: network,
      datacenter_id: datacenter,
      ...block,
      ...added,
    }))
  const grown = Object.fromEntries(changed.map((column) => [column, true as const]))
  const [first = [], ...others] = chunksOf(rows)
  const grow = (chunk: typeof rows) => grownBlocks(trx, { rows: chunk, columns: grown })
  const keepUse = async () => {
    if (changed.some((column) => inUseDays.has(column))) await keepUseOfToday(trx, network)
  }
  await together(keepUse(), grow(first))
  for (const chunk of others) await grow(chunk)
}

function add(sum: Counts, counts: Counts, times: number): void {
  for (const column of columns) sum[column] += times * counts[column]
}

/** `wide`: 0 for narrow blocks, 2 for middle ones, 1 for wide ones. */
export type Width = 0 | 1 | 2

type Block = { wide: Width; block: string; added: Counts }

/** The blocks of the changed rows, each with the sum of its changes. */
function blocksOf(changes: readonly Change[]): Block[] {
  const held = (wide: Width, blockOf: (key: string) => string): Block[] => {
    const sums = new Map<string, Counts>()
    for (const { keys, sign, counts } of changes)
      for (const [block, own] of Map.groupBy(keys, blockOf)) {
        const sum = sums.get(block) ?? { ...noCounts }
        add(sum, counts, sign * own.length)
        sums.set(block, sum)
      }
    return [...sums].map(([block, added]) => ({ wide, block, added }))
  }
  return [...held(0, narrowBlock), ...held(1, wideBlock), ...held(2, middleBlock)]
}

import { type RawBuilder, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { narrowBlock, natScopeOf, wideBlock } from '#lib/cloud/nat/counts.server'
import { isAttached } from '#lib/cloud/nat/ip-filters.server'
import { ipViews } from '#lib/cloud/nat/ip-views.server'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { cellOfPart, faultsIn, type Grid, noFaults, partOf } from '#lib/cloud/nat/map-faults.server'
import type { AddressCell, AddressMapDocument, AddressMapQuery } from '#lib/cloud/nat/networks.schema'
import type { NetworkRow } from '#lib/cloud/nat/networks.server'
import { type Db, database, isPast } from '#lib/db/db.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import { link, linkOf } from '#lib/ground/http/view'
import { addressKey, type Cidr, formatCidr, parseCidr } from '#lib/ground/net/addresses'

/* The use of a block of a NAT network, in at most 256 cells. */

const CELL_BITS = 8

const bitsOf = ({ version }: Pick<Cidr, 'version'>): number => (version === 4 ? 32 : 128)

/** The block of this prefix length that contains the address. */
function blockAround(version: 4 | 6, address: bigint, prefix: number): Cidr {
  const hosts = (1n << BigInt(bitsOf({ version }) - prefix)) - 1n
  const first = address & ~hosts
  return { version, first, last: first | hosts, prefix }
}

/** Throws GEN-22 if the text is not a block of the network. */
function requireBlock(network: Cidr, text: string): Cidr {
  const block = parseCidr(text.trim())
  const isWithin =
    block?.hostBitsZero &&
    block.version === network.version &&
    block.first >= network.first &&
    block.last <= network.last
  if (!isWithin)
    throw new ApiError(
      fieldFault('GEN-22', 'block', `${text.slice(0, 64)} is not a CIDR within ${formatCidr(network)}`),
    )
  return block
}

const ipsIn = (db: Db, network: number, { version, first, last }: Cidr) =>
  db
    .selectFrom('nat_ips')
    .where('nat_ips.nat_network_id', '=', network)
    .where('nat_ips.ip_key', '>=', addressKey(version, first))
    .where('nat_ips.ip_key', '<=', addressKey(version, last))

/** The whole network. For IPv6: the smallest block of whole bytes that contains all its IPs. */
async function usedBlock(db: Db, id: number, network: Cidr): Promise<Cidr> {
  if (network.version === 4) return network
  const outermost = (direction: 'asc' | 'desc') =>
    ipsIn(db, id, network).select('ip_key').orderBy('ip_key', direction).limit(1).executeTakeFirst()
  const [lowest, highest] = [await outermost('asc'), await outermost('desc')]
  if (!lowest || !highest) return network
  const [first, last] = [BigInt(`0x${lowest.ip_key.slice(1)}`), BigInt(`0x${highest.ip_key.slice(1)}`)]
  const common = bitsOf(network) - (first === last ? 0 : (first ^ last).toString(2).length)
  // A map of a single address would be useless.
  const bytes = Math.min(Math.floor(common / 8), 15)
  return blockAround(6, first, Math.max(network.prefix, bytes * 8))
}

/** Divides the block into parts of this prefix length. */
function cellsOf({ block: { version, first, last }, prefix }: Grid): Cidr[] {
  const cells = [blockAround(version, first, prefix)]
  for (let cell = cells[0]; cell && cell.last < last; cell = cells.at(-1))
    cells.push(blockAround(version, cell.last + 1n, prefix))
  return cells
}

type Counts = { cell: number } & Omit<AddressCell, 'cidr'>

const shownCells = (cells: readonly Cidr[], rows: readonly Counts[]): AddressCell[] =>
  rows.flatMap(({ cell, ...counts }) => {
    const cidr = cells[cell]
    return cidr && counts.ips > 0 ? [{ cidr: formatCidr(cidr), ...counts }] : []
  })

/** Sizes of the narrow and wide blocks of `nat_blocks`, in bits. */
const [NARROW, WIDE] = [8, 16]

/** Sums the stored totals of the blocks in each cell. */
async function summedCells(db: Db, network: number, grid: Grid): Promise<AddressCell[]> {
  const cells = cellsOf(grid)
  const isWide = grid.prefix <= bitsOf(grid.block) - WIDE
  const blockOf = isWide ? wideBlock : narrowBlock
  const names = cells.map(({ version, first, last }, number) => {
    const [from, to] = [blockOf(addressKey(version, first)), blockOf(addressKey(version, last))]
    return sql`(${sql.lit(number)}, ${from}, ${to})`
  })
  const { rows } = await sql<Counts>`
    with cells (cell, first_block, last_block) as (values ${sql.join(names)})
    select cell, cast(sum(ips) as bigint) as ips, cast(sum(available_ips) as bigint) as available,
      cast(sum(used_ips) as bigint) as attached, cast(sum(quarantine_ips) as bigint) as quarantine,
      cast(sum(default_snat_ips) as bigint) as "defaultSnat"
    from cells join nat_blocks on nat_blocks.nat_network_id = ${network}
      and nat_blocks.wide = ${sql.lit(isWide ? 1 : 0)}
      and nat_blocks.block >= cells.first_block and nat_blocks.block <= cells.last_block
    group by cell order by cell`.execute(db)
  return shownCells(cells, rows)
}

type Network = { datacenter: number; network: number }

/** Each count scans a range of a small index. Grouping a million rows by cell would be slower. */
async function countedCells({ caller }: ReadContext, place: Network, grid: Grid): Promise<AddressCell[]> {
  const cells = cellsOf(grid)
  const keys = cells.map(({ version, first, last }, number) => {
    const [from, to] = [addressKey(version, first), addressKey(version, last)]
    return sql`(${sql.lit(number)}, ${from}, ${to})`
  })
  const within = sql`nat_ips.nat_network_id = ${place.network}
    and nat_ips.ip_key >= cells.first_key and nat_ips.ip_key <= cells.last_key`
  const here = sql`nat_ips.datacenter_id = ${place.datacenter}`
  const count = (...conditions: RawBuilder<unknown>[]) =>
    sql`(select count(*) from nat_ips where ${sql.join([within, ...conditions], sql` and `)})`
  const { rows } = await sql<Counts>`
    with cells (cell, first_key, last_key) as (values ${sql.join(keys)})
    select cell, ${count()} as ips, ${count(sql`nat_ips.available = 1`)} as available,
      ${count(here, isAttached(caller, natScopeOf([{ id: place.datacenter }])))} as attached,
      ${count(here, sql`nat_ips.quarantine = 1`)} as quarantine,
      ${count(here, sql`nat_ips.default_snat = 1`)} as "defaultSnat"
    from cells`.execute(database().scan)
  return shownCells(cells, rows)
}

type PartRow = { part: string } & Omit<AddressCell, 'cidr'>

/** The rows as they were, in one pass: the stored totals of blocks have no past. */
async function pastCells({ caller, db }: ReadContext, place: Network, grid: Grid): Promise<AddressCell[]> {
  const total = (counted: RawBuilder<unknown>) => sql<number>`sum(${counted})`
  const isHeld = isAttached(caller, natScopeOf([{ id: place.datacenter }]))
  const rows: PartRow[] = await ipsIn(db, place.network, grid.block)
    .select([
      partOf(sql`nat_ips.ip_key`, grid.prefix).as('part'),
      sql<number>`count(*)`.as('ips'),
      total(sql`nat_ips.available`).as('available'),
      total(sql`case when ${isHeld} then 1 else 0 end`).as('attached'),
      total(sql`nat_ips.quarantine`).as('quarantine'),
      total(sql`nat_ips.default_snat`).as('defaultSnat'),
    ])
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .execute()
  const cells = Map.groupBy(rows, ({ part }) => cellOfPart(grid, part))
  const sumOf = (own: PartRow[], count: 'ips' | 'available' | 'attached' | 'quarantine' | 'defaultSnat') =>
    own.reduce((sum, row) => sum + Number(row[count]), 0)
  return [...cells].map(([cidr, own]) => ({
    cidr,
    ips: sumOf(own, 'ips'),
    available: sumOf(own, 'available'),
    attached: sumOf(own, 'attached'),
    quarantine: sumOf(own, 'quarantine'),
    defaultSnat: sumOf(own, 'defaultSnat'),
  }))
}

/** One cell for each IP, of at most 256 addresses. */
async function singleCells(context: ReadContext, network: number, block: Cidr): Promise<AddressCell[]> {
  const ids = await ipsIn(context.db, network, block).select('nat_ips.id').orderBy('nat_ips.ip_key').execute()
  return ids.length === 0 ? [] : (await ipViews(context, ids)).map((ip) => cellOf(ip, bitsOf(block)))
}

function cellOf(ip: NatIpDocument, bits: number): AddressCell {
  const virtualDatacenter = linkOf(ip, 'virtualdatacenter')
  const enterprise = linkOf(ip, 'enterprise')
  return {
    cidr: `${ip.ip}/${bits}`,
    ips: 1,
    available: Number(ip.available),
    attached: virtualDatacenter ? 1 : 0,
    quarantine: Number(ip.quarantine),
    defaultSnat: Number(ip.defaultSnat),
    id: ip.id,
    ...(virtualDatacenter && { virtualDatacenter: virtualDatacenter.title ?? '' }),
    ...(enterprise && { enterprise: enterprise.title ?? '' }),
  }
}

function cellsIn(context: ReadContext, place: Network, grid: Grid): Promise<AddressCell[]> {
  const { block, prefix } = grid
  const bits = bitsOf(block)
  if (prefix === bits) return singleCells(context, place.network, block)
  if (isPast(context.db)) return pastCells(context, place, grid)
  // The stored totals ignore visibility, so IPs attached to invisible enterprises must be counted one by one.
  if (!context.caller.scope.allEnterprises || prefix > bits - NARROW)
    return countedCells(context, place, grid)
  return summedCells(context.db, place.network, grid)
}

/** Throws GEN-22: what the check finds and what devices report has no past. */
export async function readAddressMap({
  found: { id: network, datacenter_id: datacenter, name, cidr },
  query: { block: requested, faults },
  ...context
}: Listed<NetworkRow, AddressMapQuery>): Promise<AddressMapDocument> {
  if (faults && isPast(context.db)) throw new ApiError(fieldFault('GEN-22', 'faults', 'faults has no past'))
  const whole = parseCidr(cidr)
  if (!whole) throw new ApiError('NAT-NET-5')
  const block =
    requested === undefined ? await usedBlock(context.db, network, whole) : requireBlock(whole, requested)
  const cellPrefix = Math.min(block.prefix + CELL_BITS, bitsOf(block))
  const path = pathOf(kinds.natnetwork, { datacenter, id: network })
  const [place, grid] = [
    { datacenter, network },
    { block, prefix: cellPrefix },
  ]
  const cells = await cellsIn(context, place, grid)
  const faulty = faults ? await faultsIn({ ...place, caller: context.caller }, grid) : undefined
  return {
    links: [link('natnetwork', path, 'natnetwork', name), link('ips', `${path}/ips`, 'natips')],
    block: formatCidr(block),
    version: block.version,
    cellPrefix,
    cells: faulty ? cells.map((cell) => ({ ...cell, ...(faulty.get(cell.cidr) ?? noFaults) })) : cells,
  }
}

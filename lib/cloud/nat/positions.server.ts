import { sql } from 'kysely'
import {
  type Counted,
  isAcross,
  isWithin,
  middleBlock,
  type NatScope,
  narrowBlock,
  sumOf,
  totalOfCounted,
  type Width,
  wideBlock,
} from '#lib/cloud/nat/counts.server'
import { type Db, isPast } from '#lib/db/db.server'
import { statement, together } from '#lib/db/statements.server'
import { END, type KeyBounds } from '#lib/ground/net/addresses'

/*
 * Positions in the order of addresses, from stored totals: of the wide blocks, then of the middle blocks inside one of them, then of the
 * narrow blocks inside one of these. A network has at most 16 blocks inside another, and reading 256 totals took a fifth of a page. The
 * totals of blocks have no past: there, rows are counted and skipped.
 */

const [NARROW, WIDE, MIDDLE] = [0, 1, 2] as const

/** The blocks of one width from `from` to `to`, exclusive. */
type Range = { place: NatScope; wide: Width; from: string; to: string }

const blocks = (db: Db, { place, wide, from, to }: Range) =>
  db
    .selectFrom('nat_blocks')
    .$if(place.network === undefined, (query) => query.where(isWithin(place, 'datacenter_id')))
    .$if(place.network !== undefined, (query) => query.where('nat_network_id', '=', place.network ?? 0))
    .where('wide', '=', wide)
    .where('block', '>=', from)
    .where('block', '<', to)

const blockTotals = (counted: Counted) =>
  statement(`blocks of ${counted}`, (db, range: Range) =>
    blocks(db, range)
      .$if(isAcross(range.place), (rows) => rows.groupBy('block'))
      .select([
        'block',
        (isAcross(range.place) ? sumOf(counted) : sql<number>`${sql.raw(counted)}`).as('own'),
      ])
      .orderBy('block'),
  )

const sumOfBlocks = (counted: Counted) =>
  statement(`sum of ${counted}`, (db, range: Range) => blocks(db, range).select(sumOf(counted).as('total')))

/** The stored total of a place in which positions are counted. */
export type Total = { place: NatScope; counted: Counted }

type Block = { block: string; before: number; own: number }

/** Sums up here, because a window function takes SQLite four times as long. */
function blockAt(rows: { block: string; own: number }[], position: number): Block | undefined {
  let [through, before, last] = [0, 0, '']
  for (const { block, own } of rows) {
    // Networks that overlap share a block.
    if (block !== last) [before, last] = [through, block]
    through += Number(own)
    if (through > position) return { block, before, own: Number(own) }
  }
  return undefined
}

/** The totals of the blocks of this width within another block. */
type Read = (wide: Width, within: string) => ReturnType<ReturnType<typeof blockTotals>>

/** The narrow block that holds the row at this position, found in the wide and the middle block around it. */
async function narrowBlockAt(read: Read, position: number): Promise<Block | undefined> {
  let around: Block = { block: '', before: 0, own: 0 }
  for (const wide of [WIDE, MIDDLE, NARROW]) {
    const found = blockAt(await read(wide, around.block), position - around.before)
    if (!found) return undefined
    around = { ...found, before: around.before + found.before }
  }
  return around
}

/**
 * The range of keys of the narrow blocks that hold the rows from position `first` to `last`, counted from 0, and the number of rows
 * before the range and, in several datacenters, in it.
 */
export async function blocksBetween(
  db: Db,
  { place, counted }: Total,
  [first, last]: [number, number],
): Promise<{ from: string; to: string; before: number; rows: number } | undefined> {
  const totals = blockTotals(counted)
  const known = new Map<string, ReturnType<Read>>()
  const read: Read = (wide, within) => {
    const key = `${wide} ${within}`
    const rows = known.get(key) ?? totals(db, { place, wide, from: within, to: `${within}${END}` })
    known.set(key, rows)
    return rows
  }
  const from = await narrowBlockAt(read, first)
  const to = last === first ? from : await narrowBlockAt(read, last)
  if (!from || !to) return undefined
  const { before } = from
  return { from: from.block, to: `${to.block}${END}`, before, rows: to.before + to.own - before }
}

async function sumBetween(db: Db, counted: Counted, range: Range): Promise<number> {
  const [sum] = await sumOfBlocks(counted)(db, range)
  return Number(sum?.total ?? 0)
}

/** Counts the rows of the place within these bounds, by an index. */
export type CountRows = (bounds: KeyBounds) => Promise<number>

/** The number of rows with keys below `bound`: only rows that the totals of blocks do not cover are counted. */
export async function countBelow(db: Db, total: Total, bound: string, count: CountRows): Promise<number> {
  const key = bound.replace(END, '')
  const [blocks, rows] = await together(
    countBefore(db, total, key),
    count({ from: narrowBlock(key), to: bound }),
  )
  return blocks + rows
}

/** The number of rows within the bounds. */
export async function countWithin(
  db: Db,
  total: Total,
  { from, to }: KeyBounds,
  count: CountRows,
): Promise<number> {
  if (to !== '' && to <= from) return 0
  if (isPast(db))
    return from === '' && to === '' ? totalOfCounted(db, total.place, total.counted) : count({ from, to })
  // At most 4,096 addresses: counting them takes less time than reading the totals.
  if (from !== '' && to !== '' && middleBlock(from) === middleBlock(to.replace(END, '')))
    return count({ from, to })
  const [above, below] = await together(
    to === '' ? totalOfCounted(db, total.place, total.counted) : countBelow(db, total, to, count),
    from === '' ? Promise.resolve(0) : countBelow(db, total, from, count),
  )
  return above - below
}

/** The number of rows in the blocks before the narrow block of this address. */
export async function countBefore(db: Db, { place, counted }: Total, key: string): Promise<number> {
  const [wide, middle, narrow] = [wideBlock(key), middleBlock(key), narrowBlock(key)]
  const ranges: Omit<Range, 'place'>[] = [
    { wide: WIDE, from: '', to: wide },
    { wide: MIDDLE, from: wide, to: middle },
    { wide: NARROW, from: middle, to: narrow },
  ]
  const sums = await together(...ranges.map((range) => sumBetween(db, counted, { place, ...range })))
  return sums.reduce((before, sum) => before + sum, 0)
}

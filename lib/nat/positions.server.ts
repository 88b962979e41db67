import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'
import {
  type Counted,
  isAcross,
  isWithin,
  narrowBlock,
  type Place,
  sumOf,
  wideBlock,
} from '#lib/nat/counts.server'

/* Positions in the order of addresses, from stored totals: first of the wide blocks, then of the narrow blocks inside one of them. */

/** Sorts after every character of a key. */
const END = '~'

/** The blocks of one width from `from` to `to`, exclusive. */
type Range = { place: Place; wide: 0 | 1; from: string; to: string }

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
export type Total = { place: Place; counted: Counted }

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
  const wides = await totals(db, { place, wide: 1, from: '', to: END })
  const [start, end] = [blockAt(wides, first), blockAt(wides, last)]
  if (!start || !end) return undefined
  const within = ({ block }: Block) => totals(db, { place, wide: 0, from: block, to: `${block}${END}` })
  const narrows = await within(start)
  const from = blockAt(narrows, first - start.before)
  const to = blockAt(start.block === end.block ? narrows : await within(end), last - end.before)
  if (!from || !to) return undefined
  const before = start.before + from.before
  return { from: from.block, to: `${to.block}${END}`, before, rows: end.before + to.before + to.own - before }
}

async function sumBetween(db: Db, counted: Counted, range: Range): Promise<number> {
  const [sum] = await sumOfBlocks(counted)(db, range)
  return Number(sum?.total ?? 0)
}

/** The number of rows in the blocks before the narrow block of this address. */
export async function countBefore(db: Db, { place, counted }: Total, key: string): Promise<number> {
  const [wide, narrow] = [wideBlock(key), narrowBlock(key)]
  const ahead = await sumBetween(db, counted, { place, wide: 1, from: '', to: wide })
  return ahead + (await sumBetween(db, counted, { place, wide: 0, from: wide, to: narrow }))
}

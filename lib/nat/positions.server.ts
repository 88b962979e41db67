import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'
import { type Counted, narrowBlock, type Place, sumOf, wideBlock } from '#lib/nat/counts.server'

/* Positions in the order of addresses, from stored totals: first of the wide blocks, then of the narrow blocks inside one of them. */

/** Sorts after every character of a key. */
const END = '~'

/** The blocks of one width from `from` to `to`, exclusive. */
type Range = { place: Place; wide: 0 | 1; from: string; to: string }

const blocks = (db: Db, { place: { datacenter, network }, wide, from, to }: Range) =>
  db
    .selectFrom('nat_blocks')
    .$if(network === undefined, (query) => query.where('datacenter_id', '=', datacenter))
    .$if(network !== undefined, (query) => query.where('nat_network_id', '=', network ?? 0))
    .where('wide', '=', wide)
    .where('block', '>=', from)
    .where('block', '<', to)

const blockTotals = (counted: Counted) =>
  statement(`blocks of ${counted}`, (db, range: Range) =>
    blocks(db, range)
      .select(['block', sql<number>`${sql.raw(counted)}`.as('own')])
      .orderBy('block'),
  )

const sumOfBlocks = (counted: Counted) =>
  statement(`sum of ${counted}`, (db, range: Range) => blocks(db, range).select(sumOf(counted).as('total')))

/** The stored total of a place in which positions are counted. */
type Total = { place: Place; counted: Counted }

type Block = { block: string; before: number }

/** Sums here, because a window function takes SQLite four times as long. */
function blockAt(rows: { block: string; own: number }[], position: number): Block | undefined {
  let [through, before, last] = [0, 0, '']
  for (const { block, own } of rows) {
    // Networks that overlap share a block.
    if (block !== last) [before, last] = [through, block]
    through += Number(own)
    if (through > position) return { block, before }
  }
  return undefined
}

/** The narrow block that holds the row at this position, counted from 0, and the number of rows before the block. */
export async function narrowBlockAt(
  db: Db,
  { place, counted }: Total,
  position: number,
): Promise<Block | undefined> {
  const totals = blockTotals(counted)
  const wide = blockAt(await totals(db, { place, wide: 1, from: '', to: END }), position)
  if (!wide) return undefined
  const within: Range = { place, wide: 0, from: wide.block, to: `${wide.block}${END}` }
  const narrow = blockAt(await totals(db, within), position - wide.before)
  return narrow && { block: narrow.block, before: wide.before + narrow.before }
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

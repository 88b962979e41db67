import { sql } from 'kysely'
import { runKept } from '#lib/db/compiled.server'
import type { Db } from '#lib/db/db.server'
import { type Counted, narrowBlock, type Place, sumOf, wideBlock } from '#lib/nat/counts.server'

/* Where rows stand in the order of their addresses, found by adding up totals of blocks: wide ones, then the narrow ones in one of them. */

/** Sorts after everything that a key can go on with. */
const END = '~'

type Range = Place & { from: string; to: string }

/** The totals of the blocks of one width whose names lie between these; `place` tells of which kind it is. */
const blocks = (db: Db, place: Place, wide: 0 | 1, { datacenter, network, from, to }: Range) =>
  db
    .selectFrom('nat_blocks')
    .$if(place.network === undefined, (query) => query.where('datacenter_id', '=', datacenter))
    .$if(place.network !== undefined, (query) => query.where('nat_network_id', '=', network ?? 0))
    .where('wide', '=', wide)
    .where('block', '>=', from)
    .where('block', '<', to)

type Block = { block: string; before: number }

/** Added up here: with a window of SQL it takes SQLite four times as long. */
async function blockAt(
  db: Db,
  place: Place,
  counted: Counted,
  { wide, within, position }: { wide: 0 | 1; within: string; position: number },
): Promise<Block | undefined> {
  const values = { ...place, from: within, to: `${within}${END}` }
  const rows = await runKept(db, keyOf('blocks', place, counted, wide), values, (given) =>
    blocks(db, place, wide, given)
      .select(['block', sql<number>`${sql.raw(counted)}`.as('own')])
      .orderBy('block'),
  )
  let [through, before, last] = [0, 0, '']
  for (const { block, own } of rows) {
    // Networks that overlap share a block.
    if (block !== last) [before, last] = [through, block]
    through += Number(own)
    if (through > position) return { block, before }
  }
  return undefined
}

const keyOf = (what: string, place: Place, counted: Counted, wide: 0 | 1): string =>
  `${what} ${counted} ${wide} ${place.network === undefined}`

/** The narrow block that holds the row at this position, counted from 0, and how many rows go before the block. */
export async function narrowBlockAt(
  db: Db,
  place: Place,
  counted: Counted,
  position: number,
): Promise<Block | undefined> {
  const wide = await blockAt(db, place, counted, { wide: 1, within: '', position })
  if (!wide) return undefined
  const rest = { wide: 0 as const, within: wide.block, position: position - wide.before }
  const narrow = await blockAt(db, place, counted, rest)
  return narrow && { block: narrow.block, before: wide.before + narrow.before }
}

async function sumBetween(db: Db, range: Range, counted: Counted, wide: 0 | 1): Promise<number> {
  const [sum] = await runKept(db, keyOf('sum', range, counted, wide), range, (given) =>
    blocks(db, range, wide, given).select(sumOf(counted).as('total')),
  )
  return Number(sum?.total ?? 0)
}

/** How many rows stand in the blocks before the one that this address belongs to. */
export async function countBefore(db: Db, place: Place, counted: Counted, key: string): Promise<number> {
  const [wide, narrow] = [wideBlock(key), narrowBlock(key)]
  const ahead = await sumBetween(db, { ...place, from: '', to: wide }, counted, 1)
  return ahead + (await sumBetween(db, { ...place, from: wide, to: narrow }, counted, 0))
}

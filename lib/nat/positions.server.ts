import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server'
import type { Near } from '#lib/db/page.server'
import { type Counted, narrowBlock, type Place, wideBlock } from '#lib/nat/counts.server'

/* Where rows stand in the order of their addresses, found by adding up totals of blocks: wide ones, then the narrow ones in one of them. */

/** The totals of the blocks of one width whose names lie between these. */
const blocks = (db: Db, { datacenter, network }: Place, wide: 0 | 1, from: string, to: string) =>
  db
    .selectFrom('nat_blocks')
    .$if(network === undefined, (query) => query.where('datacenter_id', '=', datacenter))
    .$if(network !== undefined, (query) => query.where('nat_network_id', '=', network ?? 0))
    .where('wide', '=', wide)
    .where('block', '>=', from)
    .where('block', '<', to)

/** Sorts after everything that a key can go on with. */
const END = '~'

type Block = { block: string; before: number }

async function blockAt(
  db: Db,
  place: Place,
  counted: Counted,
  { wide, within, position }: { wide: 0 | 1; within: string; position: number },
): Promise<Block | undefined> {
  const sums = blocks(db, place, wide, within, `${within}${END}`)
    .groupBy('block')
    .select('block')
    .select(sql<number>`sum(${counted})`.as('own'))
    .select(sql<number>`sum(sum(${counted})) over (order by block)`.as('through'))
  return db
    .selectFrom(sums.as('sums'))
    .where('through', '>', position)
    .orderBy('block')
    .limit(1)
    .select(['block', sql<number>`through - own`.as('before')])
    .executeTakeFirst()
}

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
  return narrow && { block: narrow.block, before: wide.before + Number(narrow.before) }
}

/** How many rows stand in the blocks before the one that this address belongs to. */
export async function countBefore(db: Db, place: Place, counted: Counted, key: string): Promise<number> {
  const wide = blocks(db, place, 1, '', wideBlock(key))
  const narrow = blocks(db, place, 0, wideBlock(key), narrowBlock(key))
  const total = sql<number>`coalesce(sum(${counted}), 0)`.as('total')
  const [all, some] = [await wide.select(total).execute(), await narrow.select(total).execute()]
  return Number(all[0]?.total ?? 0) + Number(some[0]?.total ?? 0)
}

/** For a list in the order of addresses: where to begin to read for the row at this position. */
export const nearIn =
  (db: Db, place: Place, counted: Counted) =>
  async (position: number): Promise<Near | undefined> => {
    const found = await narrowBlockAt(db, place, counted, position)
    return found && { key: found.block, before: found.before }
  }

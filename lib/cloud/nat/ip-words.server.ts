import { sql } from 'kysely'
import { database } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'
import { FEW, rowsWithWord } from '#lib/db/words.server'
import { type KeyRange, keyRangesOf } from '#lib/ground/net/addresses'

type Table = 'nat_ips' | 'private_ips'

const inRanges = (table: Table) =>
  statement(`${table} in ranges`, (db, { ranges }: { ranges: KeyRange[] }) =>
    db
      .selectFrom(table)
      .where((on) => on.or(ranges.map(({ first, last }) => on.between('ip_key', first, last))))
      .select('id')
      .limit(sql.lit(FEW + 1)),
  )

const found = { nat_ips: inRanges('nat_ips'), private_ips: inRanges('private_ips') }

/** Ids of candidate IPs whose text may contain the word, or undefined if there are too many to list. */
export async function ipsWithWord(table: Table, word: string): Promise<number[] | undefined> {
  const ranges = database().moment === undefined ? keyRangesOf(word) : undefined
  if (!ranges) return rowsWithWord({ table, column: 'ip' }, word)
  if (ranges.length === 0) return []
  const rows = await found[table](database().read, { ranges })
  return rows.length > FEW ? undefined : rows.map(({ id }) => id)
}

import { sql } from 'kysely'
import { database } from '#lib/db/db.server'
import { idsIfFew, rowsWithWord } from '#lib/db/words.server'
import { keyRangesOf } from '#lib/ground/net/addresses'

/** Ids of candidate IPs whose text may contain the word, or undefined if there are too many to list. */
export async function ipsWithWord(
  table: 'nat_ips' | 'private_ips',
  word: string,
): Promise<number[] | undefined> {
  const ranges = keyRangesOf(word)
  if (!ranges) return rowsWithWord({ table, column: 'ip' }, word)
  if (ranges.length === 0) return []
  const within = ranges.map(({ first, last }) => sql`ip_key between ${first} and ${last}`)
  const found = sql`select id from ${sql.table(table)} where ${sql.join(within, sql` or `)}`
  return idsIfFew(found, database().read)
}

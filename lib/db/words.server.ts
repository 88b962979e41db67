import { type RawBuilder, sql } from 'kysely'
import { database } from '#lib/db/db.server'
import { idsOfWord } from '#lib/db/dialect.server'
import { fold } from '#lib/db/fold'

/** Up to this many candidates are checked one by one. Beyond it a scan of all rows is cheaper. */
export const FEW = 5000

/** The columns that have a word index. */
type Worded =
  | { table: 'nat_ips' | 'private_ips'; column: 'ip' }
  | { table: 'virtual_machines'; column: 'name_key' }

/** Addresses and names begin alike and end differently: the last letters usually find few rows, at half the cost of all letters. */
const LAST_LETTERS = 6

/**
 * Ids of candidate rows whose column may contain the word, or undefined if there are too many to list, the word is too short for the index, or
 * the rows are past ones, which have no index of words.
 */
export async function rowsWithWord(place: Worded, word: string): Promise<number[] | undefined> {
  if (database().moment !== undefined) return undefined
  const letters = [...fold(word)]
  const end = letters.slice(-LAST_LETTERS)
  return (await few(place, end)) ?? (end.length < letters.length ? few(place, letters) : undefined)
}

async function few(place: Worded, letters: readonly string[]): Promise<number[] | undefined> {
  const found = idsOfWord(database().engine, place, letters)
  return found && idsIfFew(found)
}

/** The ids of a query, or undefined if there are too many to list. */
export async function idsIfFew(query: RawBuilder<unknown>): Promise<number[] | undefined> {
  const some = sql<{ id: number }>`select id from (${query}) as found limit ${sql.lit(FEW + 1)}`
  const { rows } = await some.execute(database().scan)
  return rows.length > FEW ? undefined : rows.map(({ id }) => id)
}

import { type RawBuilder, sql } from 'kysely'
import { type Db, database } from '#lib/db/db.server'
import { idsOfWord } from '#lib/db/dialect.server'
import { fold } from '#lib/db/fold'

/** So many rows are looked at one by one sooner than all are searched. */
export const FEW = 5000

/** The columns that migrations made a word index of. */
export type Worded =
  | { table: 'nat_ips' | 'private_ips'; column: 'ip' }
  | { table: 'virtual_machines'; column: 'name_key' }

/** Addresses and names begin alike and end differently: so many letters of the end mostly leave few rows, at half the price of all. */
const TELLING = 6

/** The ids of all rows in whose column the word stands, and of a few more; undefined where they are not few, or no index can tell. */
export async function rowsWithWord(place: Worded, word: string): Promise<number[] | undefined> {
  const letters = [...fold(word)]
  const end = letters.slice(-TELLING)
  return (await few(place, end)) ?? (end.length < letters.length ? few(place, letters) : undefined)
}

async function few(place: Worded, letters: readonly string[]): Promise<number[] | undefined> {
  const found = idsOfWord(database().engine, place, letters)
  return found && idsIfFew(found)
}

/** The ids of a query; undefined where they are not few. */
export async function idsIfFew(
  query: RawBuilder<unknown>,
  on: Db = database().scan,
): Promise<number[] | undefined> {
  const some = sql<{ id: number }>`select id from (${query}) as found limit ${sql.lit(FEW + 1)}`
  const { rows } = await some.execute(on)
  return rows.length > FEW ? undefined : rows.map(({ id }) => id)
}

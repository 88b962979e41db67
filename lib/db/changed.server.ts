import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { database } from '#lib/db/db.server'
import { isNotAmong, textIn } from '#lib/db/dialect.server'
import { changeWanted } from '#lib/ground/http/paging'

/* `changed` of lists: rows that changed within a time, by the journal (docs/api/lists.md, "Filters"). */

type Condition = RawBuilder<SqlBool>

/** Whether the caller sees the resource with this id. */
type Sees = (id: RawBuilder<unknown>) => Condition

/** Sees those with these ids. */
export const seesAmong =
  (ids: RawBuilder<unknown>): Sees =>
  (id) =>
    sql`${id} in (${ids})`

/** A column that callers see who see the resource whose id is in `by`. To others it is `otherwise`; if that is there, everybody sees it without an id. */
type OfHolder = { by: string; sees: Sees; otherwise?: string }

/**
 * How a caller sees the hidden columns of a table (journal.server.ts). A change of these alone counts if the row looks different to the caller.
 * Without it every change counts.
 */
export type SeenColumns = Readonly<Record<string, Sees | OfHolder>>

/** Tables whose past rows have the ids of the rows that they are a part of. */
const parts: Partial<Record<string, readonly string[]>> = { roles: ['role_privileges'] }

/** The time of the filter counts back from the moment of `asof`, or from now. */
function wantedOf(changed: string) {
  const { moment } = database()
  return changeWanted(changed, moment && moment / 1000)
}

/** Minutes since 1970 at which the time of the filter begins. */
export const changedSince = (changed: string): number => wantedOf(changed).since

/** Whether the rows of a journaled table, named by its id (`users.id`), changed as wanted: by an index of the journal. */
export function changedAs(id: string, changed: string | undefined, seen?: SeenColumns): Condition {
  if (changed === undefined) return sql`1 = 1`
  const { within, since } = wantedOf(changed)
  const { engine, moment } = database()
  const table = id.slice(0, id.indexOf('.'))
  const sources = [table, ...(parts[table] ?? [])].map((name) => sql.lit(name))
  const recent = sql`select past_rows.id from past_rows where past_rows.source in (${sql.join(sources)})
    and past_rows.until >= ${since * 60_000_000} and ${moment === undefined ? sql`1 = 1` : sql`past_rows.until <= ${moment}`}
    and ${seen ? isSeenChange(seen) : sql`1 = 1`}`
  return within ? sql`${sql.ref(id)} in (${recent})` : isNotAmong(engine, id, recent)
}

/** The caller sees the change of this row of `past_rows`. */
export const isSeenChange = (seen: SeenColumns, past = 'past_rows'): Condition =>
  sql`(${sql.ref(`${past}.moved`)} is null or ${sql.join(
    Object.entries(seen).map(([column, sees]) => {
      const by = typeof sees === 'function' ? { by: column, sees } : sees
      const [before, after] = ['content', 'moved'].map((row) => shownIn(`${past}.${row}`, column, by))
      return sql`${before} is distinct from ${after}`
    }),
    sql` or `,
  )})`

/** The value of a column, in a column of JSON, as the caller sees it. */
function shownIn(row: string, column: string, { by, sees, otherwise }: OfHolder): RawBuilder<unknown> {
  const value = (name: string) => textIn(database().engine, row, [name])
  const isSeen = sees(sql`cast(${value(by)} as bigint)`)
  return otherwise === undefined
    ? sql`case when ${isSeen} then ${value(column)} end`
    : sql`case when ${value(by)} is null or ${isSeen} then ${value(column)} else ${sql.lit(otherwise)} end`
}

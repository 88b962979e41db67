import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { database } from '#lib/db/db.server'
import { isNotAmong, textIn } from '#lib/db/dialect.server'
import { changeWanted } from '#lib/ground/http/paging'

/* `changed` of lists: rows that changed within a time, by the journal (docs/api/lists.md, "Filters"). */

type Condition = RawBuilder<SqlBool>

/**
 * For each hidden column of a table (journal.server.ts), a query of the ids that a caller sees. A change of hidden columns alone counts if the
 * caller sees the former or the later id. Without it every change counts.
 */
export type SeenIds = Readonly<Record<string, RawBuilder<unknown> | OfHolder>>

/** A column that is seen by callers who see the id of another one, in `by`. */
type OfHolder = { by: string; ids: RawBuilder<unknown> }

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
export function changedAs(id: string, changed: string | undefined, seen?: SeenIds): Condition {
  if (changed === undefined) return sql`1 = 1`
  const { within, since } = wantedOf(changed)
  const { engine, moment } = database()
  const table = id.slice(0, id.indexOf('.'))
  const sources = [table, ...(parts[table] ?? [])].map((name) => sql.lit(name))
  const recent = sql`select past_rows.id from past_rows where past_rows.source in (${sql.join(sources)})
    and past_rows.until >= ${since * 60_000_000} and ${moment === undefined ? sql`1 = 1` : sql`past_rows.until <= ${moment}`}
    and ${seen ? isSeen(seen) : sql`1 = 1`}`
  return within ? sql`${sql.ref(id)} in (${recent})` : isNotAmong(engine, id, recent)
}

/** The values of a column before and after the change. */
const bothOf = (column: string) =>
  ['past_rows.content', 'past_rows.moved'].map(
    (row) => sql`cast(${textIn(database().engine, row, [column])} as bigint)`,
  )

/** The caller saw the change of this past row. */
const isSeen = (seen: SeenIds): Condition =>
  sql`(past_rows.moved is null or ${sql.join(
    Object.entries(seen).map(([column, visible]) => {
      const { by, ids } = 'by' in visible ? visible : { by: column, ids: visible }
      const [before, after] = bothOf(column)
      const [former, later] = bothOf(by)
      return sql`(${before} is distinct from ${after} and (${former} in (${ids}) or ${later} in (${ids})))`
    }),
    sql` or `,
  )})`

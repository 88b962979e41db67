import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { database } from '#lib/db/db.server'
import { textIn } from '#lib/db/dialect.server'
import { changeWanted } from '#lib/ground/http/paging'

/* `changed` of lists: rows that changed within a time, by the journal (docs/api.md, "Filters"). */

type Condition = RawBuilder<SqlBool>

/**
 * The columns of a table whose changes count for a caller who does not see everything: those that every caller sees, and ids that count
 * while they are among `visible`, a query of ids. Without these columns every change counts.
 */
export type SeenColumns = {
  always: readonly string[]
  sometimes: readonly { column: string; visible: RawBuilder<unknown> }[]
}

/** Tables whose past rows have the ids of the rows that they are a part of. */
const parts: Partial<Record<string, readonly string[]>> = { roles: ['role_privileges'] }

/** The time of the filter counts back from the moment of `asof`, or from now. */
function wantedOf(changed: string) {
  const { moment } = database()
  return changeWanted(changed, moment && moment / 1000)
}

/** Minutes since 1970 at which the time of the filter begins. */
export const changedSince = (changed: string): number => wantedOf(changed).since

/** Whether the rows of a journaled table, named by its id (`users.id`), changed as wanted: by indexes of the journal. */
export function changedAs(id: string, changed: string | undefined, seen?: SeenColumns): Condition {
  if (changed === undefined) return sql`1 = 1`
  const { within, since } = wantedOf(changed)
  const table = id.slice(0, id.indexOf('.'))
  const sources = [table, ...(parts[table] ?? [])].map((name) => sql.lit(name))
  const among = sql`past_rows.source in (${sql.join(sources)}) and past_rows.until >= ${since * 60_000_000} and ${byNow('past_rows.until')}`
  const own = sql`from past_rows ${seen ? next() : sql``} where past_rows.id = ${sql.ref(id)} and ${among}
    and ${seen ? isSeen(table, seen) : sql`1 = 1`}`
  // Not `not in`: PostgreSQL reads a long list again for each row.
  if (!within) return sql`not exists (select 1 ${own})`
  const rows = sql<SqlBool>`${sql.ref(id)} in (select past_rows.id from past_rows where ${among})`
  return seen ? sql`${rows} and exists (select 1 ${own})` : rows
}

const byNow = (column: string): Condition => {
  const { moment } = database()
  return moment === undefined ? sql`1 = 1` : sql`${sql.ref(column)} <= ${moment}`
}

/** The version of the row that followed. The last one is the present row. `+ 0`: many rows have the same moment, so its index is slow here. */
const next =
  () => sql`left join past_rows as following on following.source = past_rows.source and following.id = past_rows.id
  and following.part = past_rows.part and following.until + 0 = (
    select min(later.until) from past_rows as later where later.source = past_rows.source and later.id = past_rows.id
      and later.part = past_rows.part and later.until > past_rows.until and ${byNow('later.until')})`

/** A caller saw the change. Where there is no row every column is null, so that a row that appeared counts. A part counts as a whole. */
function isSeen(table: string, { always, sometimes }: SeenColumns): Condition {
  const { engine } = database()
  const was = (name: string) => sql`cast(${textIn(engine, 'past_rows.content', [name])} as text)`
  const then = (
    name: string,
  ) => sql`case when following.until is null then cast(${sql.ref(`${table}.${name}`)} as text)
    else cast(${textIn(engine, 'following.content', [name])} as text) end`
  const differs = (name: string) => sql`${was(name)} is distinct from ${then(name)}`
  const changed = sometimes.map(({ column, visible }) => {
    const isVisible = (id: RawBuilder<unknown>) => sql`cast(${id} as bigint) in (${visible})`
    return sql`(${differs(column)} and (${isVisible(was(column))} or ${isVisible(then(column))}))`
  })
  return sql`(past_rows.source <> ${sql.lit(table)} or ${sql.join([...always.map(differs), ...changed], sql` or `)})`
}

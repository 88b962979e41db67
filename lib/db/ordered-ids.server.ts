import { type RawBuilder, sql } from 'kysely'
import { type Database, database } from '#lib/db/db.server'
import { numbersIn } from '#lib/db/id-list'
import { cachedUntilWrite } from '#lib/db/kept.server'

/* The ids of long lists: one that no index serves is searched and sorted once, and each page of it is a piece of what was found then. */

/** Undefined where it is known to find nothing. */
type Query = () => RawBuilder<unknown> | Promise<RawBuilder<unknown> | undefined>

/** The ids of a query that gives them in order. The key tells it from all others. */
export const orderedIds = (key: string, query: Query): Promise<Float64Array> =>
  cachedUntilWrite(
    `ids ${key}`,
    (ids) => ids.byteLength,
    () => seek(database(), query),
  )

async function seek(on: Database, query: Query): Promise<Float64Array> {
  const ordered = await query()
  if (!ordered) return new Float64Array()
  // One text: a million rows of their own would take longer to bring here than to find. The scan thread reads it by this name.
  const text = sql<{
    id_list: Float64Array | string | null
  }>`select string_agg(cast(id as text), ',') as id_list from (${ordered}) as ordered`
  const { rows } = await text.execute(on.scan)
  const ids = rows[0]?.id_list ?? ''
  return typeof ids === 'string' ? numbersIn(ids) : ids
}

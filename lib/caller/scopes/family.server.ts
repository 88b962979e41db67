import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server'

/* The tree of scopes, regardless of visibility. */

/** The scope and its ancestors. */
export async function lineOf(db: Db, id: number | null): Promise<number[]> {
  if (id === null) return []
  // `union` drops duplicates, so a cycle ends the recursion.
  const { rows } = await sql<{ id: number }>`
    with recursive upwards (id, parent_id) as (
      select id, parent_id from scopes where id = ${id}
      union select above.id, above.parent_id from scopes above join upwards on above.id = upwards.parent_id
    ) select id from upwards`.execute(db)
  return rows.map((row) => row.id)
}

import { sql } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import type { Row } from '#lib/undo/changed.server'
import type { Source } from '#lib/undo/resources'

/** The row as it is now, or null. */
export async function presentRow(trx: Trx, source: Source, id: number): Promise<Row | null> {
  const { rows } = await sql<Row>`select * from ${sql.table(source)} where id = ${id}`.execute(trx)
  return rows[0] ?? null
}

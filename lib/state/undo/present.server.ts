import { sql } from 'kysely'
import { chunksOf } from '#lib/db/chunks'
import type { Db } from '#lib/db/db.server'
import type { Row, Source } from '#lib/state/undo/resources'

/** The columns of the id and of the part, where they have other names. */
const keys: Partial<Record<Source, { id: string; part?: string }>> = {
  role_privileges: { id: 'role_id', part: 'privilege' },
}

/** The rows of these ids as they are now. */
export async function presentRows(trx: Db, source: Source, ids: readonly number[]) {
  const { id, part } = keys[source] ?? { id: 'id' }
  const found: { id: number; part: string; row: Row }[] = []
  for (const some of chunksOf(ids)) {
    const { rows } =
      await sql<Row>`select * from ${sql.table(source)} where ${sql.ref(id)} in (${sql.join(some)})`.execute(
        trx,
      )
    found.push(...rows.map((row) => ({ id: Number(row[id]), part: part ? String(row[part]) : '', row })))
  }
  return found
}

/** The row as it is now, or null. */
export async function presentRow(trx: Db, source: Source, id: number): Promise<Row | null> {
  const [present] = await presentRows(trx, source, [id])
  return present?.row ?? null
}

import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server'
import type { Tables } from '#lib/db/tables.server'

type TableWith<Column extends string> = {
  [Table in keyof Tables]: Column extends keyof Tables[Table] ? Table : never
}[keyof Tables]

/** True if a row of one of the tables has this id in the column. */
export async function isReferenced<Column extends string>(
  db: Db,
  { column, id }: { column: Column; id: number },
  tables: readonly TableWith<Column>[],
): Promise<boolean> {
  for (const table of tables) {
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}

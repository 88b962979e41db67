import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '#lib/db/db.server'
import type { Settings } from '#lib/tools/testing/own-database'

/** Overwrites the first page of these tables, or of the file. */
export function damage({ DATA_DIR }: Settings, tables: readonly string[]): void {
  const file = databaseFile(DATA_DIR)
  const db = new DatabaseSync(file)
  const size = Number(db.prepare('pragma page_size').get()?.page_size)
  const pages = tables.map((table) =>
    Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(table)?.rootpage ?? 1),
  )
  db.close()
  const handle = openSync(file, 'r+')
  for (const page of pages) writeSync(handle, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size)
  closeSync(handle)
}

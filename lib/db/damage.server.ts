import { DatabaseSync } from 'node:sqlite'
import { isDamaged } from '#lib/db/dialect.server'

/** SQLITE_CORRUPT, for damage that SQLite only finds when it looks for it. */
class Damaged extends Error {
  readonly code = 'ERR_SQLITE_ERROR'
  readonly errcode = 11
}

/** Checks the pages of a file of SQLite, without comparing indexes with tables. Throws an error that `isDamaged`. */
export function requireSound(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const [state] = Object.values(db.prepare('pragma quick_check(1)').get() ?? {})
    if (state !== 'ok') throw new Damaged(String(state).replaceAll(/\s+/g, ' '))
  } finally {
    db.close()
  }
}

let isKnown = false

/** Remembers that a query of the embedded database met damage. A restart forgets it. */
export function noteFailure(error: unknown): void {
  isKnown ||= isDamaged(error)
}

/** True if a query of this process has met damage in the embedded database. */
export const isKnownDamaged = (): boolean => isKnown

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { database, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'

/** True if a list is still being read in pieces, according to the database. */
export async function isReadInPieces(): Promise<boolean> {
  return env().DATABASE_URL ? postgresReads() : sqliteReads()
}

/** The server's own work, such as a vacuum after many inserts, is active too. */
async function postgresReads(): Promise<boolean> {
  const { rows } = await sql<{ state: string }>`select state from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
      and backend_type = 'client backend'`.execute(database().read)
  return rows.length > 0
}

/** The write-ahead log cannot be checkpointed completely while a reader still needs an older snapshot. */
async function sqliteReads(): Promise<boolean> {
  await transaction((trx) =>
    trx.insertInto('ended_sessions').values({ id: crypto.randomUUID(), expires_at: 0 }).execute(),
  )
  const db = new DatabaseSync(join(env().DATA_DIR, 'console.db'), { timeout: 0 })
  try {
    return db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 1
  } finally {
    db.close()
  }
}

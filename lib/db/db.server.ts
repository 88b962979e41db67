import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, type LogEvent, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { type Engine, isConflict } from '#lib/db/dialect.server'
import { ScanDriver } from '#lib/db/scan.server'
import { LocalDriver, openSqlite, sqliteDialect } from '#lib/db/sqlite.server'
import type { Tables } from '#lib/db/tables'
import { type Env, env } from '#lib/env.server'
import { type Connections, noteQuery, noteRetry } from '#lib/metrics/metrics.server'

/** Where queries run: the database itself, or a transaction. */
export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

export type Database = {
  engine: Engine
  /** For what an index bounds. */
  read: Db
  /** For what may scan. */
  scan: Db
  /** For lists that are read whole: a slow client holds its connection for as long, and only such lists wait for it. */
  stream: Db
  /** Only transactions write. */
  write: Db
  /** Closes what is open beneath: Kysely leaves alone what it was never asked for. */
  close: () => void
}

export function openDatabase(settings: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): Database {
  return settings.DATABASE_URL ? openPostgres(settings.DATABASE_URL) : openEmbedded(settings.DATA_DIR)
}

/** Where the embedded database is. */
export const databaseFile = (dataDir: string): string => join(dataDir, 'console.db')

/** Each query is timed by the connections that it goes through. */
const timed = (connections: Connections) => ({
  log: ({ level, queryDurationMillis }: LogEvent) =>
    noteQuery(connections, level === 'error' ? 'failed' : 'done', queryDurationMillis),
})

function openEmbedded(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true })
  const file = databaseFile(dataDir)
  const writer = openSqlite(file, false)
  const reader = openSqlite(file, true)
  const scan = new Kysely<Tables>({ dialect: sqliteDialect(new ScanDriver(file)), ...timed('scan') })
  return {
    engine: 'sqlite',
    write: new Kysely({
      dialect: sqliteDialect(new LocalDriver(writer, { exclusive: true })),
      ...timed('write'),
    }),
    read: new Kysely({
      dialect: sqliteDialect(new LocalDriver(reader, { exclusive: false })),
      ...timed('read'),
    }),
    scan,
    // Each cursor has a connection of its own there.
    stream: scan,
    close: () => {
      for (const file of [reader, writer]) if (file.isOpen) file.close()
    },
  }
}

/** int8 and numeric (counts and sums) are numbers here: none of ours exceeds 2^53. */
const numeric = new Set([20, 1700])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    numeric.has(oid) && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

function openPostgres(connectionString: string): Database {
  const db = openPool(connectionString, 'read', { connectionTimeoutMillis: 5000, query_timeout: 120_000 })
  // A list takes as long as its reader does: to the driver the whole of it is one query.
  const stream = openPool(connectionString, 'stream', { connectionTimeoutMillis: 60_000 })
  return { engine: 'postgres', read: db, scan: db, write: db, stream, close: () => {} }
}

function openPool(
  connectionString: string,
  connections: Connections,
  patience: Pick<pg.PoolConfig, 'connectionTimeoutMillis' | 'query_timeout'>,
): Db {
  const pool = new pg.Pool({
    connectionString,
    types,
    max: 10,
    ...patience,
    application_name: 'cloud-management-console',
  })
  // Without these a server that restarts would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool, cursor: Cursor }), ...timed(connections) })
}

export async function closeDatabase(database: Database): Promise<void> {
  const { read, scan, stream, write, close } = database
  for (const db of new Set([stream, scan, read, write])) await db.destroy()
  close()
}

const kept = globalThis as typeof globalThis & { __database?: Database }

/** The database of this process, opened at first use. It outlives a reload of modules in development. */
export function database(): Database {
  kept.__database ??= openDatabase(env())
  return kept.__database
}

const ATTEMPTS = 60

/**
 * Runs `work` in one serializable transaction, and again from its start where another transaction won.
 * `work` must have no effect outside the database.
 */
export async function transaction<T>(
  work: (trx: Trx) => Promise<T>,
  { on = database(), again = isConflict }: { on?: Database; again?: (error: unknown) => boolean } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const builder = on.write.transaction()
      return await (on.engine === 'postgres' ? builder.setIsolationLevel('serializable') : builder).execute(
        work,
      )
    } catch (error) {
      if (attempt === ATTEMPTS || !again(error)) throw error
      noteRetry()
      await delay(Math.random() * Math.min(10 * attempt, 250))
    }
  }
}

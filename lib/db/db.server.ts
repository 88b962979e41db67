import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, type LogEvent, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import { makeDataDirectory, makePrivateFile } from '#lib/data-directory.server'
import { type Engine, isConflict } from '#lib/db/dialect.server'
import { Hosts, PrimaryPool, ServerCursor } from '#lib/db/postgres.server'
import { ScanDriver } from '#lib/db/scan.server'
import { LocalDriver, openSqlite, sqliteDialect } from '#lib/db/sqlite.server'
import type { Tables } from '#lib/db/tables.server'
import { type Env, env, SettingError } from '#lib/env.server'
import { type Connections, noteQuery, noteRetry } from '#lib/metrics/metrics.server'
import { traceQuery } from '#lib/metrics/traces.server'

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
  log: ({ level, queryDurationMillis }: LogEvent) => {
    const outcome = level === 'error' ? 'failed' : 'done'
    noteQuery(connections, outcome, queryDurationMillis)
    traceQuery(connections, outcome, queryDurationMillis)
  },
})

/** How much of the file these connections keep: pages are read from everywhere, and written in few places. */
const CACHE_MB = { read: 28, write: 4 }

function openEmbedded(dataDir: string): Database {
  makeDataDirectory(dataDir)
  const file = databaseFile(dataDir)
  if (!existsSync(file)) makePrivateFile(file)
  const writer = openSqlite(file, false, CACHE_MB.write)
  const reader = openSqlite(file, true, CACHE_MB.read)
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

function openPostgres(address: string): Database {
  const hosts = hostsOf(address)
  const { queries, streams } = connectionsOf(env())
  const db = postgres('read', hosts, {
    max: queries,
    connectionTimeoutMillis: 5000,
    // The server ends what takes too long; where it no longer answers, we do.
    statement_timeout: 120_000,
    query_timeout: 125_000,
  })
  // A list takes as long as its reader does: to the driver the whole of it is one query.
  const stream = postgres('stream', hosts, { max: streams, connectionTimeoutMillis: 60_000 })
  return { engine: 'postgres', read: db, scan: db, write: db, stream, close: () => {} }
}

function hostsOf(address: string): Hosts {
  try {
    return new Hosts(address)
  } catch (cause) {
    throw new SettingError(`Setting DATABASE_URL: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

/** What one of so many processes may open, that all of them together open no more than they may. */
function connectionsOf({
  DATABASE_CONNECTIONS,
  WEB_CONCURRENCY,
}: Pick<Env, 'DATABASE_CONNECTIONS' | 'WEB_CONCURRENCY'>): { queries: number; streams: number } {
  const share = Math.floor(DATABASE_CONNECTIONS / WEB_CONCURRENCY)
  const queries = Math.min(10, Math.floor((share * 2) / 3))
  return { queries, streams: Math.min(10, share - queries) }
}

const postgres = (connections: Connections, hosts: Hosts, settings: pg.PoolConfig): Db =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new PrimaryPool(hosts, settings), cursor: ServerCursor }),
    ...timed(connections),
  })

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

/** After so many milliseconds whoever comes next no longer waits for one that takes its time. */
const PATIENCE = 250

const lastInTurn = new WeakMap<Database, Promise<void>>()

/** One after another: all at once they would go on undoing each other. */
function inTurn<T>(on: Database, work: () => Promise<T>): Promise<T> {
  const before = lastInTurn.get(on) ?? Promise.resolve()
  const turn = before.then(work)
  const waited = before.then(() => delay(PATIENCE, undefined, { ref: false }))
  const end = Promise.race<unknown>([turn.catch(() => {}), waited]).then(() => {
    if (lastInTurn.get(on) === end) lastInTurn.delete(on)
  })
  lastInTurn.set(on, end)
  return turn
}

/**
 * Runs `work` in one serializable transaction, and again from its start where another transaction won.
 * `work` must have no effect outside the database.
 */
export async function transaction<T>(
  work: (trx: Trx) => Promise<T>,
  { on = database(), again = isConflict }: { on?: Database; again?: (error: unknown) => boolean } = {},
): Promise<T> {
  const attempt = async () => {
    const builder = on.write.transaction()
    return on.engine === 'postgres'
      ? builder.setIsolationLevel('serializable').execute(work)
      : builder.execute(work)
  }
  const attempts = async () => {
    for (let number = 1; ; number += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (number === ATTEMPTS || !again(error)) throw error
        noteRetry()
        await delay(Math.random() * Math.min(10 * number, 250))
      }
    }
  }
  // As long as some have lost, whoever comes goes behind them.
  if (lastInTurn.has(on)) return inTurn(on, attempts)
  try {
    return await attempt()
  } catch (error) {
    if (!again(error)) throw error
    noteRetry()
    return inTurn(on, attempts)
  }
}

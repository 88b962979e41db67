import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Driver,
  type Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
  type Transaction,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Engine, isConflict, isLockTimeout, turnIn } from '#lib/db/dialect.server'
import { Hosts, PastPool, PipelinedPool, PrimaryPool, ServerCursor } from '#lib/db/postgres.server'
import { ScanDriver } from '#lib/db/scan.server'
import { requireWritableSchema } from '#lib/db/schema.server'
import { DirectReads, openSqlite, sqliteDialect } from '#lib/db/sqlite.server'
import { together } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'
import { DirectWrites } from '#lib/db/transactions.server'
import { WriteDriver } from '#lib/db/writer.server'
import { makeDataDirectory, makePrivateFile } from '#lib/ground/data-directory.server'
import { type Env, env, SettingError } from '#lib/ground/env.server'
import { type Connections, noteQuery, noteRetry } from '#lib/ground/metrics/metrics.server'
import { traceQuery } from '#lib/ground/metrics/traces.server'

/** Where queries run: the database itself, or a transaction. */
export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

export type Database = {
  engine: Engine
  /** For queries whose cost an index bounds. */
  read: Db
  /** For queries that may scan a table. */
  scan: Db
  /** For full exports: a slow client holds its connection, and only other exports wait for it. */
  stream: DirectWrites<Tables>
  /** For transactions, which alone write. */
  write: DirectWrites<Tables>
  /** The rows as they were at a moment, only to be read (journal.server.ts). */
  at: (moment: number) => DirectWrites<Tables>
  /** The moment that this database shows; undefined: now. */
  moment?: number
  /** Closes the files. Kysely does not close a connection that it has never used. */
  close: () => void
}

export function openDatabase(settings: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): Database {
  return settings.DATABASE_URL ? openPostgres(settings.DATABASE_URL) : openEmbedded(settings.DATA_DIR)
}

/** Where the embedded database is. */
export const databaseFile = (dataDir: string): string => join(dataDir, 'console.db')

/** Reports the time of a query for its group of connections. */
const reportOf = (connections: Connections) => (outcome: 'done' | 'failed', ms: number) => {
  noteQuery(connections, outcome, ms)
  traceQuery(connections, outcome, ms)
}

const timed = (connections: Connections) => {
  const report = reportOf(connections)
  return {
    log: ({ level, queryDurationMillis }: LogEvent) =>
      report(level === 'error' ? 'failed' : 'done', queryDurationMillis),
  }
}

/** Page caches of the connections. Reads touch the whole file, writes few pages. */
const CACHE_MB = { read: 28, write: 4 }

function openEmbedded(dataDir: string): Database {
  makeDataDirectory(dataDir)
  const file = databaseFile(dataDir)
  if (!existsSync(file)) makePrivateFile(file)
  const scans = new ScanDriver(file)
  // The past of a long list takes seconds, and present lists do not wait for it.
  const pasts = new ScanDriver(file)
  const openReader = () => openSqlite(file, true, CACHE_MB.read)
  const openWriter = () => openSqlite(file, false, CACHE_MB.write)
  const whileAlone = async (work: () => void) => {
    await Promise.all([scans.destroy(), pasts.destroy()])
    if (reader.isOpen) reader.close()
    try {
      work()
    } finally {
      reader = openReader()
      read.use(reader)
    }
  }
  const writer = new WriteDriver({ open: openWriter, whileAlone }, () => scans.checkpoint())
  let reader = openReader()
  const read = new DirectReads<Tables>(reader, reportOf('read'))
  const scan = sqlite('scan', scans)
  return {
    engine: 'sqlite',
    write: sqlite('write', writer),
    read,
    scan,
    // Each cursor has its own connection in the scan thread.
    stream: scan,
    at: (moment) => sqlite('scan', pasts.at(moment)),
    close: () => {
      void pasts.destroy()
      if (reader.isOpen) reader.close()
      writer.close()
    },
  }
}

const sqlite = (connections: Connections, driver: Driver) =>
  new DirectWrites<Tables>({ dialect: sqliteDialect(driver), driver, ...timed(connections) })

function openPostgres(address: string): Database {
  const hosts = hostsOf(address)
  const { queries, streams } = connectionsOf(env())
  const settings = {
    connectionTimeoutMillis: 5000,
    // The server ends long queries. The driver does if the server no longer answers.
    statementTimeout: 120_000,
    query_timeout: 125_000,
  }
  const read = postgres('read', new PipelinedPool(hosts, settings))
  const db = postgres('write', new PrimaryPool(hosts, { ...settings, max: queries - 1, pipeline: true }))
  // No query timeout: to the driver a full export is one query, which takes as long as its reader.
  const streamPool = new PrimaryPool(hosts, { max: streams, connectionTimeoutMillis: 60_000 })
  return {
    engine: 'postgres',
    read,
    scan: db,
    write: db,
    stream: postgres('stream', streamPool),
    at: (moment) => postgres('stream', new PastPool(streamPool, moment)),
    close: () => {},
  }
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

/** This process's share of DATABASE_CONNECTIONS. */
function connectionsOf({
  DATABASE_CONNECTIONS,
  WEB_CONCURRENCY,
}: Pick<Env, 'DATABASE_CONNECTIONS' | 'WEB_CONCURRENCY'>): { queries: number; streams: number } {
  const share = Math.floor(DATABASE_CONNECTIONS / WEB_CONCURRENCY)
  const queries = Math.min(10, Math.floor((share * 2) / 3))
  return { queries, streams: Math.min(10, share - queries) }
}

const postgres = (connections: Connections, pool: PostgresPool) =>
  new DirectWrites<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    driver: new PostgresDriver({ pool, cursor: ServerCursor }),
    pipelined: true,
    ...timed(connections),
  })

export async function closeDatabase(database: Database): Promise<void> {
  const { read, scan, stream, write, close } = database
  for (const db of new Set([stream, scan, read, write])) await db.destroy()
  close()
}

const shared = globalThis as typeof globalThis & { __database?: Database }

const past = new AsyncLocalStorage<Database>()
const pastOnes = new WeakSet<Db>()

/** True for a database as it was. A streamed list is read after the work of `inPast`, and knows its database alone. */
export const isPast = (db: Db): boolean => pastOnes.has(db)

/**
 * The database of this process, opened at first use, or the database as it was (`inPast`). It outlives a reload of modules in
 * development.
 */
export function database(): Database {
  const then = past.getStore()
  if (then) return then
  shared.__database ??= openDatabase(env())
  return shared.__database
}

/** Runs `work`, in which all queries read the rows as they were at a moment (microseconds since 1970) and nothing can be written. */
export function inPast<T>(moment: number, work: (db: Db) => Promise<T>): Promise<T> {
  const now = database()
  const read = now.at(moment)
  const then = { ...now, read, scan: read, stream: read, write: read, moment }
  pastOnes.add(read)
  return past.run(then, () => work(read))
}

const ATTEMPTS = 60

/** A transaction that runs longer than this (ms) no longer blocks the queue behind it. */
const PATIENCE = 250

/** Time (ms) after a conflict in which the transactions of its lane queue. */
const CAUTION = 1000

/**
 * Transactions that often conflict run one after another: all at once, they would keep aborting each other. In this process they queue.
 * The first of each process waits for a lock of PostgreSQL.
 */
class Lane {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #until = 0

  get isBusy(): boolean {
    return this.#waiting > 0 || performance.now() < this.#until
  }

  /** Queues the transactions of this lane for a while. */
  noteConflict(): void {
    noteRetry()
    this.#until = performance.now() + CAUTION
  }

  queued<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    const turn = this.#last.then(work)
    const waited = this.#last.then(() => delay(PATIENCE, undefined, { ref: false }))
    const ended = turn.then(
      () => {},
      () => {},
    )
    this.#last = Promise.race<unknown>([ended, waited]).finally(() => {
      this.#waiting -= 1
    })
    return turn
  }
}

const lanes = new WeakMap<Database, LRUCache<string, Lane>>()

function laneOf(on: Database, name: string): Lane {
  const own = lanes.get(on) ?? new LRUCache({ max: 1000 })
  lanes.set(on, own)
  const lane = own.get(name) ?? new Lane()
  own.set(name, lane)
  return lane
}

/** A transaction that waited for a connection while others of its lane came into conflict. */
class MustQueue extends Error {}

type Transacting = {
  on?: Database
  /** True for errors after which `work` runs again. */
  again?: (error: unknown) => boolean
  /** For long work: SQLite commits earlier transactions first, so that they do not wait for this commit. */
  alone?: boolean
  attempts?: number
  /** Ends the transaction: the work fails with its reason at the next statement. */
  signal?: AbortSignal
  /** Names transactions that may change the same rows. After a conflict they queue. */
  lane?: string
  /** For migrations, which alone may write a schema that is not this program's. */
  anySchema?: boolean
}

/**
 * Runs `work` in one serializable transaction, and retries it if another transaction won. `work` must have no effect outside the
 * database.
 */
export async function transaction<T>(
  work: (trx: Trx) => Promise<T>,
  {
    on = database(),
    again = isConflict,
    alone = false,
    attempts: most = ATTEMPTS,
    lane = '',
    anySchema = false,
    signal,
  }: Transacting = {},
): Promise<T> {
  const allowed = async (trx: Trx) => {
    if (anySchema) return work(trx)
    const writable = requireWritableSchema(trx, on.engine)
    // Its refusal comes before any other, but the work does not wait for it.
    writable.catch(() => {})
    try {
      return await work(trx)
    } finally {
      await writable
    }
  }
  // The writer of SQLite is serializable, and takes the level as the wish to be alone.
  const settings = on.engine === 'postgres' || alone ? { isolationLevel: 'serializable' as const } : {}
  const own = laneOf(on, lane)
  const inTurn = async (trx: Trx) => {
    const [, result] = await together(turnIn(lane, PATIENCE).execute(trx), allowed(trx))
    return result
  }
  const attempts = async () => {
    const takesTurns = on.engine === 'postgres' && !anySchema
    let waitsForTurn = takesTurns
    for (let number = 1; ; number += 1) {
      try {
        return await on.write.inTransaction(settings, waitsForTurn ? inTurn : allowed, { signal })
      } catch (error) {
        if (waitsForTurn && isLockTimeout(error)) {
          waitsForTurn = false
          continue
        }
        if (number === most || !again(error)) throw error
        own.noteConflict()
        waitsForTurn = takesTurns
        await delay(Math.random() * Math.min(10 * number, 250))
      }
    }
  }
  const requireNoQueue = () => {
    if (own.isBusy) throw new MustQueue()
  }
  try {
    requireNoQueue()
    return await on.write.inTransaction(settings, allowed, { onTurn: requireNoQueue, signal })
  } catch (error) {
    if (!(error instanceof MustQueue)) {
      if (!again(error)) throw error
      own.noteConflict()
    }
    return own.queued(attempts)
  }
}

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

type Value = null | number | bigint | string | Uint8Array

/** Opens the file as every connection to it must be: durable at each commit, references checked, read beside a writer. */
export function openSqlite(file: string, readOnly: boolean, cacheMb: number): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: 50 })
  if (!readOnly) db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec(`pragma cache_size = -${cacheMb * 1024}; pragma temp_store = memory`)
  return db
}

/** Without columns it gives no rows. They come as arrays: SQLite would make objects at twice the price. */
type Prepared = { statement: StatementSync; columns: string[] }

/** Prepared statements of one connection, the most recently used kept. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #kept = new Map<string, Prepared>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  #prepare(sql: string): Prepared {
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    return { statement, columns: statement.columns().map(({ name }) => name) }
  }

  #prepared(sql: string): Prepared {
    const prepared = this.#kept.get(sql) ?? this.#prepare(sql)
    this.#kept.delete(sql)
    this.#kept.set(sql, prepared)
    if (this.#kept.size > 300) this.#kept.delete(this.#kept.keys().next().value ?? '')
    return prepared
  }

  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    const { statement, columns } = this.#prepared(sql)
    const values = parameters as Value[]
    if (columns.length > 0) {
      const rows = statement.all(...values) as unknown as Value[][]
      return { rows: rows.map((row) => rowOf(columns, row)) }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

function rowOf(columns: readonly string[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {}
  for (const [index, name] of columns.entries()) row[name] = values[index] ?? null
  return row
}

/** A connection of this thread. Its statements run at once, so only what is bounded by an index may go through it. */
class LocalConnection implements DatabaseConnection {
  readonly #statements: Statements

  constructor(db: DatabaseSync) {
    this.#statements = new Statements(db)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#statements.run(sql, parameters) as QueryResult<R>
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error(
      'A stream would hold the snapshot of the shared connection: stream on the scan connection',
    )
  }
}

/** One writer at a time: whoever comes later waits here instead of blocking the thread on the file's lock. */
export class LocalDriver implements Driver {
  readonly #connection: LocalConnection
  readonly #db: DatabaseSync
  readonly #exclusive: boolean
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(db: DatabaseSync, { exclusive }: { exclusive: boolean }) {
    this.#db = db
    this.#exclusive = exclusive
    this.#connection = new LocalConnection(db)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#exclusive) return this.#connection
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    this.#release = resolve
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async beginTransaction(): Promise<void> {
    // A full disk may have refused the end of the one before.
    await this.rollbackTransaction()
    this.#db.exec('begin immediate')
  }

  async commitTransaction(): Promise<void> {
    this.#db.exec('commit')
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#db.isTransaction) this.#db.exec('rollback')
  }

  async destroy(): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }
}

/** Kysely would let one query at a time through to SQLite: a search would wait for whoever reads a list slowly. */
class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely's SQLite over any driver of ours; what must wait for what is the driver's business. */
export const sqliteDialect = (driver: Driver): Dialect => ({
  createAdapter: () => new ConcurrentAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

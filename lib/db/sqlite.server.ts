import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { noteFailure } from '#lib/db/damage.server'

type Value = null | number | bigint | string | Uint8Array

/** Opens the file: commits are durable, foreign keys are checked, and readers do not wait for a writer. */
export function openSqlite(file: string, readOnly: boolean, cacheMb: number): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true, timeout: 50 })
  if (!readOnly) db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec(`pragma cache_size = -${cacheMb * 1024}; pragma temp_store = memory`)
  return db
}

/** A statement without columns returns no rows. Rows are read as arrays: SQLite takes twice as long to make objects. */
type Prepared = { statement: StatementSync; columns: string[] }

const namesOf = (statement: StatementSync): string[] => statement.columns().map(({ name }) => name)

/** An LRU cache of the prepared statements of one connection. */
export class Statements {
  #db: DatabaseSync
  readonly #cached = new Map<string, Prepared>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Goes on with another connection. */
  use(db: DatabaseSync): void {
    this.#db = db
    this.#cached.clear()
  }

  #prepare(sql: string): Prepared {
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    return { statement, columns: namesOf(statement) }
  }

  #prepared(sql: string): Prepared {
    const prepared = this.#cached.get(sql) ?? this.#prepare(sql)
    this.#cached.delete(sql)
    this.#cached.set(sql, prepared)
    if (this.#cached.size > 300) this.#cached.delete(this.#cached.keys().next().value ?? '')
    return prepared
  }

  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    try {
      return this.#run(sql, parameters)
    } catch (error) {
      noteFailure(error)
      throw error
    }
  }

  #run(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    const prepared = this.#prepared(sql)
    const { statement } = prepared
    const values = parameters as Value[]
    if (prepared.columns.length > 0) {
      const rows = statement.all(...values) as unknown as Value[][]
      // `select *` has more columns if another connection has migrated since.
      if (rows[0] && rows[0].length !== prepared.columns.length) prepared.columns = namesOf(statement)
      return { rows: rows.map((row) => rowOf(prepared.columns, row)) }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

function rowOf(columns: readonly string[], values: readonly Value[]): Record<string, Value> {
  const row: Record<string, Value> = {}
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index] ?? null
  return row
}

/** A connection on this thread, which each query blocks. Only queries whose cost an index bounds may use it. */
export class LocalConnection implements DatabaseConnection {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
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

/** One connection for all reads, which never wait. */
export class ReadDriver implements Driver {
  readonly #db: DatabaseSync
  readonly #connection: LocalConnection

  constructor(db: DatabaseSync, statements: Statements) {
    this.#db = db
    this.#connection = new LocalConnection(statements)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('Only the write connection has transactions')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }
}

/** Kysely sends SQLite one query at a time by default: a search would wait for a slow reader of a full export. */
class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Of `limit ?` alone SQLite's planner reads the value, and prepares the statement again at each execution. */
class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(limit)
    this.append(' as integer)')
  }
}

/** Kysely's SQLite dialect over one of our drivers, which decide which statements wait. */
export const sqliteDialect = (driver: Driver): Dialect => ({
  createAdapter: () => new ConcurrentAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new PlannedOnceCompiler(),
})

/** Called with the outcome of each query and the time that it took (ms). */
type Report = (outcome: 'done' | 'failed', ms: number) => void

/** Compiled queries skip Kysely's executor, whose promises took longer than a small query. */
export class DirectReads<Tables> extends Kysely<Tables> {
  readonly #statements: Statements
  readonly #report: Report

  constructor(db: DatabaseSync, report: Report) {
    const statements = new Statements(db)
    super({
      dialect: sqliteDialect(new ReadDriver(db, statements)),
      log: ({ level, queryDurationMillis }) =>
        report(level === 'error' ? 'failed' : 'done', queryDurationMillis),
    })
    this.#statements = statements
    this.#report = report
  }

  /** Goes on with another connection. */
  use(db: DatabaseSync): void {
    this.#statements.use(db)
  }

  override async executeQuery<R>(query: CompiledQuery<R> | Compilable<R>): Promise<QueryResult<R>> {
    const { sql, parameters } = 'compile' in query ? query.compile() : query
    const began = performance.now()
    let outcome: 'done' | 'failed' = 'failed'
    try {
      const result = this.#statements.run(sql, parameters)
      outcome = 'done'
      return result as QueryResult<R>
    } finally {
      this.#report(outcome, performance.now() - began)
    }
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import { isReadOnly, LostRace } from '#lib/db/dialect.server'
import { lastSqliteMoment } from '#lib/db/journal.server'
import { LocalConnection, Statements } from '#lib/db/sqlite.server'

/*
 * Group commit. A commit waits for the disk, which takes longer than the work of most transactions. So transactions in the queue of the one
 * writer share a transaction of the file, each as a savepoint in it, and all of them end with its commit.
 */

/** A group ends once no other caller waits, or with the member that makes it this large or this old (ms). */
const MOST_MEMBERS = 32
const OLDEST = 20

/** Pages of the write-ahead log from which on a commit copies it into the file: SQLite's default. */
const LOG_PAGES = 1000

/** Microseconds since 1970. */
const CLOCK = `select cast(round(unixepoch('subsec') * 1000) as integer) * 1000 as now`

const DATA_VERSION = 'pragma data_version'

type Group = { began: number; members: number; committed: PromiseWithResolvers<void> }

/** The work of the driver around the statements of a turn. */
type Around = {
  beforeSingle: () => void
  /** True if the driver itself has executed the statement. */
  takesBackTrial: (sql: string) => boolean
  failed: (error: unknown) => void
}

/** Opens a connection, and runs work while the process has no other connection to the file. */
type WriterConnections = {
  open: () => DatabaseSync
  whileAlone: (work: () => void) => Promise<void>
}

/** The turn of one caller at the writer. */
class Turn extends LocalConnection {
  isOver = false
  isInTransaction = false
  readonly #around: Around

  constructor(statements: Statements, around: Around) {
    super(statements)
    this.#around = around
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.isInTransaction) this.#around.beforeSingle()
    if (this.#around.takesBackTrial(query.sql)) return { rows: [] }
    try {
      return await super.executeQuery<R>(query)
    } catch (error) {
      this.#around.failed(error)
      throw error
    }
  }
}

const turnOf = (connection: DatabaseConnection): Turn => {
  if (!(connection instanceof Turn)) throw new Error('The connection is of another driver')
  return connection
}

/** One writer at a time: the others queue here rather than block the thread on the file's lock. */
export class WriteDriver implements Driver {
  #db: DatabaseSync
  readonly #connections: WriterConnections
  readonly #statements: Statements
  #dataVersion: StatementSync
  #clock: StatementSync
  #isReadOnly = false
  readonly #queue: (() => void)[] = []
  #isTaken = false
  #group: Group | undefined
  #moment = 0
  /** SQLite's data_version when this writer last read the last moment of the file. */
  #momentRead: unknown
  #isLong = false
  #changesAtBegin = 0
  #isTrialFirst = false
  readonly #checkpoint: () => Promise<unknown>

  /** `checkpoint` copies the write-ahead log into the file on another thread. */
  constructor(connections: WriterConnections, checkpoint: () => Promise<unknown>) {
    this.#connections = connections
    this.#db = this.#opened()
    this.#checkpoint = checkpoint
    this.#statements = new Statements(this.#db)
    this.#dataVersion = this.#db.prepare(DATA_VERSION)
    this.#clock = this.#db.prepare(CLOCK)
  }

  #opened(): DatabaseSync {
    const db = this.#connections.open()
    // The triggers of the journal ask for it (journal.server.ts).
    db.function('journal_moment', () => this.#moment)
    db.function('next_journal_moment', () => {
      this.#nextMoment()
      return this.#moment
    })
    return db
  }

  /** A connection that was opened on a read-only disk never writes, even if the disk is writable by now. */
  async #reopen(): Promise<void> {
    this.#isReadOnly = false
    await this.#connections.whileAlone(() => {
      this.close()
      this.#db = this.#opened()
      this.#statements.use(this.#db)
      this.#dataVersion = this.#db.prepare(DATA_VERSION)
      this.#clock = this.#db.prepare(CLOCK)
      this.#momentRead = undefined
    })
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#isTaken = true
    return new Turn(this.#statements, {
      beforeSingle: () => this.#endGroup(),
      takesBackTrial: (sql) => this.#takesBackTrial(sql),
      failed: (error) => {
        this.#isReadOnly ||= isReadOnly(error)
      },
    })
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const turn = turnOf(connection)
    if (turn.isOver) return
    if (this.#queue.length === 0) this.#endGroup()
    this.#endTurn(turn)
  }

  /** A transaction with an isolation level shares no commit with earlier ones. */
  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel }: TransactionSettings = {},
  ): Promise<void> {
    if (this.#isReadOnly && !this.#group) await this.#reopen()
    if (isolationLevel) this.#beginLong()
    this.#group ??= this.#beginGroup()
    this.#nextMoment()
    this.#db.exec('savepoint member')
    if (this.#isLong) this.#changesAtBegin = this.#changes()
    turnOf(connection).isInTransaction = true
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = turnOf(connection)
    const group = this.#group
    if (!group) throw new LostRace('Another transaction of the group ended it')
    this.#db.exec('release member')
    turn.isInTransaction = false
    group.members += 1
    const isFull = group.members >= MOST_MEMBERS || performance.now() - group.began > OLDEST
    if (isFull) this.#endGroup()
    else {
      this.#endTurn(turn)
      // Requests that have arrived meanwhile join the group.
      setImmediate(() => this.#isTaken || this.#endGroup())
    }
    await group.committed.promise
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = turnOf(connection)
    if (!turn.isInTransaction) return
    turn.isInTransaction = false
    // SQLite itself rolls back the whole transaction if the disk is full, for example.
    if (this.#db.isTransaction) this.#db.exec('rollback to member; release member')
    else this.#group?.committed.reject(new LostRace('SQLite rolled back the group'))
    if (!this.#db.isTransaction) this.#group = undefined
  }

  async destroy(): Promise<void> {
    if (!this.#db.isOpen) return
    this.#endGroup()
    this.close()
  }

  /** The commit of long work leaves the log to the other thread: copying it takes a tenth of a second. */
  #beginLong(): void {
    this.#endGroup()
    this.#isLong = true
    this.#db.exec('pragma wal_autocheckpoint = 0')
  }

  /**
   * A trial (savepoints.server.ts) before which long work has written nothing: rolling back the whole transaction takes a tenth of the time
   * of restoring each page, which the commit would write, too.
   */
  #takesBackTrial(sql: string): boolean {
    if (!this.#isLong || this.#group?.members !== 0) return false
    if (sql === 'savepoint trial') this.#isTrialFirst = this.#changes() === this.#changesAtBegin
    if (sql !== 'rollback to savepoint trial' || !this.#isTrialFirst) return false
    this.#db.exec('rollback')
    this.#begin()
    this.#nextMoment()
    this.#db.exec('savepoint member; savepoint trial')
    return true
  }

  #changes(): number {
    return Number({ ...this.#db.prepare('select total_changes() as changes').get() }.changes)
  }

  #endLong(): void {
    if (!this.#isLong) return
    this.#isLong = false
    const copyAgain = () => {
      if (!this.#isLong && this.#db.isOpen) this.#db.exec(`pragma wal_autocheckpoint = ${LOG_PAGES}`)
    }
    const { log, checkpointed } = { ...this.#db.prepare('pragma wal_checkpoint(noop)').get() }
    // If the other thread fails, the next commit copies the log.
    if (Number(log) - Number(checkpointed) > LOG_PAGES)
      void this.#checkpoint()
        .catch(() => {})
        .then(copyAgain)
    else copyAgain()
  }

  #beginGroup(): Group {
    // A full disk may have prevented the end of the transaction before.
    if (this.#db.isTransaction) this.#db.exec('rollback')
    this.#begin()
    const committed = Promise.withResolvers<void>()
    // No member waits for a group whose members are all rolled back.
    committed.promise.catch(() => {})
    return { began: performance.now(), members: 0, committed }
  }

  /** Other processes may have written meanwhile, or this one may have restarted. */
  #begin(): void {
    this.#db.exec('begin immediate')
    const version = this.#dataVersion.get()?.data_version
    if (version === this.#momentRead) return
    const last = lastSqliteMoment(this.#db)
    if (last === undefined) return
    this.#moment = Math.max(this.#moment, last)
    this.#momentRead = version
  }

  /** The clock of the database, as on PostgreSQL. A clock that was set back must not put a later change before an earlier one. */
  #nextMoment(): void {
    this.#moment = Math.max(Number(this.#clock.get()?.now), this.#moment + 1)
  }

  #endGroup(): void {
    const group = this.#group
    this.#group = undefined
    if (!group) return
    try {
      this.#db.exec('commit')
      group.committed.resolve()
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback')
      group.committed.reject(error)
    }
    this.#endLong()
  }

  #endTurn(turn: Turn): void {
    turn.isOver = true
    const next = this.#queue.shift()
    if (next) next()
    else this.#isTaken = false
  }
}

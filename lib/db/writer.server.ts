import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import { LostRace } from '#lib/db/dialect.server'
import { LocalConnection, Statements } from '#lib/db/sqlite.server'

/*
 * Group commit. A commit waits for the disk, which takes longer than the work of most transactions. So transactions that queue for the
 * one writer share a transaction of the file, each as a savepoint in it, and all of them end with its commit.
 */

/** A group ends once no other caller waits, or with the member that makes it this large or this old (ms). */
const MOST_MEMBERS = 32
const OLDEST = 20

type Group = { began: number; members: number; committed: PromiseWithResolvers<void> }

/** The turn of one caller at the writer. */
class Turn extends LocalConnection {
  isOver = false
  isInTransaction = false
  readonly #beforeSingle: () => void

  constructor(statements: Statements, beforeSingle: () => void) {
    super(statements)
    this.#beforeSingle = beforeSingle
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.isInTransaction) this.#beforeSingle()
    return super.executeQuery<R>(query)
  }
}

const turnOf = (connection: DatabaseConnection): Turn => {
  if (!(connection instanceof Turn)) throw new Error('The connection is of another driver')
  return connection
}

/** One writer at a time: the others queue here rather than block the thread on the file's lock. */
export class WriteDriver implements Driver {
  readonly #db: DatabaseSync
  readonly #statements: Statements
  readonly #queue: (() => void)[] = []
  #isTaken = false
  #group: Group | undefined
  #moment = 0

  constructor(db: DatabaseSync) {
    this.#db = db
    // The triggers of the journal ask for it (journal.server.ts).
    db.function('journal_moment', () => this.#moment)
    this.#statements = new Statements(db)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#isTaken = true
    return new Turn(this.#statements, () => this.#endGroup())
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const turn = turnOf(connection)
    if (turn.isOver) return
    if (this.#queue.length === 0) this.#endGroup()
    this.#endTurn(turn)
  }

  /** A transaction with an isolation level shares no commit with those before it. */
  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel }: TransactionSettings = {},
  ): Promise<void> {
    if (isolationLevel) this.#endGroup()
    this.#group ??= this.#beginGroup()
    this.#moment = Math.max(Date.now() * 1000, this.#moment + 1)
    this.#db.exec('savepoint member')
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
    this.#db.close()
  }

  #beginGroup(): Group {
    // A full disk may have prevented the end of the transaction before.
    if (this.#db.isTransaction) this.#db.exec('rollback')
    this.#db.exec('begin immediate')
    const committed = Promise.withResolvers<void>()
    // A group whose members are all rolled back has nobody who waits.
    committed.promise.catch(() => {})
    return { began: performance.now(), members: 0, committed }
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
  }

  #endTurn(turn: Turn): void {
    turn.isOver = true
    const next = this.#queue.shift()
    if (next) next()
    else this.#isTaken = false
  }
}

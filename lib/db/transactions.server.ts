import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type KyselyConfig,
  type QueryExecutor,
  type QueryResult,
  Transaction,
  type TransactionSettings,
} from 'kysely'
import { isAborted } from '#lib/db/dialect.server'
import { together } from '#lib/db/statements.server'

type Options = {
  dialect: Omit<Dialect, 'createDriver'>
  driver: Driver
  /** Statements that do not wait for each other travel together, the first reads with the beginning of the transaction. */
  pipelined?: boolean
  log: NonNullable<KyselyConfig['log']>
}

/** Transactions whose statements skip Kysely's executor, whose promises took longer than a small statement. */
export class DirectWrites<Tables> extends Kysely<Tables> {
  readonly #dialect: Dialect
  readonly #driver: Driver
  readonly #isPipelined: boolean

  constructor({ dialect: given, driver, pipelined = false, log }: Options) {
    const dialect = { ...given, createDriver: () => driver }
    super({ dialect, log })
    this.#dialect = dialect
    this.#driver = driver
    this.#isPipelined = pipelined
  }

  /**
   * Runs work in one transaction, which is rolled back if it fails. `onTurn` may throw once there is a connection. After the signal no statement
   * runs, so that the work fails with its reason.
   */
  inTransaction<T>(
    settings: TransactionSettings,
    work: (trx: Transaction<Tables>) => Promise<T>,
    { onTurn, signal }: { onTurn?: () => void; signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const dialect = this.#dialect
    const driver = this.#driver
    const whole = this.getExecutor()
    return whole.provideConnection(async (connection) => {
      onTurn?.()
      const begun = driver.beginTransaction(connection, settings)
      if (!this.#isPipelined) await begun
      const executor = new TransactionExecutor(whole, { connection, begun, signal })
      const trx = new Transaction<Tables>({ config: { dialect }, dialect, driver, executor })
      const lastOnes: Promise<unknown>[] = []
      last.set(trx, lastOnes)
      try {
        const result = await work(trx)
        await begun
        if (!this.#isPipelined || executor.wentBack) await together(...lastOnes)
        executor.isOver = true
        await together(...lastOnes, driver.commitTransaction(connection))
        return result
      } catch (error) {
        executor.isOver = true
        await begun.catch(() => {})
        // A connection that cannot roll back is lost, and with it the transaction.
        await driver.rollbackTransaction(connection).catch(() => {})
        // What failed after one of these statements may have failed because of it.
        await together(...lastOnes)
        throw isAborted(error) ? (executor.failure ?? error) : error
      }
    })
  }
}

const last = new WeakMap<object, Promise<unknown>[]>()

/** Lets the commit follow a statement that has been sent, without waiting for its outcome. If it fails, so does the transaction. */
export async function commitAfter(trx: object, statement: Promise<unknown>): Promise<void> {
  const lastOnes = last.get(trx)
  if (!lastOnes) await statement
  statement.catch(() => {})
  lastOnes?.push(statement)
}

/** Statements that leave before the transaction has begun: if it does not begin, they have changed nothing. */
const HARMLESS = /^(select|lock|set local) /

type Beginning = { connection: DatabaseConnection; begun: Promise<void>; signal: AbortSignal | undefined }

/** The statements of one transaction, in their order. */
class TransactionExecutor extends DefaultQueryExecutor {
  isOver = false
  /** True after a return to a savepoint, which heals a transaction that a statement has failed. */
  wentBack = false
  /** The last failure that is not only the consequence of another one. */
  failure: unknown
  readonly #connection: DatabaseConnection
  readonly #signal: AbortSignal | undefined
  #begun: Promise<void> | undefined
  #mayLeave = true

  constructor(whole: QueryExecutor, { connection, begun, signal }: Beginning) {
    super(whole, whole.adapter, { provideConnection: (consumer) => consumer(connection) })
    this.#connection = connection
    this.#signal = signal
    this.#begun = begun
    begun.then(
      () => {
        this.#begun = undefined
      },
      () => {},
    )
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#signal?.throwIfAborted()
    this.wentBack ||= query.sql.startsWith('rollback to ')
    try {
      return await this.#execute(query)
    } catch (error) {
      if (!isAborted(error)) this.failure = error
      throw error
    }
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isOver) throw new Error('The transaction is over')
    const begun = this.#begun
    if (!begun) return this.#connection.executeQuery<R>(query)
    this.#mayLeave &&= HARMLESS.test(query.sql)
    if (!this.#mayLeave) await begun
    if (this.isOver) throw new Error('The transaction is over')
    const result = await this.#connection.executeQuery<R>(query)
    await begun
    return result
  }
}

import { EventEmitter, once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { PostgresPool } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { statementName } from '#lib/db/statements.server'
import { log } from '#lib/ground/log.server'
import { hostAddresses } from '#lib/ground/net/hosts'

/** int8 and numeric (counts and sums) are parsed as numbers: none exceeds 2^53. */
const numeric = new Set([20, 1700])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    numeric.has(oid) && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

const application_name = 'cloud-management-console'

/** The host is read-only: a replica, or a primary that is still starting. */
class NoPrimary extends Error {
  /** sqlclient_unable_to_establish_sqlconnection: a read-only host counts as unreachable. */
  readonly code = '08001'
}

/** Throws NoPrimary (the same check as libpq's target_session_attrs=read-write). */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off') throw new NoPrimary('The database only reads')
}

/** Time (ms) in which a host must answer whether it is the primary. */
const PATIENCE = 3000

async function requirePrimaryAt(connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    application_name,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await requirePrimary(client)
  } finally {
    client.end().catch(() => {})
  }
}

/** From this silence (ms) of a connection on, the hosts are asked so often (ms). */
const SILENCE = 1000

/** Time (ms) after which a host that has not answered is given up if another one is the primary. */
const GIVEN_UP = 1500

/** The last answer of a host, and the time since which a query is unanswered. */
type Answer = { isPrimary: boolean; isAsked: boolean; silentSince: number | undefined }

const unasked: Answer = { isPrimary: false, isAsked: false, silentSince: undefined }

/**
 * The hosts of a database, one of which is the primary. Throws if the address is malformed. A stopped or disconnected primary closes no
 * connection. So while a connection is silent, all hosts are asked for their role. If another host is the primary, the silent connection is
 * closed.
 */
export class Hosts {
  readonly addresses: readonly string[]
  /** Index of the last known primary. */
  primary = 0
  /** The connections to each host, including those being opened. */
  readonly clients: readonly Set<WatchedClient>[]
  readonly #answers: Answer[]
  readonly #moves = new EventEmitter().setMaxListeners(0)
  #search: Promise<number> | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(address: string) {
    this.addresses = hostAddresses(address)
    // Also reads the files that the address names, such as certificates.
    for (const connectionString of this.addresses) new pg.Client({ connectionString })
    this.clients = this.addresses.map(() => new Set())
    this.#answers = this.addresses.map(() => ({ ...unasked }))
  }

  /** Watches until `end`. With one host there is no choice. */
  watch(): void {
    if (this.addresses.length > 1) this.#watch ??= setInterval(() => this.#askIfSilent(), SILENCE).unref()
  }

  end(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  /** Rejects when another host becomes the primary before the connection is there. */
  async unlessMoved<T>(connecting: Promise<T>, tooLate: (connected: T) => void): Promise<T> {
    const gone = new AbortController()
    const moved = once(this.#moves, 'move', { signal: gone.signal }).then(() => {
      throw new NoPrimary('Another host is the primary')
    })
    try {
      return await Promise.race([connecting, moved])
    } catch (error) {
      connecting.then(tooLate, () => {})
      throw error
    } finally {
      gone.abort()
    }
  }

  #askIfSilent(): void {
    const isSilent = [...(this.clients[this.primary] ?? [])].some((client) => client.silence() >= SILENCE)
    for (const [index, answer] of this.#answers.entries())
      if (isSilent) void this.#ask(index)
      else if (!answer.isAsked) Object.assign(answer, unasked)
  }

  async #ask(index: number): Promise<void> {
    const answer = this.#answers[index]
    if (!answer) return
    if (!answer.isAsked) {
      answer.isAsked = true
      answer.silentSince ??= performance.now()
      const failure = await requirePrimaryAt(this.addresses[index] ?? '').catch((error: unknown) => error)
      answer.isAsked = false
      answer.isPrimary = failure === undefined
      if (failure === undefined || failure instanceof NoPrimary) answer.silentSince = undefined
    }
    this.#leaveIfGone()
  }

  #leaveIfGone(): void {
    const { isPrimary, silentSince } = this.#answers[this.primary] ?? { isPrimary: true }
    const isGone = silentSince === undefined ? !isPrimary : performance.now() - silentSince >= GIVEN_UP
    if (!isGone) return
    const other = this.#answers.findIndex(({ isPrimary }, index) => isPrimary && index !== this.primary)
    if (other !== -1) this.#moveTo(other)
  }

  #moveTo(index: number): void {
    const left = this.primary
    if (index === left) return
    log().warn({ host: new URL(this.addresses[index] ?? '').host }, 'the database has another primary')
    this.primary = index
    for (const answer of this.#answers) answer.isPrimary = false
    this.#moves.emit('move')
    for (const client of this.clients[left] ?? []) client.giveUp()
  }

  /** Asks all hosts at once; concurrent callers share one search. Without a primary, the last known one stays. */
  find(): Promise<number> {
    this.#search ??= this.#findPrimary().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #findPrimary(): Promise<number> {
    const answers = this.addresses.map(async (address, index) => {
      await requirePrimaryAt(address)
      return index
    })
    const found = await Promise.any(answers).catch(() => this.primary)
    this.#moveTo(found)
    return found
  }
}

/**
 * A statement of a process that was killed ends within this time (ms) and frees its locks, on the systems on which PostgreSQL can notice it.
 * Otherwise it would end at its timeout.
 */
const CHECK = 2000
const checksClient = `do $$ begin set client_connection_check_interval = ${CHECK}; exception when others then null; end $$`

/**
 * By statements, not by the parameters of a connection: PgBouncer refuses connections with parameters that it does not know. JIT is off
 * because the conditions of visibility look expensive to the planner: compiling them takes seconds, and saves milliseconds.
 */
async function setUp(client: pg.ClientBase, statementTimeout: number | undefined): Promise<void> {
  const timeout = statementTimeout === undefined ? '' : `; set statement_timeout = ${statementTimeout}`
  await client.query(`set jit = off${timeout}; ${checksClient}`)
}

export type PoolSettings = Omit<pg.PoolConfig, 'statement_timeout'> & {
  /** Milliseconds after which the server ends a query. */
  statementTimeout?: number
}

/**
 * Connections to the primary. Each host has a pool, and only the primary's is used. If it gives no connection, the hosts are asked
 * again, so that the next request after a fail-over finds the new primary.
 */
export class PrimaryPool implements PostgresPool {
  readonly options = {}
  readonly #hosts: Hosts
  readonly #pools: pg.Pool[]

  constructor(hosts: Hosts, { statementTimeout, ...settings }: PoolSettings) {
    this.#hosts = hosts
    hosts.watch()
    this.#pools = hosts.addresses.map((connectionString, index) =>
      openPool({
        connectionString,
        watchedIn: hosts.clients[index],
        ...settings,
        onConnect: async (client) => {
          // Also with one host: a proxy may still lead to a primary that has become a replica.
          await requirePrimary(client)
          await setUp(client, statementTimeout)
        },
      }),
    )
  }

  async connect(): Promise<pg.PoolClient> {
    const { primary } = this.#hosts
    if (this.#pools.length === 1) return this.#poolOf(primary).connect()
    try {
      const connecting = this.#poolOf(primary).connect()
      return await this.#hosts.unlessMoved(connecting, (client) => client.release(true))
    } catch (error) {
      const found = await this.#hosts.find()
      if (found === primary) throw error
      return this.#poolOf(found).connect()
    }
  }

  #poolOf(index: number): pg.Pool {
    const pool = this.#pools[index]
    if (!pool) throw new Error('There is no such host')
    return pool
  }

  async end(): Promise<void> {
    this.#hosts.end()
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }
}

/** Connections whose queries read the rows as they were at a moment: views of the past hide the tables of the same names. */
export class PastPool implements PostgresPool {
  readonly options = {}
  readonly #pool: PrimaryPool
  readonly #moment: number

  constructor(pool: PrimaryPool, moment: number) {
    this.#pool = pool
    this.#moment = moment
  }

  async connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    const release = client.release.bind(client)
    try {
      await client.query(
        `select set_config('search_path', 'past, ' || current_setting('search_path'), false), set_config('console.past', $1, false),
          set_config('default_transaction_read_only', 'on', false)`,
        [String(this.#moment)],
      )
    } catch (error) {
      release(true)
      throw error
    }
    client.release = () => {
      client.release = release
      client.query('reset search_path; reset default_transaction_read_only').then(
        () => release(),
        (error: Error) => release(error),
      )
    }
    return client
  }

  async end(): Promise<void> {}
}

/**
 * One connection for all short reads of this process. Queries are sent without waiting for earlier answers, so queries that arrive together
 * travel together: waking up for each answer took more time than the query.
 */
export class PipelinedPool implements PostgresPool {
  readonly options = {}
  readonly #pool: PrimaryPool
  #client: Promise<pg.PoolClient> | undefined

  constructor(hosts: Hosts, settings: PoolSettings) {
    this.#pool = new PrimaryPool(hosts, { ...settings, max: 1, pipeline: true })
  }

  /** An attempt that had begun before may have failed at a database that is back by now. */
  connect(): Promise<pg.PoolClient> {
    return this.#client ? this.#client.catch(() => this.#begin()) : this.#begin()
  }

  #begin(): Promise<pg.PoolClient> {
    this.#client ??= this.#open().catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #open(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    const { release } = client
    // Each query releases the connection, which stays in use until it ends.
    client.release = () => {}
    client.once('end', () => {
      this.#client = undefined
      release(true)
    })
    return client
  }

  async end(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
    await this.#pool.end()
  }
}

/** A connection whose silence is known. */
class WatchedClient extends pg.Client {
  /** Since when the server owes an answer and has sent nothing. */
  #silentSince: number | undefined = performance.now()

  constructor(settings: WatchedSettings = {}) {
    super(settings)
    const { watchedIn } = settings
    watchedIn?.add(this)
    this.once('end', () => watchedIn?.delete(this))
    this.once('connect', () => {
      this.#silentSince = undefined
      this.connection.stream.on('data', () => {
        if (this.#silentSince !== undefined) this.#silentSince = performance.now()
      })
    })
    this.on('drain', () => {
      this.#silentSince = undefined
    })
  }

  /** The milliseconds for which it has waited for the server. */
  silence(): number {
    return this.#silentSince === undefined ? 0 : performance.now() - this.#silentSince
  }

  /** Fails its queries: it waits for no answer any more. */
  giveUp(): void {
    this.connection.stream.destroy()
  }

  protected asks(): void {
    this.#silentSince ??= performance.now()
  }
}

/**
 * A commit ended although no replica has confirmed it: its wait was cancelled. PostgreSQL reports success with a warning, but the commit
 * is lost if the primary fails now.
 */
class Unconfirmed extends Error {
  /** statement_completion_unknown */
  readonly code = '40003'
}

type WatchedSettings = pg.PoolConfig & { watchedIn?: Set<WatchedClient> | undefined }

/** Queries that are compiled once are prepared under their name: PostgreSQL takes longer to plan a small query than to answer it. */
class PreparingClient extends WatchedClient {
  #isUnconfirmed = false

  constructor(settings?: WatchedSettings) {
    super(settings)
    // The text of the warning may be in any language.
    this.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.#isUnconfirmed = true
    })
  }

  /** Called in several forms. Kysely passes the text and the parameters. */
  override query(...[text, ...rest]: never[]): never {
    this.asks()
    if (this.pipeline) sendTogether(this.connection.stream)
    const name = typeof text === 'string' ? statementName(text) : undefined
    const answer: unknown = super.query((name === undefined ? text : { text, name }) as never, ...rest)
    return (
      answer instanceof Promise && (text as unknown) === 'commit' ? this.#confirmed(answer) : answer
    ) as never
  }

  async #confirmed<T>(answer: Promise<T>): Promise<T> {
    const result = await answer
    if (!this.#isUnconfirmed) return result
    this.#isUnconfirmed = false
    throw new Unconfirmed('The wait of a commit for the replica was cancelled')
  }
}

/** The queries of one turn of the event loop leave in one packet. */
function sendTogether(stream: Duplex): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

function openPool(settings: WatchedSettings): pg.Pool {
  const pool = new pg.Pool({
    Client: PreparingClient,
    types,
    application_name,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...settings,
  })
  // Without these handlers a restart of PostgreSQL would end this process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * A cursor that fails if its connection ends before the last row: pg-cursor reads no rows in either case, so a part of a list would
 * pass for the whole. Closing waits for the server's answer, unless the connection is gone.
 */
export class ServerCursor<Row> extends Cursor<Row> {
  declare readonly connection?: NodeJS.EventEmitter & { stream: Duplex }
  #isComplete = false

  constructor(...query: ConstructorParameters<typeof Cursor<Row>>) {
    super(...query)
    // The command is known once CommandComplete has come, which follows the last row.
    this.once('end', ({ command }: pg.QueryResult) => {
      this.#isComplete = Boolean(command)
    })
  }

  override read(count: number): Promise<Row[]>
  override read(count: number, callback: Cursor.ResultCallback<Row>): undefined
  override read(count: number, callback?: Cursor.ResultCallback<Row>): Promise<Row[]> | undefined {
    return callback ? super.read(count, callback) : this.#readOn(count)
  }

  async #readOn(count: number): Promise<Row[]> {
    const rows = await super.read(count)
    if (rows.length === 0 && !this.#isComplete) throw new Error('Connection terminated unexpectedly')
    return rows
  }

  override close(): Promise<void>
  override close(callback: (err: Error) => void): undefined
  override close(callback?: (err: Error) => void): Promise<void> | undefined {
    if (callback) return super.close(callback)
    return this.#closed()
  }

  async #closed(): Promise<void> {
    if (!this.connection) return super.close()
    if (this.connection.stream.destroyed) return
    const closed = new AbortController()
    const gone = once(this.connection, 'end', { signal: closed.signal }).catch(() => {})
    try {
      await Promise.race([super.close(), gone])
    } finally {
      closed.abort()
    }
  }
}

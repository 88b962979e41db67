import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { PostgresPool } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { statementName } from '#lib/db/statements.server'
import { log } from '#lib/log.server'
import { hostAddresses } from '#lib/net/hosts'

/** int8 and numeric (counts and sums) are numbers here: none of ours exceeds 2^53. */
const numeric = new Set([20, 1700])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    numeric.has(oid) && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

const application_name = 'cloud-management-console'

/** A host answers, but only reads: a replica, or not yet a primary. */
class NoPrimary extends Error {
  /** sqlclient_unable_to_establish_sqlconnection: to us nobody is there. */
  readonly code = '08001'
}

/** Throws NoPrimary (libpq's target_session_attrs=read-write asks the same). */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off') throw new NoPrimary('The database only reads')
}

/** How long a host may take to say whether it is the primary. */
const PATIENCE = 3000

async function askHost(connectionString: string): Promise<void> {
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

/** The hosts of a database, of which one at a time takes writes. Throws where the address cannot be read. */
export class Hosts {
  readonly addresses: readonly string[]
  /** Which of them does, as far as is known. */
  primary = 0
  #search: Promise<number> | undefined

  constructor(address: string) {
    this.addresses = hostAddresses(address)
    // Reads what the address names besides, such as files with certificates.
    for (const connectionString of this.addresses) new pg.Client({ connectionString })
  }

  /** Asks all of them at once, however many wait for it. Where none is the primary, it is still taken for the one that was. */
  find(): Promise<number> {
    this.#search ??= this.#ask().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #ask(): Promise<number> {
    const asked = this.addresses.map(async (address, index) => {
      await askHost(address)
      return index
    })
    const found = await Promise.any(asked).catch(() => this.primary)
    if (found !== this.primary)
      log().warn({ host: new URL(this.addresses[found] ?? '').host }, 'the database has another primary')
    this.primary = found
    return found
  }
}

/**
 * Connections to the primary: a pool for each host, of which only that one's is used. Where it gives no connection the hosts are asked
 * anew, so that after a fail-over the next request finds the new one.
 */
export class PrimaryPool implements PostgresPool {
  readonly options = {}
  readonly #hosts: Hosts
  readonly #pools: pg.Pool[]

  constructor(hosts: Hosts, settings: pg.PoolConfig) {
    this.#hosts = hosts
    this.#pools = hosts.addresses.map((connectionString) =>
      openPool({
        connectionString,
        ...settings,
        // With one host there is nothing to choose from.
        ...(hosts.addresses.length > 1 && { onConnect: requirePrimary }),
      }),
    )
  }

  async connect(): Promise<pg.PoolClient> {
    const { primary } = this.#hosts
    try {
      return await this.#poolOf(primary).connect()
    } catch (error) {
      if (this.#pools.length === 1) throw error
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
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }
}

/** Queries that are compiled once are prepared under their name: PostgreSQL takes longer to plan a small query than to answer it. */
class PreparingClient extends pg.Client {
  /** Called in several forms. Kysely passes the text and the parameters. */
  override query(...[text, ...rest]: never[]): never {
    const name = typeof text === 'string' ? statementName(text) : undefined
    return super.query((name === undefined ? text : { text, name }) as never, ...rest) as never
  }
}

function openPool(settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    Client: PreparingClient,
    types,
    application_name,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...settings,
  })
  // Without these a server that restarts would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * A cursor that tells the end of its rows from the end of its connection, of which pg-cursor reads no rows either: a part of a list
 * would pass for the whole. Closing waits for the server's answer; on a connection that is gone none would come.
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

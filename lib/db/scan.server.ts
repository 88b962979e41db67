import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { noteFailure } from '#lib/db/damage.server'

/** A request to the scan thread: all rows at once, or a cursor that is read in batches. `past`: over the rows as they were at this moment. */
export type ScanRequest =
  | {
      id: number
      kind: 'all' | 'open'
      sql: string
      parameters: readonly unknown[]
      past: number | undefined
    }
  | { id: number; kind: 'next'; cursor: number; count: number }
  | { id: number; kind: 'close'; cursor: number }
  | { id: number; kind: 'checkpoint' }

/** `codes`: properties of the error, which a message between threads loses. */
export type ScanReply = { id: number } & ({ rows: unknown[] } | { failure: Error; codes: object })

type Waiting = { resolve: (rows: unknown[]) => void; reject: (error: Error) => void }

type RequestWithoutId = ScanRequest extends infer R
  ? R extends { id: number }
    ? Omit<R, 'id'>
    : never
  : never

/**
 * Runs queries that may scan or stream on a thread of their own, so that they do not block the thread that answers requests.
 * The scan thread starts at the first query and does not keep the process alive.
 */
export class ScanDriver implements Driver {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(file: string) {
    this.#file = file
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connectionAt(undefined)
  }

  /** Reads the rows as they were at a moment, on the thread of this driver. */
  at(moment: number): Driver {
    const connection = this.#connectionAt(moment)
    const nothing = async () => {}
    return {
      init: nothing,
      acquireConnection: async () => connection,
      releaseConnection: nothing,
      beginTransaction: () => this.beginTransaction(),
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      destroy: nothing,
    }
  }

  #connectionAt(past: number | undefined): DatabaseConnection {
    return {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => ({
        rows: (await this.#send({ kind: 'all', sql, parameters, past })) as R[],
      }),
      streamQuery: <R>({ sql, parameters }: CompiledQuery, count: number) =>
        this.#stream({ sql, parameters, past }, count) as AsyncIterableIterator<QueryResult<R>>,
    }
  }

  async *#stream(
    query: { sql: string; parameters: readonly unknown[]; past: number | undefined },
    count: number,
  ): AsyncGenerator<QueryResult<unknown>> {
    const cursor = this.#lastId + 1
    await this.#send({ kind: 'open', ...query })
    try {
      for (;;) {
        const rows = await this.#send({ kind: 'next', cursor, count })
        if (rows.length > 0) yield { rows }
        if (rows.length < count) return
      }
    } finally {
      await this.#send({ kind: 'close', cursor })
    }
  }

  /** Copies the write-ahead log into the file, except the part that a reader still needs. */
  checkpoint(): Promise<unknown> {
    return this.#send({ kind: 'checkpoint' })
  }

  #send(request: RequestWithoutId): Promise<unknown[]> {
    this.#worker ??= this.#start()
    this.#lastId += 1
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
    this.#waiting.set(this.#lastId, { resolve, reject })
    this.#worker.ref()
    this.#worker.postMessage({ ...request, id: this.#lastId } satisfies ScanRequest)
    return promise
  }

  #start(): Worker {
    const worker = new Worker(join(process.cwd(), 'lib/db/scan-worker.server.ts'), {
      workerData: { file: this.#file },
      // Rows become garbage as soon as they are sent.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    worker.on('message', (reply: ScanReply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if (this.#waiting.size === 0) worker.unref()
      if ('rows' in reply) waiting?.resolve(reply.rows)
      else {
        const failure = Object.assign(reply.failure, reply.codes)
        noteFailure(failure)
        waiting?.reject(failure)
      }
    })
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => this.#fail(new Error('The scan thread has ended')))
    return worker
  }

  #fail(error: Error): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('The scan connection only reads')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#worker?.terminate()
  }
}

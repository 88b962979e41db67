import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { numbersIn } from '#lib/db/id-list'
import { openSqlitePast } from '#lib/db/journal.server'
import type { ScanReply, ScanRequest } from '#lib/db/scan.server'
import { openSqlite, Statements } from '#lib/db/sqlite.server'

const { file } = workerData as { file: string }

const CACHE_MB = 16

/** Small: a full export reads no page twice. */
const CURSOR_CACHE_MB = 2

const statements = new Statements(openSqlite(file, true, CACHE_MB))

/** The moment that the views of the past show. */
let moment = 0
let past: Statements | undefined

function statementsAt(at: number | undefined): Statements {
  if (at === undefined) return statements
  moment = at
  past ??= new Statements(openSqlitePast(openSqlite(file, true, CACHE_MB), () => moment))
  return past
}

/** A cursor holds its snapshot, so each has its own connection. */
const cursors = new Map<number, { db: DatabaseSync; rows: Iterator<unknown> }>()

function answer(request: ScanRequest): unknown[] {
  switch (request.kind) {
    case 'all':
      return statementsAt(request.past).run(request.sql, request.parameters).rows
    case 'open': {
      const { past: at } = request
      const present = openSqlite(file, true, CURSOR_CACHE_MB)
      const db = at === undefined ? present : openSqlitePast(present, () => at)
      const rows = db.prepare(request.sql).iterate(...(request.parameters as string[]))
      cursors.set(request.id, { db, rows })
      return []
    }
    case 'next': {
      const rows = cursors.get(request.cursor)?.rows
      const batch: unknown[] = []
      for (let next = rows?.next(); next && !next.done; next = rows?.next()) {
        batch.push(next.value)
        if (batch.length === request.count) break
      }
      return batch
    }
    case 'checkpoint': {
      const db = openSqlite(file, false, 1)
      db.exec('pragma wal_checkpoint(passive)')
      db.close()
      return []
    }
    case 'close':
      cursors.get(request.cursor)?.db.close()
      cursors.delete(request.cursor)
      return []
  }
}

/** Parses lists of numbers here and transfers the numbers: a text of 1,000,000 ids would be copied twice and parsed on the thread that answers requests. */
const parseIdLists = (rows: unknown[]): ArrayBuffer[] =>
  (rows as Record<string, unknown>[]).flatMap((row) =>
    Object.entries(row).flatMap(([name, text]) => {
      if (typeof text !== 'string' || !name.endsWith('_list')) return []
      const numbers = numbersIn(text)
      row[name] = numbers
      return [numbers.buffer]
    }),
  )

parentPort?.on('message', (request: ScanRequest) => {
  let reply: ScanReply
  let transferred: ArrayBuffer[] = []
  try {
    const rows = answer(request)
    transferred = parseIdLists(rows)
    reply = { id: request.id, rows }
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    const { code, errcode } = failure as { code?: unknown; errcode?: unknown }
    reply = { id: request.id, failure, codes: { code, errcode } }
  }
  parentPort?.postMessage(reply, transferred)
})

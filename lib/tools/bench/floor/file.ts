import type { SQLInputValue } from 'node:sqlite'
import { databaseFile } from '#lib/db/db.server'
import { lastSqliteMoment } from '#lib/db/journal.server'
import { openSqlite } from '#lib/db/sqlite.server'

/** The page caches of the product's two connections together. */
const CACHE_MB = 32

export type File = ReturnType<typeof openFile>

/** The product's database on one connection, for reads and changes. */
export function openFile(dataDir: string) {
  const db = openSqlite(databaseFile(dataDir), false, CACHE_MB)
  // The product may write at the same time.
  db.exec('pragma busy_timeout = 10000')
  let moment = 0
  db.function('journal_moment', () => moment)

  /** Rows are read as arrays: SQLite takes twice as long to make objects. */
  const prepare = <Row extends unknown[]>(text: string) => {
    const statement = db.prepare(text)
    statement.setReturnArrays(true)
    return (...values: SQLInputValue[]) => statement.all(...values) as unknown as Row[]
  }

  const [begin, commit] = [db.prepare('begin immediate'), db.prepare('commit')]
  const dataVersion = prepare<[number]>('pragma data_version')
  let [versionOfTotals, versionOfMoment] = [0, 0]
  const totals = new Map<string, number>()
  const versionNow = () => dataVersion()[0]?.[0] ?? 0

  return {
    prepare,
    close: () => db.close(),
    /** The total, counted once until the next write of either program. */
    total: (name: string, count: () => [number][]): number => {
      const version = versionNow()
      if (version !== versionOfTotals) totals.clear()
      versionOfTotals = version
      const total = totals.get(name) ?? count()[0]?.[0] ?? 0
      totals.set(name, total)
      return total
    },
    /** Runs these changes in one transaction, each with a moment of its own in the journal. */
    transaction: <T>(changes: readonly (() => T)[]): T[] => {
      begin.run()
      try {
        const version = versionNow()
        if (version !== versionOfMoment) moment = Math.max(moment, lastSqliteMoment(db) ?? 0)
        versionOfMoment = version
        const results = changes.map((change) => {
          moment = Math.max(Date.now() * 1000, moment + 1)
          return change()
        })
        commit.run()
        totals.clear()
        return results
      } catch (error) {
        if (db.isTransaction) db.exec('rollback')
        throw error
      }
    },
  }
}

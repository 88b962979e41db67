import { setImmediate } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { indexedBy } from '#lib/db/dialect.server'
import { groupedBy, slicesOf } from '#lib/db/slices.server'
import { presentRows } from '#lib/state/undo/present.server'
import { isSource, type Row, type Source, sources } from '#lib/state/undo/resources'

/* The rows that an event changed, from the journal (lib/db/journal.server.ts). */

/** One row before and after the event. null: there was none. */
export type ChangedRow = { source: Source; id: number; part: string; before: Row | null; after: Row | null }

type PastRow = { source: string; id: number; part: string; until: number; content: string | null }

const rowIn = ({ content }: PastRow): Row | null => (content === null ? null : (JSON.parse(content) as Row))

const keyOf = ({ id, part }: Pick<PastRow, 'id' | 'part'>): string => `${id} ${part}`

/** Rows that are read at a time. SQLite reads them on the thread that answers requests. */
const PAGE = 1000

/** The rows of these sources that transactions of these moments changed, in the order of their sources and ids. */
export async function changedRows(
  trx: Trx,
  moments: readonly number[],
  among: readonly Source[] = sources,
): Promise<ChangedRow[]> {
  const changed: ChangedRow[] = []
  for (const source of await changedSources(trx, moments, among)) {
    const replaced: PastRow[] = []
    for (const moment of moments)
      for await (const some of replacedRows(trx, source, moment)) replaced.push(...some)
    const byRow = await groupedBy(replaced, keyOf)
    for await (const some of slicesOf([...byRow.values()], PAGE)) {
      const last = some.flatMap((each) => each.at(-1) ?? [])
      const later = await laterRows(trx, source, last)
      for (const [index, { id, part }] of last.entries()) {
        const first = some[index]?.[0]
        if (first) changed.push({ source, id, part, before: rowIn(first), after: later[index] ?? null })
      }
    }
  }
  return changed
}

const pastRows = (trx: Db) => trx.selectFrom('past_rows').select(['source', 'id', 'part', 'until', 'content'])

async function changedSources(
  trx: Trx,
  moments: readonly number[],
  among: readonly Source[],
): Promise<Source[]> {
  const found = new Set<Source>()
  for (const some of chunksOf(moments)) {
    const rows = await trx
      .selectFrom('past_rows')
      // With the source, the index on it and on `until` serves.
      .where('source', 'in', among)
      .where('until', 'in', some)
      .select('source')
      .distinct()
      .execute()
    for (const { source } of rows) if (isSource(source)) found.add(source)
  }
  return [...found].sort()
}

/** Whether this transaction has changed anything so far. */
export async function hasChanges(trx: Trx): Promise<boolean> {
  const changed = await trx
    .selectFrom('past_rows')
    .where('source', 'in', sources)
    // In a subquery, because PostgreSQL uses no index for a function that is not stable.
    .where('until', '=', sql<number>`(select journal_moment())`)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return changed !== undefined
}

/** A row of these sources that this transaction deleted, which none of the other transactions had changed. */
export async function otherDeletedRow<Among extends Source>(
  trx: Trx,
  moments: readonly number[],
  among: readonly Among[],
): Promise<{ source: Among; id: number } | undefined> {
  for (const source of among) {
    const deleted = await trx
      .selectFrom('past_rows as own')
      .where('own.source', '=', source)
      .where('own.until', '=', sql<number>`(select journal_moment())`)
      .where('own.content', 'is not', null)
      .where(sql<SqlBool>`not exists (select 1 from ${sql.table(source)} there where there.id = own.id)`)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('past_rows as other')
              .where('other.source', '=', source)
              .whereRef('other.id', '=', 'own.id')
              .where('other.until', 'in', moments)
              .select('other.id'),
          ),
        ),
      )
      .select('own.id')
      .limit(1)
      .executeTakeFirst()
    if (deleted) return { source, id: deleted.id }
  }
  return undefined
}

/** The rows of one transaction by id. */
async function* replacedRows(trx: Trx, source: Source, moment: number): AsyncGenerator<PastRow[]> {
  let after: Pick<PastRow, 'id' | 'part'> | undefined
  do {
    const behind = after ? sql`and (id, part) > (${after.id}, ${after.part})` : sql``
    // Without the index SQLite would read all rows of the source for each page.
    const { rows } =
      await sql<PastRow>`select source, id, part, until, content from past_rows ${indexedBy(database().engine, 'past_rows_until')}
        where source = ${source} and until = ${moment} ${behind} order by id, part limit ${PAGE}`.execute(trx)
    yield rows
    await setImmediate()
    after = rows.length < PAGE ? undefined : rows.at(-1)
  } while (after)
}

/** The rows that replaced these: those that a later transaction replaced, or the present ones. */
export async function laterRows(
  trx: Db,
  source: Source,
  replaced: readonly Omit<PastRow, 'content'>[],
): Promise<(Row | null)[]> {
  const present = await presentRows(trx, source, idsOf(replaced))
  const untils = new Map(replaced.map((row) => [keyOf(row), row.until]))
  const past = await pastRows(trx)
    .where('source', '=', source)
    .where('id', 'in', idsOf(replaced))
    // By the ids: the index on `until` has all later changes of the table.
    .where(sql<SqlBool>`+until > ${Math.min(...untils.values())}`)
    .orderBy(sql`+until`, 'desc')
    .execute()
  const later = new Map<string, Row | null>(present.map((each) => [keyOf(each), each.row]))
  // In descending order, so that the first row after the change remains.
  for (const row of past)
    if (row.until > (untils.get(keyOf(row)) ?? Infinity)) later.set(keyOf(row), rowIn(row))
  return replaced.map((row) => later.get(keyOf(row)) ?? null)
}

const idsOf = (rows: readonly { id: number }[]): number[] => [...new Set(rows.map(({ id }) => id))]

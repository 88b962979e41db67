import { sql } from 'kysely'
import { chunksOf } from '#lib/db/chunks'
import type { Trx } from '#lib/db/db.server'
import { isSource, type Source } from '#lib/undo/resources'

/* The rows that an event changed, from the journal (lib/db/journal.server.ts). */

export type Row = Record<string, string | number | null>

/** One row before and after the event. null: there was none. */
export type ChangedRow = { source: Source; id: number; part: string; before: Row | null; after: Row | null }

type PastRow = { source: string; id: number; part: string; until: number; content: string | null }

const rowIn = ({ content }: PastRow): Row | null => (content === null ? null : (JSON.parse(content) as Row))

const keyOf = ({ source, id, part }: Pick<PastRow, 'source' | 'id' | 'part'>): string =>
  `${source} ${id} ${part}`

/** The rows that transactions of these moments changed, in the order of their sources and ids. */
export async function changedRows(trx: Trx, moments: readonly number[]): Promise<ChangedRow[]> {
  const replaced: PastRow[] = []
  for (const some of chunksOf(moments))
    replaced.push(...(await pastRows(trx).where('until', 'in', some).orderBy('until').execute()))
  const byRow = Map.groupBy(
    replaced.filter(({ source }) => isSource(source)),
    keyOf,
  )
  const later = await laterRows(
    trx,
    [...byRow.values()].flatMap((each) => each.at(-1) ?? []),
  )
  return [...byRow.values()].flatMap(([first, ...more]) => {
    if (!first || !isSource(first.source)) return []
    const { source, id, part } = first
    const next = later(more.at(-1) ?? first)
    return [{ source, id, part, before: rowIn(first), after: next }]
  })
}

const pastRows = (trx: Trx) =>
  trx.selectFrom('past_rows').select(['source', 'id', 'part', 'until', 'content'])

/** The rows that came in place of these: what a later transaction replaced, or what is there now. */
async function laterRows(trx: Trx, replaced: readonly PastRow[]): Promise<(row: PastRow) => Row | null> {
  const found = new Map<string, Row | null>()
  for (const [source, rows] of Map.groupBy(replaced, (row) => row.source)) {
    const untils = new Map(rows.map((row) => [keyOf(row), row.until]))
    const earliest = Math.min(...untils.values())
    for (const some of chunksOf([...new Set(rows.map(({ id }) => id))])) {
      const past = await pastRows(trx)
        .where('source', '=', source)
        .where('id', 'in', some)
        .where('until', '>', earliest)
        .orderBy('until', 'desc')
        .execute()
      for (const row of await presentRows(trx, source, some)) found.set(keyOf(row), row.row)
      // In descending order, so that the first row after the change remains.
      for (const row of past)
        if (row.until > (untils.get(keyOf(row)) ?? Infinity)) found.set(keyOf(row), rowIn(row))
    }
  }
  return (row) => found.get(keyOf(row)) ?? null
}

/** The columns of the id and of the part, where they have other names. */
const keys: Record<string, { id: string; part?: string }> = {
  role_privileges: { id: 'role_id', part: 'privilege' },
}

async function presentRows(trx: Trx, source: string, ids: number[]) {
  const { id, part } = keys[source] ?? { id: 'id' }
  const { rows } =
    await sql<Row>`select * from ${sql.table(source)} where ${sql.ref(id)} in (${sql.join(ids)})`.execute(trx)
  return rows.map((row) => ({ source, id: Number(row[id]), part: part ? String(row[part]) : '', row }))
}

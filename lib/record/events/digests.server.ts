import { createHash, type Hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#lib/db/db.server'
import { journaledTables } from '#lib/db/journal.server'
import { isAfter, isUpTo, type Position } from '#lib/record/events/commit-order.server'

/*
 * The content of an event for its seal: all columns of the event, its further moments (event_steps), and the past rows of all its
 * moments, which undo and as-of read. The same bytes on both engines.
 */

export type Digest = Position & { timestamp: number; digest: string }

type Range = { after: Position; upTo: Position; most?: number }

/** Rows that are hashed at once on the main thread: these take about a millisecond. */
const BATCH = 100

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Columns that are null do not count: a later migration may add some. */
const contentOf = (row: object): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

type Unfinished = Omit<Digest, 'digest'> & { hash: Hash }

/** The digests of the events in this range, in the order of commit. Reads each row once and keeps none. */
export async function digestsOf(on: Database, range: Range): Promise<Digest[]> {
  const found: Unfinished[] = []
  const atMoment = new Map<number, Hash[]>()
  const note = (moment: number, hash: Hash) => atMoment.set(moment, [...(atMoment.get(moment) ?? []), hash])
  for await (const row of eventsIn(on, range)) {
    const hash = createHash('sha256').update(contentOf(row))
    found.push({ transaction: row.transaction_number, event: row.id, timestamp: row.timestamp, hash })
    if (row.moment !== null) note(row.moment, hash)
  }
  await addSteps(on, found, note)
  await addPastRows(on, atMoment)
  return found.map(({ hash, ...event }) => ({ ...event, digest: hash.digest('hex') }))
}

const eventsIn = ({ engine, stream }: Database, { after, upTo, most }: Range) =>
  stream
    .selectFrom('events')
    .where(isAfter(engine, after))
    .where(isUpTo(engine, upTo))
    .selectAll()
    .$if(engine === 'postgres', (events) => events.orderBy('transaction_number'))
    .orderBy('id')
    .$if(most !== undefined, (events) => events.limit(most ?? 0))
    .stream(BATCH)

/** The least and the greatest, also of more numbers than a call takes arguments. */
const boundsOf = (numbers: Iterable<number>): [number, number] => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const number of numbers) {
    least = Math.min(least, number)
    most = Math.max(most, number)
  }
  return [least, most]
}

async function addSteps(
  { stream }: Database,
  found: readonly Unfinished[],
  note: (moment: number, hash: Hash) => void,
): Promise<void> {
  if (found.length === 0) return
  const byId = new Map(found.map(({ event, hash }) => [event, hash]))
  const [first, last] = boundsOf(byId.keys())
  const steps = stream
    .selectFrom('event_steps')
    .where('event_id', '>=', first)
    .where('event_id', '<=', last)
    .selectAll()
    .orderBy('event_id')
    .orderBy('moment')
    .stream(BATCH)
  for await (const { event_id, moment } of steps) {
    const hash = byId.get(event_id)
    hash?.update(`\n${moment}`)
    if (hash) note(moment, hash)
  }
}

/** Table by table, since that is the order of the index. */
async function addPastRows(on: Database, atMoment: ReadonlyMap<number, readonly Hash[]>): Promise<void> {
  if (atMoment.size === 0) return
  const [first, last] = boundsOf(atMoment.keys())
  for (const source of await sourcesBetween(on, first, last)) {
    const rows = on.stream
      .selectFrom('past_rows')
      .where('source', '=', source)
      .where('until', '>=', first)
      .where('until', '<=', last)
      .select(['id', 'part', 'until', 'content'])
      .orderBy('until')
      .orderBy('id')
      .orderBy('part')
      .stream(BATCH)
    for await (const { id, part, until, content } of rows)
      for (const hash of atMoment.get(until) ?? [])
        hash.update(`\n${JSON.stringify([source, id, part, until, content])}`)
  }
}

/** The tables that have past rows in this time, of more than twenty. */
async function sourcesBetween({ scan }: Database, first: number, last: number): Promise<string[]> {
  const each = journaledTables.map(
    (source) => sql`select ${sql.lit(source)} as source where exists (select 1 from past_rows
      where source = ${sql.lit(source)} and until >= ${first} and until <= ${last})`,
  )
  const { rows } = await sql<{ source: string }>`${sql.join(each, sql` union all `)}`.execute(scan)
  return rows.map(({ source }) => source).sort()
}

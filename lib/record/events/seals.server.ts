import { type SqlBool, sql } from 'kysely'
import { type Database, database, type Trx, transaction } from '#lib/db/db.server'
import { isDuplicate } from '#lib/db/dialect.server'
import type { Tables } from '#lib/db/tables.server'
import { log } from '#lib/ground/log.server'
import { inRounds } from '#lib/ground/rounds.server'
import { isAfter, isSettled, type Position } from '#lib/record/events/commit-order.server'
import { type Digest, digestsOf, sha256 } from '#lib/record/events/digests.server'

/*
 * Seals make it evident if the past was changed behind the program's back. Events are sealed in the order of commit, in two steps that
 * any process may do: they are closed, after which nothing amends them, then read and sealed. The number of a seal is its key, so of
 * two processes one wins.
 */

/** The content that the digest of a seal covers, besides the digest of the previous seal. */
const sealed = [
  'number',
  'first_event',
  'last_transaction',
  'last_event',
  'events',
  'newest',
  'sealed_at',
  'content',
] as const

export type Seal = Pick<Tables['event_seals'], (typeof sealed)[number] | 'digest'>

/** An event is open to amendments for so long (µs). */
export const OPEN_FOR = 25_000_000

/** An event is closed at this age (µs): by then also the transactions that amended it or began in its microsecond are over. */
const CLOSED_AT = 30_000_000

/** Milliseconds. With CLOSED_AT it keeps the promise that an event is sealed within a minute. */
const ROUND = 15_000

/** Retention removes the events of a seal in one transaction, while other writers wait. */
const MOST_EVENTS = 100

/** The events of a seal span an hour at most, so that retention need not keep them longer. */
const HOUR = 60 * 60 * 1000

/** The events that one step reads and seals. */
const STEP = 2000

export const lastSeal = ({ read }: Pick<Database, 'read'>): Promise<Seal | undefined> =>
  read
    .selectFrom('event_seals')
    .select([...sealed, 'digest'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The next seals, with their entries. */
export const sealsAfter = ({ read }: Pick<Database, 'read'>, number: number, most: number) =>
  read
    .selectFrom('event_seals')
    .select([...sealed, 'digest', 'entries'])
    .where('number', '>', number)
    .orderBy('number')
    .limit(most)
    .execute()

export const progressOf = ({ read }: Pick<Database, 'read'>) =>
  read.selectFrom('seal_progress').selectAll().executeTakeFirstOrThrow()

/** The last event of a seal. Without a seal: before all events. */
export const endOf = (seal: Pick<Seal, 'last_transaction' | 'last_event'> | undefined): Position => ({
  transaction: seal?.last_transaction ?? -1,
  event: seal?.last_event ?? 0,
})

/** The digest that a seal must have after the seal with this digest. */
export const digestAfter = (previous: string, seal: Omit<Seal, 'digest'>): string =>
  sha256(JSON.stringify([previous, ...sealed.map((column) => seal[column])]))

/** Seals all events that are due. Returns the last seal that it made. */
export async function sealEvents(on: Database = database()): Promise<Seal | undefined> {
  let made: Seal | undefined
  for (;;) {
    if (await isAnyEventDue(on)) await closeEvents(on)
    const step = await sealClosed(on)
    if (step === 'none') return made
    made = step ?? made
  }
}

const dueAfter = (db: Database['read'], { engine }: Database, { transaction, event }: Position) =>
  db.selectFrom('events').where(isAfter(engine, { transaction, event })).where(isSettled(engine))

async function isAnyEventDue(on: Database): Promise<boolean> {
  const { closed_transaction, closed_event } = await progressOf(on)
  const after = { transaction: closed_transaction, event: closed_event }
  const found = await dueAfter(on.read, on, after).select('id').limit(1).executeTakeFirst()
  return found !== undefined
}

/** By the journal and by the clock: while the journal is ahead of the clock, its moments hardly pass. */
const isYoung = () => {
  const [now, age] = [Date.now(), CLOSED_AT / 1000]
  return sql<SqlBool>`coalesce(moment between journal_moment() - ${sql.lit(CLOSED_AT)} and journal_moment()
    and timestamp between ${now - age} and ${now + age}, 1 = 0)`
}

/**
 * Closes the events that are old enough, up to the first one that is not. Not serializable: writers of events would conflict with it.
 * The row of seal_progress keeps it apart from amendments, which lock this row too (`isOpen`).
 */
const closeEvents = (on: Database): Promise<void> =>
  unqueued(on, async (trx) => {
    const progress = await trx
      .selectFrom('seal_progress')
      .selectAll()
      .$if(on.engine === 'postgres', (row) => row.forUpdate())
      .executeTakeFirstOrThrow()
    const after = { transaction: progress.closed_transaction, event: progress.closed_event }
    const due = await dueAfter(trx, on, after)
      .select(['transaction_number', 'id', isYoung().as('young')])
      .$if(on.engine === 'postgres', (events) => events.orderBy('transaction_number'))
      .orderBy('id')
      .limit(STEP)
      .execute()
    const young = due.findIndex((event) => Boolean(event.young))
    const last = due.at(young === -1 ? -1 : young - 1)
    if (!last || young === 0) return
    await trx
      .updateTable('seal_progress')
      .set({ closed_transaction: last.transaction_number, closed_event: last.id })
      .execute()
  })

const unqueued = (on: Database, work: (trx: Trx) => Promise<void>): Promise<void> =>
  on.engine === 'postgres'
    ? on.write.transaction().setIsolationLevel('read committed').execute(work)
    : transaction(work, { on })

/** Seals the next closed events. Undefined: another process was faster. */
async function sealClosed(on: Database): Promise<Seal | undefined | 'none'> {
  const [last, progress] = await Promise.all([lastSeal(on), progressOf(on)])
  const upTo = { transaction: progress.closed_transaction, event: progress.closed_event }
  const digests = await digestsOf(on, { after: endOf(last), upTo, most: STEP })
  const seals: (Seal & { entries: string })[] = []
  for (const events of sealable(digests)) seals.push(sealOf(seals.at(-1) ?? last, events))
  if (seals.length === 0) return 'none'
  try {
    await transaction((trx) => trx.insertInto('event_seals').values(seals).execute(), { on })
  } catch (error) {
    if (!isDuplicate(error, 'event_seals')) throw error
    return undefined
  }
  return seals.at(-1)
}

/** Cuts events into runs of one seal each. */
function sealable(digests: readonly Digest[]): Digest[][] {
  const groups: Digest[][] = []
  const hourOf = (event: Digest | undefined) => event && Math.floor(event.timestamp / HOUR)
  for (const event of digests) {
    const group = groups.at(-1)
    if (group && group.length < MOST_EVENTS && hourOf(group[0]) === hourOf(event)) group.push(event)
    else groups.push([event])
  }
  return groups
}

function sealOf(previous: Seal | undefined, events: readonly Digest[]): Seal & { entries: string } {
  const last = events.at(-1)
  const entries = entriesOf(events)
  const seal = {
    number: (previous?.number ?? 0) + 1,
    first_event: events[0]?.event ?? 0,
    last_transaction: last?.transaction ?? 0,
    last_event: last?.event ?? 0,
    events: events.length,
    newest: Math.max(...events.map(({ timestamp }) => timestamp)),
    sealed_at: Date.now(),
    content: sha256(entries),
  }
  return { ...seal, digest: digestAfter(previous?.digest ?? '', seal), entries }
}

type Entry = Pick<Digest, 'event' | 'digest'>

const entriesOf = (events: readonly Entry[]): string =>
  events.map(({ event, digest }) => `${event} ${digest}`).join('\n')

export const readEntries = (entries: string): Entry[] =>
  entries.split('\n').map((line) => {
    const [event, digest = ''] = line.split(' ')
    return { event: Number(event), digest }
  })

/** Seals events every 15 seconds, and writes the last seal to the log, so that a copy can be kept elsewhere. */
export const keepSealing = (): NodeJS.Timeout =>
  inRounds(ROUND, 'the events could not be sealed', async () => {
    const seal = await sealEvents()
    if (seal) log().info({ seal: seal.number, digest: seal.digest }, 'events are sealed')
  })

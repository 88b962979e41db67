import { sql } from 'kysely'
import { claimIps, endIp } from '#lib/cloud/nat/ip-ends.server'
import { countReleased } from '#lib/cloud/nat/many-ips.server'
import { claimRules, endRule } from '#lib/cloud/nat/rule-ends.server'
import { chunksOf } from '#lib/db/chunks'
import { database, type Trx, transaction } from '#lib/db/db.server'
import { together } from '#lib/db/statements.server'
import { log } from '#lib/ground/log.server'
import { noteEnding } from '#lib/ground/metrics/metrics.server'
import { inRounds } from '#lib/ground/rounds.server'
import { claimUsers, endUser } from '#lib/people/identity/user-ends.server'
import type { Claimed, Ended, Verdict } from '#lib/record/events/ending.server'
import { readyEvent } from '#lib/record/events/record.server'
import { forgetMakers, refuseEnd } from '#lib/record/mail/end-notices.server'
import { endKinds } from '#lib/state/ends/end-kinds.server'
import { remindOfEnds } from '#lib/state/ends/end-notices.server'
import type { EndKind } from '#lib/state/ends/ends-list.schema'
import { verdictsOf } from '#lib/state/ends/refusals.server'
import { steadyClock } from '#lib/state/ends/steady-clock.server'

/*
 * Ends what has an end (docs/api/ends.md, "Ends"): some resources in one transaction, each with an event of its own, which takes the end away. A
 * process that dies leaves all of a transaction or nothing, and of two processes one finds no end.
 */

type Ending<Row extends Claimed> = {
  /** Those of these resources that end, and that no other process is ending. */
  claim: (trx: Trx, ids: readonly number[], now: number) => Promise<Row[]>
  end: (trx: Trx, row: Row, verdict: Verdict) => Ended | Promise<Ended>
  /** Writes for all that have ended together what the journal does not keep. Sends its statements at once. */
  finish?: (trx: Trx, ended: readonly Row[]) => Promise<unknown>
}

/** The actions of the events, and the resources that keep their ends, because the users who set them may not make the changes. */
type Done = { actions: string[]; kept: number[] }
type EndSome = (trx: Trx, ids: readonly number[], now: number) => Promise<Done>

/**
 * Each event has a moment of its own, so that it is undone alone. No statement waits for the one before: on PostgreSQL thousands of ends
 * would take minutes.
 */
const ending =
  <Row extends Claimed>(kind: EndKind, { claim, end, finish }: Ending<Row>): EndSome =>
  async (trx, ids, now) => {
    const claimed = await claim(trx, ids, now)
    const verdictOf = await verdictsOf(trx, kind, claimed)
    const done: Done = { actions: [], kept: [] }
    const [ended, changed]: [Row[], number[]] = [[], []]
    const sent: Promise<unknown>[] = []
    const send = (statement: Promise<unknown>): void => {
      // The failure comes from `together`.
      statement.catch(() => {})
      sent.push(statement)
    }
    for (const row of claimed) {
      const { isKnown, ...verdict } = verdictOf(row.id)
      const { event, write } = await end(trx, row, verdict)
      if (!write) done.kept.push(row.id)
      if (!write && isKnown) continue
      const record = await readyEvent(trx, event)
      send(record())
      send(write?.() ?? refuseEnd(trx, { entity: kind, id: row.id }, verdict.refused ?? ''))
      if (write) changed.push(row.id)
      if (event.action === 'end') ended.push(row)
      done.actions.push(event.action)
    }
    if (changed.length > 0) send(forgetMakers(trx, kind, changed))
    if (finish && ended.length > 0) send(finish(trx, ended))
    await together(...sent)
    return done
  }

const endings: Readonly<Record<EndKind, EndSome>> = {
  user: ending('user', { claim: claimUsers, end: endUser }),
  natip: ending('natip', { claim: claimIps, end: endIp, finish: countReleased }),
  natrule: ending('natrule', { claim: claimRules, end: endRule }),
}

/** The resources of one transaction: other changes wait a fraction of a second at most. */
const STEP = 200

const PAGE = 1000

type Due = { id: number; at: number }

/** By the index, behind these. */
async function due(kind: EndKind, now: number, after: Due): Promise<Due[]> {
  const { table } = endKinds[kind]
  const rows = await database()
    .read.selectFrom(table)
    .where('ends_at', '<=', now)
    .where(sql<boolean>`(ends_at, id) > (${after.at}, ${after.id})`)
    .select(['id', 'ends_at'])
    .orderBy('ends_at')
    .orderBy('id')
    .limit(PAGE)
    .execute()
  return rows.map(({ id, ends_at }) => ({ id, at: Number(ends_at) }))
}

/** Milliseconds until a resource that could not end is tried again, and one whose end is refused. */
const AFTER_FAILURE = 5000
const AFTER_REFUSAL = 60_000

const paused = new Map<string, number>()

/** If some of them cannot end together, each ends alone, so that one that fails does not delay others. */
async function endSome(kind: EndKind, ids: readonly number[], now: number): Promise<void> {
  const [only] = ids
  if (only === undefined) return
  try {
    const { actions, kept } = await transaction((trx) => endings[kind](trx, ids, now))
    for (const action of actions) noteEnding(kind, action === 'end' ? 'done' : 'refused')
    for (const id of kept) paused.set(`${kind} ${id}`, now + AFTER_REFUSAL)
  } catch (err) {
    if (ids.length > 1) for (const id of ids) await endSome(kind, [id], now)
    else {
      paused.set(`${kind} ${only}`, now + AFTER_FAILURE)
      noteEnding(kind, 'failed')
      log().error({ err, resource: `${kind} ${only}` }, 'a resource could not end')
    }
  }
}

/** Ends everything that is due at this time. */
export async function endDue(now: number): Promise<void> {
  for (const [resource, until] of paused) if (until <= now) paused.delete(resource)
  for (const kind of Object.keys(endings) as EndKind[])
    for (let page = await due(kind, now, { at: 0, id: 0 }); page.length > 0; ) {
      const ids = page.flatMap(({ id }) => (paused.has(`${kind} ${id}`) ? [] : [id]))
      for (const some of chunksOf(ids, STEP)) await endSome(kind, some, now)
      const last = page.at(-1)
      page = last && page.length === PAGE ? await due(kind, now, last) : []
    }
}

/** The clock of the database, if it has one of its own (ms). A wrong clock of one machine then ends nothing early. */
async function databaseTime(): Promise<number> {
  const { engine, read } = database()
  if (engine === 'sqlite') return Number.POSITIVE_INFINITY
  const { rows } = await sql<{ now: number }>`select clock_moment() / 1000 as now`.execute(read)
  return Number(rows[0]?.now)
}

/** Looks each second. */
export function keepEnding(): NodeJS.Timeout {
  const time = steadyClock()
  return inRounds(1000, 'the ends could not be read', async () => {
    const now = Math.min(time(), await databaseTime())
    await endDue(now)
    await remindOfEnds(now)
  })
}

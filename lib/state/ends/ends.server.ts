import { sql } from 'kysely'
import { endIp } from '#lib/cloud/nat/ip-ends.server'
import { endRule } from '#lib/cloud/nat/rule-ends.server'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { log } from '#lib/ground/log.server'
import { inRounds } from '#lib/ground/rounds.server'
import { endUser } from '#lib/people/identity/user-ends.server'
import { type EndTurn, refusalOf } from '#lib/record/events/ending.server'
import { insertEvent, type NewEvent } from '#lib/record/events/record.server'
import { takeEndMaker } from '#lib/record/mail/end-notices.server'
import { actingAs } from '#lib/request/pipeline/inner.server'
import { remindOfEnds } from '#lib/state/ends/end-notices.server'
import { steadyClock } from '#lib/state/ends/steady-clock.server'

/*
 * Ends what has an end (docs/api.md, "Ends"): each resource in one transaction with its event, which takes the end away. A process that dies
 * leaves all of it or nothing, and of two processes one finds no end.
 */

type Ending = {
  table: 'users' | 'nat_ips' | 'nat_rules'
  /** Undefined if the resource does not end, or if another process is ending it. */
  end: (trx: Trx, id: number, turn: EndTurn) => Promise<NewEvent | undefined>
}

const endings = {
  user: { table: 'users', end: endUser },
  natip: { table: 'nat_ips', end: endIp },
  natrule: { table: 'nat_rules', end: endRule },
} as const satisfies Record<string, Ending>

const BATCH = 1000

const due = (db: Db, table: Ending['table'], now: number) =>
  db.selectFrom(table).where('ends_at', '<=', now).select('id').orderBy('ends_at').limit(BATCH).execute()

/** Milliseconds until a resource that could not end is tried again. */
const PAUSE = 5000

const failed = new Map<string, number>()

async function endOne(key: string, work: () => Promise<unknown>, now: number): Promise<void> {
  try {
    await work()
    failed.delete(key)
  } catch (err) {
    failed.set(key, now + PAUSE)
    log().error({ err, resource: key }, 'a resource could not end')
  }
}

/**
 * The codes that refuse the same change to the user who set the end, with their privileges and their sight of this moment. Undefined if they
 * may make it.
 */
const makerRefusal =
  (trx: Trx, of: { entity: string; id: number }): EndTurn['refusal'] =>
  async ({ seenAt, changedAt }) => {
    const user = await takeEndMaker(trx, of)
    const acting = user === undefined ? undefined : await actingAs({ user }, trx)
    if (!acting) return '403-FORBIDDEN'
    return refusalOf(async () => {
      await acting.operate({ method: 'GET', path: seenAt })
      await acting.permit({ method: 'PUT', path: changedAt })
    })
  }

/** Ends everything that is due at this time. One that fails does not delay others. */
export async function endDue(now: number): Promise<void> {
  for (const [name, { table, end }] of Object.entries(endings))
    for (const { id } of await due(database().read, table, now)) {
      const key = `${name} ${id}`
      if ((failed.get(key) ?? 0) > now) continue
      const work = () =>
        transaction(async (trx) => {
          const event = await end(trx, id, { now, refusal: makerRefusal(trx, { entity: name, id }) })
          if (event) await insertEvent(trx, event)
        })
      await endOne(key, work, now)
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

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, database } from '#lib/db/db.server'
import { isUnreachable } from '#lib/db/dialect.server'
import { env } from '#lib/ground/env.server'
import { tooBusy } from '#lib/ground/http/busy'
import { ApiError, fault } from '#lib/ground/http/errors'
import { inRounds } from '#lib/ground/rounds.server'

/*
 * The revision of a device's translations: its last change in the log, in the order of commit. In PostgreSQL the changes of one
 * transaction have its number, and count once no earlier transaction can commit any more (lib/record/events/commit-order.server.ts).
 */

const isServed = (): boolean => database().engine === 'postgres'

export const revisionColumn = (): RawBuilder<number> =>
  isServed() ? sql`translation_changes.revision` : sql`translation_changes.id`

const isSettled = (): RawBuilder<SqlBool> =>
  isServed()
    ? sql`translation_changes.revision < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        + (select number from transaction_base)`
    : // The index of SQLite has the ids behind the revision.
      sql`translation_changes.revision = 0`

/** The changes of a device in the log whose order is final. */
export const changesOf = (db: Db, device: number) =>
  db.selectFrom('translation_changes').where('device_id', '=', device).where(isSettled())

export const isSince = (revision: number): RawBuilder<SqlBool> => sql`${revisionColumn()} > ${revision}`

/** 0 for a device that never had a change in the log. */
export async function revisionOf(db: Db, device: number): Promise<number> {
  const last = await changesOf(db, device)
    .select(revisionColumn().as('revision'))
    .orderBy(revisionColumn(), 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.revision ?? (await floorOf(db, device)) ?? 0
}

/** The last revision whose changes were removed from the log. */
const floorOf = async (db: Db, device: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom('translation_floors')
      .where('device_id', '=', device)
      .select('revision')
      .executeTakeFirst()
  )?.revision

/** Throws DEVICE-2 for a revision that the device never had, and for one whose following changes are no longer in the log. */
export async function requireRevision(db: Db, device: number, revision: number): Promise<void> {
  const floor = (await floorOf(db, device)) ?? 0
  if (revision === floor) return
  if (revision < floor) throw new ApiError('DEVICE-2')
  const known = await changesOf(db, device)
    .where(sql<SqlBool>`${revisionColumn()} = ${revision}`)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!known) throw new ApiError('DEVICE-2')
}

/** The last revision of the device in this column, or null. */
export const lastRevision = (device: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql`(select ${revisionColumn()} from translation_changes where translation_changes.device_id = ${device} and ${isSettled()}
    order by ${revisionColumn()} desc limit 1)`

/** 1 if a gateway at this revision does not know the present state of the rule in this column. */
export const isNewFor = (revision: RawBuilder<unknown>, rule: RawBuilder<unknown>): RawBuilder<number> =>
  sql`case when exists (select 1 from translation_changes where translation_changes.rule_id = ${rule}
    and ${isSettled()} and ${revisionColumn()} > ${revision}) then 1 else 0 end`

/** Milliseconds. */
const LOOK = 200

type Waiting = { device: number; user: number; revision: number; wake: () => void }

const waiting = new Set<Waiting>()
let timer: NodeJS.Timeout | undefined

/** One query for all waiting requests. Those with news are woken. */
async function look(): Promise<void> {
  const devices = new Set([...waiting].map(({ device }) => device))
  try {
    // One step in the index for each device: grouping would read the whole log, 0.8 s for 2,000,000 rows.
    const rows = await database()
      .read.selectFrom('devices')
      .where('devices.id', 'in', [...devices])
      .select(['devices.id', lastRevision(sql.ref('devices.id')).as('revision')])
      .execute()
    const now = new Map(rows.map(({ id, revision }) => [id, revision]))
    for (const { device, revision, wake } of waiting) if ((now.get(device) ?? 0) > revision) wake()
  } catch (error) {
    if (!isUnreachable(error)) throw error
  }
}

export const countWaiting = (): number => waiting.size

/** Places in one process: of one user at one device, of one user, and at one device. A gateway needs one. */
const MOST = { both: 4, user: 16, device: 16 }

const refusal = (message: string): ApiError =>
  new ApiError(fault('429-TOO-MANY-REQUESTS', message), { retryAfter: 5 })

/** Throws 429 where the user or the device has all its places, and 503 where too many wait. */
function requirePlace({ device, user }: Pick<Waiting, 'device' | 'user'>): void {
  const ofUser = [...waiting].filter((one) => one.user === user)
  const atDevice = [...waiting].filter((one) => one.device === device)
  const ofBoth = ofUser.filter((one) => one.device === device)
  if (ofBoth.length >= MOST.both || ofUser.length >= MOST.user)
    throw refusal(`${MOST.both} requests of a user may wait at a device, and ${MOST.user} at all`)
  if (atDevice.length >= MOST.device) throw refusal(`${MOST.device} requests may wait at a device`)
  // The others of the process need room too.
  if (waiting.size >= env().MAX_REQUESTS / 2) throw tooBusy()
}

type Wait = Omit<Waiting, 'wake'> & { ms: number; left: AbortSignal }

/** Until the device has a newer revision, the time is over, the client has left, or the process ends. Throws 429, 503. */
export async function untilNewer({ ms, left, ...place }: Wait): Promise<void> {
  if (left.aborted) return
  requirePlace(place)
  const { promise, resolve } = Promise.withResolvers<void>()
  const one = { ...place, wake: () => resolve() }
  const over = setTimeout(resolve, ms)
  left.addEventListener('abort', one.wake, { once: true })
  waiting.add(one)
  timer ??= inRounds(LOOK, 'the changes of translations could not be read', look)
  await promise
  clearTimeout(over)
  left.removeEventListener('abort', one.wake)
  waiting.delete(one)
  if (waiting.size > 0) return
  clearInterval(timer)
  timer = undefined
}

/** Answers all waiting requests. */
export function endWaiting(): void {
  for (const { wake } of waiting) wake()
}

import { sql } from 'kysely'
import type { z } from 'zod'
import type { Change } from '#lib/auth/context.server'
import { allPrivileges, type Caller } from '#lib/auth/privileges'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { transactionNumber } from '#lib/events/commit-order.server'
import { insertEvent } from '#lib/events/record.server'
import { ApiError } from '#lib/http/errors'
import { link } from '#lib/http/view'
import { inRounds } from '#lib/rounds.server'
import { revisionColumn } from '#lib/translations/revisions.server'
import type { deviceChangeDocument, deviceChangeInput } from '#lib/translations/translations.schema'

/*
 * Changes that go back unless they are confirmed, as a confirmed commit of NETCONF (RFC 6241 §8.4; docs/api.md, "Changes that go back"): all
 * that changes in the translations of a device from its beginning on, whichever operation and user changes it.
 */

type Device = { id: number; name: string; datacenter_id: number }

const pathOf = ({ id, datacenter_id }: Device): string => `/cloud/locations/${datacenter_id}/devices/${id}`

/** Undefined where nothing waits to be confirmed. */
export const unconfirmedOf = (db: Db, device: number) =>
  db.selectFrom('unconfirmed_changes').where('device_id', '=', device).selectAll().executeTakeFirst()

type Shown = z.infer<typeof deviceChangeDocument>

/** Until when changes wait; neither time nor actions where none do. */
export async function showChange({ db, found }: { db: Db; found: Device }): Promise<Shown> {
  const row = await unconfirmedOf(db, found.id)
  const path = pathOf(found)
  const links = [link('self', `${path}/change`, 'devicechange'), link('device', path, 'device', found.name)]
  if (!row) return { links }
  const actions = ['confirm', 'cancel'].map((action) =>
    link(action, `${path}/action/${action}`, 'devicechange'),
  )
  const ends = new Date(row.ends_at).toISOString()
  return { links: [...links, ...actions], confirmTimeout: row.seconds, ends }
}

/** A new revision without a change, so that gateways ask again. Returns it. */
async function nextRevision(trx: Trx, device: number): Promise<number> {
  const none = { rule_id: null, protocol: null, nat_port: null, private_port: null }
  const row = { device_id: device, added: 0, kind: 'default', nat_ip: '', private_ip: '', ...none }
  const order = {
    revision: transactionNumber(database().engine),
    moment: sql<number>`journal_moment()`,
  }
  const { revision } = await trx
    .insertInto('translation_changes')
    .values({ ...row, ...order })
    .returning(revisionColumn().as('revision'))
    .executeTakeFirstOrThrow()
  return revision
}

type Note = {
  by: Pick<Caller, 'id' | 'nick' | 'enterpriseId'>
  request?: Request
  counts?: Record<string, number>
}

const record = (trx: Trx, device: Device, action: string, { by, request, counts = {} }: Note) =>
  insertEvent(trx, {
    ...(request && { request }),
    action,
    changes: Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, { after: String(count) }]),
    ),
    by,
    entity: {
      type: 'device',
      id: device.id,
      name: device.name,
      path: pathOf(device),
      place: { datacenter: device.datacenter_id },
    },
  })

type Acting<Body = unknown> = Change<Device, Body> & { request: Request }

/** From now on what changes in the translations of the device waits to be confirmed. Throws DEVICE-3. */
export async function beginChange(context: Acting<z.infer<typeof deviceChangeInput>>) {
  const { caller, db, found, body, request } = context
  const seconds = body.confirmTimeout
  const made = await db
    .insertInto('unconfirmed_changes')
    .values({
      device_id: found.id,
      user_id: caller.id,
      user_nick: caller.nick,
      enterprise_id: caller.enterpriseId,
      revision: await nextRevision(db, found.id),
      seconds,
      ends_at: Date.now() + seconds * 1000,
    })
    .onConflict((conflict) => conflict.column('device_id').doNothing())
    .returning('device_id')
    .executeTakeFirst()
  if (!made) throw new ApiError('DEVICE-3')
  await record(db, found, 'begin-change', { by: caller, request, counts: { confirmTimeout: seconds } })
  return showChange(context)
}

/** What waits stays. Throws DEVICE-4, also where it goes back at this moment. */
export async function confirmChange({ caller, db, found, request }: Acting): Promise<void> {
  const kept = await db
    .deleteFrom('unconfirmed_changes')
    .where('device_id', '=', found.id)
    .where('ends_at', '>', Date.now())
    .returning('device_id')
    .executeTakeFirst()
  if (!kept) throw new ApiError('DEVICE-4')
  await nextRevision(db, found.id)
  await record(db, found, 'confirm-change', { by: caller, request })
}

/** What waits goes back now, as at the end of its time. Throws DEVICE-4. */
export async function cancelChange(context: Acting) {
  const { db, found } = context
  const row = await unconfirmedOf(db, found.id)
  if (!row) throw new ApiError('DEVICE-4')
  await db
    .updateTable('unconfirmed_changes')
    .where('device_id', '=', found.id)
    .set({ ends_at: Math.min(row.ends_at, Date.now()) })
    .execute()
  return showChange(context)
}

type Unconfirmed = NonNullable<Awaited<ReturnType<typeof unconfirmedOf>>>

/** The events that changed translations of the device since, the last one first. Of an event and its undo neither is left. */
async function eventsOf({ device_id, revision }: Unconfirmed): Promise<number[]> {
  const { read } = database()
  const rows = await read
    .selectFrom('events')
    .leftJoin('events as undoing', 'undoing.undoes', 'events.id')
    .where(
      'events.moment',
      'in',
      read
        .selectFrom('translation_changes')
        .where('device_id', '=', device_id)
        .where(sql<boolean>`${revisionColumn()} > ${revision}`)
        .select('moment'),
    )
    .where('events.undoable', '=', 1)
    .orderBy('events.moment', 'desc')
    .select(['events.id', 'events.undoes', 'undoing.id as undone_by'])
    .execute()
  const undoes = new Map(rows.map((row) => [row.id, row.undoes]))
  const isChange = (id: number | null): boolean =>
    id !== null && undoes.has(id) && !isChange(undoes.get(id) ?? null)
  return rows.filter((row) => row.undone_by === null && isChange(row.id)).map(({ id }) => id)
}

/** Undoes an event as this caller. Throws ApiError. */
export type UndoAs = (caller: Caller, event: number) => Promise<unknown>

/** Goes back whatever the user may do by now, and whatever they see: they asked for it when they began. */
const wholeCaller = ({ user_id, user_nick, enterprise_id }: Unconfirmed): Caller => ({
  id: user_id,
  nick: user_nick,
  enterpriseId: enterprise_id,
  scope: { id: 1, allDatacenters: true, allEnterprises: true },
  privileges: new Set(allPrivileges),
})

/** Takes back what was not confirmed in time, in one process or several. Changes that cannot be undone stay, and are counted. */
export async function takeBackDue(undo: UndoAs): Promise<void> {
  const due = await database()
    .read.selectFrom('unconfirmed_changes')
    .where('ends_at', '<=', Date.now())
    .selectAll()
    .execute()
  for (const one of due) {
    const counts = { undone: 0, kept: 0 }
    for (const event of await eventsOf(one)) {
      try {
        await undo(wholeCaller(one), event)
        counts.undone += 1
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        counts.kept += 1
      }
    }
    await transaction((trx) => end(trx, one, counts))
  }
}

async function end(trx: Trx, one: Unconfirmed, counts: Record<string, number>): Promise<void> {
  const ended = await trx
    .deleteFrom('unconfirmed_changes')
    .where('device_id', '=', one.device_id)
    .where('revision', '=', one.revision)
    .returning('device_id')
    .executeTakeFirst()
  if (!ended) return
  await nextRevision(trx, one.device_id)
  const device = await trx
    .selectFrom('devices')
    .where('id', '=', one.device_id)
    .select(['id', 'name', 'datacenter_id'])
    .executeTakeFirstOrThrow()
  const by = { id: one.user_id, nick: one.user_nick, enterpriseId: one.enterprise_id }
  await record(trx, device, 'take-back-change', { by, counts })
}

export const keepTakingBack = (undo: UndoAs): NodeJS.Timeout =>
  inRounds(500, 'unconfirmed changes could not be taken back', () => takeBackDue(undo))

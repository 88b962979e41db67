import { sql } from 'kysely'
import type { z } from 'zod'
import type { Change } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import type { Maker } from '#lib/caller/auth/strategy.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { revisionColumn } from '#lib/cloud/translations/revisions.server'
import type { deviceChangeDocument, deviceChangeInput } from '#lib/cloud/translations/translations.schema'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { link } from '#lib/ground/http/view'
import { transactionNumber } from '#lib/record/events/commit-order.server'
import { insertEvent } from '#lib/record/events/record.server'

/*
 * Changes that go back unless they are confirmed, as a confirmed commit of NETCONF (RFC 6241 §8.4; docs/api/devices.md, "Changes that go back"). How
 * they go back is in lib/undo.
 */

export type Device = { id: number; name: string; datacenter_id: number }

const devicePath = ({ id, datacenter_id }: Device): string =>
  pathOf(kinds.device, { datacenter: datacenter_id, id })

/** Undefined where nothing waits to be confirmed. */
export const unconfirmedOf = (db: Db, device: number) =>
  db.selectFrom('unconfirmed_changes').where('device_id', '=', device).selectAll().executeTakeFirst()

type Shown = z.infer<typeof deviceChangeDocument>

/** The end of the time for confirmation; neither time nor actions without unconfirmed changes. */
export async function showChange({ db, found }: { db: Db; found: Device }): Promise<Shown> {
  const row = await unconfirmedOf(db, found.id)
  const path = devicePath(found)
  const links = [link('self', `${path}/change`, 'devicechange'), link('device', path, 'device', found.name)]
  if (!row) return { links }
  const actions = ['confirm', 'cancel'].map((action) =>
    link(action, `${path}/action/${action}`, 'devicechange'),
  )
  const ends = new Date(row.ends_at).toISOString()
  return { links: [...links, ...actions], confirmTimeout: row.seconds, ends }
}

/** A new revision without a change, so that gateways ask again. Returns it. */
export async function nextRevision(trx: Trx, device: number): Promise<number> {
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
  request?: Exchange
  counts?: Record<string, number>
  undoable?: boolean
}

export const recordOf = (trx: Trx, device: Device, action: string, note: Note): Promise<number> => {
  const { by, request, counts = {}, undoable = false } = note
  return insertEvent(trx, {
    ...(request && { request }),
    action,
    undoable,
    changes: Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, { after: String(count) }]),
    ),
    by,
    entity: {
      type: 'device',
      id: device.id,
      name: device.name,
      path: devicePath(device),
      place: { datacenter: device.datacenter_id },
    },
  })
}

type Acting<Body = unknown> = Change<Device, Body> & { request: Exchange }
type Beginning = Acting<z.infer<typeof deviceChangeInput>> & { maker: Maker }

/** From now on, changes in the translations of the device wait for confirmation. Throws DEVICE-3. */
export async function beginChange(context: Beginning) {
  const { caller, maker, db, found, body, request } = context
  const seconds = body.confirmTimeout
  const made = await db
    .insertInto('unconfirmed_changes')
    .values({
      device_id: found.id,
      user_id: caller.id,
      user_nick: caller.nick,
      enterprise_id: caller.enterpriseId,
      access_token_id: maker.accessToken ?? null,
      oauth_token_id: maker.oauthToken ?? null,
      revision: await nextRevision(db, found.id),
      seconds,
      ends_at: Date.now() + seconds * 1000,
    })
    .onConflict((conflict) => conflict.column('device_id').doNothing())
    .returning('device_id')
    .executeTakeFirst()
  if (!made) throw new ApiError('DEVICE-3')
  await recordOf(db, found, 'begin-change', { by: caller, request, counts: { confirmTimeout: seconds } })
  return showChange(context)
}

/** Confirms the changes. Throws DEVICE-4, also while they are being undone. */
export async function confirmChange({ caller, db, found, request }: Acting): Promise<void> {
  const kept = await db
    .deleteFrom('unconfirmed_changes')
    .where('device_id', '=', found.id)
    .where('ends_at', '>', Date.now())
    .returning('device_id')
    .executeTakeFirst()
  if (!kept) throw new ApiError('DEVICE-4')
  await nextRevision(db, found.id)
  await recordOf(db, found, 'confirm-change', { by: caller, request })
}

/** Undoes the unconfirmed changes now, as at the end of their time. Throws DEVICE-4. */
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

export type Unconfirmed = NonNullable<Awaited<ReturnType<typeof unconfirmedOf>>>

/** False if another process was faster. */
export async function removeWaiting(trx: Trx, { device_id, revision }: Unconfirmed): Promise<boolean> {
  const removed = await trx
    .deleteFrom('unconfirmed_changes')
    .where('device_id', '=', device_id)
    .where('revision', '=', revision)
    .returning('device_id')
    .executeTakeFirst()
  return removed !== undefined
}

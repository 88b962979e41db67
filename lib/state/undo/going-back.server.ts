import { sql } from 'kysely'
import { isSince } from '#lib/cloud/translations/revisions.server'
import {
  nextRevision,
  recordOf,
  removeWaiting,
  type Unconfirmed,
} from '#lib/cloud/translations/unconfirmed.server'
import { database, type Trx } from '#lib/db/db.server'
import { fixMoment } from '#lib/db/savepoints.server'
import { translationColumns } from '#lib/db/translation-log.server'
import { log } from '#lib/ground/log.server'
import { inRounds } from '#lib/ground/rounds.server'
import { type Acting, actFor } from '#lib/request/pipeline/inner.server'
import { reconcile, type Wish } from '#lib/state/reconcile/reconcile.server'
import { type ChangedRow, changedRows } from '#lib/state/undo/changed.server'
import type { ChangedResource, TakenBack } from '#lib/state/undo/changed-resources.server'
import { ipWishes, ruleWishes } from '#lib/state/undo/nat-wishes.server'
import { presentRows } from '#lib/state/undo/present.server'
import type { Row } from '#lib/state/undo/resources'

/*
 * Undoes changes of a device's translations that were not confirmed (lib/cloud/translations/unconfirmed.server.ts). Only rows of its
 * translations are restored, NAT rules and default SNATs, whatever else their events changed, and only rows that the user who began the
 * changes could restore by hand at this moment, by the operations for rules and default SNATs.
 */

const logged = (trx: Trx, { device_id, revision }: Unconfirmed) =>
  trx.selectFrom('translation_changes').where('device_id', '=', device_id).where(isSince(revision))

/** How many translations are not as they were at the beginning. */
async function countChanged(trx: Trx, one: Unconfirmed): Promise<number> {
  const rows = await logged(trx, one)
    .groupBy(translationColumns)
    .having(sql<number>`sum(added)`, '<>', 0)
    .select('kind')
    .execute()
  return rows.length
}

/** The rules and NAT IPs of the device that these transactions changed. */
async function rowsOf(trx: Trx, one: Unconfirmed): Promise<ChangedRow[]> {
  const moments = await logged(trx, one).select('moment').distinct().orderBy('moment').execute()
  const networks = await trx
    .selectFrom('nat_networks')
    .where('device_id', '=', one.device_id)
    .select('id')
    .execute()
  const own = new Set(networks.map(({ id }) => id))
  const rows = await changedRows(
    trx,
    moments.map(({ moment }) => moment),
    ['nat_ips', 'nat_rules'],
  )
  return rows.filter(({ before, after }) => own.has(Number((after ?? before)?.nat_network_id)))
}

/** The IP with nothing changed but whether it is the default SNAT of its virtual datacenter, if that changed. */
function defaultOf({ id, before, after }: ChangedRow): ChangedResource[] {
  if (!after) return []
  const wasDefault = before?.default_snat ?? 0
  const hasMoved = before !== null && before.virtual_datacenter_id !== after.virtual_datacenter_id
  if (hasMoved || wasDefault === after.default_snat) return []
  const as: Row = { ...after, default_snat: wasDefault }
  return [{ source: 'nat_ips', id, before: as, after }]
}

/** The rules as they are now: while a rule is disabled, its changes and its removal are no changes of translations. */
async function untilNow(trx: Trx, rules: readonly ChangedRow[]): Promise<ChangedRow[]> {
  const rows = await presentRows(
    trx,
    'nat_rules',
    rules.map(({ id }) => id),
  )
  const present = new Map(rows.map(({ id, row }) => [id, row]))
  return rules.map((rule) => ({ ...rule, after: present.get(rule.id) ?? null }))
}

async function wishesIn(parts: AsyncGenerator<TakenBack>): Promise<Wish[]> {
  const possible: Wish[] = []
  for await (const { wishes, faults } of parts) if (faults.length === 0) possible.push(...wishes)
  return possible
}

async function goBack(trx: Trx, one: Unconfirmed, acting: Acting): Promise<void> {
  const context = { ...acting, db: trx, restores: true }
  const rows = await rowsOf(trx, one)
  const rules = await untilNow(
    trx,
    rows.filter(({ source }) => source === 'nat_rules'),
  )
  const ips = rows.filter(({ source }) => source === 'nat_ips').flatMap(defaultOf)
  const wishes = [
    ...(await wishesIn(ipWishes(context, ips))),
    ...(await wishesIn(ruleWishes(context, rules))),
  ]
  const refused = await reconcile(context, wishes)
  // After a failure of the server all of them are tried again.
  for (const refusal of refused.values()) if (refusal.status >= 500) throw refusal
}

/** Ends the wait for confirmation of these changes, and undoes as much as the user may. Does nothing if another process has done it. */
const end = (one: Unconfirmed): Promise<void> => {
  const { device_id, user_id, access_token_id, oauth_token_id } = one
  const maker = {
    user: user_id,
    accessToken: access_token_id ?? undefined,
    oauthToken: oauth_token_id ?? undefined,
  }
  return actFor(maker, async (trx, acting) => {
    await fixMoment(trx)
    if (!(await removeWaiting(trx, one))) return
    const changed = await countChanged(trx, one)
    if (acting) await goBack(trx, one, acting)
    const kept = await countChanged(trx, one)
    const undone = changed - kept
    await nextRevision(trx, device_id)
    const device = await trx
      .selectFrom('devices')
      .where('id', '=', device_id)
      .select(['id', 'name', 'datacenter_id'])
      .executeTakeFirstOrThrow()
    const by = { id: user_id, nick: one.user_nick, enterpriseId: one.enterprise_id }
    await recordOf(trx, device, 'take-back-change', {
      by,
      counts: { undone, kept },
      undoable: undone > 0,
    })
  })
}

/** Milliseconds until a device whose changes could not go back is tried again. */
const PAUSE = 5000

const failed = new Map<number, number>()

/** Undoes changes that were not confirmed in time, in one process or several. A device that fails does not delay others. */
export async function goBackDue(): Promise<void> {
  const now = Date.now()
  const due = await database()
    .read.selectFrom('unconfirmed_changes')
    .where('ends_at', '<=', now)
    .selectAll()
    .execute()
  for (const device of failed.keys())
    if (!due.some(({ device_id }) => device_id === device)) failed.delete(device)
  for (const one of due) {
    if ((failed.get(one.device_id) ?? 0) > now) continue
    try {
      await end(one)
    } catch (err) {
      failed.set(one.device_id, now + PAUSE)
      log().error({ err, device: one.device_id }, 'the changes of a device could not go back')
    }
  }
}

export const keepGoingBack = (): NodeJS.Timeout =>
  inRounds(500, 'unconfirmed changes could not be read', goBackDue)

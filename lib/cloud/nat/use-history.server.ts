import type { Listed } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { shownAssignable } from '#lib/cloud/nat/assignable.server'
import type { NetworkRow } from '#lib/cloud/nat/networks.server'
import { dayOf } from '#lib/cloud/nat/use-days.server'
import {
  KEPT_DAYS,
  type UseDay,
  type UseHistoryDocument,
  type UseHistoryQuery,
} from '#lib/cloud/nat/use-history.schema'
import { type Trx, transaction } from '#lib/db/db.server'
import { link } from '#lib/ground/http/view'

const DAY = 24 * 60 * 60 * 1000

type UseRow = { day: number; ips: number; available_ips: number; used_ips: number; assignable: number | null }

const shownDay = (day: number, { ips, available_ips, used_ips, assignable }: UseRow): UseDay => ({
  day: new Date(day * DAY).toISOString().slice(0, 10),
  ips,
  availableIps: available_ips,
  usedIps: used_ips,
  ...shownAssignable(assignable),
})

/** The use of a network in the last days. A day without a change has the totals of the day before. */
export async function readUseHistory({
  db,
  found: { id, datacenter_id, name },
  query: { days },
}: Listed<NetworkRow, UseHistoryQuery>): Promise<UseHistoryDocument> {
  const today = dayOf(Date.now())
  const rows = await db
    .selectFrom('nat_use_days')
    .where('nat_network_id', '=', id)
    .where('day', '<=', today)
    .select(['day', 'ips', 'available_ips', 'used_ips', 'assignable'])
    .orderBy('day', 'desc')
    // Each row is another day, so these reach the first day of the period, or the last change before it.
    .limit(days)
    .execute()
  const path = pathOf(kinds.natnetwork, { datacenter: datacenter_id, id })
  return {
    links: [link('natnetwork', path, 'natnetwork', name)],
    days: eachDay(rows.toReversed(), { first: today - days + 1, last: today }),
  }
}

function eachDay(rows: readonly UseRow[], { first, last }: { first: number; last: number }): UseDay[] {
  const shown: UseDay[] = []
  for (let day = first; day <= last; day += 1) {
    const known = rows.findLast((row) => row.day <= day)
    if (known) shown.push(shownDay(day, known))
  }
  return shown
}

/** Removes the days that no history shows. The last change before them stays, because it still counts on the first shown day. */
export const removeOldUseDays = (): Promise<void> =>
  transaction(async (trx: Trx) => {
    const first = dayOf(Date.now()) - KEPT_DAYS + 1
    await trx
      .deleteFrom('nat_use_days')
      .where('day', '<', first)
      .where((row) =>
        row.exists(
          row
            .selectFrom('nat_use_days as later')
            .whereRef('later.nat_network_id', '=', 'nat_use_days.nat_network_id')
            .whereRef('later.day', '>', 'nat_use_days.day')
            .where('later.day', '<=', first)
            .select('later.day'),
        ),
      )
      .execute()
  })

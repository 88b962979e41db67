import { type Trx, transaction } from '#lib/db/db.server'
import { clientNetwork } from '#lib/ground/http/client-address.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { amendEvent, insertEvent } from '#lib/record/events/record.server'

/*
 * Sign-ins with an unknown nick. One event counts those of a client network in one minute. Beyond 20 networks in a minute, one event
 * counts the rest, so that an attacker cannot flood the list of events.
 */

const MINUTE = 60_000
const NETWORKS = 20
/** The address in an event that counts several networks. */
const SEVERAL = '*'

export async function recordStranger(trx: Trx, request: Exchange): Promise<void> {
  const minute = Math.floor(Date.now() / MINUTE)
  const known = await trx.selectFrom('refused_strangers').where('minute', '=', minute).selectAll().execute()
  const own = clientNetwork(request)
  const isListed = known.length < NETWORKS || known.some(({ place }) => place === own)
  const place = isListed ? own : SEVERAL
  const row = known.find((found) => found.place === place)
  if (row && (await countOn(trx, row))) return
  const event_id = await insertEvent(trx, {
    request,
    action: 'sign-in-refused',
    changes: changesOf(1),
    by: undefined,
    entity: { type: 'user', name: '' },
  })
  if (place === SEVERAL) await amendEvent(trx, event_id, { ip: SEVERAL })
  const values = { minute, event_id, count: 1 }
  await trx
    .insertInto('refused_strangers')
    .values({ place, ...values })
    .onConflict((conflict) => conflict.column('place').doUpdateSet(values))
    .execute()
}

const changesOf = (count: number) => ({
  reason: { after: 'unknown' },
  ...(count > 1 && { count: { after: String(count) } }),
})

/** False: the event no longer changes, and another one goes on counting. */
async function countOn(
  trx: Trx,
  { place, event_id, count }: { place: string; event_id: number; count: number },
): Promise<boolean> {
  if (!(await amendEvent(trx, event_id, { changes: changesOf(count + 1) }))) return false
  await trx
    .updateTable('refused_strangers')
    .set({ count: count + 1 })
    .where('place', '=', place)
    .execute()
  return true
}

/** Removes the counters; their events stay. */
export const removeOldStrangers = (): Promise<unknown> =>
  transaction((trx) =>
    trx
      .deleteFrom('refused_strangers')
      .where('minute', '<', Math.floor(Date.now() / MINUTE) - 1)
      .execute(),
  )

import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { countedColumns } from '#lib/cloud/nat/counts.server'
import { releaseManyIps } from '#lib/cloud/nat/many-ips.server'
import { database, type Trx } from '#lib/db/db.server'
import { endsText } from '#lib/ground/http/ends.schema'
import { type EndTurn, refusalOf } from '#lib/record/events/ending.server'
import type { NewEvent } from '#lib/record/events/record.server'
import { noteEnd } from '#lib/record/mail/end-notices.server'

/* Attached NAT IPs that are released by themselves (docs/api.md, "Ends"). */

type End = { id: number; endsAt: number | null; by: number }

export async function setIpEnd(trx: Trx, { id, endsAt, by }: End): Promise<void> {
  await trx.updateTable('nat_ips').set({ ends_at: endsAt }).where('id', '=', id).execute()
  await noteEnd(trx, { entity: 'natip', id, endsAt, by })
}

/** The IP, if its time is over and no other process releases it at the moment. */
const claimed = (trx: Trx, id: number, now: number) =>
  trx
    .selectFrom('nat_ips')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'nat_ips.virtual_datacenter_id')
    .where('nat_ips.id', '=', id)
    .where('nat_ips.ends_at', '<=', now)
    .select(['nat_ips.id', 'nat_ips.ip', 'nat_ips.ends_at as at'])
    .select(countedColumns.map((column) => `nat_ips.${column}` as const))
    .select(['virtual_datacenters.name as holder', 'virtual_datacenters.enterprise_id as enterprise'])
    .$if(database().engine === 'postgres', (query) => query.forUpdate('nat_ips').skipLocked())
    .executeTakeFirst()

/**
 * The IP is released, as by hand. It stays without an end if it has rules, if it is a default SNAT, or if the user who set the end may not
 * release it any more. Returns the event.
 */
export async function endIp(trx: Trx, id: number, { now, refusal }: EndTurn): Promise<NewEvent | undefined> {
  const ip = await claimed(trx, id, now)
  if (!ip) return undefined
  const { enterprise, datacenter_id: datacenter, nat_network_id: natnetwork } = ip
  const center = pathOf(kinds.virtualdatacenter, { id: Number(ip.virtual_datacenter_id) })
  const own = { seenAt: `${center}/natips/${id}`, changedAt: `${center}/natips/purchased/${id}` }
  // The rules for a release are checked before anything is written.
  const reason = (await refusal(own)) ?? (await refusalOf(() => releaseManyIps(trx, [ip])))
  if (reason !== undefined)
    await trx.updateTable('nat_ips').set({ ends_at: null }).where('id', '=', id).execute()
  const path = pathOf(kinds.natip, { datacenter, natnetwork, id })
  const holder = { type: 'virtualdatacenter', id: Number(ip.virtual_datacenter_id), name: ip.holder }
  const place = { enterprise, datacenter }
  return {
    action: reason === undefined ? 'end' : 'end-refused',
    changes: {
      ends: { before: endsText(ip.at) },
      ...(reason === undefined ? { virtualdatacenter: { before: holder } } : { reason: { after: reason } }),
    },
    by: undefined,
    entity: { type: 'natip', id, name: ip.ip, path, place, was: place },
    documentPath: path,
    undoable: reason === undefined,
  }
}

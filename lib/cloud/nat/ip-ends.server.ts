import { sql } from 'kysely'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { countedColumns } from '#lib/cloud/nat/counts.server'
import { releaseFaults, writeRelease } from '#lib/cloud/nat/many-ips.server'
import { database, type Trx } from '#lib/db/db.server'
import { endsText } from '#lib/ground/http/ends.schema'
import { type Ended, isOver, type Verdict } from '#lib/record/events/ending.server'
import type { NewEvent } from '#lib/record/events/record.server'
import { noteEnd } from '#lib/record/mail/end-notices.server'

/* Attached NAT IPs that are released by themselves (docs/api/ends.md, "Ends"). */

type End = { id: number; endsAt: number | null; by: number }

const writeEnd = (trx: Trx, { id, endsAt }: Omit<End, 'by'>): Promise<unknown> =>
  trx.updateTable('nat_ips').set({ ends_at: endsAt }).where('id', '=', id).execute()

export async function setIpEnd(trx: Trx, { id, endsAt, by }: End): Promise<void> {
  await writeEnd(trx, { id, endsAt })
  await noteEnd(trx, { entity: 'natip', id, endsAt, by })
}

/** Those of these IPs whose time is over, and that no other process releases at the moment. */
export async function claimIps(trx: Trx, ids: readonly number[], now: number) {
  const ips = await trx
    .selectFrom('nat_ips')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'nat_ips.virtual_datacenter_id')
    .where('nat_ips.id', 'in', ids)
    .where(isOver('nat_ips.ends_at', now))
    .select(['nat_ips.id', 'nat_ips.ip', 'nat_ips.ends_at as at'])
    .select(
      sql<boolean>`exists (select 1 from nat_rules where nat_rules.nat_ip_id = nat_ips.id)`.as('has_rules'),
    )
    .select(countedColumns.map((column) => `nat_ips.${column}` as const))
    .select(['virtual_datacenters.name as holder', 'virtual_datacenters.enterprise_id as enterprise'])
    .$if(database().engine === 'postgres', (query) => query.forUpdate('nat_ips').skipLocked())
    .execute()
  return ips.map((ip) => {
    const center = pathOf(kinds.virtualdatacenter, { id: Number(ip.virtual_datacenter_id) })
    return { ...ip, seenAt: `${center}/natips/${ip.id}`, changedAt: `${center}/natips/purchased/${ip.id}` }
  })
}

type ClaimedIp = Awaited<ReturnType<typeof claimIps>>[number]

/**
 * The IP is released, as by hand. One with rules, and a default SNAT, stays without an end. One that the user who set the end may not release any
 * more stays with it.
 */
export function endIp(trx: Trx, ip: ClaimedIp, { refused }: Verdict): Ended {
  const { id, enterprise, datacenter_id: datacenter, nat_network_id: natnetwork } = ip
  const faults = releaseFaults({ isDefault: ip.default_snat === 1, hasRules: Boolean(ip.has_rules) })
  const reason = refused ?? (faults.map(({ code }) => code).join(', ') || undefined)
  const path = pathOf(kinds.natip, { datacenter, natnetwork, id })
  const place = { enterprise, datacenter }
  const type = kinds.virtualdatacenter.name
  const holder = { type, id: Number(ip.virtual_datacenter_id), name: ip.holder, at: place }
  const event: NewEvent = {
    action: reason === undefined ? 'end' : 'end-refused',
    changes: {
      ...(refused === undefined && { ends: { before: endsText(ip.at) } }),
      ...(reason === undefined ? { virtualdatacenter: { before: holder } } : { reason: { after: reason } }),
    },
    by: undefined,
    entity: { type: 'natip', id, name: ip.ip, path, place, was: place },
    documentPath: path,
    undoable: reason === undefined,
  }
  if (refused !== undefined) return { event }
  return {
    event,
    write: () => (reason === undefined ? writeRelease(trx, ip) : writeEnd(trx, { id, endsAt: null })),
  }
}

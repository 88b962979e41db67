import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import { findDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import { findVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { attachIp, ipAroundTarget, releaseIp } from '#lib/cloud/nat/attachments.server'
import { natScopeOf } from '#lib/cloud/nat/counts.server'
import { ipIds, isAttached, requireNarrowed } from '#lib/cloud/nat/ip-filters.server'
import { changeIpTags } from '#lib/cloud/nat/ip-notes.server'
import { datacenterIpQuery, type NatIpsAttachInput, type NatIpsChangeInput } from '#lib/cloud/nat/ips.schema'
import { findIpsIn, removeIp, updateIp } from '#lib/cloud/nat/ips.server'
import { removeManyIps, setManyIps } from '#lib/cloud/nat/many-ips.server'
import { chunksOf } from '#lib/db/chunks'
import { type Db, database, type Trx } from '#lib/db/db.server'
import { isAmong } from '#lib/db/dialect.server'
import { ApiError } from '#lib/ground/http/errors'
import type { BulkImpact, BulkInput, BulkReport } from '#lib/record/bulk/bulk.schema'
import { type Bulk, type BulkContext, changeMany, filterAs, holdersIn } from '#lib/record/bulk/bulk.server'
import type { StoredChanges, Value } from '#lib/record/events/stored'

/* Changes of many NAT IPs of a datacenter. Every IP is changed by the function of the single operation. */

type Datacenter = Awaited<ReturnType<typeof findDatacenter>>
type Context<Body extends BulkInput> = BulkContext<Body> & { found: Datacenter }

type BulkIpRow = Awaited<ReturnType<typeof findIpsIn>>[number] & { name: string }

/** The datacenter of the path. Throws DC-0. */
export const bulkDatacenter = {
  ids: { datacenter: 'DC-0' },
  find: (context: ReadContext, { datacenter }: { datacenter: number }) => findDatacenter(context, datacenter),
} as const

/** A bulk change has one event, about the datacenter. */
export const eventOfDatacenter = (
  { id, name }: Pick<Datacenter, 'id' | 'name'>,
  action: string,
  changes: StoredChanges = {},
) => ({
  action,
  entity: {
    type: 'datacenter' as const,
    id,
    name,
    path: pathOf(kinds.datacenter, { id }),
    place: { datacenter: id },
  },
  changes,
})

/** The common part of all bulk changes of IPs. */
const ofIps = (
  context: Context<BulkInput>,
): Pick<Bulk<BulkIpRow>, 'matching' | 'rows' | 'missing' | 'impact'> => ({
  matching: (filter) => matchingIps(context, filter),
  rows: (trx, ids) => ipRows(context, trx, ids),
  missing: 'NAT-IP-0',
  impact: (ids) => impactOf(context, ids),
})

/** Callers who may not read the list cannot explore it by a filter either. Throws 403. */
async function matchingIps({ caller, db, found }: Context<BulkInput>, filter: string) {
  if (!can(caller, kinds.natip.readers)) throw new ApiError('403-FORBIDDEN')
  const query = filterAs(datacenterIpQuery, filter)
  const place = await requireNarrowed({ caller, db }, { datacenter: found.id }, query)
  return async () => {
    const rows = await ipIds(database().scan, caller, place, query).orderBy('nat_ips.id').execute()
    return rows.map(({ id }) => id)
  }
}

/** The caller must see the datacenter in this transaction too, and with it all of its networks. */
async function ipRows({ caller, found }: Context<BulkInput>, db: Trx, ids: number[]): Promise<BulkIpRow[]> {
  await findDatacenter({ caller, db }, found.id)
  const rows = await findIpsIn(db, found.id, ids)
  return rows.map((ip) => ({ ...ip, name: ip.ip }))
}

/** Sets `available` or `quarantine` or both, and changes tags. The event does not name them: not every reader of it sees the holders. */
export function changeIps(context: Context<NatIpsChangeInput>): Promise<BulkReport> {
  const { caller, body, found: datacenter } = context
  const { available, quarantine } = body
  const wanted = (ip: BulkIpRow) => ({
    available: available ?? ip.available === 1,
    quarantine: quarantine ?? ip.quarantine === 1,
  })
  const differs = (ip: BulkIpRow) => {
    const state = wanted(ip)
    return state.available !== (ip.available === 1) || state.quarantine !== (ip.quarantine === 1)
  }
  return changeMany(context, {
    ...ofIps(context),
    event: eventOfDatacenter(datacenter, 'change-natips', setTo({ available, quarantine })),
    change: async (db, ip) => {
      const tagged = await changeIpTags(db, caller, [ip], body)
      if (!differs(ip)) return tagged.length > 0
      await updateIp({ caller, db, found: ip, body: wanted(ip) })
      return true
    },
    changeAll: async (db, ips) => {
      const tagged = await changeIpTags(db, caller, ips, body)
      const differing = ips.filter(differs)
      const alike = Map.groupBy(differing, (ip) => Object.values(wanted(ip)).join())
      for (const [first, ...others] of alike.values())
        if (first) await setManyIps(db, [first, ...others], wanted(first))
      return [...new Set([...tagged, ...differing.map(({ id }) => id)])]
    },
  })
}

/** The fields that are set, as an event stores them. */
export const setTo = (fields: Record<string, boolean | Value | undefined>): StoredChanges =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { after: typeof value === 'boolean' ? String(value) : value }]],
    ),
  )

export function deleteIps(context: Context<BulkInput>): Promise<BulkReport> {
  const { caller, found: datacenter } = context
  return changeMany(context, {
    ...ofIps(context),
    event: eventOfDatacenter(datacenter, 'delete-natips'),
    change: async (db, ip) => {
      await removeIp({ caller, db, found: ip })
      return true
    },
    changeAll: async (db, ips) => {
      await removeManyIps(db, ips)
      return ips.map(({ id }) => id)
    },
  })
}

/** Attaches free IPs to one virtual datacenter. Throws VDC-0. */
export async function attachManyIps(context: Context<NatIpsAttachInput>): Promise<BulkReport> {
  const { caller, body, found: datacenter } = context
  const center = await findVirtualDatacenter(context, body.links.virtualdatacenter ?? 0)
  const virtualdatacenter = { type: 'virtualdatacenter', id: center.id, name: center.name }
  const event = eventOfDatacenter(datacenter, 'attach-natips', setTo({ virtualdatacenter }))
  return changeMany(context, {
    ...ofIps(context),
    event: {
      ...event,
      entity: { ...event.entity, place: { ...event.entity.place, enterprise: center.enterprise_id } },
    },
    change: async (db, row) => {
      const path = { virtualdatacenter: center.id, natip: row.id }
      const found = await ipAroundTarget.find({ caller, db }, path)
      await attachIp({ caller, db, found, body })
      return true
    },
  })
}

/** Releases each IP from the virtual datacenter that holds it, if the caller sees that one. */
export function releaseIps(context: Context<BulkInput>): Promise<BulkReport> {
  const { caller, body, found: datacenter } = context
  return changeMany(context, {
    ...ofIps(context),
    event: eventOfDatacenter(datacenter, 'release-natips'),
    change: async (db, row) => {
      const path = { virtualdatacenter: row.virtual_datacenter_id ?? 0, natip: row.id }
      await releaseIp({ caller, db, found: await findHeld({ caller, db }, path), body })
      return true
    },
  })
}

/** An IP appears as not attached to callers who do not see its holder (docs/api/nat-ips.md, "NAT IPs"). */
async function findHeld(context: ReadContext, path: { virtualdatacenter: number; natip: number }) {
  try {
    return await ipAroundTarget.find(context, path)
  } catch (cause) {
    const unseen = cause instanceof ApiError && cause.faults.some(({ code }) => code === 'VDC-0')
    throw unseen ? new ApiError('NAT-IP-8', { cause }) : cause
  }
}

/** IPs that one statement counts the uses of. */
const COUNTED = 20_000

async function impactOf({ caller, found }: Context<BulkInput>, ids: number[]): Promise<BulkImpact> {
  const { scan, engine } = database()
  const sum = { attached: 0, defaultSnat: 0, rules: 0 }
  const holders = new Map<number, string>()
  for (const chunk of chunksOf(ids, COUNTED)) {
    const ips = (on: Db) =>
      // No plain column: SQLite would read all IPs of the datacenter by its index.
      on
        .selectFrom('nat_ips')
        .where(sql`nat_ips.datacenter_id + 0`, '=', found.id)
        .where(isAmong(engine, 'nat_ips.id', chunk))
    const held = ips(scan).where(isAttached(caller, natScopeOf([found])))
    const { attached, snat } = await held
      .select((on) => [
        on.fn.countAll<number>().as('attached'),
        sql<number>`coalesce(sum(nat_ips.default_snat), 0)`.as('snat'),
      ])
      .executeTakeFirstOrThrow()
    const { rules } = await ips(scan)
      .innerJoin('nat_rules', 'nat_rules.nat_ip_id', 'nat_ips.id')
      .select((on) => on.fn.countAll<number>().as('rules'))
      .executeTakeFirstOrThrow()
    const enterprises = await ips(scan)
      .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'nat_ips.virtual_datacenter_id')
      .innerJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
      .where(seesEnterprise(caller, 'enterprises.id'))
      .select(['enterprises.id', 'enterprises.name'])
      .distinct()
      .execute()
    sum.attached += Number(attached)
    sum.defaultSnat += Number(snat)
    sum.rules += Number(rules)
    for (const { id, name } of enterprises) holders.set(id, name)
  }
  return { ...sum, ...holdersIn(holders) }
}

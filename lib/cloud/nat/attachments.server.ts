import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Change, Listed, ReadContext } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesDatacenter, seesEnterprise } from '#lib/caller/scopes/visibility.server'
import { findVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { type CountedIp, countedColumns, natScopeOf, recount } from '#lib/cloud/nat/counts.server'
import { setIpEnd } from '#lib/cloud/nat/ip-ends.server'
import { releasedColumns, setIpNotes } from '#lib/cloud/nat/ip-notes.server'
import { ipGroupsFor, ipOrdersFor, ipViews } from '#lib/cloud/nat/ip-views.server'
import type {
  AttachedIpQuery,
  FreeIpQuery,
  HeldIpQuery,
  NatIpAttachInput,
  NatIpDocument,
  NatIpHeldInput,
} from '#lib/cloud/nat/ips.schema'
import { ipDocument } from '#lib/cloud/nat/ips.server'
import { isBetween, longList } from '#lib/cloud/nat/long-list.server'
import { releaseManyIps } from '#lib/cloud/nat/many-ips.server'
import type { RuleQuery } from '#lib/cloud/nat/rules.schema'
import { listRulesOf } from '#lib/cloud/nat/rules.server'
import type { Db, Trx } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import { paddedIds, statement, together } from '#lib/db/statements.server'
import { hasTags } from '#lib/db/tags.server'
import { endAfter, endFaults } from '#lib/ground/http/ends.schema'
import { ApiError } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import { boundsOf } from '#lib/ground/net/addresses'

/* NAT IPs of a virtual datacenter: attach a free IP of its datacenter, release one, choose the default SNAT. */

type CenterPath = { virtualdatacenter: number }
type AttachedPath = CenterPath & { natip: number }

type Attaching = { network: number; virtualDatacenter: number; ids: number[] }

const attachedIps = statement('attached IPs', (db, { network, virtualDatacenter, ids }: Attaching) =>
  db
    .updateTable('nat_ips')
    .set({ virtual_datacenter_id: virtualDatacenter })
    .where('nat_network_id', '=', network)
    .where('id', 'in', ids)
    .where('virtual_datacenter_id', 'is', null)
    .where('available', '=', 1)
    .where('quarantine', '=', 0)
    .returning(countedColumns),
)

/** Attaches all these IPs of one network, or none. Throws NAT-IP-13 if one is attached, unavailable or in quarantine. */
export async function attachIps(
  trx: Trx,
  place: Pick<Attaching, 'network' | 'virtualDatacenter'>,
  ids: number[],
): Promise<void> {
  const attached = await attachedIps(trx, { ...place, ids: paddedIds(ids.map((id) => ({ id }))) })
  if (attached.length !== ids.length) throw new ApiError('NAT-IP-13')
  await recount(trx, { before: attached.map(released), after: attached })
}

const released = (ip: CountedIp): CountedIp => ({ ...ip, virtual_datacenter_id: null })

/** Makes an attached IP the default SNAT of its virtual datacenter, in place of the previous one. Throws NAT-IP-8. */
export async function makeDefaultSnat(trx: Trx, id: number): Promise<void> {
  const ip = await trx.selectFrom('nat_ips').where('id', '=', id).select(countedColumns).executeTakeFirst()
  if (!ip?.virtual_datacenter_id) throw new ApiError('NAT-IP-8')
  if (ip.default_snat === 1) return
  await clearDefaultSnatOf(trx, 'virtual_datacenter_id', ip.virtual_datacenter_id)
  await trx.updateTable('nat_ips').set({ default_snat: 1 }).where('id', '=', id).execute()
  await recount(trx, { before: [ip], after: [{ ...ip, default_snat: 1 }] })
}

/** Leaves the virtual datacenter without a default SNAT. Only an undo may do so (docs/api/undo.md, "Undo"). */
export const clearDefaultSnat = (trx: Trx, id: number): Promise<void> => clearDefaultSnatOf(trx, 'id', id)

async function clearDefaultSnatOf(
  trx: Trx,
  column: 'id' | 'virtual_datacenter_id',
  id: number,
): Promise<void> {
  const cleared = await trx
    .updateTable('nat_ips')
    .set({ default_snat: 0 })
    .where(column, '=', id)
    .where('default_snat', '=', 1)
    .returning(countedColumns)
    .execute()
  await recount(trx, { before: cleared.map((ip) => ({ ...ip, default_snat: 1 })), after: cleared })
}

/**
 * Releases every NAT IP of a virtual datacenter, the default SNAT too, and updates the totals of their networks. Otherwise a virtual
 * datacenter with a default SNAT could never be deleted (docs/api/machines.md, "Virtual datacenters").
 */
export async function releaseIpsOf(trx: Trx, virtualDatacenter: number): Promise<void> {
  const held = await trx
    .selectFrom('nat_ips')
    .where('virtual_datacenter_id', '=', virtualDatacenter)
    .select(countedColumns)
    .execute()
  await trx
    .updateTable('nat_ips')
    .set({ ...releasedColumns, default_snat: 0 })
    .where('virtual_datacenter_id', '=', virtualDatacenter)
    .execute()
  await recount(trx, { before: held, after: held.map((ip) => ({ ...released(ip), default_snat: 0 })) })
}

const ids = (db: Db) => db.selectFrom('nat_ips').select('nat_ips.id')

const endsBefore = (moment: string | undefined): RawBuilder<SqlBool> =>
  moment === undefined ? sql`1 = 1` : sql`nat_ips.ends_at < ${Date.parse(moment)}`

/** Another rule may have the port: ANY is every protocol, and no port every port (docs/api/nat-rules.md, "NAT rules"). */
function isFreeFor(freefor: string | undefined): RawBuilder<SqlBool> {
  if (freefor === undefined) return sql`1 = 1`
  const [protocol, port] = freefor.split(':')
  return sql`nat_ips.quarantine = 0 and not exists (
    select 1 from nat_rules where nat_rules.nat_ip_id = nat_ips.id and nat_rules.snat = 0
      and nat_rules.protocol in (${protocol}, 'ANY')
      and (nat_rules.original_port is null
        or ${Number(port)} between nat_rules.original_port and coalesce(nat_rules.original_port_end, nat_rules.original_port)))`
}

/** The NAT IPs that the visible virtual datacenters hold. */
export const listHeldIps = ({
  query,
  ...context
}: ReadContext & { query: HeldIpQuery }): Promise<Listing> => {
  const { caller } = context
  const { virtualdatacenter, within } = query
  const holders = sql`select virtual_datacenters.id from virtual_datacenters
    where ${seesEnterprise(caller, 'virtual_datacenters.enterprise_id')}
      and ${seesDatacenter(caller, 'virtual_datacenters.datacenter_id')}`
  return list({
    from: (db) =>
      ids(db)
        .where(sql<boolean>`nat_ips.virtual_datacenter_id in (${holders})`)
        .where(isBetween('nat_ips.ip_key', boundsOf(within)))
        .where(hasText('nat_ips.ip', query.has))
        .where(endsBefore(query.endsbefore))
        .$if(virtualdatacenter !== undefined, (rows) =>
          rows.where('nat_ips.virtual_datacenter_id', '=', virtualdatacenter ?? 0),
        ),
    orders: ipOrdersFor(caller),
    id: 'nat_ips.id',
    paging: query,
    scans: true,
    views: (rows) => ipViews(context, rows),
    path: '/cloud/natips',
  })
}

/** The NAT IPs that are attached to a virtual datacenter. `usable`: only those without rules and not in quarantine. */
export async function listAttachedIps(
  context: ReadContext & { params: CenterPath; query: AttachedIpQuery },
  address: 'natips' | 'natips/purchased',
): Promise<Listing> {
  const { query } = context
  const center = await findVirtualDatacenter(context, context.params.virtualdatacenter)
  return list({
    from: (db) =>
      ids(db)
        .where('nat_ips.virtual_datacenter_id', '=', center.id)
        .where(hasText('nat_ips.ip', query.has))
        .where(isFreeFor(query.freefor))
        .where(endsBefore(query.endsbefore))
        .$if(query.snatdefault, (rows) => rows.where('nat_ips.default_snat', '=', 1))
        .$if(query.usable, (rows) =>
          rows
            .where('nat_ips.quarantine', '=', 0)
            .where(sql<boolean>`not exists (select 1 from nat_rules where nat_rules.nat_ip_id = nat_ips.id)`),
        ),
    orders: ipOrdersFor(context.caller),
    id: 'nat_ips.id',
    paging: {
      ...query,
      usable: query.usable || undefined,
      snatdefault: query.snatdefault || undefined,
    },
    views: (rows) => ipViews(context, rows),
    path: `${pathOf(kinds.virtualdatacenter, { id: center.id })}/${address}`,
  })
}

/** The free NAT IPs of the virtual datacenter's datacenter. */
export async function listFreeIps({
  params,
  query: paging,
  ...context
}: ReadContext & { params: CenterPath; query: FreeIpQuery }): Promise<Listing> {
  const center = await findVirtualDatacenter(context, params.virtualdatacenter)
  const spec = {
    from: (db: Db) =>
      ids(db)
        .where('nat_ips.datacenter_id', '=', center.datacenter_id)
        // Literals, not parameters, so that the planner can use the partial index.
        .where(
          sql<boolean>`nat_ips.available = 1 and nat_ips.quarantine = 0 and nat_ips.virtual_datacenter_id is null`,
        )
        .where(hasText('nat_ips.ip', paging.has))
        .where(hasTags('nat_ips.id', paging.tag)),
    orders: ipOrdersFor(context.caller),
    id: 'nat_ips.id',
    paging,
    views: (rows: { id: number }[]) => ipViews(context, rows),
    path: `${pathOf(kinds.virtualdatacenter, { id: center.id })}/natips/topurchase`,
  }
  if (paging.by === 'ip') return list({ ...spec, scans: true })
  return longList({
    ...spec,
    place: natScopeOf([{ id: center.datacenter_id }]),
    groups: ipGroupsFor(context.caller),
    candidates: async () => undefined,
    indexed: undefined,
  })
}

const ipAround = statement('NAT IP of the datacenter', (db, { id, center }: { id: number; center: number }) =>
  db
    .selectFrom('nat_ips')
    .where('id', '=', id)
    .where(
      'datacenter_id',
      '=',
      db.selectFrom('virtual_datacenters').where('id', '=', center).select('datacenter_id'),
    )
    .select(['id', 'ends_at', ...countedColumns]),
)

/** A NAT IP of the virtual datacenter's datacenter. Throws VDC-0, NAT-IP-0. */
async function findIpAround(context: ReadContext, { virtualdatacenter, natip }: AttachedPath) {
  const [center, [ip]] = await together(
    findVirtualDatacenter(context, virtualdatacenter),
    ipAround(context.db, { id: natip, center: virtualdatacenter }),
  )
  if (!ip) throw new ApiError('NAT-IP-0')
  return { ...ip, center: center.id }
}

export const ipAroundTarget = {
  ids: { virtualdatacenter: 'VDC-0', natip: 'NAT-IP-0' },
  find: findIpAround,
  view: ({ id }: { id: number }, context: ReadContext) => ipDocument(context, id),
} as const

/** For readers only attached IPs exist. Throws VDC-0, NAT-IP-0. */
export const attachedIpTarget = {
  ...ipAroundTarget,
  find: async (context: ReadContext, path: AttachedPath) => {
    const ip = await findIpAround(context, path)
    requireAttached(ip, 'NAT-IP-0')
    return ip
  },
}

type IpAround = Awaited<ReturnType<typeof findIpAround>>

/** Throws the code if the IP is attached to another virtual datacenter, or to none. */
function requireAttached(ip: IpAround, code: 'NAT-IP-0' | 'NAT-IP-8'): void {
  if (ip.virtual_datacenter_id !== ip.center) throw new ApiError(code)
}

/** Of two requests for the same IP one fails (NAT-IP-13). */
export async function attachIp({
  caller,
  db,
  found: ip,
  body,
}: Change<IpAround, NatIpAttachInput | undefined>): Promise<NatIpDocument> {
  const faults = endFaults(body?.ends)
  if (faults.length > 0) throw new ApiError(faults)
  await attachIps(db, { network: ip.nat_network_id, virtualDatacenter: ip.center }, [ip.id])
  const endsAt = endAfter(body?.ends)
  if (endsAt !== null) await setIpEnd(db, { id: ip.id, endsAt, by: caller.id })
  return ipDocument({ caller, db }, ip.id)
}

export async function releaseIp({ db, found: ip }: Change<IpAround>): Promise<void> {
  requireAttached(ip, 'NAT-IP-8')
  await releaseManyIps(db, [ip])
}

/** Its end and its notes change too. Another IP can become the default SNAT, but the default cannot be removed (NAT-IP-15). */
export async function updateHeldIp({ caller, db, found: ip, body }: Change<IpAround, NatIpHeldInput>) {
  requireAttached(ip, 'NAT-IP-8')
  const faults = endFaults(body.ends, ip.ends_at)
  if (faults.length > 0) throw new ApiError(faults)
  const endsAt = endAfter(body.ends, ip.ends_at)
  if (endsAt !== ip.ends_at) await setIpEnd(db, { id: ip.id, endsAt, by: caller.id })
  await setIpNotes(db, [ip.id], body)
  if (body.defaultSnat) await makeDefaultSnat(db, ip.id)
  else if (ip.default_snat === 1) throw new ApiError('NAT-IP-15')
}

/** The rules of a NAT IP that the virtual datacenter holds. */
export const listRulesOfAttachedIp = ({
  found: { id, center },
  query,
  ...context
}: Listed<IpAround, RuleQuery>): Promise<Listing> => {
  const path = `${pathOf(kinds.virtualdatacenter, { id: center })}/natips/${id}/rules`
  return listRulesOf(context, { column: 'nat_rules.nat_ip_id', id, path }, query)
}

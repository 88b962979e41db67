import { sql } from 'kysely'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import { countedColumns, type NatScope } from '#lib/cloud/nat/counts.server'
import { countIps, ipIds, ipsCounted, requireNarrowed } from '#lib/cloud/nat/ip-filters.server'
import { setIpNotes, withSeenNotes } from '#lib/cloud/nat/ip-notes.server'
import { ipGroupsFor, ipOrdersFor, ipViews } from '#lib/cloud/nat/ip-views.server'
import { ipsWithWord } from '#lib/cloud/nat/ip-words.server'
import type { IpFilters, IpQuery, NatIpDocument, NatIpInput, NatIpState } from '#lib/cloud/nat/ips.schema'
import { idsIn, longList, type Window } from '#lib/cloud/nat/long-list.server'
import { removeManyIps, setManyIps } from '#lib/cloud/nat/many-ips.server'
import { findNetwork, listPath, type PlacePath } from '#lib/cloud/nat/networks.server'
import type { Db } from '#lib/db/db.server'
import { statement } from '#lib/db/statements.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import { boundsOf } from '#lib/ground/net/addresses'

type Page = { visibility: Visibility; place: NatScope; filters: IpFilters; window: Window }

/** A statement for each state: a text among its values would be a parameter. */
const pageOfIps = (state: NatIpState | undefined) =>
  statement(`page of NAT IPs ${state ?? ''}`, (db, { visibility, place, filters, window }: Page) =>
    idsIn(ipIds(db, visibility, place, { ...filters, state }), { table: 'nat_ips', place }, window),
  )

/** The NAT IPs of a network, of a datacenter, or of all visible datacenters. */
export async function listIps({
  params,
  query,
  ...context
}: ReadContext & { params: PlacePath; query: IpQuery }): Promise<Listing> {
  const { caller, db } = context
  const place = await requireNarrowed(context, params, query)
  const { all, state, snatdefault, attached } = query
  const counted = ipsCounted(caller, query)
  const visibility = visibilityOf(caller)
  const page = (within: NatScope, window: Window) =>
    pageOfIps(state)(db, {
      visibility,
      place: within,
      filters: { ...query, state: undefined, within: undefined },
      window,
    })
  return longList({
    place,
    visibility,
    from: (on, within, candidates) => ipIds(on, caller, within, query, candidates),
    candidates: () => ipsWithWord('nat_ips', query.has),
    // No index covers `attached`: finding free IPs would skip nearly all rows of a full place.
    indexed:
      counted && attached === undefined
        ? {
            bounds: boundsOf(query.within),
            counted,
            page,
            count: (bounds) => countIps(db, { visibility, place, filters: query, bounds }),
          }
        : undefined,
    orders: ipOrdersFor(caller),
    groups: ipGroupsFor(caller),
    id: 'nat_ips.id',
    paging: { ...query, all: all || undefined, snatdefault: snatdefault || undefined },
    views: (ids) => ipViews(context, ids),
    path: listPath(params, { ofNetwork: 'ips', ofAll: 'allips' }),
  })
}

export type IpPath = { datacenter: number; natnetwork: number; natip: number }

const ipColumns = ['id', 'ip', ...countedColumns] as const

/** The NAT IP, if the caller sees its network. Throws DC-0, NAT-NET-1, NAT-IP-0. */
export async function findIp(context: ReadContext, { datacenter, natnetwork, natip }: IpPath) {
  const network = await findNetwork(context, datacenter, natnetwork)
  return context.db
    .selectFrom('nat_ips')
    .where('id', '=', natip)
    .where('nat_network_id', '=', network.id)
    .select(ipColumns)
    .executeTakeFirstOrThrow(() => new ApiError('NAT-IP-0'))
}

/** The IPs among these that are in the datacenter, which must be visible to the caller, in one query. */
export const findIpsIn = (db: Db, datacenter: number, ids: number[]) =>
  db
    .selectFrom('nat_ips')
    // No plain column: SQLite would read all IPs of the datacenter by its index.
    .where(sql`datacenter_id + 0`, '=', datacenter)
    .where('id', 'in', ids)
    .select([...ipColumns, 'tags'])
    .execute()

/** The document of this NAT IP, which must be visible to the caller. */
export async function ipDocument(context: ReadContext, id: number): Promise<NatIpDocument> {
  const [view] = await ipViews(context, [{ id }])
  if (!view) throw new ApiError('NAT-IP-0')
  return view
}

export const ipTarget = {
  ids: { datacenter: 'DC-0', natnetwork: 'NAT-NET-1', natip: 'NAT-IP-0' },
  find: findIp,
  view: ({ id }: { id: number }, context: ReadContext) => ipDocument(context, id),
} as const

type Changing = WriteContext & { found: Awaited<ReturnType<typeof findIp>> }

type ChangedIp = Omit<NatIpInput, keyof Noted> & Partial<Noted>

/** The address cannot change. Without notes they stay. */
export async function updateIp({
  caller,
  db,
  found: ip,
  body,
}: Changing & { body: ChangedIp }): Promise<void> {
  if (body.ip !== undefined && body.ip !== ip.ip)
    throw new ApiError(
      fieldFault('CONSTR-PATTERN', 'ip', `the address of a NAT IP cannot be changed from ${ip.ip}`),
    )
  await setManyIps(db, [ip], body)
  const { description, tags } = body
  if (description === undefined || tags === undefined) return
  const seen = await withSeenNotes(db, caller, [ip])
  await setIpNotes(
    db,
    seen.map(({ id }) => id),
    { description, tags },
  )
}

export const removeIp = ({ db, found: ip }: Changing): Promise<void> => removeManyIps(db, [ip])

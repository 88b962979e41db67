import { type SelectQueryBuilder, sql } from 'kysely'
import type { Caller } from '#lib/auth/privileges'
import type { Db, Trx } from '#lib/db/db.server'
import { hasText, inOrderOf, list } from '#lib/db/page.server'
import { ApiError, fault } from '#lib/http/errors'
import type { Listing } from '#lib/http/render.server'
import { link } from '#lib/http/view'
import { addressKey, addressOfKey, assignable, parseCidr } from '#lib/nat/addresses'
import { addCounts, type Place, totalsOf } from '#lib/nat/counts.server'
import type { IpQuery, NatIpDocument } from '#lib/nat/ips.schema'
import { requirePlace } from '#lib/nat/networks.server'
import { seesEnterprise } from '#lib/scopes/visibility.server'

type Asked = { caller: Caller; db: Db }

/** The ids of a place's NAT IPs: what a page is found by. */
const idsOf = (db: Db, place: Place) =>
  db
    .selectFrom('nat_ips')
    .where('nat_ips.datacenter_id', '=', place.datacenter)
    .$if(place.network !== undefined, (query) =>
      query.where('nat_ips.nat_network_id', '=', place.network ?? 0),
    )
    .select('nat_ips.id')

/** What a view shows. Who an address is attached to is told only to those who see that enterprise. */
const details = (db: Db, caller: Caller, ids: number[]) =>
  db
    .selectFrom('nat_ips')
    .where('nat_ips.id', 'in', ids)
    .innerJoin('nat_networks', 'nat_networks.id', 'nat_ips.nat_network_id')
    .innerJoin('datacenters', 'datacenters.id', 'nat_ips.datacenter_id')
    .leftJoin('virtual_datacenters', (join) =>
      join
        .onRef('virtual_datacenters.id', '=', 'nat_ips.virtual_datacenter_id')
        .on(seesEnterprise(caller, 'virtual_datacenters.enterprise_id')),
    )
    .leftJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
    .select([
      'nat_ips.id',
      'nat_ips.ip',
      'nat_ips.ip_key',
      'nat_ips.available',
      'nat_ips.quarantine',
      'nat_ips.default_snat',
      'nat_ips.nat_network_id',
      'nat_networks.name as network_name',
      'nat_ips.datacenter_id',
      'datacenters.name as datacenter_name',
      'virtual_datacenters.id as virtual_datacenter_id',
      'virtual_datacenters.name as virtual_datacenter_name',
      'enterprises.id as enterprise_id',
      'enterprises.name as enterprise_name',
    ])

type IpRow =
  ReturnType<typeof details> extends SelectQueryBuilder<infer _DB, infer _TB, infer Row> ? Row : never

const ipView = (row: IpRow): NatIpDocument => {
  const datacenter = `/admin/datacenters/${row.datacenter_id}`
  const network = `${datacenter}/natnetworks/${row.nat_network_id}`
  const path = `${network}/ips/${row.id}`
  const attached = [
    [
      'virtualdatacenter',
      '/cloud/virtualdatacenters',
      row.virtual_datacenter_id,
      row.virtual_datacenter_name,
    ],
    ['enterprise', '/admin/enterprises', row.enterprise_id, row.enterprise_name],
  ] as const
  return {
    links: [
      link('self', path, 'natip', row.ip),
      link('natnetwork', network, 'natnetwork', row.network_name),
      link('datacenter', datacenter, 'datacenter', row.datacenter_name),
      link('rules', `${path}/rules`, 'natrules'),
      ...attached.flatMap(([rel, where, id, title]) =>
        id === null ? [] : [link(rel, `${where}/${id}`, rel, title ?? '')],
      ),
    ],
    id: row.id,
    ip: row.ip,
    available: row.available === 1,
    quarantine: row.quarantine === 1,
    defaultSnat: row.default_snat === 1,
    ipv6: row.ip_key.startsWith('6'),
    networkName: row.network_name,
  }
}

/** A word on who holds the address; empty where nobody does whom the caller sees. */
const holder = (caller: Caller, column: string) => sql`coalesce((
  select ${sql.ref(column)} from virtual_datacenters join enterprises on enterprises.id = virtual_datacenters.enterprise_id
  where virtual_datacenters.id = nat_ips.virtual_datacenter_id and ${seesEnterprise(caller, 'enterprises.id')}), '')`

async function keptTotal(db: Db, place: Place, { all, snatdefault }: IpQuery): Promise<number> {
  const kept = await totalsOf(db, place)
  if (snatdefault) return all ? kept.default_snat_ips : kept.available_default_snat_ips
  return all ? kept.ips : kept.available_ips
}

/** The NAT IPs of a datacenter, or of one of its networks. */
export async function listIps({ caller, db }: Asked, place: Place, query: IpQuery): Promise<Listing> {
  await requirePlace({ caller, db }, place)
  const { all, snatdefault, ...paging } = query
  const base = `/admin/datacenters/${place.datacenter}/natnetworks`
  return list({
    from: (on) =>
      idsOf(on, place)
        .where(hasText('nat_ips.ip', paging.has))
        // Written out, not bound: partial indexes serve these.
        .$if(!all, (rows) => rows.where(sql<boolean>`nat_ips.available = 1`))
        .$if(snatdefault, (rows) => rows.where(sql<boolean>`nat_ips.default_snat = 1`)),
    orders: {
      ip: ['nat_ips.ip_key'],
      network: [sql`(select name_key from nat_networks where id = nat_ips.nat_network_id)`, 'nat_ips.ip_key'],
      available: ['nat_ips.available', 'nat_ips.ip_key'],
      quarantine: ['nat_ips.quarantine', 'nat_ips.ip_key'],
      virtualdatacenter: [holder(caller, 'virtual_datacenters.name_key'), 'nat_ips.ip_key'],
      enterprise: [holder(caller, 'enterprises.name_key'), 'nat_ips.ip_key'],
    },
    id: 'nat_ips.id',
    paging,
    ...(paging.has === '' && { total: await keptTotal(db, place, query) }),
    views: async (ids) => {
      const rows = await details(
        db,
        caller,
        ids.map(({ id }) => id),
      ).execute()
      return inOrderOf(ids, rows).map(ipView)
    },
    path: place.network === undefined ? `${base}/action/allips` : `${base}/${place.network}/ips`,
    filters: { all: all || undefined, snatdefault: snatdefault || undefined },
  })
}

export type NewIps = {
  /** Where the run begins; without it at the lowest address that is given out by itself. */
  from?: string
  count: number
  available?: boolean
  quarantine?: boolean
}

const CHUNK = 1000

/**
 * Creates the lowest free run of addresses from `from` on, all or nothing. Throws NAT-IP-9 where `from` lies outside the
 * network, NAT-IP-5 where the network has no such run.
 */
export async function createIps(
  trx: Trx,
  network: { id: number; datacenter_id: number; cidr: string },
  { from, count, available = true, quarantine = false }: NewIps,
): Promise<void> {
  const cidr = parseCidr(network.cidr)
  if (!cidr) throw new ApiError('NAT-NET-5')
  const { first, last } = assignable(cidr)
  const wanted = from === undefined ? undefined : parseCidr(`${from}/${cidr.version === 4 ? 32 : 128}`)
  if (
    from !== undefined &&
    (!wanted || wanted.version !== cidr.version || wanted.first < cidr.first || wanted.first > cidr.last)
  ) {
    throw new ApiError(fault('NAT-IP-9', `${from.slice(0, 64)} is outside ${network.cidr}`))
  }
  const key = (value: bigint) => addressKey(cidr.version, value)
  const start = await freeRun(trx, network.id, { from: wanted?.first ?? first, last, count, key })
  const flags = { available: available ? 1 : 0, quarantine: quarantine ? 1 : 0, default_snat: 0 } as const
  for (let done = 0; done < count; done += CHUNK) {
    const size = Math.min(CHUNK, count - done)
    const rows = Array.from({ length: size }, (_, index) => {
      const ip_key = key(start + BigInt(done + index))
      return {
        nat_network_id: network.id,
        datacenter_id: network.datacenter_id,
        virtual_datacenter_id: null,
        ip: addressOfKey(ip_key),
        ip_key,
        ...flags,
      }
    })
    await trx.insertInto('nat_ips').values(rows).execute()
  }
  await addCounts(trx, network.id, { ips: count, available_ips: available ? count : 0 })
}

type Run = { from: bigint; last: bigint; count: number; key: (value: bigint) => string }

/** The first gap of `count` addresses: between the ones that exist, read in order and in pieces. */
async function freeRun(trx: Trx, network: number, { from, last, count, key }: Run): Promise<bigint> {
  let candidate = from
  while (candidate <= last) {
    const taken = await trx
      .selectFrom('nat_ips')
      .where('nat_network_id', '=', network)
      .where('ip_key', '>=', key(candidate))
      .where('ip_key', '<=', key(last))
      .select('ip_key')
      .orderBy('ip_key')
      .limit(CHUNK)
      .execute()
    for (const { ip_key } of taken) {
      const value = BigInt(`0x${ip_key.slice(1)}`)
      if (value - candidate >= BigInt(count)) return candidate
      candidate = value + 1n
    }
    if (taken.length < CHUNK) break
  }
  if (last - candidate + 1n < BigInt(count)) throw new ApiError('NAT-IP-5')
  return candidate
}

/**
 * Attaches free IPs of one network to a virtual datacenter, all or none. Throws NAT-IP-13 where one is attached, unavailable
 * or in quarantine.
 */
export async function attachIps(
  trx: Trx,
  network: number,
  ids: number[],
  virtualDatacenter: number,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('nat_ips')
    .set({ virtual_datacenter_id: virtualDatacenter })
    .where('nat_network_id', '=', network)
    .where('id', 'in', ids)
    .where('virtual_datacenter_id', 'is', null)
    .where('available', '=', 1)
    .where('quarantine', '=', 0)
    .executeTakeFirst()
  if (Number(numUpdatedRows) !== ids.length) throw new ApiError('NAT-IP-13')
  await addCounts(trx, network, { used_ips: ids.length })
}

/** Makes an attached IP the default SNAT of its virtual datacenter; the one before is it no more. Throws NAT-IP-8. */
export async function makeDefaultSnat(trx: Trx, id: number): Promise<void> {
  const ip = await trx
    .selectFrom('nat_ips')
    .where('id', '=', id)
    .select(['nat_network_id', 'virtual_datacenter_id', 'available', 'default_snat'])
    .executeTakeFirst()
  if (!ip?.virtual_datacenter_id) throw new ApiError('NAT-IP-8')
  if (ip.default_snat === 1) return
  const before = await trx
    .updateTable('nat_ips')
    .set({ default_snat: 0 })
    .where('virtual_datacenter_id', '=', ip.virtual_datacenter_id)
    .where('default_snat', '=', 1)
    .returning(['nat_network_id', 'available'])
    .execute()
  for (const { nat_network_id, available } of before) {
    await addCounts(trx, nat_network_id, { default_snat_ips: -1, available_default_snat_ips: -available })
  }
  await trx.updateTable('nat_ips').set({ default_snat: 1 }).where('id', '=', id).execute()
  await addCounts(trx, ip.nat_network_id, { default_snat_ips: 1, available_default_snat_ips: ip.available })
}

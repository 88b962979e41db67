import { type CountedIp, recount, recountBlocks, recountTotals } from '#lib/cloud/nat/counts.server'
import { releasedColumns } from '#lib/cloud/nat/ip-notes.server'
import { chunksOf } from '#lib/db/chunks'
import type { Trx } from '#lib/db/db.server'
import { statement, together } from '#lib/db/statements.server'
import { ApiError, type Fault, fault } from '#lib/ground/http/errors'

/* The rules of changes of NAT IPs: of one, or of many in one step. If any is refused, nothing is written. */

type Ip = CountedIp & { id: number }

const idsOf = (ips: readonly Ip[]): number[] => ips.map(({ id }) => id)

async function haveRules(trx: Trx, ips: readonly Ip[]): Promise<boolean> {
  if (ips.length === 0) return false
  const rule = await trx
    .selectFrom('nat_rules')
    .where('nat_ip_id', 'in', idsOf(ips))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return rule !== undefined
}

type Columns = { available: 0 | 1; quarantine: 0 | 1 } | typeof releasedColumns

async function setColumns(trx: Trx, ips: readonly Ip[], columns: Columns): Promise<void> {
  await together(
    trx.updateTable('nat_ips').set(columns).where('id', 'in', idsOf(ips)).execute(),
    recount(trx, { before: ips, after: ips.map((ip) => ({ ...ip, ...columns })) }),
  )
}

type Flags = { available: boolean; quarantine: boolean }

/** An IP with rules cannot become unavailable (NAT-IP-4). */
export async function setManyIps(trx: Trx, ips: readonly Ip[], flags: Flags): Promise<void> {
  const available = flags.available ? 1 : 0
  const quarantine = flags.quarantine ? 1 : 0
  for (const some of chunksOf(ips)) {
    const withdrawn = some.filter((ip) => available < ip.available)
    if (await haveRules(trx, withdrawn)) throw new ApiError('NAT-IP-4')
    await setColumns(trx, some, { available, quarantine })
  }
}

/** Why IPs cannot be released. */
export const releaseFaults = ({
  isDefault,
  hasRules,
}: {
  isDefault: boolean
  hasRules: boolean
}): Fault[] => [...(isDefault ? [fault('NAT-IP-14')] : []), ...(hasRules ? [fault('NAT-IP-3')] : [])]

const released = (ips: readonly Ip[]) => ({
  before: ips,
  after: ips.map((ip) => ({ ...ip, ...releasedColumns })),
})

const releaseOne = statement('release', (db, { id }: { id: number }) =>
  db.updateTable('nat_ips').set(releasedColumns).where('id', '=', id),
)

/** For an IP without such faults. Sends all statements at once. `countReleased` follows in the same transaction. */
export const writeRelease = (trx: Trx, ip: Ip): Promise<unknown> =>
  together(releaseOne(trx, { id: ip.id }), recountTotals(trx, released([ip])))

/** Counts IPs that `writeRelease` has released one by one, where the journal does not keep the counts. */
export const countReleased = (trx: Trx, ips: readonly Ip[]): Promise<void> =>
  recountBlocks(trx, released(ips))

/** From the virtual datacenters that hold them. Throws NAT-IP-14, NAT-IP-3. */
export async function releaseManyIps(trx: Trx, ips: readonly Ip[]): Promise<void> {
  const attached = ips.filter(({ virtual_datacenter_id }) => virtual_datacenter_id !== null)
  for (const some of chunksOf(attached)) {
    const isDefault = some.some(({ default_snat }) => default_snat === 1)
    const faults = releaseFaults({ isDefault, hasRules: await haveRules(trx, some) })
    if (faults.length > 0) throw new ApiError(faults)
    await setColumns(trx, some, releasedColumns)
  }
}

/** Throws NAT-IP-3, NAT-IP-12. */
export async function removeManyIps(trx: Trx, ips: readonly Ip[]): Promise<void> {
  for (const some of chunksOf(ips)) {
    const faults = [
      ...((await haveRules(trx, some)) ? [fault('NAT-IP-3')] : []),
      ...(some.some(({ virtual_datacenter_id }) => virtual_datacenter_id !== null)
        ? [fault('NAT-IP-12')]
        : []),
    ]
    if (faults.length > 0) throw new ApiError(faults)
    await trx.deleteFrom('nat_ips').where('id', 'in', idsOf(some)).execute()
    await recount(trx, { before: some })
  }
  for (const [network, own] of Map.groupBy(ips, ({ nat_network_id }) => nat_network_id)) {
    const [lowest = ''] = own.map(({ ip_key }) => ip_key).sort()
    await lowerFirstFree(trx, network, lowest)
  }
}

/** Keeps `first_free_key` true: a removed address below it becomes the first free one. */
const lowerFirstFree = (trx: Trx, network: number, key: string): Promise<unknown> =>
  trx
    .updateTable('nat_counts')
    .set({ first_free_key: key })
    .where('nat_network_id', '=', network)
    .where('first_free_key', '>', key)
    .execute()

import { chunksOf } from '#lib/db/chunks'
import type { Trx } from '#lib/db/db.server'
import { ApiError } from '#lib/http/errors'
import { countedColumns, recount } from '#lib/nat/counts.server'
import { lowerFirstFree } from '#lib/nat/ips.server'

/* Changes of many NAT IPs of one network in one step, by the rules of the single changes. If any is refused, nothing is written. */

type Flags = { available: boolean; quarantine: boolean }

const rowsOf = (trx: Trx, network: number, ids: readonly number[]) =>
  trx
    .selectFrom('nat_ips')
    .where('nat_network_id', '=', network)
    .where('id', 'in', ids)
    .select(['id', ...countedColumns])
    .execute()

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => id)

/** Throws the code if one of the IPs has a rule. */
async function requireNoRules(trx: Trx, rows: readonly Row[], code: 'NAT-IP-3' | 'NAT-IP-4'): Promise<void> {
  if (rows.length === 0) return
  const rule = await trx
    .selectFrom('nat_rules')
    .where('nat_ip_id', 'in', idsOf(rows))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (rule) throw new ApiError(code)
}

/** Throws NAT-IP-4. */
export async function setManyIps(trx: Trx, network: number, ids: readonly number[], flags: Flags) {
  const available = flags.available ? (1 as const) : (0 as const)
  const quarantine = flags.quarantine ? (1 as const) : (0 as const)
  for (const some of chunksOf(ids)) {
    const rows = await rowsOf(trx, network, some)
    await requireNoRules(
      trx,
      rows.filter((row) => available < row.available),
      'NAT-IP-4',
    )
    await trx.updateTable('nat_ips').set({ available, quarantine }).where('id', 'in', idsOf(rows)).execute()
    await recount(trx, { before: rows, after: rows.map((row) => ({ ...row, available, quarantine })) })
  }
}

/** From the virtual datacenters that hold them. Throws NAT-IP-3, NAT-IP-14. */
export async function releaseManyIps(trx: Trx, network: number, ids: readonly number[]): Promise<void> {
  for (const some of chunksOf(ids)) {
    const rows = (await rowsOf(trx, network, some)).filter((row) => row.virtual_datacenter_id !== null)
    if (rows.some((row) => row.default_snat === 1)) throw new ApiError('NAT-IP-14')
    await requireNoRules(trx, rows, 'NAT-IP-3')
    if (rows.length === 0) continue
    await trx
      .updateTable('nat_ips')
      .set({ virtual_datacenter_id: null })
      .where('id', 'in', idsOf(rows))
      .execute()
    await recount(trx, {
      before: rows,
      after: rows.map((row) => ({ ...row, virtual_datacenter_id: null })),
    })
  }
}

/** Throws NAT-IP-3, NAT-IP-12. */
export async function removeManyIps(trx: Trx, network: number, ids: readonly number[]): Promise<void> {
  for (const some of chunksOf(ids)) {
    const rows = await rowsOf(trx, network, some)
    if (rows.some((row) => row.virtual_datacenter_id !== null)) throw new ApiError('NAT-IP-12')
    await requireNoRules(trx, rows, 'NAT-IP-3')
    await trx.deleteFrom('nat_ips').where('id', 'in', idsOf(rows)).execute()
    await recount(trx, { before: rows })
    const [lowest] = rows.map(({ ip_key }) => ip_key).sort()
    if (lowest !== undefined) await lowerFirstFree(trx, network, lowest)
  }
}

import { type RawBuilder, sql } from 'kysely'
import { type Asked, queries } from '#lib/cloud/nat/check-queries.server'
import { database } from '#lib/db/db.server'
import { addressKey, type Cidr, formatCidr } from '#lib/ground/net/addresses'

/* The marks in the cells of an address map besides the use: IPs with errors of the check, and IPs whose rules drifted on the device. */

/** A block, and the prefix length of the cells that divide it. */
export type Grid = { block: Cidr; prefix: number }

type Faults = { errors: number; drifted: number }

export const noFaults: Faults = { errors: 0, drifted: 0 }

type FaultRow = { part: string } & Faults

const HEX = 4

/** Keys are hexadecimal, so groups of keys with a common beginning are at most as large as a cell of this prefix length. */
export const partOf = (key: RawBuilder<unknown>, prefix: number): RawBuilder<string> =>
  sql`substr(${key}, 1, ${sql.lit(1 + Math.ceil(prefix / HEX))})`

/** The CIDR of the cell that a part is in. */
export function cellOfPart({ block: { version }, prefix }: Grid, part: string): string {
  const bits = version === 4 ? 32 : 128
  const hosts = (1n << BigInt(bits - prefix)) - 1n
  const address = BigInt(`0x${part.slice(1)}`) << BigInt(bits - (part.length - 1) * HEX)
  return formatCidr({ version, first: address & ~hosts, last: address | hosts, prefix })
}

/** The errors that are about single IPs. */
const codes = ['NATCHECK-1', 'NATCHECK-2', 'NATCHECK-3'] as const

/** The numbers of IPs with faults in each cell, by its CIDR. Each IP counts once, whatever the number of its rules. */
export async function faultsIn(
  asked: Pick<Asked, 'datacenter' | 'caller'> & { network: number },
  { block, prefix }: Grid,
): Promise<ReadonlyMap<string, Faults>> {
  const errors = codes.map((code) => sql`select key from (${queries[code]({ ...asked, has: '' })}) as found`)
  const drift = sql`select nat_rules.ip_key as key
    from device_rules cross join nat_rules
    where device_rules.device_id = (select device_id from nat_networks where id = ${asked.network})
      and device_rules.fault is not null and device_rules.fault = 'drifted'
      and nat_rules.id = device_rules.rule_id and nat_rules.nat_network_id = ${asked.network}`
  const { version, first, last } = block
  const part = partOf(sql`key`, prefix)
  const { rows } = await sql<FaultRow>`
    select ${part} as part, cast(sum(error) as bigint) as errors, cast(sum(drift) as bigint) as drifted
    from (
      select key, max(error) as error, max(drift) as drift
      from (
        select key, 1 as error, 0 as drift from (${sql.join(errors, sql` union all `)}) as found
        union all select key, 0, 1 from (${drift}) as found
      ) as faults
      where key >= ${addressKey(version, first)} and key <= ${addressKey(version, last)}
      group by key
    ) as ips
    group by ${part}`.execute(database().scan)
  const faults = new Map<string, Faults>()
  for (const row of rows) {
    const cell = cellOfPart({ block, prefix }, row.part)
    const { errors, drifted } = faults.get(cell) ?? noFaults
    faults.set(cell, { errors: errors + Number(row.errors), drifted: drifted + Number(row.drifted) })
  }
  return faults
}

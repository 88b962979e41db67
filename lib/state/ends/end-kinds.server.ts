import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Privilege } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import {
  seesDatacenter,
  seesEnterprise,
  seesUser,
  type Visibility,
} from '#lib/caller/scopes/visibility.server'
import type { EndKind } from '#lib/state/ends/ends-list.schema'

/* The kinds of resources that have ends, and who sees them (docs/api/ends.md, "Ends"). */

const machineReaders = ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'] as const
const holderReaders = ['VDC_ENUMERATE', 'MANAGE_NATIPS'] as const

type Ending = {
  table: 'users' | 'nat_ips' | 'nat_rules'
  readers: readonly Privilege[]
  /** The column that a search reads. */
  text: RawBuilder<unknown>
  /** True if the caller sees the resource and its end. */
  sees: (caller: Visibility) => RawBuilder<SqlBool>
}

export const endKinds: Readonly<Record<EndKind, Ending>> = {
  user: {
    table: 'users',
    readers: kinds.user.readers,
    text: sql.ref('users.nick_key'),
    sees: (caller) => seesUser(caller),
  },
  natip: {
    table: 'nat_ips',
    readers: [...kinds.natip.readers, ...holderReaders],
    text: sql.ref('nat_ips.ip'),
    // The end belongs to the holder.
    sees: (caller) => sql`exists (select 1 from virtual_datacenters as holding
      where holding.id = nat_ips.virtual_datacenter_id and ${seesEnterprise(caller, 'holding.enterprise_id')}
        and ${seesDatacenter(caller, 'holding.datacenter_id')})`,
  },
  natrule: {
    table: 'nat_rules',
    readers: [...kinds.natrule.readers, ...machineReaders],
    text: sql`(select nat_ips.ip from nat_ips where nat_ips.id = nat_rules.nat_ip_id)`,
    // Its own path is below its machine. The unary plus keeps SQLite from using an index on the column.
    sees: (caller) => sql`(${seesDatacenter(caller, sql`+nat_rules.datacenter_id`)} and exists (
      select 1 from virtual_machines as machine
      where machine.id = nat_rules.virtual_machine_id and ${seesEnterprise(caller, 'machine.enterprise_id')}))`,
  },
}

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '#lib/caller/auth/privileges'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import { isWithin, type NatScope } from '#lib/cloud/nat/counts.server'
import { ipsWithWord } from '#lib/cloud/nat/ip-words.server'
import { natProtocols } from '#lib/cloud/nat/rules.schema'
import { database } from '#lib/db/db.server'
import { isAmong } from '#lib/db/dialect.server'
import { fold } from '#lib/db/fold'
import { hasText } from '#lib/db/list.server'
import { together } from '#lib/db/statements.server'
import { idsIfFew, rowsWithWord } from '#lib/db/words.server'

/* The search of NAT rules: `has` matches addresses, protocols and the names of machines. */

/** The folded name of the rule's machine. Empty if the machine is hidden from the caller. */
export const machineName = (caller: Caller) => sql`coalesce((
  select name_key from virtual_machines where virtual_machines.id = nat_rules.virtual_machine_id
  and ${seesEnterprise(caller, 'virtual_machines.enterprise_id')}), '')`

/** The ranks of the machines by the same name. */
export const rankedMachines = (caller: Caller) => sql`
  select id, dense_rank() over (order by name_key) as rank from virtual_machines
  where ${seesEnterprise(caller, 'virtual_machines.enterprise_id')}`

/** The rule's private IP. Empty if the machine is hidden from the caller. */
const privateIp = (caller: Caller) => sql`coalesce((
  select private_ips.ip from private_ips join virtual_machines on virtual_machines.id = nat_rules.virtual_machine_id
  where private_ips.id = nat_rules.private_ip_id and ${seesEnterprise(caller, 'virtual_machines.enterprise_id')}), '')`

const protocolKey = sql`lower(coalesce(nat_rules.protocol, ''))`

export type Condition = RawBuilder<SqlBool>

/** True if the NAT IP, private IP, protocol or machine contains the text. For few rules: looks up each one. */
export const hasWord = (caller: Caller, has: string): Condition[] =>
  [
    sql`(select ip from nat_ips where nat_ips.id = nat_rules.nat_ip_id)`,
    privateIp(caller),
    protocolKey,
    machineName(caller),
  ].map((column) => hasText(column, has))

/**
 * The same condition for all rules of a place. Joins each table once: with several `in` under `or`, PostgreSQL would scan the subquery's
 * result for each rule.
 */
export const isAmongMatches = (caller: Caller, place: NatScope, has: string): Condition[] => [
  sql`nat_rules.id in (
    select nat_rules.id from nat_rules
    left join nat_ips on nat_ips.id = nat_rules.nat_ip_id
    left join private_ips on private_ips.id = nat_rules.private_ip_id
    left join virtual_machines on virtual_machines.id = nat_rules.virtual_machine_id
      and ${seesEnterprise(caller, 'virtual_machines.enterprise_id')}
    where ${isWithin(place, 'nat_rules.datacenter_id')} and (
      ${hasText('nat_ips.ip', has)}
      or (virtual_machines.id is not null and ${hasText('private_ips.ip', has)})
      or ${hasText(protocolKey, has)}
      or ${hasText('virtual_machines.name_key', has)}))`,
]

/** Ids of candidate rules whose addresses or machine may contain the word, or undefined if there are too many to list. */
export async function rulesWithWord(has: string): Promise<number[] | undefined> {
  const word = fold(has)
  if (natProtocols.some((protocol) => fold(protocol).includes(word))) return undefined
  const { engine } = database()
  const [ips, privateIps, machines] = await together(
    ipsWithWord('nat_ips', has),
    ipsWithWord('private_ips', has),
    rowsWithWord({ table: 'virtual_machines', column: 'name_key' }, has),
  )
  if (!ips || !privateIps || !machines) return undefined
  const places = Object.entries({ nat_ip_id: ips, private_ip_id: privateIps, virtual_machine_id: machines })
  const queries = places.flatMap(([column, ids]) =>
    ids.length === 0 ? [] : sql`select id from nat_rules where ${isAmong(engine, column, ids)}`,
  )
  return queries.length === 0 ? [] : idsIfFew(sql.join(queries, sql` union `))
}

import { seesEnterprise, type Visibility } from '#lib/caller/scopes/visibility.server'
import { ruleColumns } from '#lib/cloud/nat/stored-rules.server'
import type { Db } from '#lib/db/db.server'
import { together } from '#lib/db/statements.server'

type Wanted = { ids: number[]; visibility: Visibility }

const rulesOf = (db: Db, ids: number[]) =>
  db
    .selectFrom('nat_rules')
    .where('id', 'in', ids)
    .select(['id', 'datacenter_id', 'nat_network_id', 'virtual_machine_id', ...ruleColumns])
    .execute()

const networksOf = (db: Db, ids: number[]) =>
  db
    .selectFrom('nat_networks')
    .innerJoin('datacenters', 'datacenters.id', 'nat_networks.datacenter_id')
    .where('nat_networks.id', 'in', ids)
    .select(['nat_networks.id', 'nat_networks.name as network_name', 'datacenters.name as datacenter_name'])
    .execute()

const machinesOf = (db: Db, ids: number[], visibility: Visibility) =>
  db
    .selectFrom('virtual_machines')
    .leftJoin('virtual_datacenters', 'virtual_datacenters.id', 'virtual_machines.virtual_datacenter_id')
    .where('virtual_machines.id', 'in', ids)
    .where(seesEnterprise(visibility, 'virtual_machines.enterprise_id'))
    .select(['virtual_machines.id', 'virtual_machines.name', 'virtual_machines.virtual_appliance_id'])
    .select(['virtual_datacenters.id as center_id', 'virtual_datacenters.name as center_name'])
    .execute()

const natIpsOf = (db: Db, ids: number[]) =>
  db.selectFrom('nat_ips').where('id', 'in', ids).select(['id', 'ip']).execute()

const privateIpsOf = (db: Db, ids: number[]) =>
  db.selectFrom('private_ips').where('id', 'in', ids).select(['id', 'ip', 'virtual_datacenter_id']).execute()

const byId = <Row extends { id: number }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]))

/** The rules with these ids as they were, as the list shows them. Each table is read by ids: a join would read the past of all its rows. */
export async function pastRules(db: Db, { ids, visibility }: Wanted) {
  const rules = await rulesOf(db, ids)
  if (rules.length === 0) return []
  const all = (column: 'nat_ip_id' | 'private_ip_id' | 'virtual_machine_id' | 'nat_network_id') => [
    ...new Set(rules.map((rule) => rule[column])),
  ]
  const [networks, natIps, privateIps, machines] = await together(
    networksOf(db, all('nat_network_id')),
    natIpsOf(db, all('nat_ip_id')),
    privateIpsOf(db, all('private_ip_id')),
    machinesOf(db, all('virtual_machine_id'), visibility),
  )
  const known = {
    network: byId(networks),
    natIp: byId(natIps),
    privateIp: byId(privateIps),
    machine: byId(machines),
  }
  return rules.map((rule) => {
    const network = known.network.get(rule.nat_network_id)
    const machine = known.machine.get(rule.virtual_machine_id)
    return {
      ...rule,
      datacenter_name: network?.datacenter_name ?? '',
      network_name: network?.network_name ?? '',
      nat_ip: known.natIp.get(rule.nat_ip_id)?.ip ?? '',
      private_ip: known.privateIp.get(rule.private_ip_id)?.ip ?? '',
      private_virtual_datacenter_id: known.privateIp.get(rule.private_ip_id)?.virtual_datacenter_id ?? 0,
      virtual_machine_id: machine?.id ?? null,
      virtual_machine_name: machine?.name ?? null,
      virtual_appliance_id: machine?.virtual_appliance_id ?? null,
      virtual_datacenter_id: machine?.center_id ?? null,
      virtual_datacenter_name: machine?.center_name ?? null,
    }
  })
}

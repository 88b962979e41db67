import type { MigrationTypes } from '#lib/db/dialect.server'

/** The journaled tables with rows by `id`. */
const tables =
  `applications datacenters device_types devices enterprises nat_ips nat_networks nat_rules private_ips racks remote_services roles
  scope_entities scopes templates users virtual_appliances virtual_datacenters virtual_machines`.split(/\s+/)

type Marked = { table: string; id: string; part?: string }

const all: Marked[] = [
  ...tables.map((table) => ({ table, id: 'id' })),
  { table: 'nat_counts', id: 'nat_network_id' },
  { table: 'role_privileges', id: 'role_id', part: 'privilege' },
  { table: 'application_privileges', id: 'application_id', part: 'privilege' },
]

/** A row ended where the next version is none, and without a next version, where there is no row now. */
function marked({ table, id, part }: Marked): string {
  const next = `from past_rows next where next.source = past_rows.source and next.id = past_rows.id
    and next.part = past_rows.part and next.until > past_rows.until`
  const same = `${table}.${id} = past_rows.id${part ? ` and ${table}.${part} = past_rows.part` : ''}`
  return `update past_rows set ended = 1 where source = '${table}' and content is not null and case
    when exists (select 1 ${next}) then (select next.content ${next} order by next.until limit 1) is null
    else not exists (select 1 from ${table} where ${same}) end`
}

/**
 * Marks the last past row before each deletion. A row that is no longer there is then found by its deletion, however many versions it
 * had. The indexes are for the lists of NAT IPs and NAT rules.
 */
export const statements = ({ past }: MigrationTypes) => {
  const index = (table: string, name: string, ...columns: string[]) =>
    `create index past_rows_ended_${table}_${name} on past_rows (${columns.map((column) => `(${column})`).join(', ')})
      where source = '${table}' and ended = 1`
  const key = past('ip_key', 'text')
  return [
    'alter table past_rows add column ended smallint not null default 0',
    ...all.map(marked),
    'create index past_rows_ended on past_rows (source, until) where ended = 1',
    ...['nat_ips', 'nat_rules'].flatMap((table) => [
      index(table, 'network', past('nat_network_id', 'bigint'), key),
      index(table, 'datacenter', past('datacenter_id', 'bigint'), key),
    ]),
    index('nat_rules', 'ip', past('nat_ip_id', 'bigint')),
    index('nat_rules', 'machine', past('virtual_machine_id', 'bigint')),
  ]
}

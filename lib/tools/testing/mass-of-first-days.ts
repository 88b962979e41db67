import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#lib/db/db.server'
import type { Engine } from '#lib/db/dialect.server'
import { ids } from '#lib/tools/testing/first-release'

/* A large cloud in the schema of the first migration, beside the rows of `rowsOfFirstRelease`, and what its tables hold. */

/** Rows of the mass have ids behind those of the first release's rows. */
const FROM = 1000

const NETWORKS = 10
const MACHINES = 5000

const hex: Record<Engine, (number: string) => string> = {
  sqlite: (number) => `printf('%08x', ${number})`,
  postgres: (number) => `lpad(to_hex(${number}), 8, '0')`,
}

const hexOf = (engine: Engine, number: string): string => `'4' || ${hex[engine](number)}`

/** Selects these values for each `i` from 0 to the count. */
const each = (count: number, values: string): string =>
  `with recursive series (i) as (select 0 union all select i + 1 from series where i < ${count - 1}) select ${values} from series`

const insert = (table: string, columns: string, count: number, values: string): string =>
  `insert into ${table} (${columns}) ${each(count, values)}`

/** In parentheses: SQLite joins texts before it divides. */
const byteOf = (number: string, place: number): string => `((${number}) / ${256 ** place} % 256)`

const address = (first: number, number: string): string =>
  [`'${first}'`, byteOf(number, 2), byteOf(number, 1), byteOf(number, 0)].join(" || '.' || ")

/**
 * As many NAT IPs, of which every second one is attached and has two rules, in networks of the datacenter of the first release, and an
 * event for each hundredth IP.
 */
export function massOfFirstDays(engine: Engine, ips: number): string[] {
  const { datacenter, device, role } = ids
  const perNetwork = ips / NETWORKS
  const network = `${FROM} + i / ${perNetwork}`
  const offset = `(i / ${perNetwork}) * 65536 + i % ${perNetwork}`
  const few = MACHINES / 10
  return [
    // The rows belong together: PostgreSQL need not look each reference up.
    ...(engine === 'postgres' ? ['set local session_replication_role = replica'] : []),
    insert(
      'enterprises',
      'id, name, name_key, default_scope_id, two_factor_mandatory, properties',
      few,
      `${FROM} + i, 'Enterprise ' || i, 'enterprise ' || i, 1, 0, '{}'`,
    ),
    insert(
      'users',
      `id, enterprise_id, role_id, nick, nick_key, name_key, search_key, name, surname, description, email, locale,
        auth_type, active, locked, first_login, password_hash, token_epoch, allowed_cidrs, two_factor_step`,
      few,
      `${FROM} + i, ${FROM} + i, ${role}, 'user-' || i, 'user-' || i, 'ann', 'ann', 'Ann', '', '', 'ann' || i || '@example.com', 'en_US',
        'ABIQUO', 1, 0, 0, '', 0, '[]', 0`,
    ),
    insert(
      'virtual_datacenters',
      'id, enterprise_id, datacenter_id, name, name_key',
      few,
      `${FROM} + i, ${FROM} + i, ${datacenter}, 'shelf ' || i, 'shelf ' || i`,
    ),
    insert(
      'virtual_appliances',
      'id, virtual_datacenter_id, name, name_key',
      few,
      `${FROM} + i, ${FROM} + i, 'box ' || i, 'box ' || i`,
    ),
    insert(
      'virtual_machines',
      'id, virtual_appliance_id, virtual_datacenter_id, enterprise_id, name, name_key, label, state',
      MACHINES,
      `${FROM} + i, ${FROM} + i % ${few}, ${FROM} + i % ${few}, ${FROM} + i % ${few}, 'machine ' || i, 'machine ' || i, '', 'ON'`,
    ),
    insert(
      'private_ips',
      'id, virtual_datacenter_id, virtual_machine_id, nic, ip, ip_key, mac',
      MACHINES,
      `${FROM} + i, ${FROM} + i % ${few}, ${FROM} + i, 0, ${address(10, 'i')}, ${hexOf(engine, '167772160 + i')}, '02:00:00:00:00:01'`,
    ),
    insert(
      'nat_networks',
      'id, datacenter_id, device_id, name, name_key, cidr, first_key, last_key, prefix',
      NETWORKS,
      `${FROM} + i, ${datacenter}, ${device}, 'network ' || i, 'network ' || i, '100.' || i || '.0.0/16',
        ${hexOf(engine, '1677721600 + i * 65536')}, ${hexOf(engine, '1677721600 + i * 65536 + 65535')}, 16`,
    ),
    insert(
      'nat_ips',
      'id, nat_network_id, datacenter_id, virtual_datacenter_id, ip, ip_key, available, quarantine, default_snat',
      ips,
      `${FROM} + i, ${network}, ${datacenter}, case when i % 2 = 0 then ${FROM} + i / 2 % ${few} end, ${address(100, offset)},
        ${hexOf(engine, `1677721600 + ${offset}`)}, 1, case when i % 100 = 1 then 1 else 0 end, 0`,
    ),
    insert(
      'nat_rules',
      `id, nat_ip_id, private_ip_id, virtual_machine_id, nat_network_id, datacenter_id, ip_key, snat, protocol,
        original_port, translated_port`,
      ips,
      `${FROM} + i, ${FROM} + i - i % 2, ${FROM} + i / 2 % ${MACHINES}, ${FROM} + i / 2 % ${MACHINES}, ${network}, ${datacenter},
        ${hexOf(engine, `1677721600 + ${offset} - i % 2`)}, 0, 'TCP', 80 + i % 2, 8080`,
    ),
    `insert into nat_counts (nat_network_id, datacenter_id, ips, available_ips, used_ips, default_snat_ips,
        available_default_snat_ips, snat_rules, dnat_rules)
      select id, datacenter_id, ${perNetwork}, ${perNetwork}, ${perNetwork / 2}, 0, 0, 0, ${perNetwork}
        from nat_networks where id >= ${FROM}`,
  ]
}

/** Events of the second schema, about the attachment of IPs. */
export const eventsOfFirstDays = (count: number): string[] => [
  insert(
    'events',
    `timestamp, action, entity_type, entity_id, entity_name, entity_key, entity_path, changes, user_id, user_nick, enterprise_id,
      request_id, ip, about_enterprise_id, about_datacenter_id`,
    count,
    `1763769600000 + i, 'attach', 'natip', ${FROM} + i, 'ip ' || i, 'ip ' || i,
      '/admin/datacenters/3/natnetworks/' || ${FROM} || '/ips/' || (${FROM} + i), '{}', ${FROM}, 'user-0', ${FROM}, '', '127.0.0.1', ${FROM}, 3`,
  ),
]

type Columns = Record<string, string[]>

const tablesOf: Record<Engine, string> = {
  sqlite: `select m.name as "table", c.name as "column" from sqlite_schema m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite%' and m.name not like '%\\_words%' escape '\\'`,
  postgres: `select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema()`,
}

/** The columns of all tables. */
export async function columnsOf({ engine, read }: Database): Promise<Columns> {
  const { rows } = await sql.raw<{ table: string; column: string }>(tablesOf[engine]).execute(read)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return Object.fromEntries([...byTable].map(([table, own]) => [table, own.map(({ column }) => column)]))
}

const PAGE = 50_000
const large = new Set(['nat_ips', 'nat_rules', 'events'])

/** The number of rows of each table, with a digest of these columns. `only`: the rows that count, as conditions by table. */
export async function contentOf(
  database: Database,
  columns: Columns,
  only: Record<string, string> = {},
): Promise<Record<string, string>> {
  const content: Record<string, string> = {}
  for (const [table, own] of Object.entries(columns)) {
    const list = own.map((column) => `"${column}"`).join(', ')
    const from = `select ${list} from ${table} where ${only[table] ?? 'true'}`
    content[table] = large.has(table)
      ? await digestOf(database, (after) => `${from} and id > ${after} order by id limit ${PAGE}`)
      : await digestOf(database, () => `${from} order by ${list}`)
  }
  return content
}

/** Reads page after page by their ids, or all rows at once. */
async function digestOf({ read }: Database, query: (after: number) => string): Promise<string> {
  const hash = createHash('sha256')
  let count = 0
  for (let after = -1; ; ) {
    const { rows } = await sql.raw<Record<string, unknown>>(query(after)).execute(read)
    for (const row of rows) hash.update(JSON.stringify(Object.values(row)))
    count += rows.length
    if (rows.length !== PAGE) return `${count} rows, ${hash.digest('hex')}`
    after = Number(rows.at(-1)?.id)
  }
}

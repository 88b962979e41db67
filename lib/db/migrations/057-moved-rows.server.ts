import type { MigrationTypes } from '#lib/db/dialect.server'

/** Columns with ids that not every reader of the row sees, and the other ones that documents show. */
const tables = {
  enterprises: { hidden: ['default_scope_id'], open: ['name', 'two_factor_mandatory', 'properties'] },
  nat_ips: { hidden: ['virtual_datacenter_id'], open: ['available', 'quarantine', 'default_snat'] },
  roles: { hidden: ['scope_id'], open: ['name', 'blocked', 'enterprise_id'] },
  scopes: { hidden: ['parent_id'], open: ['name', 'all_datacenters', 'all_enterprises'] },
  users: {
    hidden: ['scope_id', 'role_id'],
    open: `nick name surname description email locale auth_type active locked first_login allowed_cidrs
      two_factor_provider enterprise_id`.split(/\s+/),
  },
}

type Columns = { hidden: string[]; open: string[] }

export function movedRows(
  table: string,
  { hidden, open }: Columns,
  textIn: (column: string, field: string) => string,
): string {
  const after = (name: string) =>
    `case when past.next is null then cast(live.${name} as text) else ${textIn('past.next', name)} end`
  const isSame = (name: string) => `${textIn('past.content', name)} is not distinct from ${after(name)}`
  const json = hidden.map((name) => `'"${name}":' || coalesce(${after(name)}, 'null')`).join(` || ',' || `)
  return `update past_rows set moved = known.moved from (
      select past.id, past.until, '{' || ${json} || '}' as moved from (
        select id, until, content, (
          select later.content from past_rows later where later.source = '${table}' and later.id = past_rows.id
            and later.part = '' and later.until > past_rows.until order by later.until limit 1) as next
        from past_rows where source = '${table}' and content is not null and ended = 0
      ) past left join ${table} live on live.id = past.id where ${open.map(isSame).join(' and ')}
    ) known where past_rows.source = '${table}' and past_rows.part = '' and past_rows.id = known.id and past_rows.until = known.until`
}

/** Marks changes of hidden columns alone, which do not concern every reader of the row. */
export const statements = ({ textIn }: MigrationTypes): string[] => {
  const asText = (column: string, field: string) => `cast(${textIn(column, field)} as text)`
  return [
    'alter table past_rows add column moved text',
    ...Object.entries(tables).map(([table, columns]) => movedRows(table, columns, asText)),
  ]
}

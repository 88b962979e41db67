import { sql } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import type { Engine } from '#lib/db/dialect.server'

/*
 * The log of translations for gateways: triggers write each translation that appears or disappears, so no code can change a rule without
 * its gateway. A translation that one transaction removes and restores is in the log twice, with the sum 0.
 */

type Sign = 1 | -1
/** Changed rows of one table, by name or as a query. */
type Rows = string
/** Translations that appear or disappear. */
type Change = { sign: Sign; columns: string; from: string }

/** The columns that identify a translation, beside its device. */
export const translationColumns = [
  'rule_id',
  'kind',
  'protocol',
  'nat_ip',
  'nat_port',
  'nat_port_end',
  'sources',
  'private_ip',
  'private_port',
] as const

const RULE = `x.id, case x.snat when 1 then 'snat' else 'dnat' end, x.protocol, i.ip, x.original_port, x.original_port_end, x.sources,
  p.ip, x.translated_port`
const DEFAULT = `null, 'default', null, i.ip, null, null, null, p.ip, null`
const WITHOUT_RULE =
  'not exists (select 1 from nat_rules r where r.private_ip_id = p.id and r.snat = 1 and r.disabled_at is null)'

type Changes = (rows: Rows, sign: Sign) => Change[]

/** An enabled rule, and the default SNAT whose place an SNAT rule takes. */
const ofRules: Changes = (rows, sign) => [
  {
    sign,
    columns: RULE,
    from: `${rows} x join nat_ips i on i.id = x.nat_ip_id join nat_networks n on n.id = x.nat_network_id
      join private_ips p on p.id = x.private_ip_id where x.disabled_at is null`,
  },
  {
    sign: sign === 1 ? -1 : 1,
    columns: DEFAULT,
    from: `${rows} x join private_ips p on p.id = x.private_ip_id
      join nat_ips i on i.virtual_datacenter_id = p.virtual_datacenter_id and i.default_snat = 1
      join nat_networks n on n.id = i.nat_network_id where x.snat = 1 and x.disabled_at is null`,
  },
]

const ofNatIps: Changes = (rows, sign) => [
  {
    sign,
    columns: DEFAULT,
    from: `${rows} i join nat_networks n on n.id = i.nat_network_id
      join private_ips p on p.virtual_datacenter_id = i.virtual_datacenter_id where i.default_snat = 1 and ${WITHOUT_RULE}`,
  },
]

const ofPrivateIps: Changes = (rows, sign) => [
  {
    sign,
    columns: DEFAULT,
    from: `${rows} p join nat_ips i on i.virtual_datacenter_id = p.virtual_datacenter_id and i.default_snat = 1
      join nat_networks n on n.id = i.nat_network_id where ${WITHOUT_RULE}`,
  },
]

const actions = ['insert', 'update', 'delete'] as const
type Action = (typeof actions)[number]

/** The columns that the changes read, and the changes. An update of other columns changes no translation. */
type Watched = { columns: readonly string[] } & Partial<Record<Action, Changes>>

/**
 * A row is inserted after the rows that it references, and deleted before them. The device of a network changes only while it has no IPs.
 */
const watched: Record<string, Watched> = {
  nat_rules: {
    columns: [
      'id',
      'nat_ip_id',
      'nat_network_id',
      'private_ip_id',
      'snat',
      'protocol',
      'original_port',
      'original_port_end',
      'sources',
      'translated_port',
      'disabled_at',
    ],
    insert: ofRules,
    update: ofRules,
    delete: ofRules,
  },
  nat_ips: {
    columns: ['id', 'ip', 'nat_network_id', 'virtual_datacenter_id', 'default_snat'],
    insert: ofNatIps,
    update: ofNatIps,
    delete: ofNatIps,
  },
  private_ips: {
    columns: ['id', 'ip', 'virtual_datacenter_id'],
    insert: ofPrivateIps,
    update: ofPrivateIps,
    delete: ofPrivateIps,
  },
}

const insertion = ({ sign, columns, from }: Change, revision: string): string =>
  `insert into translation_changes (device_id, ${translationColumns.join(', ')},
    revision, moment, added) select n.device_id, ${columns}, ${revision}, journal_moment(), ${sign} from ${from};`

/** The rows before the action vanish, those after it appear. */
const insertionsOf = (
  action: Action,
  changes: Changes,
  { before, after, revision }: { before: Rows; after: Rows; revision: string },
): string =>
  [...(action === 'insert' ? [] : changes(before, -1)), ...(action === 'delete' ? [] : changes(after, 1))]
    .map((change) => insertion(change, revision))
    .join('\n')

function sqliteTrigger(table: string, action: Action, changes: Changes): string[] {
  const { columns = [] } = watched[table] ?? {}
  const row = (name: 'old' | 'new') =>
    `(select ${columns.map((each) => `${name}.${each} as ${each}`).join(', ')})`
  const differs = columns.map((each) => `old.${each} is not new.${each}`).join(' or ')
  const of = action === 'update' ? `update of ${columns.join(', ')}` : action
  return [
    // In SQLite the ids of the log are in the order of commit.
    `create trigger ${table}_translations_${action} after ${of} on ${table} ${action === 'update' ? `when ${differs}` : ''}
      begin ${insertionsOf(action, changes, { before: row('old'), after: row('new'), revision: '0' })} end`,
  ]
}

const tablesOf: Record<Action, string> = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
}

function postgresTrigger(table: string, action: Action, changes: Changes): string[] {
  const { columns = [] } = watched[table] ?? {}
  const values = (rows: string) => `(${columns.map((each) => `${rows}.${each}`).join(', ')})`
  const changed = (rows: string, others: string) =>
    action === 'update'
      ? `(select ${rows}.* from ${rows} join ${others} on ${others}.id = ${rows}.id
          where ${values(rows)} is distinct from ${values(others)})`
      : rows
  const body = insertionsOf(action, changes, {
    before: changed('old_rows', 'new_rows'),
    after: changed('new_rows', 'old_rows'),
    revision: 'pg_current_xact_id()::text::bigint + (select number from transaction_base)',
  })
  const name = `${table}_translations_${action}`
  return [
    `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
    `create or replace trigger ${name} after ${action} on ${table} referencing ${tablesOf[action]}
      for each statement execute function ${name}()`,
  ]
}

const triggers = (engine: Engine): string[] =>
  Object.entries(watched).flatMap(([table, each]) =>
    actions.flatMap((action) => {
      const changes = each[action]
      if (!changes) return []
      return engine === 'postgres'
        ? postgresTrigger(table, action, changes)
        : sqliteTrigger(table, action, changes)
    }),
  )

/** Makes the triggers, for the present columns. */
export async function logTranslations(trx: Trx, engine: Engine): Promise<void> {
  for (const statement of triggers(engine)) await sql.raw(statement).execute(trx)
}

/** Removes the triggers. A migration may then change the tables. */
export async function unlogTranslations(trx: Trx, engine: Engine): Promise<void> {
  const names = Object.entries(watched).flatMap(([table, each]) =>
    actions.filter((action) => each[action]).map((action) => [`${table}_translations_${action}`, table]),
  )
  for (const [name, table] of names)
    await sql
      .raw(
        engine === 'postgres'
          ? `drop trigger if exists ${name} on ${table}`
          : `drop trigger if exists ${name}`,
      )
      .execute(trx)
}

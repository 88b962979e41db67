import type { DatabaseSync } from 'node:sqlite'
import { sql, type Transaction } from 'kysely'
import type { Engine } from '#lib/db/dialect.server'
import type { Tables } from '#lib/db/tables.server'

type Trx = Transaction<Tables>

/*
 * The journal keeps every row of these tables as it was before each change, by triggers, so that no code can change a row and forget
 * its past. Credentials are in no past row.
 */

type Journaled = {
  /** The column of `past_rows.id`. */
  id: string
  /** Distinguishes the rows of one id. */
  part?: string
  /** Columns that are not kept: a change of them alone leaves no past row. */
  without?: readonly string[]
}

const byId: Journaled = { id: 'id' }

const journaled: Record<string, Journaled> = {
  application_privileges: { id: 'application_id', part: 'privilege' },
  applications: { id: 'id', without: ['api_secret', 'secret_exposed_at'] },
  datacenters: byId,
  device_types: byId,
  devices: { id: 'id', without: ['password'] },
  enterprises: byId,
  nat_counts: { id: 'nat_network_id' },
  nat_ips: byId,
  nat_networks: byId,
  nat_rules: byId,
  private_ips: byId,
  racks: byId,
  remote_services: byId,
  role_privileges: { id: 'role_id', part: 'privilege' },
  roles: byId,
  scope_entities: byId,
  scopes: byId,
  templates: byId,
  users: {
    id: 'id',
    without: ['password_hash', 'token_epoch', 'two_factor_secret', 'two_factor_step', 'two_factor_began_by'],
  },
  virtual_appliances: byId,
  virtual_datacenters: byId,
  virtual_machines: byId,
}

export const journaledTables: readonly string[] = Object.keys(journaled)

type Columns = { name: string; type: string }[]

const columnQueries: Record<Engine, (table: string) => string> = {
  sqlite: (table) => `select name, type from pragma_table_info('${table}') order by cid`,
  postgres: (table) => `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped order by attnum`,
}

const columnsOf = async (trx: Trx, engine: Engine, table: string): Promise<Columns> =>
  (await sql.raw<{ name: string; type: string }>(columnQueries[engine](table)).execute(trx)).rows

/** Removes the triggers and views that depend on the columns of the tables, so that a migration may change them. */
export async function unwatch(trx: Trx, engine: Engine): Promise<void> {
  const statements =
    engine === 'postgres'
      ? ['drop schema if exists past cascade']
      : journaledTables.flatMap((table) =>
          ['insert', 'update', 'delete'].map((action) => `drop trigger if exists ${table}_past_${action}`),
        )
  for (const statement of statements) await sql.raw(statement).execute(trx)
}

/** Makes the triggers and, in PostgreSQL, the views of the past, for the present columns. */
export async function watch(trx: Trx, engine: Engine): Promise<void> {
  await unwatch(trx, engine)
  const statements = engine === 'postgres' ? [...postgresFunctions] : []
  const schema = engine === 'postgres' ? await currentSchema(trx) : 'main'
  for (const [table, kept] of Object.entries(journaled)) {
    const columns = await columnsOf(trx, engine, table)
    statements.push(
      ...(engine === 'postgres'
        ? postgresWatch(table, kept, { columns, schema })
        : sqliteWatch(table, kept, columns)),
    )
  }
  for (const statement of statements) await sql.raw(statement).execute(trx)
}

async function currentSchema(trx: Trx): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(trx)
  return rows[0]?.name ?? 'public'
}

const isKept =
  ({ without = [] }: Journaled) =>
  ({ name }: { name: string }) =>
    !without.includes(name)

/** The function `journal_moment` is the writer's (writer.server.ts). */
function sqliteWatch(table: string, kept: Journaled, columns: Columns): string[] {
  const names = columns.filter(isKept(kept)).map(({ name }) => name)
  const contentOf = names.map((name) => `'${name}', old.${name}`).join(', ')
  const keep = (row: 'old' | 'new', content: string): string =>
    `begin insert into past_rows (source, id, part, until, content)
      values ('${table}', ${row}.${kept.id}, ${kept.part ? `${row}.${kept.part}` : "''"}, journal_moment(), ${content})
      on conflict do nothing; end`
  const differs = names.map((name) => `old.${name} is not new.${name}`).join(' or ')
  return [
    `create trigger ${table}_past_insert after insert on ${table} ${keep('new', 'null')}`,
    `create trigger ${table}_past_update after update of ${names.join(', ')} on ${table} when ${differs}
      ${keep('old', `json_object(${contentOf})`)}`,
    `create trigger ${table}_past_delete after delete on ${table} ${keep('old', `json_object(${contentOf})`)}`,
  ]
}

/**
 * `journal_moment` is the same for the whole transaction, unless a savepoint is rolled back in which it was asked for first. A clock that was
 * set back must not put a later change before an earlier one. A sequence keeps the last moment: two writers that count on would conflict
 * over a row.
 */
const postgresFunctions = [
  'create sequence if not exists journal_clock',
  `create or replace function clock_moment() returns bigint language sql
    return floor(extract(epoch from clock_timestamp()) * 1000000)::bigint`,
  `create or replace function journal_moment() returns bigint language plpgsql as $$
    declare
      known text := current_setting('console.moment', true);
      moment bigint := clock_moment();
    begin
      if known <> '' then return known::bigint; end if;
      if moment > coalesce(pg_sequence_last_value('journal_clock'), 0) then perform setval('journal_clock', moment);
      else moment := nextval('journal_clock');
      end if;
      perform set_config('console.moment', moment::text, true);
      return moment;
    end $$`,
  // Arguments: the column of the id, the column of the part or '', and the columns that are not kept.
  `create or replace function keep_past_row() returns trigger language plpgsql as $$
    declare
      was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) - tg_argv[2:] end;
      now jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) - tg_argv[2:] end;
      known jsonb := coalesce(was, now);
    begin
      if was is not distinct from now then return null; end if;
      insert into past_rows (source, id, part, until, content) values (tg_table_name, (known ->> tg_argv[0])::bigint,
        coalesce(known ->> nullif(tg_argv[1], ''), ''), journal_moment(), was::text) on conflict do nothing;
      return null;
    end $$`,
  'create schema past',
  `create function past.moment() returns bigint language sql stable
    return current_setting('console.past')::bigint`,
]

function postgresWatch(
  table: string,
  kept: Journaled,
  { columns, schema }: { columns: Columns; schema: string },
): string[] {
  const arguments_ = [kept.id, kept.part ?? '', ...(kept.without ?? [])].map((text) => `'${text}'`)
  const shown = columns.map(({ name, type }) =>
    isKept(kept)({ name })
      ? `(content::jsonb ->> '${name}')::${type} as ${name}`
      : `null::${type} as ${name}`,
  )
  return [
    `create or replace trigger ${table}_past after insert or update or delete on ${table} for each row
      execute function keep_past_row(${arguments_.join(', ')})`,
    `create view past.${table} as ${pastRows(table, kept, { columns, shown, moment: 'past.moment()', schema })}`,
  ]
}

type Shown = { columns: Columns; shown: string[]; moment: string; schema: string }

/** The rows of a table at a moment: the rows unchanged since then, and for the others the version that the first later change replaced. */
function pastRows(table: string, { id, part }: Journaled, { columns, shown, moment, schema }: Shown): string {
  const same = part ? `${schema}.${table}.${part}` : "''"
  const names = columns.map(({ name }) => `${schema}.${table}.${name}`)
  return `select ${names.join(', ')} from ${schema}.${table}
    where not exists (select 1 from ${schema}.past_rows later where later.source = '${table}'
      and later.id = ${schema}.${table}.${id} and later.part = ${same} and later.until > ${moment})
    union all select ${shown.join(', ')} from ${schema}.past_rows kept
    where kept.source = '${table}' and kept.until > ${moment} and kept.content is not null
      and not exists (select 1 from ${schema}.past_rows earlier where earlier.source = kept.source and earlier.id = kept.id
        and earlier.part = kept.part and earlier.until > ${moment} and earlier.until < kept.until)`
}

/** The last moment in the journal of a SQLite file, or undefined if its schema has none. Indexes make it cheap. */
export function lastSqliteMoment(db: DatabaseSync): number | undefined {
  const tables = ['events', 'event_steps', 'translation_changes', 'journal_beginning'] as const
  const present = db.prepare(`select count(*) as count from sqlite_master
    where type = 'table' and name in ('past_rows', ${tables.map((table) => `'${table}'`).join(', ')})`)
  if (present.get()?.count !== tables.length + 1) return undefined
  const moments = [
    ...tables.map((table) => `select max(moment) as moment from ${table}`),
    ...journaledTables.map((table) => `select max(until) from past_rows where source = '${table}'`),
  ]
  return Number(db.prepare(`select max(moment) as last from (${moments.join(' union all ')})`).get()?.last)
}

/** Makes the views of the past. On this connection they hide the tables of the same names. */
export function openSqlitePast(db: DatabaseSync, moment: () => number): DatabaseSync {
  db.function('past_moment', { deterministic: true }, moment)
  for (const [table, kept] of Object.entries(journaled)) {
    const columns = db.prepare(columnQueries.sqlite(table)).all() as Columns
    db.exec(sqlitePast(table, kept, columns))
  }
  return db
}

function sqlitePast(table: string, kept: Journaled, columns: Columns): string {
  const shown = columns.map(({ name, type }) => {
    if (name === kept.id) return `kept.id as ${name}`
    if (name === kept.part) return `kept.part as ${name}`
    return isKept(kept)({ name }) ? `cast(content ->> '$.${name}' as ${type}) as ${name}` : `null as ${name}`
  })
  const view = pastRows(table, kept, { columns, shown, moment: 'past_moment()', schema: 'main' })
  return `create temp view ${table} as ${view}`
}

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
  /** Columns that never change, so that the indexes of the table also serve its past. */
  fixed?: readonly string[]
  /** Columns that not every reader of the row sees. After a change of them alone the past row has the new values in `moved`. */
  hidden?: readonly string[]
}

const byId: Journaled = { id: 'id' }

const journaled: Record<string, Journaled> = {
  application_privileges: { id: 'application_id', part: 'privilege' },
  applications: { id: 'id', without: ['api_secret', 'secret_exposed_at'] },
  datacenters: byId,
  device_types: byId,
  devices: { id: 'id', without: ['password'] },
  enterprises: { id: 'id', hidden: ['default_scope_id'] },
  nat_counts: { id: 'nat_network_id' },
  nat_ips: {
    id: 'id',
    fixed: ['nat_network_id', 'datacenter_id', 'ip', 'ip_key'],
    hidden: ['virtual_datacenter_id', 'ends_at', 'description', 'tags', 'tags_key'],
  },
  nat_networks: byId,
  nat_rules: {
    id: 'id',
    fixed: [
      'nat_ip_id',
      'private_ip_id',
      'virtual_machine_id',
      'nat_network_id',
      'datacenter_id',
      'ip_key',
      'snat',
    ],
    // The notes belong to the machine.
    hidden: ['virtual_machine_id', 'description', 'tags', 'tags_key'],
  },
  nat_setasides: byId,
  private_ips: byId,
  racks: byId,
  remote_services: byId,
  role_privileges: { id: 'role_id', part: 'privilege' },
  roles: { id: 'id', hidden: ['scope_id'] },
  scope_entities: byId,
  scopes: { id: 'id', hidden: ['parent_id'] },
  tags: { id: 'resource_id', part: 'label' },
  templates: byId,
  users: {
    id: 'id',
    without: [
      'password_hash',
      'token_epoch',
      'two_factor_secret',
      'two_factor_step',
      'two_factor_began_by',
      'two_factor_in_console',
      'created_at',
      'modified_at',
    ],
    hidden: ['scope_id', 'role_id'],
  },
  virtual_appliances: byId,
  virtual_datacenters: byId,
  virtual_machines: { id: 'id', hidden: ['user_id'] },
}

export const journaledTables: readonly string[] = Object.keys(journaled)

/** `type` has the collation. */
type Columns = { name: string; type: string; required: boolean | 0 | 1 }[]

const columnQueries: Record<Engine, (table: string) => string> = {
  sqlite: (table) =>
    `select name, type, "notnull" as required from pragma_table_info('${table}') order by cid`,
  postgres: (table) => `select attname as name, attnotnull as required,
      format_type(atttypid, atttypmod) || case when attcollation = '"C"'::regcollation then ' collate "C"' else '' end as type
    from pg_attribute
    where attrelid = to_regclass('${table}') and attnum > 0 and not attisdropped order by attnum`,
}

const columnsOf = async (trx: Trx, engine: Engine, table: string): Promise<Columns> =>
  (await sql.raw<Columns[number]>(columnQueries[engine](table)).execute(trx)).rows

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

/**
 * What older schemas do not have. `ends`: the journal marks the last row before a deletion. `moves`: it marks
 * changes of hidden columns alone.
 */
type Marks = { ends: boolean; moves: boolean }
type Watched = { columns: Columns } & Marks

/** Makes the triggers and, in PostgreSQL, the views of the past, for the present columns. */
export async function watch(trx: Trx, engine: Engine): Promise<void> {
  await unwatch(trx, engine)
  const has = new Set((await columnsOf(trx, engine, 'past_rows')).map(({ name }) => name))
  const marks = { ends: has.has('ended'), moves: has.has('moved') }
  const statements = engine === 'postgres' ? [...postgresFunctions(marks)] : []
  const schema = engine === 'postgres' ? await currentSchema(trx) : 'main'
  for (const [table, kept] of Object.entries(journaled)) {
    const columns = await columnsOf(trx, engine, table)
    // Older schemas lack some tables.
    if (columns.length === 0) continue
    statements.push(
      ...(engine === 'postgres'
        ? postgresWatch(table, kept, { columns, schema, ...marks })
        : sqliteWatch(table, kept, { columns, ...marks })),
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
function sqliteWatch(table: string, kept: Journaled, { columns, ends, moves }: Watched): string[] {
  const names = columns.filter(isKept(kept)).map(({ name }) => name)
  // Older schemas lack some columns.
  const hidden = moves ? (kept.hidden ?? []).filter((name) => names.includes(name)) : []
  const keep = (row: 'old' | 'new', values: Record<string, string>, again: string): string =>
    `begin insert into past_rows (source, id, part, until, ${Object.keys(values).join(', ')})
      values ('${table}', ${row}.${kept.id}, ${kept.part ? `${row}.${kept.part}` : "''"}, journal_moment(), ${Object.values(values).join(', ')})
      on conflict do ${again}; end`
  const content = jsonOf('old', names)
  const open = names.filter((name) => !hidden.includes(name))
  const moved = { moved: `case when ${differs(open)} then null else ${jsonOf('new', hidden)} end` }
  const update =
    hidden.length === 0
      ? keep('old', { content }, 'nothing')
      : keep(
          'old',
          { content, ...moved },
          'update set moved = excluded.moved where past_rows.moved is not null',
        )
  const ended = `update set ended = 1${moves ? ', moved = null' : ''}`
  return [
    `create trigger ${table}_past_insert after insert on ${table} ${keep('new', { content: 'null' }, 'nothing')}`,
    `create trigger ${table}_past_update after update of ${names.join(', ')} on ${table} when ${differs(names)} ${update}`,
    `create trigger ${table}_past_delete after delete on ${table}
      ${ends ? keep('old', { content, ended: '1' }, ended) : keep('old', { content }, 'nothing')}`,
  ]
}

const differs = (names: readonly string[]): string =>
  names.map((name) => `old.${name} is not new.${name}`).join(' or ')

const jsonOf = (row: 'old' | 'new', names: readonly string[]): string =>
  `json_object(${names.map((name) => `'${name}', ${row}.${name}`).join(', ')})`

/**
 * `journal_moment` is the same for the whole transaction, unless a savepoint is rolled back in which it was asked for first. A clock that was
 * set back must not put a later change before an earlier one. A sequence keeps the last moment: two writers that count on would conflict
 * over a row.
 */
const postgresFunctions = ({ ends, moves }: Marks) => [
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
  // Arguments: the column of the id, the column of the part or '', the hidden columns, and the columns that are not kept.
  `create or replace function keep_past_row() returns trigger language plpgsql as $$
    declare
      hidden text[] := tg_argv[2];
      was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) - tg_argv[3:] end;
      now jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) - tg_argv[3:] end;
      known jsonb := coalesce(was, now);
      place text;
    begin
      if was is not distinct from now then return null; end if;
      if hidden <> '{}' and was - hidden = now - hidden then
        place := (select jsonb_object_agg(name, now -> name) from unnest(hidden) name);
      end if;
      insert into past_rows (source, id, part, until, content${ends ? ', ended' : ''}${moves ? ', moved' : ''}) values (tg_table_name, (known ->> tg_argv[0])::bigint,
        coalesce(known ->> nullif(tg_argv[1], ''), ''), journal_moment(), was::text${ends ? ", (tg_op = 'DELETE')::int" : ''}${moves ? ', place' : ''}) on conflict ${
          ends ? `(source, id, part, until) do update set ${again(moves)}` : 'do nothing'
        };
      return null;
    end $$`,
  'create schema past',
  `create function past.moment() returns bigint language sql stable
    return current_setting('console.past')::bigint`,
]

/** A further change of the row in the same transaction. */
const again = (moves: boolean): string =>
  moves
    ? `ended = greatest(past_rows.ended, excluded.ended), moved = case when past_rows.moved is not null then excluded.moved end
        where excluded.ended > past_rows.ended or past_rows.moved is not null`
    : 'ended = 1 where excluded.ended > past_rows.ended'

function postgresWatch(
  table: string,
  kept: Journaled,
  { columns, schema, ends }: Watched & { schema: string },
): string[] {
  const { part = '', hidden = [], without = [] } = kept
  const arguments_ = [kept.id, part, `{${hidden.join()}}`, ...without].map((text) => `'${text}'`)
  const trigger = `create or replace trigger ${table}_past after insert or update or delete on ${table} for each row
    execute function keep_past_row(${arguments_.join(', ')})`
  const at = { schema, moment: 'past.moment()' }
  return ends
    ? [trigger, `create view past.${table} as ${postgresRows(table, kept, { columns, ...at })}`]
    : [trigger]
}

type Viewed = { columns: Columns; schema: string; moment: string }

/** The later versions of a row, of which the first one is the row at the moment. */
const later = (
  table: string,
  row: string,
  { part, id }: { id: string; part: string },
  at: Omit<Viewed, 'columns'>,
) =>
  `${at.schema}.past_rows ${row} where ${row}.source = '${table}' and ${row}.id = ${id} and ${row}.part = ${part} and ${row}.until > ${at.moment}`

/**
 * The rows that are no longer there: each by the first deletion after the moment. The number of versions does not matter, because the
 * deletions have indexes of their own.
 */
const deleted = (table: string, { id, part }: Journaled, at: Omit<Viewed, 'columns'>) =>
  `gone.source = '${table}' and gone.ended = 1 and gone.until > ${at.moment}
    and not exists (select 1 from ${later(table, 'earlier', { id: 'gone.id', part: 'gone.part' }, at)} and earlier.ended = 1 and earlier.until < gone.until)
    and not exists (select 1 from ${at.schema}.${table} there where there.${id} = gone.id${part ? ` and there.${part} = gone.part` : ''})`

const isFixed =
  ({ fixed = [], id, part }: Journaled) =>
  ({ name }: { name: string }) =>
    name === id || name === part || fixed.includes(name)

const partOf = (table: string, { part }: Journaled): string => (part ? `${table}.${part}` : "''")

/** The rows of a table at a moment: those that are there, each as its first later version has it, and those that are no longer there. */
function postgresRows(table: string, kept: Journaled, { columns, ...at }: Viewed): string {
  const is = isFixed(kept)
  const was = ({ name, type }: Columns[number], row: string) =>
    `(${row}.content::jsonb ->> '${name}')::${type}`
  const none = ({ name, type }: Columns[number]) => `null::${type} as ${name}`
  const present = columns.map((column) => {
    const { name, required } = column
    if (!isKept(kept)(column)) return none(column)
    if (is(column)) return `live.${name}`
    return required
      ? `coalesce(${was(column, 'first')}, live.${name}) as ${name}`
      : `case when first.until is null then live.${name} else ${was(column, 'first')} end as ${name}`
  })
  const gone = columns.map((column) => {
    if (!isKept(kept)(column)) return none(column)
    return `${was(column, is(column) ? 'gone' : 'first')} as ${column.name}`
  })
  const firstOf = (id: string, part: string) =>
    `lateral (select version.until, version.content from ${later(table, 'version', { id, part }, at)} order by version.until limit 1) first`
  return `select ${present.join(', ')} from ${at.schema}.${table} live
    left join ${firstOf(`live.${kept.id}`, partOf('live', kept))} on true
    where first.until is null or first.content is not null
    union all select ${gone.join(', ')} from ${at.schema}.past_rows gone
    cross join ${firstOf('gone.id', 'gone.part')}
    where ${deleted(table, kept, at)} and first.content is not null`
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
    if (columns.length > 0) db.exec(sqlitePast(table, kept, columns))
  }
  return db
}

/** As `postgresRows`, in arms of one table each, without which the planner reads the whole view. */
function sqlitePast(table: string, kept: Journaled, columns: Columns): string {
  const at = { schema: 'main', moment: 'past_moment()' }
  const is = isFixed(kept)
  const first = (value: string, id: string, part: string) =>
    `(select ${value} from ${later(table, 'version', { id, part }, at)} order by version.until limit 1)`
  const was = ({ name, type }: Columns[number], row: string) =>
    `cast(${row}content ->> '$.${name}' as ${type})`
  const ofLive = (value: string) => first(value, `live.${kept.id}`, partOf('live', kept))
  const ofGone = (value: string) => first(value, 'gone.id', 'gone.part')
  const present = columns.map((column) => {
    const { name, required } = column
    if (!isKept(kept)(column)) return `null as ${name}`
    if (is(column)) return `live.${name} as ${name}`
    return required
      ? `coalesce(${ofLive(was(column, ''))}, live.${name}) as ${name}`
      : `case when ${ofLive('1')} then ${ofLive(was(column, ''))} else live.${name} end as ${name}`
  })
  const gone = columns.map((column) => {
    const { name } = column
    if (!isKept(kept)(column)) return `null as ${name}`
    if (name === kept.id) return `gone.id as ${name}`
    if (name === kept.part) return `gone.part as ${name}`
    return is(column) ? `${was(column, 'gone.')} as ${name}` : `${ofGone(was(column, ''))} as ${name}`
  })
  return `create temp view ${table} as select ${present.join(', ')} from main.${table} live
    where coalesce(${ofLive('version.content is not null')}, 1)
    union all select ${gone.join(', ')} from main.past_rows gone
    where ${deleted(table, kept, at)} and ${ofGone('version.content')} is not null`
}

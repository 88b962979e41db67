import { sql } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * The journal. `past_rows` keeps each row as it was until a moment, so that any document can be read as it was. A moment is the time of
 * a transaction in microseconds since 1970, and the same for all of its rows and its event.
 */
export const statements = ({ key, withoutRowId }: MigrationTypes) => [
  `create table past_rows (
    source ${key} not null,
    id bigint not null,
    part ${key} not null,
    until bigint not null,
    content text,
    primary key (source, id, part, until)
  ) ${withoutRowId}`,
  'create index past_rows_until on past_rows (source, until)',
  'create table journal_beginning (moment bigint not null)',
  'alter table events add column moment bigint',
  'alter table events add column transaction_number bigint not null default 0',
  'alter table events add column undoes bigint',
  'alter table events add column document_path text',
  'alter table events add column undoable smallint not null default 0',
  'create index events_moment on events (moment)',
  'create index events_commit on events (transaction_number, id)',
  'create unique index events_undoes_key on events (undoes)',
  `create table event_steps (
    event_id bigint not null references events on delete cascade,
    moment bigint not null,
    primary key (event_id, moment)
  )`,
  'create index event_steps_moment on event_steps (moment)',
  'create view present_scopes as select id, parent_id, all_datacenters, all_enterprises from scopes',
  'create view present_scope_entities as select scope_id, enterprise_id, datacenter_id from scope_entities',
  async (trx: Trx) => {
    await sql`insert into journal_beginning (moment) values (${sql.lit(Date.now() * 1000)})`.execute(trx)
  },
]

import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Seals of events (lib/record/events/seals.server.ts). `seal_progress` has one row. `transaction_base` has one row, which is added to
 * PostgreSQL's transaction numbers, because these start again at 1 after a restore.
 */
export const statements = (_types: MigrationTypes) => [
  `create table event_seals (
    number bigint primary key,
    first_event bigint not null,
    last_transaction bigint not null,
    last_event bigint not null,
    events bigint not null,
    newest bigint not null,
    sealed_at bigint not null,
    content text not null,
    digest text not null,
    entries text
  )`,
  `create table seal_progress (
    closed_transaction bigint not null,
    closed_event bigint not null,
    removed_seals bigint not null
  )`,
  'insert into seal_progress (closed_transaction, closed_event, removed_seals) values (-1, 0, 0)',
  'create table transaction_base (number bigint not null)',
  'insert into transaction_base (number) values (0)',
]

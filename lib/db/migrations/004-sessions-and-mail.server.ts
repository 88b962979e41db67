import type { MigrationTypes } from '#lib/db/dialect.server'

/** Sessions, the queue of mails, and second factors. */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table sessions (
    id ${id},
    chain ${key} not null constraint sessions_chain_key unique,
    user_id bigint not null references users,
    epoch bigint not null,
    in_console smallint not null,
    began bigint not null,
    last_used bigint not null,
    expires_at bigint not null,
    address text not null,
    user_agent text not null
  )`,
  'create index sessions_user on sessions (user_id, last_used, id)',
  'create index sessions_expiry on sessions (expires_at)',

  'alter table users add column two_factor_began_by text',
  `create table mailed_codes (
    user_id bigint primary key references users,
    code_hash text not null,
    sent_at bigint not null,
    expires_at bigint not null,
    tries integer not null
  )`,
  `create table refused_steps (
    user_id bigint not null references users,
    step bigint not null,
    primary key (user_id, step)
  )`,
  `create table two_factor_resets (
    user_id bigint primary key references users,
    requested_by bigint not null references users,
    requested_at bigint not null
  )`,
  'create index two_factor_resets_requested_by on two_factor_resets (requested_by)',
  `create table password_resets (
    user_id bigint primary key references users,
    token_hash ${key} not null constraint password_resets_token_key unique,
    sent_at bigint not null,
    expires_at bigint not null
  )`,

  `create table mails (
    id ${id},
    sealed text not null,
    due_at bigint not null,
    expires_at bigint not null,
    attempts integer not null
  )`,
  'create index mails_due on mails (due_at, id)',
]

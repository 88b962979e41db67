/**
 * When a user ends, in milliseconds; null: never. A row of `end_notices` is the next mail about it, to the user who set the end: without
 * `ends_at` of the resource being the same, or without that user, it is removed unsent.
 */
export const statements = (): string[] => [
  'alter table users add column ends_at bigint',
  'create index users_ends on users (ends_at, id) where ends_at is not null',
  `create table end_notices (
    entity text not null,
    entity_id bigint not null,
    ends_at bigint not null,
    due_at bigint not null,
    user_id bigint not null,
    primary key (entity, entity_id)
  )`,
  'create index end_notices_due on end_notices (due_at)',
]

import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Webhooks, and the deliveries of events to them. `user_id` is the creator, who may be deleted. `events` is a list of patterns in JSON.
 * `since` is a moment of the journal: only later events are delivered. A delivery that is done has no `due_at`.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table webhooks (
    id ${id},
    name text not null constraint webhooks_name_key unique,
    name_key ${key} not null,
    url text not null,
    events text not null,
    active smallint not null,
    secret text,
    user_id bigint not null,
    since bigint not null,
    failing_since bigint
  )`,
  'create index webhooks_order on webhooks (name_key, id)',
  `create table webhook_deliveries (
    id ${id},
    webhook_id bigint not null references webhooks,
    event_id bigint not null,
    message ${key} not null,
    status ${key} not null,
    attempts integer not null,
    created_at bigint not null,
    due_at bigint,
    expires_at bigint not null,
    attempted_at bigint,
    duration integer,
    request text,
    answer_status integer,
    answer text,
    problem text,
    constraint webhook_deliveries_event_key unique (webhook_id, event_id)
  )`,
  'create index webhook_deliveries_order on webhook_deliveries (webhook_id, id)',
  'create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where due_at is not null',
  'create index webhook_deliveries_expiry on webhook_deliveries (expires_at)',
  'create table webhook_cursor (position text not null)',
]

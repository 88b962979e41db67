import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Plans that are not applied yet, or were applied recently. `fingerprint` identifies their operations. `plan_parts`: the desired state, the
 * operations and the refusals, in pieces of JSON.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table plans (
    id ${id},
    user_id bigint not null references users (id) on delete cascade,
    mode text not null,
    fingerprint text not null,
    refused bigint not null,
    totals text not null,
    created_at bigint not null,
    expires_at bigint not null,
    applied_at bigint,
    event_id bigint
  )`,
  'create index plans_expired on plans (expires_at)',
  `create table plan_parts (
    plan_id bigint not null references plans (id) on delete cascade,
    kind ${key} not null,
    part bigint not null,
    content text not null,
    primary key (plan_id, kind, part)
  )`,
]

import type { MigrationTypes } from '#lib/db/dialect.server'

/** The responses to requests with an Idempotency-Key. */
export const statements = ({ key }: MigrationTypes): string[] => [
  `create table idempotency_keys (
    user_id bigint not null references users (id) on delete cascade,
    name ${key} not null,
    fingerprint text not null,
    answer text not null,
    expires_at bigint not null,
    primary key (user_id, name)
  )`,
  'create index idempotency_keys_expired on idempotency_keys (expires_at)',
]

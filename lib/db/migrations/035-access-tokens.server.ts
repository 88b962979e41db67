import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Access tokens of users and service accounts. `digest` is the SHA-256 of the token; the token itself is stored nowhere. `created_by` may
 * be deleted. `reminded_at`: when the mail about the expiry was queued, or set at once if no mail is due.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table access_tokens (
    id ${id},
    user_id bigint not null references users,
    name text not null,
    name_key ${key} not null,
    digest ${key} not null constraint access_tokens_digest_key unique,
    privileges text not null,
    allowed_cidrs text not null,
    created_at bigint not null,
    created_by bigint not null,
    expires_at bigint not null,
    last_used bigint,
    last_used_from text,
    reminded_at bigint,
    constraint access_tokens_name_key unique (user_id, name)
  )`,
  'create index access_tokens_order on access_tokens (user_id, name_key, id)',
  'create index access_tokens_expiry on access_tokens (expires_at)',
]

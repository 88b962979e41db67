import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Passkeys (WebAuthn level 3 §4, "credential record"). `multi_device` is the flag backup eligible, `backed_up` the flag backup state.
 * `passkey_challenges`: SHA-256 of challenges that were answered, until they expire.
 */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table passkeys (
    id ${id},
    user_id bigint not null references users,
    name text not null,
    name_key ${key} not null,
    credential_id ${key} not null constraint passkeys_credential_key unique,
    public_key text not null,
    counter bigint not null,
    transports text not null,
    multi_device smallint not null,
    backed_up smallint not null,
    created_at bigint not null,
    last_used bigint,
    constraint passkeys_name_key unique (user_id, name)
  )`,
  `create table passkey_challenges (
    id ${key} primary key,
    expires_at bigint not null
  )`,
  'create index passkey_challenges_expiry on passkey_challenges (expires_at)',
]

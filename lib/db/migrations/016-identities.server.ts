import type { MigrationTypes } from '#lib/db/dialect.server'

/** The identities of users at identity providers. */
export const statements = ({ id, key }: MigrationTypes): string[] => [
  `create table user_identities (
    id ${id},
    user_id bigint not null references users,
    provider ${key} not null,
    issuer ${key} not null,
    subject ${key} not null,
    constraint user_identities_subject unique (provider, issuer, subject),
    constraint user_identities_user unique (user_id, provider, issuer)
  )`,
]

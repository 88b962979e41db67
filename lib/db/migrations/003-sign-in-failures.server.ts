import type { MigrationTypes } from '#lib/db/dialect.server'

/** Failed attempts at passwords and codes, by account and client network. Housekeeping removes old rows. */
export const statements = ({ key }: MigrationTypes): string[] => [
  `create table sign_in_failures (
    key ${key} primary key,
    failures integer not null,
    since bigint not null,
    last bigint not null,
    waits integer not null,
    blocked_until bigint not null
  )`,
  'create index sign_in_failures_last on sign_in_failures (last)',
]

import type { MigrationTypes } from '#lib/db/dialect.server'

/** Changes of a device's translations that go back unless they are confirmed. `revision` is the one before them, `ends_at` in milliseconds. */
export const statements = ({ key }: MigrationTypes): string[] => [
  `create table unconfirmed_changes (
    device_id bigint primary key references devices on delete cascade,
    user_id bigint not null,
    user_nick ${key} not null,
    enterprise_id bigint not null,
    revision bigint not null,
    seconds integer not null,
    ends_at bigint not null
  )`,
  'create index unconfirmed_changes_end on unconfirmed_changes (ends_at)',
]

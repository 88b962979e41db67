import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * Attempts that are being checked (`pending`) count before their outcome is known. A user's known networks do not wait for attempts
 * from others. Attempts at unknown nicks share one event for each network and minute.
 */
export const statements = ({ key }: MigrationTypes): string[] => [
  'alter table sign_in_failures add column pending integer not null default 0',
  `create table sign_in_places (
    user_id bigint not null references users,
    network ${key} not null,
    last bigint not null,
    primary key (user_id, network)
  )`,
  'create index sign_in_places_last on sign_in_places (last)',
  `create table refused_strangers (
    place ${key} primary key,
    minute bigint not null,
    event_id bigint not null,
    count integer not null
  )`,
  'create index refused_strangers_minute on refused_strangers (minute)',
]

import type { MigrationTypes } from '#lib/db/dialect.server'

/** The open streams of events (lib/record/events/stream-places.server.ts). */
export const statements = ({ key }: MigrationTypes): string[] => [
  `create table event_streams (
    id ${key} primary key,
    user_id bigint not null,
    until bigint not null
  )`,
  'create index event_streams_user on event_streams (user_id)',
]

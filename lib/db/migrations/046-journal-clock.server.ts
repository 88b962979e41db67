import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * The journal's moments never go back, so they run ahead of a clock that was set back. The index has the events that this concerns, by the time
 * that they show. PostgreSQL keeps the last moment in a sequence; SQLite finds it by indexes.
 */
export const statements = ({ journalClock }: MigrationTypes): string[] => [
  'create index events_ahead on events (timestamp, moment) where moment > timestamp * 1000 + 999',
  ...journalClock,
]

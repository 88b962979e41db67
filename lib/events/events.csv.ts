import type { Change, EventView } from '#lib/events/events.schema'
import { type Csv, fields } from '#lib/http/csv'

const told = ([field, { before, after }]: [string, Change]): string =>
  `${field}: ${[before, '→', after].filter((part) => part !== undefined).join(' ')}`

export const eventCsv: Csv<EventView> = {
  filename: 'events',
  columns: [
    ...fields<EventView>('id', 'timestamp', 'user', 'enterprise', 'action'),
    ...fields<EventView>('entityType', 'entityId', 'entityName'),
    { name: 'changes', of: ({ changes }) => [...changes].map(told).join('; ') },
    ...fields<EventView>('requestId', 'ip'),
  ],
}

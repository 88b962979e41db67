import { type Csv, fields } from '#lib/ground/http/csv'
import type { Change, EventView } from '#lib/record/events/events.schema'

const side = (text: string | undefined, hidden = false): string[] => [
  ...(text === undefined ? [] : [text]),
  ...(hidden ? ['(hidden)'] : []),
]

const changeText = ([field, { before, beforeHidden, after, afterHidden }]: [string, Change]): string =>
  `${field}: ${[...side(before, beforeHidden), '→', ...side(after, afterHidden)].join(' ')}`

export const eventCsv: Csv<EventView> = {
  filename: 'events',
  columns: [
    ...fields<EventView>('id', 'timestamp', 'user', 'enterprise', 'action'),
    ...fields<EventView>('entityType', 'entityId', 'entityName'),
    { name: 'changes', of: ({ changes }) => [...changes].map(changeText).join('; ') },
    ...fields<EventView>('requestId', 'ip'),
  ],
}

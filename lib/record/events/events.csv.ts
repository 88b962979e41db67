import { type Csv, fields } from '#lib/ground/http/csv'
import type { Change, EventView } from '#lib/record/events/events.schema'
import type { EventRowView } from '#lib/record/events/rows.schema'

const side = (text: string | undefined, hidden = false): string[] => [
  ...(text === undefined ? [] : [text]),
  ...(hidden ? ['(hidden)'] : []),
]

const changeText = ([field, { before, beforeHidden, after, afterHidden }]: [string, Change]): string =>
  `${field}: ${[...side(before, beforeHidden), '→', ...side(after, afterHidden)].join(' ')}`

const changesColumn = {
  name: 'changes',
  of: ({ changes }: Pick<EventView, 'changes'>) => [...changes].map(changeText).join('; '),
}

export const eventCsv: Csv<EventView> = {
  filename: 'events',
  columns: [
    ...fields<EventView>('id', 'timestamp', 'user', 'enterprise', 'action'),
    ...fields<EventView>('entityType', 'entityId', 'entityName'),
    changesColumn,
    ...fields<EventView>('requestId', 'ip', 'count'),
  ],
}

export const eventRowCsv: Csv<EventRowView> = {
  filename: 'rows',
  columns: [...fields<EventRowView>('entityType', 'entityId', 'entityName', 'action'), changesColumn],
}

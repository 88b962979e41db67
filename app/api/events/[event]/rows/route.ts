import { eventTarget } from '#lib/record/events/event-target.server'
import { eventRowCsv } from '#lib/record/events/events.csv'
import { eventRowQuery } from '#lib/record/events/rows.schema'
import { reads } from '#lib/request/pipeline/endpoint.server'
import { listEventRows } from '#lib/state/rows/rows.server'

export const GET = reads(listEventRows, {
  summary: 'List what an event touched',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  target: eventTarget,
  query: eventRowQuery,
  answers: { as: 'eventrows', csv: eventRowCsv },
})

import { eventCsv } from '#lib/events/events.csv'
import { eventQuery } from '#lib/events/events.schema'
import { listEvents } from '#lib/events/events.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads((context) => listEvents(context, context.query), {
  summary: 'List events',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  query: eventQuery,
  answers: { as: 'events', csv: eventCsv },
})

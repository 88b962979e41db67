import { eventCsv } from '#lib/record/events/events.csv'
import { eventQuery } from '#lib/record/events/events.schema'
import { listEvents } from '#lib/record/events/events.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads((context) => listEvents(context, context.query), {
  summary: 'List events',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  query: eventQuery,
  answers: { as: 'events', csv: eventCsv },
})

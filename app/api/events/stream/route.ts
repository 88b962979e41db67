import { eventStreamQuery } from '#lib/record/events/events.schema'
import { streamEvents } from '#lib/record/events/stream.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(async (context) => streamEvents(context), {
  summary: 'Follow the events as they happen',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  query: eventStreamQuery,
  answers: { stream: 'event' },
  refuses: ['EVENT-2'],
})

import { eventSummaryQuery } from '#lib/events/summary.schema'
import { readEventSummary } from '#lib/events/summary.server'
import { reads } from '#lib/pipeline/endpoint.server'

export const GET = reads(readEventSummary, {
  summary: 'Summarize who changed what in the last days',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  query: eventSummaryQuery,
  answers: { as: 'eventsummary' },
})

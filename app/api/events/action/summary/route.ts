import { eventSummaryQuery } from '#lib/record/events/summary.schema'
import { readEventSummary } from '#lib/record/events/summary.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readEventSummary, {
  summary: 'Summarize who changed what in the last days',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  query: eventSummaryQuery,
  answers: { as: 'eventsummary' },
})

import { eventTarget } from '#lib/record/events/event-target.server'
import { readEvent } from '#lib/record/events/events.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readEvent, {
  summary: 'Read an event',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  target: eventTarget,
  answers: { as: 'event' },
})

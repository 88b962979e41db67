import { pathOfDocument } from '#lib/events/documents.server'
import { eventTarget } from '#lib/events/event-target.server'
import { documented } from '#lib/events/events.schema'
import { showsPast } from '#lib/pipeline/shows-past.server'

export const GET = showsPast(pathOfDocument('after'), {
  summary: 'Read what an event changed, as it was after the event',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  target: eventTarget,
  answers: { oneOf: documented },
  refuses: ['EVENT-1', 'ASOF-2'],
})

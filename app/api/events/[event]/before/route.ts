import { pathOfDocument } from '#lib/record/events/documents.server'
import { eventTarget } from '#lib/record/events/event-target.server'
import { documented } from '#lib/record/events/events.schema'
import { showsPast } from '#lib/request/pipeline/shows-past.server'

export const GET = showsPast(pathOfDocument('before'), {
  summary: 'Read what an event changed, as it was before the event',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'] },
  target: eventTarget,
  answers: { oneOf: documented },
  refuses: ['EVENT-1', 'ASOF-2'],
})

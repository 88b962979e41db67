import { z } from 'zod'
import { flag } from '#lib/ground/http/paging'
import { writes } from '#lib/request/pipeline/endpoint.server'
import { showUndoAgain, undoEvent, undoRefusals, undoTarget } from '#lib/state/undo/undo.server'

export const POST = writes(undoEvent, {
  summary: 'Undo what an event changed',
  who: { anyOf: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'], ownAccount: 'never' },
  target: undoTarget,
  query: z.object({
    dryrun: flag('dryrun')
      .default(false)
      .meta({ description: 'Says what the undo would be, and changes nothing' }),
  }),
  answers: { as: 'event', status: 200, progress: true, again: showUndoAgain },
  job: 'event.undo',
  event: null,
  refuses: undoRefusals,
})

import type { ReadContext } from '#lib/caller/auth/context.server'
import { ApiError } from '#lib/ground/http/errors'
import { viewerOf, visibleEvents } from '#lib/record/events/sight.server'

/* The documents of an event. The journal has the rows of every moment, so the GET of the resource can show that moment. */

/** The path of a document at every moment: a user who moved was in another enterprise before. */
export const anywhere = (path: string): string =>
  path.replace(/^\/admin\/enterprises\/\d+(?=\/users\/\d+$)/, '/admin/enterprises/_')

/** Where and when the document before or after the event is to be read. Throws EVENT-0, EVENT-1. */
export const pathOfDocument =
  (side: 'before' | 'after') =>
  async ({ caller, db, params }: ReadContext & { params: { event: number } }) => {
    const event = await visibleEvents(db, viewerOf(caller))
      .where('events.id', '=', params.event)
      .select(['document_path', 'moment'])
      .executeTakeFirstOrThrow(() => new ApiError('EVENT-0'))
    const { document_path: path, moment } = event
    if (path === null || moment === null) throw new ApiError('EVENT-1')
    return { path: anywhere(path), moment: side === 'before' ? moment - 1 : moment }
  }

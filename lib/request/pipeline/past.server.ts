import { z } from 'zod'
import { database, inPast, type Trx } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { queryFaults } from '#lib/ground/http/issues'
import { urlOf } from '#lib/ground/http/route.server'
import type { LinkDocument } from '#lib/ground/http/view'
import { momentAt } from '#lib/record/events/moments.server'

/* `?asof=`: a resource in its state at a moment (docs/api.md, "As of a moment"). */

export const ASOF = 'asof'

export const asOfQuery = z.object({
  [ASOF]: z.iso
    .datetime({ offset: true, error: 'asof must be a moment in RFC 3339' })
    .describe('Shows what was at this moment, to what the caller sees now. Such an answer has no ETag')
    .optional(),
})

type AsOf = { moment?: number; refused?: ApiError }

/** The moment of the time that the query names, in microseconds, or its refusal: GEN-22, ASOF-1. */
export async function asOf(request: Exchange): Promise<AsOf> {
  const sent = urlOf(request).searchParams.getAll(ASOF).at(-1)
  if (sent === undefined) return {}
  const parsed = asOfQuery.safeParse({ [ASOF]: sent })
  if (!parsed.success) return { refused: new ApiError(queryFaults(parsed.error.issues)) }
  const time = Date.parse(sent)
  if (time > Date.now()) return { refused: new ApiError('ASOF-1') }
  return { moment: await momentAt(database().read, time) }
}

/** Throws ASOF-2 for a moment before the journal begins. */
export async function requireJournal(moment: number): Promise<void> {
  const beginning = await database()
    .read.selectFrom('journal_beginning')
    .select('moment')
    .executeTakeFirstOrThrow()
  if (moment < beginning.moment) throw new ApiError('ASOF-2')
}

/** Runs the work on the state at the moment. Throws ASOF-2. */
export async function atMoment<T>(moment: number, work: (db: Trx) => Promise<T>): Promise<T> {
  await requireJournal(moment)
  // The handler of a read takes any database.
  return inPast(moment, (db) => work(db as Trx))
}

const pages = new Set(['first', 'previous', 'next', 'last'])

/** The list with the moment in the links to its other pages. */
export function pagesAsOf(result: unknown, request: Exchange): unknown {
  if (typeof result !== 'object' || result === null || !('collection' in result)) return result
  const { links } = result as unknown as { links: LinkDocument[] }
  const moment = new URLSearchParams({ [ASOF]: urlOf(request).searchParams.getAll(ASOF).at(-1) ?? '' })
  const shown = links.map((link) =>
    pages.has(link.rel)
      ? { ...link, href: `${link.href}${link.href.includes('?') ? '&' : '?'}${moment}` }
      : link,
  )
  return { ...result, links: shown }
}

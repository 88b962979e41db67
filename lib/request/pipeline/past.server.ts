import { z } from 'zod'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { type Authenticated, signedInUser } from '#lib/caller/auth/strategy.server'
import { database, inPast, type Trx } from '#lib/db/db.server'
import type { ListFormat } from '#lib/ground/http/accept.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { queryFaults } from '#lib/ground/http/issues'
import { urlOf } from '#lib/ground/http/route.server'
import type { LinkDocument } from '#lib/ground/http/view'
import { Turns } from '#lib/ground/turns'
import { momentAt } from '#lib/record/events/moments.server'

/* `?asof=`: a resource in its state at a moment (docs/api/as-of.md, "As of a moment"). */

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

/** The past of a long list takes seconds, and on PostgreSQL one of few connections. */
const turns = new Turns({ most: 4, mostOfUser: 2 })

/** Runs the work on the state at the moment, in a turn of this user. Throws ASOF-2. */
export async function atMoment<T>(
  authenticated: Pick<Authenticated, 'caller' | 'viewer'>,
  moment: number,
  work: (db: Trx) => Promise<T>,
): Promise<T> {
  await requireJournal(moment)
  // The handler of a read takes any database.
  return turns.run(signedInUser(authenticated), () => inPast(moment, (db) => work(db as Trx)))
}

/** The caller of a context whose database shows a past moment. */
export const pastCaller = ({ caller }: Pick<ReadContext, 'caller'>): Caller => ({ ...caller, inPast: true })

/** A table that has more than the documents reads that as it was, too. */
export function formatAsOf(format: ListFormat | undefined, moment: number): ListFormat | undefined {
  if (format?.syntax !== 'csv' || !format.csv.rows) return format
  const { rows } = format.csv
  return { ...format, csv: { ...format.csv, rows: (views) => inPast(moment, () => rows(views)) } }
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

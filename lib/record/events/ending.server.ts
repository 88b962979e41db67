import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '#lib/ground/http/errors'
import type { NewEvent } from '#lib/record/events/record.server'

/* Changes that a resource makes at its end (docs/api/ends.md, "Ends"). */

/**
 * A resource whose time is over, and the paths at which the user who set its end would read and change it. `holds`: what a user has. Users
 * who have less cannot change them.
 */
export type Claimed = {
  id: number
  seenAt: string
  changedAt: string
  holds?: { role: number; scope: number }
}

/**
 * The event of an end. `write` sends all statements of the change at once that the journal keeps. Without it the user who set the end may not
 * make the change, and the resource keeps its end until an administrator who may makes it.
 */
export type Ended = { event: NewEvent; write?: () => Promise<unknown> }

/** `by`: the user who set the end. `refused`: the codes that refuse the change to them. */
export type Verdict = { by: number | undefined; refused: string | undefined }

/** The time is over of resources that are found by their ids. The unary plus: by the index of ends each of thousands would be read for each step. */
export const isOver = (endsAt: string, now: number): RawBuilder<boolean> => sql`+${sql.ref(endsAt)} <= ${now}`

/** The codes of a refusal. */
export async function refusalOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return error.faults.map(({ code }) => code).join(', ')
  }
}

import { ApiError } from '#lib/ground/http/errors'

/* Changes that a resource makes at its end (docs/api.md, "Ends"). */

/** What a resource is given when its time is over. */
export type EndTurn = {
  now: number
  /** The codes that refuse the change to the user who set the end. */
  refusal: (change: { seenAt: string; changedAt: string }) => Promise<string | undefined>
}

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

import { endAccessTokensOf } from '#lib/caller/auth/access-tokens.server'
import { isLastAdministrator } from '#lib/caller/auth/administrators.server'
import { setCredentials } from '#lib/caller/auth/credentials.server'
import { endSessionsOf } from '#lib/caller/auth/sessions.server'
import type { Trx } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { type Counter, LOCKOUT } from '#lib/people/sign-in/attempt-counters.server'
import { aboutUser, type SignedIn } from '#lib/people/sign-in/sign-in-events.server'
import { insertEvent } from '#lib/record/events/record.server'

/* PASSWORD_TRIES wrong passwords in a row, from any networks, lock the user. 0 turns locking off. */

/**
 * Counts the wrong passwords of a user. A correct one resets the counter. Attempts reserve a place before they are checked, so that a
 * burst of attempts cannot exceed the limit.
 */
export function lockoutCounters(request: Exchange, user: SignedIn): Counter[] {
  const { PASSWORD_TRIES: failures } = env()
  const policy = { failures, window: Number.POSITIVE_INFINITY, firstWait: 0, longestWait: 0 }
  const onFirstWait = (trx: Trx) => lock(trx, request, user)
  return failures === 0 ? [] : [{ key: `${LOCKOUT}${user.id}`, policy, clears: true, onFirstWait }]
}

/** The last administrator is never locked, because no other user could unlock them. */
async function lock(trx: Trx, request: Exchange, user: SignedIn): Promise<void> {
  if (await isLastAdministrator(trx, user.id)) return
  await setCredentials(trx, user.id, { locked: 1 })
  await endSessionsOf(trx, user.id)
  await endAccessTokensOf(trx, user.id)
  await insertEvent(trx, {
    request,
    action: 'lock',
    changes: { locked: { before: 'false', after: 'true' } },
    ...aboutUser(user),
    by: undefined,
  })
}

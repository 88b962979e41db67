import { accountOfSession } from '#lib/caller/auth/caller.server'
import { readConsoleSession, signOut } from '#lib/caller/auth/console-cookie.server'
import { database, transaction } from '#lib/db/db.server'
import { type Answer, AnswerHeaders } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf, isLedByOthers } from '#lib/ground/http/origin.server'
import { logFailure } from '#lib/people/federation/failure.server'
import type { Provider } from '#lib/people/federation/people.server'
import { readStored } from '#lib/people/federation/sign-in.server'
import { aboutUser } from '#lib/people/sign-in/sign-in-events.server'
import { insertEvent } from '#lib/record/events/record.server'

/** Redirects to the provider to end the session there; undefined if the provider offers no sign-out. */
type LeaveProvider<T> = (stored: T, headers: AnswerHeaders) => Promise<Answer | undefined>

/**
 * Ends the console session, then the session at the provider that began it. A failure at the provider is logged; the user is
 * signed out of the console in any case.
 */
export async function signOutWithProvider<T>(
  request: Exchange,
  provider: Provider,
  leaveProvider: LeaveProvider<T>,
): Promise<Answer> {
  if (isLedByOthers(request)) return redirect(`${baseOf(request)}/`)
  const headers = new AnswerHeaders()
  const session = await readConsoleSession(request)
  const stored = session && (await readStored<T>(database().read, session.id, provider))
  const found = session && (await accountOfSession(session, true))
  if (session)
    await transaction(async (db) => {
      await signOut({ request, session, db, headers })
      if (found) await insertEvent(db, { request, action: 'sign-out', ...aboutUser(found.account) })
    })
  const onward =
    stored &&
    (await leaveProvider(stored, headers).catch((error: unknown) =>
      logFailure(request, 'the session at the provider could not be ended', error),
    ))
  return onward ?? redirect(`${baseOf(request)}/sign-in`, { headers })
}

import type { Account } from '#lib/auth/caller.server'
import { endReplacedSession, writeConsoleSession } from '#lib/auth/console-cookie.server'
import { beginSession } from '#lib/auth/sessions.server'
import { sessionEnd } from '#lib/auth/tokens.server'
import { transaction } from '#lib/db/db.server'
import type { Provider } from '#lib/federation/people.server'
import type { Problem, Step } from '#lib/federation/problems'
import { isLedByOthers } from '#lib/federation/sign-out.server'
import { baseOf } from '#lib/http/origin.server'
import { requestIdOf } from '#lib/http/request-id.server'
import { safeReturnTo } from '#lib/http/return-to'
import { encrypt } from '#lib/keys/keys.server'
import { recordSignIn } from '#lib/sign-in/sign-in-events.server'

/* The end of a sign-in at a provider: a session of the console, or the sign-in page. */

/** What the session keeps of the provider: what names the user there, and tokens. */
type AtProvider = { provider: Provider; subject: string; kept: object }

export const providerContext = (chain: string) => `session-providers/${chain}`

/** Signs the account in to the console, and leads on to where the user was going. */
export async function enterConsole(
  request: Request,
  account: Account,
  { provider, subject, kept }: AtProvider,
  returnTo: string,
): Promise<Response> {
  const session = await transaction(async (trx) => {
    await recordSignIn(trx, request, account, provider)
    await endReplacedSession(trx, request)
    const begun = await beginSession(trx, request, {
      userId: account.id,
      epoch: account.token_epoch,
      inConsole: true,
    })
    await trx
      .insertInto('session_providers')
      .values({
        chain: begun.id,
        user_id: account.id,
        provider,
        subject,
        sealed: encrypt(JSON.stringify(kept), providerContext(begun.id)),
        expires_at: sessionEnd(begun),
      })
      .execute()
    return begun
  })
  const headers = new Headers({
    location: baseOf(request) + safeReturnTo(returnTo),
    'cache-control': 'no-store',
    'content-length': '0',
  })
  await writeConsoleSession(request, headers, session)
  return new Response(null, { status: 303, headers })
}

/** Leads to the sign-in page, which says in plain words what went wrong, with the request id and a way on. */
export function leadToSignIn(
  request: Request,
  { problem, step }: { problem: Problem; step?: Step | undefined },
  returnTo = '/',
): Response {
  const query = new URLSearchParams({
    problem,
    ...(step !== undefined && { step }),
    request: requestIdOf(request),
    returnTo: safeReturnTo(returnTo),
  })
  return leadToPage(request, `/sign-in?${query}`)
}

const leadToPage = (request: Request, path: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location: baseOf(request) + path, 'cache-control': 'no-store', 'content-length': '0' },
  })

/**
 * A link or an image of another site begins no sign-in, for a provider that knows the browser answers without asking anybody: the
 * sign-in page comes first, where the user decides.
 */
export const askFirst = (request: Request, returnTo: string): Response | undefined =>
  isLedByOthers(request) ? leadToPage(request, `/sign-in?${new URLSearchParams({ returnTo })}`) : undefined

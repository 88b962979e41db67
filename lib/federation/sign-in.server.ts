import type { Account } from '#lib/auth/caller.server'
import { endReplacedSession, writeConsoleSession } from '#lib/auth/console-cookie.server'
import { beginSession } from '#lib/auth/sessions.server'
import { sessionEnd } from '#lib/auth/tokens.server'
import { type Db, type Trx, transaction } from '#lib/db/db.server'
import type { Provider } from '#lib/federation/people.server'
import type { Problem, Step } from '#lib/federation/problems'
import { redirect } from '#lib/http/bodiless.server'
import { baseOf, isLedByOthers } from '#lib/http/origin.server'
import { requestIdOf } from '#lib/http/request-id.server'
import { safeReturnTo } from '#lib/http/return-to'
import { decrypt, encrypt } from '#lib/keys/keys.server'
import { recordSignIn } from '#lib/sign-in/sign-in-events.server'

/* The end of a sign-in at a provider: a session of the console, or the sign-in page. */

/** What the session keeps of the provider: what names the user there, and tokens. */
type AtProvider = { provider: Provider; subject: string; kept: object }

export const providerContext = (chain: string) => `session-providers/${chain}`

const sealed = (chain: string, kept: object): string => encrypt(JSON.stringify(kept), providerContext(chain))

export const openKept = <T>(chain: string, text: string): T =>
  JSON.parse(decrypt(text, providerContext(chain))) as T

/** What the session keeps of this provider; undefined if another one, or none, began it. */
export async function readKept<T>(db: Db, chain: string, provider: Provider): Promise<T | undefined> {
  const row = await db
    .selectFrom('session_providers')
    .where('chain', '=', chain)
    .where('provider', '=', provider)
    .select('sealed')
    .executeTakeFirst()
  return row && openKept(chain, row.sealed)
}

export const replaceKept = (trx: Trx, chain: string, kept: object): Promise<unknown> =>
  trx
    .updateTable('session_providers')
    .set({ sealed: sealed(chain, kept) })
    .where('chain', '=', chain)
    .execute()

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
        sealed: sealed(begun.id, kept),
        expires_at: sessionEnd(begun),
      })
      .execute()
    return begun
  })
  const headers = new Headers()
  await writeConsoleSession(request, headers, session)
  return redirect(baseOf(request) + safeReturnTo(returnTo), { headers })
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
  return redirect(`${baseOf(request)}/sign-in?${query}`)
}

/**
 * A link or an image of another site begins no sign-in, for a provider that knows the browser answers without asking anybody: the
 * sign-in page comes first, where the user decides.
 */
export const askFirst = (request: Request, returnTo: string): Response | undefined =>
  isLedByOthers(request)
    ? redirect(`${baseOf(request)}/sign-in?${new URLSearchParams({ returnTo })}`)
    : undefined

import type { Account } from '#lib/caller/auth/caller.server'
import { endReplacedSession, writeConsoleSession } from '#lib/caller/auth/console-cookie.server'
import { beginSession } from '#lib/caller/auth/sessions.server'
import { sessionEnd } from '#lib/caller/auth/tokens.server'
import { type Db, type Trx, transaction } from '#lib/db/db.server'
import { type Answer, AnswerHeaders } from '#lib/ground/http/answer.server'
import { redirect } from '#lib/ground/http/bodiless.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf, isLedByOthers } from '#lib/ground/http/origin.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { safeReturnTo } from '#lib/ground/http/return-to'
import { decrypt, encrypt } from '#lib/ground/keys/keys.server'
import type { Provider } from '#lib/people/federation/people.server'
import type { Problem, ProviderStep } from '#lib/people/federation/problems'
import { recordSignIn } from '#lib/people/sign-in/sign-in-events.server'

/* The end of a sign-in at a provider: a session of the console, or the sign-in page. */

/** The user's subject at the provider, and the provider's data to store with the session. */
type AtProvider = { provider: Provider; subject: string; stored: object }

export const providerContext = (chain: string) => `session-providers/${chain}`

const sealed = (chain: string, data: object): string => encrypt(JSON.stringify(data), providerContext(chain))

export const openStored = <T>(chain: string, text: string): T =>
  JSON.parse(decrypt(text, providerContext(chain))) as T

/** The provider's data stored with the session; undefined unless this provider began the session. */
export async function readStored<T>(db: Db, chain: string, provider: Provider): Promise<T | undefined> {
  const row = await db
    .selectFrom('session_providers')
    .where('chain', '=', chain)
    .where('provider', '=', provider)
    .select('sealed')
    .executeTakeFirst()
  return row && openStored(chain, row.sealed)
}

export const replaceStored = (trx: Trx, chain: string, data: object): Promise<unknown> =>
  trx
    .updateTable('session_providers')
    .set({ sealed: sealed(chain, data) })
    .where('chain', '=', chain)
    .execute()

type Entering = AtProvider & { account: Account; returnTo: string }

/** Signs the account in to the console and redirects to `returnTo`. */
export async function enterConsole(
  request: Exchange,
  { account, provider, subject, stored, returnTo }: Entering,
): Promise<Answer> {
  const session = await transaction(async (trx) => {
    await recordSignIn(trx, { request, account, factors: provider })
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
        sealed: sealed(begun.id, stored),
        expires_at: sessionEnd(begun),
      })
      .execute()
    return begun
  })
  const headers = new AnswerHeaders()
  await writeConsoleSession(request, headers, session)
  return redirect(baseOf(request) + safeReturnTo(returnTo), { headers })
}

/** Redirects to the sign-in page, which explains the problem, shows the request id and offers the next step. */
export function redirectToSignIn(
  request: Exchange,
  { problem, step }: { problem: Problem; step?: ProviderStep | undefined },
  returnTo = '/',
): Answer {
  const query = new URLSearchParams({
    problem,
    ...(step !== undefined && { step }),
    request: requestIdOf(request),
    returnTo: safeReturnTo(returnTo),
  })
  return redirect(`${baseOf(request)}/sign-in?${query}`)
}

/**
 * A link or an image of another site must not begin a sign-in, because a provider with a session in this browser completes it without
 * asking. Such requests are redirected to the sign-in page, where the user decides.
 */
export const confirmationFor = (request: Exchange, returnTo: string): Answer | undefined =>
  isLedByOthers(request)
    ? redirect(`${baseOf(request)}/sign-in?${new URLSearchParams({ returnTo })}`)
    : undefined

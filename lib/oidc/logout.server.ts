import { buildEndSessionUrl } from 'openid-client'
import { readConsoleSession } from '#lib/auth/console-cookie.server'
import { isOidcOn } from '#lib/auth/modes.server'
import { database } from '#lib/db/db.server'
import { noteFailure } from '#lib/federation/failure.server'
import { readKept } from '#lib/federation/sign-in.server'
import { endHere, isLedByOthers } from '#lib/federation/sign-out.server'
import { redirect } from '#lib/http/bodiless.server'
import { baseOf } from '#lib/http/origin.server'
import { askProvider } from '#lib/oidc/provider.server'
import type { KeptTokens } from '#lib/oidc/tokens.server'

/** Where the session at the provider ends (OpenID Connect RP-Initiated Logout 1.0 §2); undefined where it offers that nowhere now. */
async function endThere(request: Request, { idToken }: KeptTokens): Promise<string | undefined> {
  try {
    const { config } = await askProvider()
    if (!config.serverMetadata().end_session_endpoint) return undefined
    return buildEndSessionUrl(config, {
      ...(idToken !== undefined && { id_token_hint: idToken }),
      post_logout_redirect_uri: `${baseOf(request)}/sign-in`,
    }).href
  } catch (error) {
    noteFailure(request, 'a session at the provider could not be ended', error)
    return undefined
  }
}

/** Signs out of the console, and at the provider where the session was begun there. */
export async function signOutEverywhere(request: Request): Promise<Response> {
  if (isLedByOthers(request)) return redirect(`${baseOf(request)}/`)
  const headers = new Headers()
  const session = await readConsoleSession(request)
  const kept = session && (await readKept<KeptTokens>(database().read, session.id, 'OPENID'))
  if (session) await endHere(request, session, headers)
  const there = kept && isOidcOn() ? await endThere(request, kept) : undefined
  return redirect(there ?? `${baseOf(request)}/sign-in`, { headers })
}

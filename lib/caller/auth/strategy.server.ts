import type { Duty } from '#lib/caller/auth/caller.server'
import type { Caller } from '#lib/caller/auth/privileges'
import type { Session } from '#lib/caller/auth/tokens.server'
import type { Exchange } from '#lib/ground/http/exchange.server'

/**
 * The caller, and the session that the request belongs to or begins. Requests of the console get no token. A caller with a duty may
 * do nothing else.
 */
export type Authenticated = {
  caller: Caller
  session: Session
  inConsole: boolean
  /** `sent`: this request contains the password and the code (Basic). `remembered`: the user of the console session proved their identity recently. */
  proof: 'sent' | 'remembered' | undefined
  duty: Duty | undefined
  /** The user whose view this console session shows, if its own user still may see it, and the epoch of their sessions. */
  sees?: { user: number; epoch: number } | undefined
  /** The signed-in user, if the caller is the user whose view their session shows. */
  viewer?: Caller | undefined
  /** Whether the token that was sent is still valid, for a response that stays open. Without it the session alone decides. */
  isTokenValid?: () => Promise<boolean>
  /** The request has an access token, which belongs to no session. `present`: the caller as they are now; undefined if the token has ended. */
  accessToken?: { id: number; present: () => Promise<Caller | undefined> }
}

/** Whether a program acts for the user by a grant: an application that was authorized by OAuth, or one with an access token. */
export const actsByGrant = ({
  session,
  accessToken,
}: Pick<Authenticated, 'session' | 'accessToken'>): boolean =>
  session.grant !== undefined || accessToken !== undefined

/** The user who is signed in, whose limits the request counts against. */
export const signedInUser = ({ caller, viewer }: Pick<Authenticated, 'caller' | 'viewer'>): number =>
  (viewer ?? caller).id

/** The user for whom later work runs, and the access token or OAuth token that limits it. */
export type Maker = { user: number; accessToken?: number | undefined; oauthToken?: number | undefined }

/** Returns null if the request has no credentials of this kind, and throws Unauthorized if they are wrong. */
export type Strategy = (request: Exchange) => Promise<Authenticated | null>

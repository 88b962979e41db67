import type { Duty } from '#lib/auth/caller.server'
import type { Caller } from '#lib/auth/privileges'
import type { Session } from '#lib/auth/tokens.server'

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
}

/** Returns null if the request has no credentials of this kind, and throws Unauthorized if they are wrong. */
export type Strategy = (request: Request) => Promise<Authenticated | null>

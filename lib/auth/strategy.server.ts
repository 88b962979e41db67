import type { Duty } from '#lib/auth/caller.server'
import type { Caller } from '#lib/auth/privileges'
import type { Session } from '#lib/auth/tokens.server'

/**
 * Who asks, and the session that the request belongs to or began. The console's own requests are given no token. A duty
 * comes before anything else.
 */
export type Authenticated = {
  caller: Caller
  session: Session
  inConsole: boolean
  /** Sent: the password, and the code, came with this very request (Basic). Remembered: the session of the console proved them lately. */
  proof: 'sent' | 'remembered' | undefined
  duty: Duty | undefined
}

/** Answers null (the request carries nothing of mine), who it is, or throws Unauthorized (it does, but wrong). */
export type Strategy = (request: Request) => Promise<Authenticated | null>

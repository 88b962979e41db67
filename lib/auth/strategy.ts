import type { Caller } from '#lib/auth/privileges'
import type { Session } from '#lib/auth/tokens.server'

/**
 * Who asks, and the session that the request belongs to or began. The console's own requests are given no token. Who must
 * enrol has signed in with a password alone where the enterprise asks for two factor.
 */
export type Authenticated = { caller: Caller; session: Session; inConsole: boolean; mustEnrol: boolean }

/** Answers null (the request carries nothing of mine), who it is, or throws Unauthorized (it does, but wrong). */
export type Strategy = (request: Request) => Promise<Authenticated | null>

import type { Session } from '#lib/auth/tokens.server'
import { env } from '#lib/env.server'

const MINUTE = 60_000

/** Whether a session of the console began, or proved who is signed in, less than PROOF_MINUTES ago. */
export const isProvedLately = ({ began }: Session, provedAt: number | null): boolean =>
  Math.max(began, provedAt ?? 0) > Date.now() - env().PROOF_MINUTES * MINUTE

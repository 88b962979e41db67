import type { ReadContext } from '#lib/auth/context.server'
import type { Caller } from '#lib/auth/privileges'
import type { Authenticated } from '#lib/auth/strategy.server'
import type { Session } from '#lib/auth/tokens.server'
import type { Value } from '#lib/events/stored'

/* What the pipeline passes down to the domains. */

/** Adds a field that is in no document to the event of this request. */
export type Note = (field: string, before: Value | undefined, after: Value | undefined) => void

/** Every handler gets this. For writes `db` is a transaction. */
export type Context = ReadContext & {
  request: Request
  session: Session
  /** True for a session of the console. */
  inConsole: boolean
  /** Sends the token or cookie of another session in the response. null: the session has ended, so the response has none. */
  continueAs: (session: Session | null) => void
  /** False if the route asks for a proof of identity and the request has none. */
  isProved: boolean
  /** Headers to add to the response. */
  headers: Headers
  note: Note
}

/** A request before its transaction begins. */
export type Sent = {
  request: Request
  caller: Caller
  document: unknown
  proof: Authenticated['proof']
}

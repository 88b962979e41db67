import type { ReadContext } from '#lib/auth/context.server'
import type { Caller } from '#lib/auth/privileges'
import type { Authenticated } from '#lib/auth/strategy.server'
import type { Session } from '#lib/auth/tokens.server'
import type { Value } from '#lib/events/stored'

/* What the pipeline hands to the domains, which are below it. */

/** Adds a field that no document shows to the event of this request. undefined: no value before, or after. */
export type Note = (field: string, before: Value | undefined, after: Value | undefined) => void

/** What every handler gets, whatever its route declares. `db` is a transaction in every write. */
export type Context = ReadContext & {
  request: Request
  session: Session
  /** True for a session of the console. */
  inConsole: boolean
  /** Answers with the token, or the console's cookie, of another session; null: the session has ended, and the answer brings none. */
  continueAs: (session: Session | null) => void
  /** False if the route asks for a proof of identity and the request has none. */
  isProved: boolean
  /** Headers to add to the answer. */
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

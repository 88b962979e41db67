import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import type { Authenticated, Maker } from '#lib/caller/auth/strategy.server'
import type { Session } from '#lib/caller/auth/tokens.server'
import type { Trx } from '#lib/db/db.server'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import type { Progress } from '#lib/ground/http/event-stream'
import type { Exchange } from '#lib/ground/http/exchange.server'
import type { EntityType } from '#lib/record/events/events.schema'
import type { EventPlace, StoredChanges, Value } from '#lib/record/events/stored'

/* The context that the pipeline passes to the domains. */

/** Adds a field that is in no document to the event of this request. */
export type Note = (field: string, before: Value | undefined, after: Value | undefined) => void

/** The event of a part of a change also has these fields. Its documents are read only if they exist before or after the whole change. */
export type Part = { changes: StoredChanges; hasDocuments: boolean }

/** The subject of a job's event. */
type JobSubject = { type: EntityType; id?: number | undefined; place: EventPlace; was?: EventPlace }

/** The event of a change of many rows: its action, its subject, and the fields that are set. */
export type ManyEvent = {
  action: string
  entity: JobSubject & { id: number; name: string; path: string }
  changes?: StoredChanges
}

/** A row that was not changed. It has no name if the caller does not see it. */
export type RefusedRow = { id: number; name?: string | undefined; code: string; message: string }

/** What became of some rows. `ids` are the changed ones. */
export type DoneRows = {
  changed: number
  unchanged: number
  refused: number
  refusals: RefusedRow[]
  ids: number[]
}

/**
 * How a job runs its operation (lib/record/jobs). `checks`: before the job is made, the operation only refuses what it can refuse at once.
 * `selection`: it only selects its rows. `rows`: it changes these rows. `whole`: it runs as without a job. The operation adds what it found.
 */
export type JobRun =
  | { part: 'checks'; about?: JobSubject }
  | { part: 'selection'; event?: ManyEvent; ids?: number[] }
  | { part: 'rows'; ids: readonly number[]; done?: DoneRows }
  | { part: 'whole'; report: (progress: Progress) => void }

/** An operation that runs within another: its path below {api} and its document, and the id that a restored resource had. */
export type Inner = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  document?: unknown
  /** Replaces the result of the preparation before the transaction. */
  prepared?: unknown
  /** Reads the state of this moment (microseconds since 1970). */
  moment?: number
  /** Records the operation's own event too. Only the event of the whole can be undone. */
  part?: Part
  /** Records the operation's own event, as if it were requested alone. The whole has none. */
  isOwnChange?: true
  job?: JobRun
}

/** Every handler gets this. For writes `db` is a transaction. */
export type Context = ReadContext & {
  request: Exchange
  session: Session
  /** The id of the user who is signed in, whose limits count: in the view of another user, not the caller. */
  signedIn: number
  /** The user for whom later work of this request runs. */
  maker: Maker
  /** True for a session of the console. */
  inConsole: boolean
  /** Sends the token or cookie of another session in the response. null: the session has ended, so the response has none. */
  continueAs: (session: Session | null) => void
  /** False if the route asks for a proof of identity and the request has none. */
  isProved: boolean
  /** The caller as they are now, for a response that stays open. Undefined if they may no longer use the operation. */
  presentCaller: () => Promise<Caller | undefined>
  /** Headers to add to the response. */
  headers: AnswerHeaders
  note: Note
  /** Set if a job runs the operation, or is about to be made. */
  job?: JobRun
  /** Reports the progress of a long operation, to clients that ask for it. */
  report: (progress: Progress) => void
  /**
   * Runs another operation in this transaction, or that of a handler in steps, with its privileges and rules, but without an event unless it is
   * a `part` or a change of its own. Returns its document.
   */
  operate: (inner: Inner, trx?: Trx) => Promise<unknown>
  /** Throws 403 if the caller may not use this operation. For changes of many resources that do not run it for each. */
  permit: (operation: Pick<Inner, 'method' | 'path'>) => Promise<void>
}

/** A request before its transaction begins. */
export type Sent = {
  request: Exchange
  caller: Caller
  document: unknown
  proof: Authenticated['proof']
}

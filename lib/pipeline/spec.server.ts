import type { z } from 'zod'
import type { ReadContext } from '#lib/auth/context.server'
import type { Caller, Privilege } from '#lib/auth/privileges'
import type { Authenticated } from '#lib/auth/strategy.server'
import type { Session } from '#lib/auth/tokens.server'
import type { Db } from '#lib/db/db.server'
import type { EventSpec } from '#lib/events/record.server'
import type { Value } from '#lib/events/stored'
import type { Csv } from '#lib/http/csv'
import type { ErrorCode } from '#lib/http/errors'
import type { MediaName } from '#lib/http/view'

/** Adds to the event of this request a field that no document shows; undefined: it had, or has, no value. */
export type Note = (field: string, before: Value | undefined, after: Value | undefined) => void

/** What an operation is given. `db` is a transaction in everything but GET. */
export type Context<P extends string = string, Q = unknown, B = unknown, D = Db, A = unknown> = {
  request: Request
  caller: Caller
  session: Session
  /** Whether the console's own session asks. */
  inConsole: boolean
  /** The answer brings the token, or the console's cookie, of this session in place of the one that asked; null: of none, it has ended. */
  continueAs: (session: Session | null) => void
  /** Whether the caller has proved who they are, as far as `proof` of the operation asks for it. */
  isProved: boolean
  params: Record<P, number>
  query: Q
  body: B
  db: D
  /** Headers to add to the answer. */
  headers: Headers
  note: Note
  /** What `prepare` gave. */
  prepared: A
}

/** A request before its transaction begins. */
export type Sent<P extends string = string> = {
  request: Request
  caller: Caller
  params: Record<P, number>
  document: unknown
  proof: Authenticated['proof']
}

/** What a route declares of an operation: the pipeline does it, and the API's description is made from it. */
export type Spec<P extends string = string, Q = unknown, B = unknown, A = unknown> = {
  /** What it does, in a few words. */
  summary: string
  /** The privileges of which one grants the operation; `user`: whoever is signed in. */
  anyOf: readonly Privilege[] | 'user'
  /** Without them it is granted for oneself, or for the own enterprise: the id in the path that says so. */
  orOwn?: 'user' | 'enterprise'
  /** The ids in the path, each with the code for one that names nothing. */
  ids?: Record<P, ErrorCode>
  /** The id for which the path may say `_`: any that the caller sees (ANY_ID). */
  wildcard?: NoInfer<P>
  /** What must exist before the body is looked at; of a PUT and DELETE also what If-Match speaks of. */
  exists?: (context: ReadContext & { params: Record<P, number> }) => Promise<object>
  query?: z.ZodObject & z.ZodType<Q>
  /** The media type of the body, and its schema. */
  takes?: MediaName
  body?: z.ZodObject & z.ZodType<B>
  /** The body may be left out; the handler is then given undefined. */
  bodyOptional?: boolean
  /** Slow work that no transaction shall wait for, on the document as it was sent: nothing of it is checked yet. */
  prepare?: (sent: Sent<P>) => Promise<A>
  /** Looks up what the body names; asked where the body has faults, so that those of links are told beside them. */
  references?: (context: ReadContext & { params: Record<P, number> }, sound: Partial<B>) => Promise<unknown>
  /** The codes of the rules that may refuse it, beside those that follow from the rest of this. */
  refuses?: readonly ErrorCode[]
  /** The media type of the answer; without one the answer is 204. */
  answers?: MediaName
  /** The same document by another name, for those who accept that. */
  alsoAs?: MediaName
  /** The list is answered as this table too. */
  csv?: Csv<never>
  /** Another document that the operation takes: told by its media type, or by a field that it alone has. */
  or?: { takes: MediaName; body: z.ZodObject & z.ZodType<B>; by: string; answers: MediaName }
  /**
   * Open to users who must change their password or set up two factor first: by any way, in a session (of the console, or of tokens), or
   * in the console alone.
   */
  despiteDuty?: 'anywhere' | 'inSession' | 'inConsole'
  /**
   * Asks callers to prove who they are if the path is about themselves (docs/api.md, "Proof of identity"): always, or if the change from
   * what `exists` gave needs it. `forSecrets`: without a proof the answer leaves its secrets out.
   */
  proof?: 'always' | 'forSecrets' | ((before: object | undefined, body: B) => boolean)
  /** The answer brings no new token: the session ends with it. */
  endsSession?: boolean
  /** Where it is not 201 for a POST and 200 for the rest. */
  status?: number
}

/**
 * Whether a write changes account settings of its caller: name, e-mail, password, two factor, sessions, applications, networks, or what
 * the console keeps for them. `whenCaller`: where the `user` of the path is the caller. No program changes those by a grant.
 */
export type OwnAccount = 'never' | 'whenCaller' | 'always'

/** A write says what event it leaves in the same transaction; null: it changes nothing that anybody asks for. */
export type WriteSpec<P extends string = string, B = unknown, A = unknown> = Spec<P, unknown, B, A> & {
  event: EventSpec | null
  ownAccount: OwnAccount
}

/** What is no document of ours. */
type ForeignType =
  | 'application/json'
  | 'application/samlmetadata+xml'
  | 'application/x-www-form-urlencoded'
  | 'text/plain'

/** An operation without credentials says what it takes and answers; it reads and writes for itself. */
export type OpenSpec = {
  summary: string
  takes?: MediaName
  body?: z.ZodObject
  /** How many bytes its body may have where 8 KiB are too few: anybody may send it. */
  largestBody?: number
  refuses?: readonly ErrorCode[]
  /** A media type of ours, or another one; without one the answer has no body. */
  answers?: MediaName | ForeignType
  status?: number
}

export type Described =
  | (Spec & { kind: 'reads' })
  | (WriteSpec & { kind: 'writes' })
  | (OpenSpec & { kind: 'open' })

/** What the router gives beside the request: the words of the path that its pattern leaves open. */
export type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> }

/** A handler, and what it declares. */
export type RouteHandler = ((request: Request, context: RouteContext) => Promise<Response>) & {
  readonly spec: Described
}

import type { RawBuilder, SqlBool } from 'kysely'
import type { z } from 'zod'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller, Privilege } from '#lib/caller/auth/privileges'
import type { Answer } from '#lib/ground/http/answer.server'
import { responseOf } from '#lib/ground/http/answer.server'
import type { Csv } from '#lib/ground/http/csv'
import type { ErrorCode } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { exchangeOf } from '#lib/ground/http/exchange.server'
import type { MediaName } from '#lib/ground/http/view'
import type { Context, Sent } from '#lib/record/events/operation.server'
import type { EventSpec } from '#lib/record/events/record.server'

/** The ids of a path. */
export type Path<P extends string> = Record<P, number>

/** The resource that the path names. The pipeline finds it once, before it checks the body. */
export type Target<P extends string = string, F = unknown> = {
  /** The ids in the path, each with the error code if no resource has that id. */
  ids: Record<P, ErrorCode>
  /** The id that the path may replace by `_`, which means any that the caller sees (ANY_ID). */
  wildcard?: NoInfer<P>
  /** The row. Throws the code if the caller cannot see it. */
  find?: (context: ReadContext, path: Path<NoInfer<P>>) => Promise<F>
  /** Like `find`, for handlers that find the row themselves. Only questions about access run it. */
  seen?: (context: ReadContext, path: Path<NoInfer<P>>) => Promise<unknown>
  /**
   * The users for whom `find` succeeds, of a row that the caller sees: a condition on the tables of lib/caller/scopes/holders.server.ts. By
   * default the users who see every place of the resources in the path.
   */
  seenBy?: (
    context: ReadContext,
    path: Path<NoInfer<P>>,
  ) => RawBuilder<SqlBool> | Promise<RawBuilder<SqlBool>>
  /** Privileges that `find` also requires of callers of other enterprises. */
  elsewhere?: readonly Privilege[]
  /** Its document: the response to GET, the base of If-Match, and the "before" of an event. */
  view?: (row: NoInfer<F>, context: ReadContext & { params: Path<NoInfer<P>> }) => object | Promise<object>
}

/** The days (YYYY-MM-DD) on which an operation was announced as ending, and on which it may be gone (docs/api/description.md, "Versions"). */
type Ending = { announced: string; gone: string }

/**
 * The declaration of a route. The pipeline enforces it, and generates the OpenAPI description from it. `P` are the names of the ids in the
 * path, `Q` is the query, `B` the body, `F` the row that the target finds, and `R` the resources that the body references.
 */
export type Spec<P extends string = string, Q = unknown, B = unknown, F = unknown, R = unknown> = {
  summary: string
  ending?: Ending
  who: Who<B, F>
  target?: Target<P, F>
  query?: z.ZodObject & z.ZodType<Q>
  /** Takes `?asof=`: the handler then reads the state at that moment. */
  asOf?: true
  /** The path of the resource that the response shows, as it was at a moment (microseconds since 1970). */
  past?: (context: ReadContext & { params: Path<NoInfer<P>> }) => Promise<{ path: string; moment: number }>
  takes?: Takes<P, B, F, R>
  /** Without it, or without a media type in it, the response is 204. */
  answers?: Answers
  /** An alternative body and its response, chosen by the media type, or by the field that only this body has. */
  or?: { takes: Pick<Takes<P, B, F>, 'as' | 'body'> & { by: string }; answers: Pick<Answers, 'as'> }
  /** Codes of refusals that do not follow from the rest of the declaration. */
  refuses?: readonly ErrorCode[]
}

/** The callers who may use the operation. */
type Who<B, F> = {
  /** The caller needs one of these privileges. `user`: any signed-in user. */
  anyOf: readonly Privilege[] | 'user'
  /** And one of these. */
  alsoAnyOf?: readonly Privilege[]
  /** The path id that must be the caller's own user or enterprise if the caller lacks the privilege. */
  orOwn?: 'user' | 'enterprise'
  /**
   * Open to users who must first change their password or set up two factor authentication: with any credentials, in a session (console
   * or token), or in the console only.
   */
  despiteDuty?: 'anywhere' | 'inSession' | 'inConsole'
  /** For sessions of the console alone: programs get 403. */
  inConsole?: true
  /**
   * Callers prove their identity if the path names them (docs/api/two-factor.md, "Proof of identity"): always, or if this change needs a proof.
   * `forSecrets`: without a proof the response omits secrets.
   */
  proof?: 'always' | 'forSecrets' | ((found: NoInfer<F>, body: NoInfer<B>) => boolean)
  /** Whether it shows or changes account settings. A read without it shows none. */
  ownAccount?: OwnAccount
  /** In the view of another user it acts for the user who is signed in, and on their session. */
  asSignedIn?: true
}

/** The request document. */
type Takes<P extends string, B, F, R = unknown> = {
  /** Its media type. */
  as: MediaName
  body: z.ZodObject & z.ZodType<B>
  /** The body may be omitted; the handler then gets undefined. */
  optional?: boolean
  /**
   * Finds the references of the body, for the handler. Throws faults of the links. For a body with faults it gets the sound fields, so that
   * the response also lists faulty links.
   */
  references?: (
    context: ReadContext & { params: Path<NoInfer<P>>; found: NoInfer<F> },
    body: Partial<NoInfer<B>>,
  ) => Promise<R>
  /** Readers of a large document, in place of the schema, which then only describes it. The handler gets their result as `prepared`. */
  reads?: Reads
}

/** The largest body in bytes, and a reader for each media type. It checks the document as it arrives, so that little of it stays in memory. */
export type Reads = {
  largest: number
  types: Partial<Record<string, (pieces: AsyncIterable<string>, source: Source) => Promise<ReadDocument>>>
}

type Source = { request: Exchange; caller: Caller }

/** `content` is equal for documents with the same content (Idempotency-Key). */
export type ReadDocument = { document: unknown; content: unknown }

export type Tables = { by: string; lists: Record<string, Csv<never>> }

/** The response document. */
type Answers = {
  /** Its media type. */
  as?: MediaName
  /** The response is one of these documents, and has no ETag. */
  oneOf?: readonly MediaName[]
  /** Another media type of the same document. */
  alsoAs?: MediaName
  /** The response stays open and sends these documents as they appear (text/event-stream). The handler returns an `Opening`. */
  stream?: MediaName
  /** A change that may be long: clients that accept text/event-stream learn how far it is, and no other change shares its commit. */
  progress?: true
  /** The response may stay open and send the document of the resource again whenever it changes (text/event-stream). */
  follow?: (context: Context & { params: Path<string> }) => Promise<Opening>
  /** The document of a repeated request, from the one that was stored, which is without its sections. */
  again?: (context: ReadContext, stored: object) => Promise<unknown>
  /** A few of these answers are read at a time; beyond that they are 429 (few.server.ts). */
  few?: true
  /** The table of the list as CSV. */
  csv?: Csv<never>
  /** For a document of several lists: the table of the list in this parameter of the query. */
  tables?: Tables
  /** Default: 201 for POST, 200 for other methods. */
  status?: number
  /** The response has no new token, because the session ends. */
  endsSession?: boolean
}

/**
 * Whether an operation is about account settings of the caller: name, e-mail, password, two factor, passkeys, sessions, applications, networks,
 * console preferences. `whenCaller`: if the `user` in the path is the caller. A program that acts by a grant cannot change them, and the view
 * of another user does not show them.
 */
type OwnAccount = 'never' | 'whenCaller' | 'always'

/** `A` is the result of `prepare`. */
export type WriteSpec<
  P extends string = string,
  B = unknown,
  F = unknown,
  A = unknown,
  Q = unknown,
  R = unknown,
> = Spec<P, Q, B, F, R> & {
  who: { ownAccount: OwnAccount }
  /** Slow work on the document as sent, before it is checked, so that no transaction waits for it. */
  prepare?: (sent: Sent & { params: Path<NoInfer<P>> }) => Promise<A>
  /** The event that the write records in its transaction; null: none. */
  event: EventSpec | null
  /** The handler changes many rows in transactions of its own, and records their event (lib/record/bulk). */
  inSteps?: boolean
  /** The operation of a job: `natip.update`. With `Prefer: respond-async` the response is that job. Those in steps change their rows in steps too. */
  job?: string
}

/** Opens the body of a response that stays open. It is called once nothing can refuse the request any more. */
export type Opening = () => Promise<ReadableStream<Uint8Array>>

/** Media types of other standards. */
type ForeignType =
  | 'application/json'
  | 'application/samlmetadata+xml'
  | 'application/x-www-form-urlencoded'
  | 'text/plain'

/** An operation without credentials. Its handler reads the request and writes the response. */
export type OpenSpec = {
  summary: string
  /** For the description: the handler reads it. */
  query?: z.ZodObject
  ending?: Ending
  takes?: { as: MediaName; body: z.ZodObject }
  /** Browsers bring this write from another site, an identity provider. Its signed message alone authorizes it. */
  fromOtherSites?: true
  /** Maximum size of the body in bytes. Default: 8 KiB. */
  largestBody?: number
  /** Without a media type the response has no body. */
  answers?: { as?: MediaName | ForeignType; status?: number }
  refuses?: readonly ErrorCode[]
}

/** A spec without its types, as the pipeline reads it. */
export type Operation = (Spec & { kind: 'reads' }) | (WriteSpec & { kind: 'writes' })

export type Described = Operation | (OpenSpec & { kind: 'open' })

/** A body and its response. */
export type Form<S extends Described = Described> = Pick<S, 'takes' | 'answers'>

/** The bodies with their responses, one or two. */
export const formsOf = <S extends Described>(spec: S): Form<S>[] =>
  'or' in spec && spec.or ? [spec, spec.or as Form<S>] : [spec]

/** True if a success creates the resource in the body. */
export const creates = ({ answers }: Operation, method: string): boolean =>
  method === 'POST' && (answers?.status ?? 201) === 201

/** The variable segments of the path, from the router. */
export type Segments = Record<string, string | string[] | undefined>

export type Serve = (request: Exchange, segments: Segments) => Promise<Answer>

/** A route as Next calls it, and as this server does. */
export type RouteHandler = ((
  request: Request,
  context: { params: Promise<Segments | undefined> },
) => Promise<Response>) & { readonly serve: Serve; readonly spec: Described }

/** Next resolves to undefined if the path has no variable segments. */
export function routeHandler(serving: Serve, spec: Described): RouteHandler {
  const serve = spec.ending ? announcing(serving, spec.ending) : serving
  return Object.assign(
    async (request: Request, { params }: { params: Promise<Segments | undefined> }) =>
      responseOf(await serve(exchangeOf(request), (await params) ?? {})),
    { serve, spec },
  )
}

/** Between the announcement and the day on which the operation goes. */
const YEAR = 365 * 24 * 60 * 60 * 1000

/** Names both days in each answer: Deprecation (RFC 9745) and Sunset (RFC 8594). */
function announcing(serve: Serve, { announced, gone }: Ending): Serve {
  const [began, ends] = [Date.parse(announced), Date.parse(gone)]
  if (!(ends - began >= YEAR)) throw new Error(`${gone} is less than a year after ${announced}`)
  return async (request, segments) => {
    const answer = await serve(request, segments)
    answer.headers.set('deprecation', `@${began / 1000}`)
    answer.headers.set('sunset', new Date(ends).toUTCString())
    return answer
  }
}

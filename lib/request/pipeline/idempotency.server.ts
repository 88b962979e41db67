import type { Caller } from '#lib/caller/auth/privileges'
import { kindNamed } from '#lib/caller/kinds/kinds'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { takesLock } from '#lib/db/dialect.server'
import { env } from '#lib/ground/env.server'
import type { ListFormat, Syntax } from '#lib/ground/http/accept.server'
import type { AnswerHeaders, HeaderLine } from '#lib/ground/http/answer.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { entityTag, type Sections } from '#lib/ground/http/render.server'
import { plainPath, urlOf } from '#lib/ground/http/route.server'
import { withoutSecrets } from '#lib/ground/http/secrets'
import { idOfLink, type LinkDocument, mediaNames, ownLink } from '#lib/ground/http/view'
import { isSigned, sign } from '#lib/ground/keys/keys.server'
import { isSeenNow, visibleThings } from '#lib/record/events/places.server'
import type { Named } from '#lib/record/events/stored'
import { takesIdempotencyKey } from '#lib/request/pipeline/refusals.server'

/*
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07; docs/api/responses.md, "Repeated requests"). The first response is stored in the
 * transaction of the change, so that a repeated request changes nothing, even after a crash.
 */

const HOUR = 60 * 60 * 1000

/** A request with a key. `content` is its method, address and body. */
export type Keyed = { caller: Caller; key: string; content: string }

/** The response to the first request. */
export type FirstAnswer = {
  /** Without secrets. Absent: the response has no body. */
  document?: object
  headers?: readonly HeaderLine[]
  /** The ETag of the first response. It holds for its syntax alone. */
  tag?: { value: string; syntax: Syntax }
}

/** The key of the request; undefined if it has none, or if its operation takes none. Throws IDEMPOTENCY-1. */
export function idempotencyKey(request: Exchange): string | undefined {
  const sent = request.headers.get('idempotency-key')
  if (sent === null || !takesIdempotencyKey(request.method, plainPath(request))) return undefined
  const key = sent.startsWith('"') ? unquoted(sent) : sent
  // Two headers arrive joined by a comma and a space.
  if (key === undefined || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new ApiError('IDEMPOTENCY-1')
  return key
}

/** A string of structured fields (RFC 9651 §3.3.3). */
function unquoted(sent: string): string | undefined {
  const [, inner] = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(sent) ?? []
  return inner?.replace(/\\(["\\])/g, '$1')
}

/** Equal for JSON and XML, and for any order of the fields. */
export function contentOf(request: Exchange, body: unknown): string {
  return `${request.method} ${plainPath(request)}${urlOf(request).search} ${JSON.stringify(ordered(body))}`
}

/** The value with the fields of each object in order. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const fields = value instanceof Map ? [...value] : Object.entries(value)
  return fields
    .map(([name, field]): [string, unknown] => [String(name), ordered(field)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

const underWay = new Set<string>()

/** Runs a request. Throws IDEMPOTENCY-3 while this process runs another one with the same key of this user. */
export async function alone<T>(caller: Caller, key: string, work: () => Promise<T>): Promise<T> {
  const name = `${caller.id} ${key}`
  if (underWay.has(name)) throw stillRunning()
  underWay.add(name)
  try {
    return await work()
  } finally {
    underWay.delete(name)
  }
}

const stillRunning = (): ApiError => new ApiError('IDEMPOTENCY-3', { retryAfter: 1 })

/**
 * The stored response without resources that the caller no longer sees; undefined for the first request. Throws IDEMPOTENCY-2 for another
 * request with the same key, IDEMPOTENCY-3 while another process runs it, and 404 for a resource that the caller no longer sees.
 */
export async function firstAnswer(db: Db, keyed: Keyed): Promise<FirstAnswer | undefined> {
  const { caller, key, content } = keyed
  // Another process may run the same request.
  if (db.isTransaction && !(await takesLock(db, database().engine, `${caller.id} ${key}`)))
    throw stillRunning()
  const stored = await db
    .selectFrom('idempotency_keys')
    .where('user_id', '=', caller.id)
    .where('name', '=', key)
    .where('expires_at', '>', Date.now())
    .select(['fingerprint', 'answer'])
    .executeTakeFirst()
  if (!stored) return undefined
  if (!isSigned('request', content, Buffer.from(stored.fingerprint, 'base64url')))
    throw new ApiError('IDEMPOTENCY-2')
  const answer = JSON.parse(stored.answer) as FirstAnswer
  if (!answer.document) return answer
  await requireSeen(db, caller, answer.document)
  return { ...answer, document: await withoutHiddenLinks(db, caller, answer.document) }
}

/**
 * The commit of a repeated request waits for the replica, as each write does: the wait of the first request may have been cancelled
 * (lib/db/postgres.server.ts), and its change be lost with the primary.
 */
export async function confirmFirst(db: Db, { caller, key }: Keyed): Promise<void> {
  if (database().engine === 'sqlite') return
  const write = (trx: Db) =>
    trx
      .updateTable('idempotency_keys')
      .set(({ ref }) => ({ expires_at: ref('expires_at') }))
      .where('user_id', '=', caller.id)
      .where('name', '=', key)
      .execute()
  await (db.isTransaction ? write(db) : transaction(write))
}

async function requireSeen(db: Db, caller: Caller, document: object): Promise<void> {
  const own = namedBy(ownLink(document))
  const code = own && kindNamed(own.type)?.missing
  if (code && !(await isSeenNow(db, caller, own))) throw new ApiError(code)
}

/** The resource that the link names. */
function namedBy(link: LinkDocument | undefined): Named | undefined {
  const id = idOfLink(link)
  return link?.type && id !== undefined && kindNamed(link.type) ? { type: link.type, id } : undefined
}

/** The document without links to resources that the caller does not see. */
async function withoutHiddenLinks(db: Db, caller: Caller, document: object): Promise<object> {
  const things: Named[] = []
  withLinks(document, (link) => {
    things.push(...[namedBy(link) ?? []].flat())
    return true
  })
  const sees = await visibleThings(db, caller, things)
  return withLinks(document, (link) => {
    const thing = namedBy(link)
    return !thing || sees(thing)
  }) as object
}

/** The value with only the shown links, at all depths. */
function withLinks(value: unknown, isShown: (link: LinkDocument) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withLinks(item, isShown))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      name === 'links' ? (field as LinkDocument[]).filter(isShown) : withLinks(field, isShown),
    ]),
  )
}

/** Stores the response in the transaction of the change, over one that has expired. */
export async function keepAnswer(
  trx: Trx,
  { caller, key, content }: Keyed,
  answer: FirstAnswer,
): Promise<void> {
  const kept = {
    fingerprint: sign('request', content).toString('base64url'),
    answer: JSON.stringify(answer),
    expires_at: Date.now() + env().IDEMPOTENCY_HOURS * HOUR,
  }
  await trx
    .insertInto('idempotency_keys')
    .values({ user_id: caller.id, name: key, ...kept })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet(kept))
    .execute()
}

/** The response to a repeated request: the document without its secrets, and the ETag of the document with them. */
export function answerOf(
  request: Exchange,
  { result, headers, format }: { result: unknown; headers: AnswerHeaders; format: ListFormat | undefined },
): FirstAnswer {
  const kept = { headers: headers.lines() }
  if (!format || format.syntax === 'csv' || typeof result !== 'object' || result === null) return kept
  if ('sections' in result) return { ...kept, document: { ...(result as Sections).head } }
  const { name, syntax } = format
  if (syntax === 'stream') return { ...kept, document: withoutSecrets(result) }
  const isSingle = mediaNames[name] === null && ownLink(result) !== undefined
  const value = () => entityTag(result, { name, syntax, base: baseOf(request) })
  return { ...kept, document: withoutSecrets(result), ...(isSingle && { tag: { value: value(), syntax } }) }
}

/** Removes the responses that can no longer be repeated. */
export const removeExpiredKeys = (): Promise<unknown> =>
  transaction((trx) => trx.deleteFrom('idempotency_keys').where('expires_at', '<=', Date.now()).execute())

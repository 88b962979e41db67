import { isCaller } from '#lib/caller/auth/caller.server'
import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { newSession, type Session, sessionEnd } from '#lib/caller/auth/tokens.server'
import { type Db, database, type Trx, transaction } from '#lib/db/db.server'
import { list } from '#lib/db/list.server'
import { env } from '#lib/ground/env.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import type { Paging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import { log } from '#lib/ground/log.server'

/*
 * Sessions of users. A console session has a row from its beginning. A chain of tokens gets a row at the first use of a token, because a
 * program that sends its password with each request starts a chain each time and uses none of its tokens.
 */

const MINUTE = 60_000
const MAX_USER_AGENT = 255

/** How long a session may be idle (ms). A chain of tokens ends when its last token expires. */
const idleLimit = (inConsole: boolean): number => {
  const { SESSION_IDLE_SECONDS, TOKEN_TTL_SECONDS } = env()
  return (inConsole ? SESSION_IDLE_SECONDS : TOKEN_TTL_SECONDS) * 1000
}

/** When the session ends if it is not used again (epoch milliseconds). */
const endAfter = (session: Session, inConsole: boolean, lastUsed: number): number =>
  Math.min(lastUsed + idleLimit(inConsole), sessionEnd(session))

const seenFrom = (request: Exchange) => ({
  address: clientAddress(request),
  user_agent: (request.headers.get('user-agent') ?? '').slice(0, MAX_USER_AGENT),
})

type Use = { session: Session; inConsole: boolean; lastUsed: number }

const rowOf = (request: Exchange, { session, inConsole, lastUsed }: Use) => ({
  chain: session.id,
  user_id: session.userId,
  epoch: session.epoch,
  in_console: inConsole ? (1 as const) : (0 as const),
  began: session.began,
  last_used: lastUsed,
  expires_at: endAfter(session, inConsole, lastUsed),
  proved_at: null,
  ...seenFrom(request),
})

/** `owesCode`: it begins without a code although two factor is on. */
type Beginning = { userId: number; epoch: number; inConsole: boolean; owesCode?: boolean }

/** Only console sessions are stored at once (see above). */
export async function beginSession(
  trx: Trx,
  request: Exchange,
  { userId, epoch, inConsole, owesCode = false }: Beginning,
): Promise<Session> {
  const session = newSession(userId, epoch)
  if (inConsole)
    await trx
      .insertInto('sessions')
      .values({
        ...rowOf(request, { session, inConsole: true, lastUsed: session.began }),
        owes_code: owesCode ? 1 : 0,
      })
      .execute()
  return session
}

const owesCode = async (db: Db, { id }: Session): Promise<boolean> => {
  const row = await db.selectFrom('sessions').where('chain', '=', id).select('owes_code').executeTakeFirst()
  return row?.owes_code === 1
}

/** The session needs no code any more: it has sent one, or two factor is off. */
export const settleCode = async (db: Db, { id }: Session): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ owes_code: 0 })
    .where('chain', '=', id)
    .where('owes_code', '=', 1)
    .execute()
}

const IDLE_HEADER = 'x-user-idle'

/**
 * When the user was last active (epoch milliseconds). Pages that poll report the user's idle seconds in X-User-Idle, so that polling
 * does not keep a session alive.
 */
function lastTouch(request: Exchange): number {
  const idle = request.headers.get(IDLE_HEADER) ?? ''
  return Date.now() - (/^\d{1,6}$/.test(idle) ? Number(idle) * 1000 : 0)
}

const recordings = new Set<Promise<unknown>>()

/** Waits for the uses that are being recorded. */
export const usesRecorded = (): Promise<unknown> => Promise.all(recordings)

/** Records the use, at most once a minute. The request does not wait for the write. */
export function recordUse(
  request: Exchange,
  session: Session,
  { inConsole, lastUsed }: { inConsole: boolean; lastUsed: number | null },
): void {
  const used = inConsole ? lastTouch(request) : Date.now()
  if (lastUsed !== null && used < lastUsed + Math.min(MINUTE, idleLimit(inConsole) / 10)) return
  const { chain, user_id, began, in_console, proved_at, ...seen } = rowOf(request, {
    session,
    inConsole,
    lastUsed: used,
  })
  const recorded = transaction<unknown>((trx) =>
    inConsole
      ? trx.updateTable('sessions').set(withoutEpoch(seen)).where('chain', '=', chain).execute()
      : trx
          .insertInto('sessions')
          .values({ chain, user_id, began, in_console, proved_at, ...seen })
          .onConflict((conflict) => conflict.column('chain').doUpdateSet(withoutEpoch(seen)))
          .execute(),
  )
  const recording = recorded
    .catch((err) => log().warn({ err }, 'the use of a session could not be recorded'))
    .finally(() => recordings.delete(recording))
  recordings.add(recording)
}

/** Leaves the epoch out, because `endOtherSessions` may have advanced it for this session. */
const withoutEpoch = <T extends { epoch: number }>({ epoch: _epoch, ...seen }: T) => seen

/** Whether the console session began, or its user proved their identity, less than PROOF_MINUTES ago. */
export const isProvedLately = ({ began }: Session, provedAt: number | null): boolean =>
  Math.max(began, provedAt ?? 0) > Date.now() - env().PROOF_MINUTES * MINUTE

/** The console session needs no other proof for PROOF_MINUTES. */
export const rememberProof = async (db: Db, { id }: Session): Promise<void> => {
  await db.updateTable('sessions').set({ proved_at: Date.now() }).where('chain', '=', id).execute()
}

/** How long a session shows the view of another user (ms). */
const VIEW_LIFE = 60 * MINUTE

/** The user whose view a session shows, as long as that user's own sessions of this epoch last. */
export type Seen = { user: number; epoch: number }

/** The session shows the view of this user, for an hour at most. */
export const beginView = async (db: Db, { id }: Session, { user, epoch }: Seen): Promise<void> => {
  const view = { sees_user_id: user, sees_epoch: epoch, sees_until: Date.now() + VIEW_LIFE }
  await db.updateTable('sessions').set(view).where('chain', '=', id).execute()
}

const noView = { sees_user_id: null, sees_epoch: null, sees_until: null }

/** The session shows the view of its own user again. */
export const endView = async ({ db, session }: Ending): Promise<void> => {
  await db.updateTable('sessions').set(noView).where('chain', '=', session.id).execute()
}

/** A view that its viewer may no longer have ends for good, unless they have begun another one meanwhile. */
export const loseView = ({ id }: Session, { user, epoch }: Seen): Promise<unknown> =>
  transaction((trx) =>
    trx
      .updateTable('sessions')
      .set(noView)
      .where('chain', '=', id)
      .where('sees_user_id', '=', user)
      .where('sees_epoch', '=', epoch)
      .execute(),
  )

type Ending = { db: Trx; session: Session }

/** Ends a session: its tokens and cookies are no longer accepted. */
export async function endSession({ db, session }: Ending): Promise<void> {
  await db
    .insertInto('ended_sessions')
    .values({ id: session.id, expires_at: sessionEnd(session) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await db.deleteFrom('sessions').where('chain', '=', session.id).execute()
}

/** Ends all sessions of the user, recorded or not. Returns the epoch for new ones. */
export async function endSessionsOf(trx: Trx, userId: number): Promise<number> {
  const { token_epoch: epoch } = await trx
    .updateTable('users')
    .set((set) => ({ token_epoch: set('token_epoch', '+', 1) }))
    .where('id', '=', userId)
    .returning('token_epoch')
    .executeTakeFirstOrThrow()
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  return epoch
}

type InSession = WriteContext & { request: Exchange; session: Session; inConsole: boolean }

/** Ends all of the caller's sessions except the current one, which continues in the new epoch. */
export async function endOtherSessions({
  request,
  caller,
  session,
  inConsole,
  db,
}: InSession): Promise<void> {
  const current = await db
    .selectFrom('sessions')
    .where('chain', '=', session.id)
    .select(['last_used', 'proved_at', 'address', 'user_agent'])
    .executeTakeFirst()
  const epoch = await endSessionsOf(db, caller.id)
  const lastUsed = current?.last_used ?? Date.now()
  const row = rowOf(request, { session: { ...session, epoch }, inConsole, lastUsed })
  await db
    .insertInto('sessions')
    .values({ ...row, ...current })
    .execute()
}

/** Ends all of the caller's sessions and begins a new one. */
export async function beginAnew({ request, caller, session, inConsole, db }: InSession): Promise<Session> {
  const owed = await owesCode(db, session)
  const epoch = await endSessionsOf(db, caller.id)
  const begun = await beginSession(db, request, { userId: caller.id, epoch, inConsole, owesCode: owed })
  // A pending enrolment, with its limits, continues in the new session.
  await db
    .updateTable('users')
    .set({ two_factor_began_by: begun.id })
    .where('id', '=', caller.id)
    .where('two_factor_began_by', '=', session.id)
    .execute()
  return begun
}

export const sessionOrders = ['lastuse', 'id'] as const

const PATH = '/session/sessions'

export const listSessions = ({
  caller,
  session,
  query,
}: ReadContext & { session: Session; query: Paging<(typeof sessionOrders)[number]> }): Promise<Listing> =>
  list({
    from: (db) =>
      db
        .selectFrom('sessions')
        .where('user_id', '=', caller.id)
        .where('expires_at', '>', Date.now())
        .select(['id', 'chain', 'in_console', 'began', 'last_used', 'expires_at', 'address', 'user_agent']),
    orders: { lastuse: ['sessions.last_used'], id: [] },
    id: 'sessions.id',
    paging: query,
    path: PATH,
    views: (rows) =>
      rows.map((row) => ({
        links: [link('self', `${PATH}/${row.id}`, 'usersession')],
        id: row.id,
        current: row.chain === session.id,
        inConsole: row.in_console === 1,
        began: new Date(row.began).toISOString(),
        lastUse: new Date(row.last_used).toISOString(),
        expires: new Date(row.expires_at).toISOString(),
        address: row.address,
        userAgent: row.user_agent,
      })),
  })

/** One session of the caller. Throws SESSION-0. */
async function findSession({ caller, db }: ReadContext, { session }: { session: number }): Promise<Session> {
  return db
    .selectFrom('sessions')
    .where('id', '=', session)
    .where('user_id', '=', caller.id)
    .where('expires_at', '>', Date.now())
    .select(['chain as id', 'user_id as userId', 'epoch', 'began'])
    .executeTakeFirstOrThrow(() => new ApiError('SESSION-0'))
}

export const sessionTarget = { ids: { session: 'SESSION-0' }, find: findSession, seenBy: isCaller } as const

export const removeSession = ({ db, found: session }: WriteContext & { found: Session }): Promise<void> =>
  endSession({ db, session })

export const removeExpiredSessions = (): Promise<void> =>
  transaction(async (trx) => {
    for (const table of ['sessions', 'ended_sessions'] as const)
      await trx.deleteFrom(table).where('expires_at', '<', Date.now()).execute()
  })

/** Seconds until the console session ends, if it stays idle, and at most, and until it no longer shows the view of another user. */
export async function lifeOf(
  request: Exchange,
  session: Session,
): Promise<{ idleLimit: number; secondsLeft: number; secondsLeftAtMost: number; viewSecondsLeft: number }> {
  const row = await database()
    .read.selectFrom('sessions')
    .where('chain', '=', session.id)
    .select(['last_used', 'sees_until'])
    .executeTakeFirst()
  const lastUsed = Math.max(row?.last_used ?? session.began, lastTouch(request))
  const secondsUntil = (end: number) => Math.max(0, Math.ceil((end - Date.now()) / 1000))
  return {
    idleLimit: env().SESSION_IDLE_SECONDS,
    secondsLeft: secondsUntil(endAfter(session, true, lastUsed)),
    secondsLeftAtMost: secondsUntil(sessionEnd(session)),
    viewSecondsLeft: secondsUntil(row?.sees_until ?? 0),
  }
}

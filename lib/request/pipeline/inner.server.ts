import type { Authenticated, Maker } from '#lib/caller/auth/strategy.server'
import type { Session } from '#lib/caller/auth/tokens.server'
import { inPast, type Trx, transaction } from '#lib/db/db.server'
import { clientAddress, requestOfThisMachine } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { presentMaker } from '#lib/people/access-tokens/maker.server'
import type { Context, Inner } from '#lib/record/events/operation.server'
import { type Incoming, pathIds } from '#lib/request/pipeline/incoming.server'
import { permitted } from '#lib/request/pipeline/operations.server'
import type { Operation } from '#lib/request/pipeline/spec.server'

/* Operations that run within another, or for a user who sends no request. */

/** The operations of a caller, for the context of a handler that runs in this transaction. */
export const innerOperations = (
  db: Trx,
  incoming: Pick<Incoming, 'request' | 'authenticated'>,
): Pick<Context, 'operate' | 'permit'> => ({
  operate: (inner, trx = db) => operate(trx, incoming, inner),
  permit: async (operation) => {
    await permitted(incoming.authenticated, operation)
  },
})

/** The operation of this path with the caller's privileges, in the transaction of the first. */
async function operate(
  db: Trx,
  { request, authenticated }: Pick<Incoming, 'request' | 'authenticated'>,
  { method, path, document, prepared, moment, part, isOwnChange, job }: Inner,
): Promise<unknown> {
  const { perform, spec: declared, segments } = await permitted(authenticated, { method, path })
  const spec = part || isOwnChange ? declared : ({ ...declared, event: null } as Operation)
  const params = pathIds(spec, segments)
  const { caller, proof } = authenticated
  const isUnproved = spec.who.proof && !proof && [undefined, caller.id].includes(params.user)
  const incoming: Incoming = {
    request: innerRequest(request, method, path),
    authenticated,
    segments,
    params,
    query: spec.query?.parse({}),
    refused: undefined,
    document,
    schema: spec.takes?.body,
    format: undefined,
    key: undefined,
    unproved: isUnproved ? new ApiError('SIGN-IN-6') : undefined,
    prepared: prepared ?? {},
    moment,
    part,
    ...(job && { job }),
    ...(job?.part === 'whole' && { report: job.report }),
  }
  const work = (on: Trx) => perform(spec, incoming, on)
  const { result } = await (moment === undefined ? work(db) : inPast(moment, (past) => work(past as Trx)))
  return result
}

function innerRequest(request: Exchange, method: string, path: string): Exchange {
  const url = `${baseOf(request)}/api${path}`
  const inner = new Exchange({ method, url, headers: new Headers(), peer: clientAddress(request) })
  inner.id = requestIdOf(request)
  return inner
}

/** The context of work for a user who sends no request. */
export type Acting = Pick<Context, 'caller' | 'request' | 'report' | 'operate' | 'permit'>

/** The context of a user who sends no request, with their privileges and visibility at this moment. Undefined if they have none. */
export async function actingAs(
  maker: Maker,
  db: Trx,
  request = requestOfThisMachine(),
): Promise<Acting | undefined> {
  const caller = await presentMaker(maker, db)
  if (!caller) return undefined
  const { accessToken: id, oauthToken: grant } = maker
  const session: Session = { id: '', userId: caller.id, epoch: 0, began: Date.now(), ...(grant && { grant }) }
  const authenticated: Authenticated = {
    caller,
    session,
    inConsole: false,
    proof: undefined,
    duty: undefined,
    // The rules for programs with a grant hold here too.
    ...(id !== undefined && { accessToken: { id, present: () => presentMaker(maker) } }),
  }
  return {
    caller,
    request,
    report: () => {},
    ...innerOperations(db, { request, authenticated }),
  }
}

/** Runs work in a transaction for a user who sends no request. */
export const actFor = <T>(
  maker: Maker,
  work: (trx: Trx, acting: Acting | undefined) => Promise<T>,
  { request, ...settings }: { request?: Exchange; alone?: boolean; signal?: AbortSignal } = {},
): Promise<T> => transaction(async (trx) => work(trx, await actingAs(maker, trx, request)), settings)

import type { ReadContext } from '#lib/caller/auth/context.server'
import { allPrivileges, type Caller } from '#lib/caller/auth/privileges'
import { inPast } from '#lib/db/db.server'
import { ApiError, allErrorCodes, type ErrorCode, fault, statusOf } from '#lib/ground/http/errors'
import type { AskedMethod } from '#lib/request/access/access.schema'
import { pathIds } from '#lib/request/pipeline/incoming.server'
import { pastCaller, requireJournal } from '#lib/request/pipeline/past.server'
import { operationAt } from '#lib/request/pipeline/routes.server'
import type { Operation, Path, Segments } from '#lib/request/pipeline/spec.server'

/** The operation that a question names, with the ids in its path. */
export type Asked = {
  method: AskedMethod
  spec: Operation
  segments: Segments
  params: Path<string>
}

/** The codes for resources that the caller of a question does not see, and for malformed ids. */
export const askedRefusals: readonly ErrorCode[] = [
  ...allErrorCodes.filter((code) => statusOf(code) === 404),
  'GEN-1',
  'ASOF-2',
]

/** The path below {api} of a path or an address. */
function pathBelow(address: string): string {
  const { pathname = '' } = URL.parse(address, 'http://ignored.invalid') ?? {}
  return pathname
    .replace(/^\/api(?=\/|$)/, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}

/** `open`: the operation needs no credentials. Throws 404 if there is no such operation, and the code of a malformed id. */
export async function askedOperation(method: AskedMethod, address: string): Promise<Asked | 'open'> {
  const path = pathBelow(address)
  const { handler, segments = {} } = (await operationAt(method, path)) ?? {}
  if (!handler) throw new ApiError(fault('404-NOT-FOUND', `The API has no operation ${method} ${path}`))
  const { spec } = handler
  if (spec.kind === 'open') return 'open'
  return { method, spec, segments, params: pathIds(spec, segments) }
}

/** The refusal because of a resource in the path, as the pipeline finds it; undefined if the caller sees the resource and may use it. */
async function refusalByTarget({ spec, params }: Asked, context: ReadContext): Promise<ApiError | undefined> {
  const find = spec.target?.find ?? spec.target?.seen
  try {
    await find?.(context, params)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** The GET that reads the past state, and its moment. */
export type Past = { asked: Asked; moment: number }

export async function pastOf({ spec, params }: Asked, context: ReadContext): Promise<Past | undefined> {
  if (!spec.past) return undefined
  const { path, moment } = await spec.past({ ...context, params })
  const asked = await askedOperation('GET', path)
  return asked === 'open' ? undefined : { asked, moment }
}

/** Reads the state at the moment with the caller's present visibility. Throws ASOF-2. */
export async function atMoment<T>(
  context: ReadContext,
  moment: number,
  work: (context: ReadContext) => Promise<T>,
): Promise<T> {
  await requireJournal(moment)
  return inPast(moment, (db) => work({ ...context, db, caller: pastCaller(context) }))
}

/** Some targets look at privileges before they look for the row. */
const withEveryPrivilege = (caller: Caller): Caller => ({ ...caller, privileges: new Set(allPrivileges) })

export type Sight = {
  /** The refusal by visibility, or by another requirement of the target. */
  refused: ApiError | undefined
  /** 404: the caller does not see a resource in the path. */
  hidden: ApiError | undefined
}

const isMissing = (refused: ApiError | undefined) => (refused?.status === 404 ? refused : undefined)

/** True if the caller sees the resources in the path, also at a past moment. */
export async function sightOf(asked: Asked, context: ReadContext): Promise<Sight> {
  const refused = await refusalByTarget(asked, context)
  if (refused && refused.status !== 404) {
    const all = await refusalByTarget(asked, { ...context, caller: withEveryPrivilege(context.caller) })
    return { refused, hidden: isMissing(all) }
  }
  return { refused, hidden: refused }
}

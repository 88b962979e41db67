import { STATUS_CODES } from 'node:http'
import { writeConsoleSession } from '#lib/caller/auth/console-cookie.server'
import { issueToken, type Session } from '#lib/caller/auth/tokens.server'
import { type CodeRequest, CodeRequired, Unauthorized } from '#lib/caller/auth/unauthorized'
import { isConflict, isDamaged, isUnreachable, isUnwritable } from '#lib/db/dialect.server'
import { NewerSchema } from '#lib/db/schema.server'
import { errorFormat, jobFormat, PROBLEM, SCIM } from '#lib/ground/http/accept.server'
import { type Answer, type AnswerHeaders, answerOf } from '#lib/ground/http/answer.server'
import { clientAddress } from '#lib/ground/http/client-address.server'
import { clearCookie, cookieAttributes } from '#lib/ground/http/cookies'
import { ApiError, type Fault, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { clockHeader, codeHeader, tokenHeader } from '#lib/ground/http/names.server'
import { baseOf, isSecure } from '#lib/ground/http/origin.server'
import { apiProtection } from '#lib/ground/http/protection.server'
import { renderErrors } from '#lib/ground/http/render.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { isScim, probes, urlOf } from '#lib/ground/http/route.server'
import { log } from '#lib/ground/log.server'
import { scimError } from '#lib/people/scim/problem'
import { noteRefusal } from '#lib/people/scim/refusals.server'
import type { Incoming } from '#lib/request/pipeline/incoming.server'
import type { Outcome } from '#lib/request/pipeline/operations.server'
import { shownTo } from '#lib/request/pipeline/own-account.server'
import { formatAsOf, pagesAsOf } from '#lib/request/pipeline/past.server'
import { represent, representStream } from '#lib/request/pipeline/represent.server'
import type { Opening, Operation } from '#lib/request/pipeline/spec.server'
import { challenges } from '#lib/request/strategies/authenticate.server'
import { isBasic } from '#lib/request/strategies/basic.server'

/** Fields of the log line that the request itself does not have. */
type Trace = { userId?: number; seesAs?: number; tokenId?: number; address?: string }

/** Runs an operation, turns an error into a coded response, and writes the log line of the request. */
export async function answer(
  request: Exchange,
  operation: (trace: Trace) => Promise<Answer>,
): Promise<Answer> {
  const requestId = requestIdOf(request)
  const began = performance.now()
  const trace: Trace = {}
  let response: Answer
  try {
    trace.address = clientAddress(request)
    response = await operation(trace)
  } catch (error) {
    response = failure(error, request, requestId)
    if (isScim(request)) noteRefusal(request, error, trace)
  }
  response.headers.set('x-request-id', requestId)
  const protection = apiProtection()
  for (const name in protection) response.headers.set(name, protection[name] ?? '')
  const isQuiet = response.status < 400 && probes.has(request.route ?? '')
  if (!isQuiet && log().isLevelEnabled('info')) {
    const ms = Math.round((performance.now() - began) * 10) / 10
    const { method } = request
    // Only the path of the URL: the query may be private.
    const called = { method, route: request.route, path: urlOf(request).pathname }
    log().info({ requestId, ...called, status: response.status, ms, ...trace }, 'request')
  }
  return response
}

/** The response, with a new token or the console's new cookie. */
export async function respond(
  { answers }: Operation,
  { request, authenticated, format, moment }: Incoming,
  { session, headers, result, firstTag, isJob }: Outcome,
): Promise<Answer> {
  const { inConsole, accessToken } = authenticated
  // A program with an access token has no session: signing out clears no cookie either.
  if (accessToken) headers.delete('set-cookie')
  else if (!inConsole && session && !answers?.endsSession) grantToken(request, headers, session)
  if (inConsole && session && session !== authenticated.session)
    await writeConsoleSession(request, headers, session)
  if (format?.syntax === 'stream') return representStream(result as Opening, { request, headers })
  if (isJob && format)
    return represent(result, { format: jobFormat(format), status: 202, request, headers, isPast: true })
  const shown = shownTo(authenticated, result)
  return represent(moment === undefined ? shown : pagesAsOf(shown, request), {
    format: moment === undefined ? format : formatAsOf(format, moment),
    status: answers?.status,
    request,
    headers,
    ...(firstTag && { firstTag }),
    isPast: moment !== undefined,
  })
}

/** Adds a new token of the session to the header, and to cookies for programs that use them. */
function grantToken(request: Exchange, headers: AnswerHeaders, session: Session): void {
  const { token, expires } = issueToken(session)
  const attributes = cookieAttributes(expires, isSecure(request))
  headers.set(tokenHeader(), token)
  for (const name of ['auth', 'session']) headers.append('set-cookie', `${name}=${token}; ${attributes}`)
}

function failure(error: unknown, request: Exchange, requestId: string): Answer {
  if (error instanceof Unauthorized) return unauthorized(error, request, requestId)
  const refusal = refusalOf(error, requestId)
  const response = refused(refusal, request, requestId)
  if (refusal instanceof CodeRequired) askForCode(response.headers, refusal.request)
  if (refusal.retryAfter !== undefined) response.headers.set('retry-after', String(refusal.retryAfter))
  return response
}

/** The client's view of an error. Unexpected errors are logged. */
export function refusalOf(error: unknown, requestId: string): ApiError {
  if (!(error instanceof ApiError)) {
    log().error({ requestId, err: error }, 'unexpected fault')
    return new ApiError(faultOf(error, requestId))
  }
  if (error.cause !== undefined) log().debug({ requestId, err: error }, 'refused')
  return error
}

function faultOf(error: unknown, requestId: string): Fault {
  if (isUnreachable(error) || isConflict(error)) return fault('503-UNAVAILABLE')
  if (isDamaged(error))
    return fault('503-UNAVAILABLE', 'The database is damaged: the administrator must restore a backup')
  if (error instanceof NewerSchema)
    return fault(
      '503-UNAVAILABLE',
      'Changes cannot be saved: the database belongs to a newer version of this program',
    )
  if (isUnwritable(error))
    return fault(
      '503-UNAVAILABLE',
      'Nothing can be saved now, neither a change nor a sign-in: the disk of the database is full or read-only',
    )
  return fault('GEN-13', `An unexpected error occurred (request ${requestId})`)
}

function unauthorized({ refusal: reason }: Unauthorized, request: Exchange, requestId: string): Answer {
  const response = refused(new ApiError('401-UNAUTHORIZED'), request, requestId)
  const { codeRequired, enrolAt } = reason
  if (enrolAt) response.headers.set('link', `<${baseOf(request)}/api${enrolAt}>; rel="enable2fa"`)
  for (const challenge of challenges(reason, request)) response.headers.append('www-authenticate', challenge)
  if (codeRequired) {
    askForCode(response.headers, codeRequired)
    if (isBasic(request)) response.headers.append('set-cookie', clearCookie('auth', isSecure(request)))
  }
  return response
}

function askForCode(headers: AnswerHeaders, { type, clockOffset, resendIn }: CodeRequest): void {
  headers.set(codeHeader(), `required; type=${type}`)
  if (clockOffset !== undefined) headers.set(clockHeader(), String(clockOffset))
  if (resendIn !== undefined) headers.set('retry-after', String(resendIn))
}

const refused = (error: ApiError, request: Exchange, requestId: string): Answer => {
  const accept = isScim(request) ? SCIM : request.headers.get('accept')
  const { status, headers, body } = refusal(error, accept, requestId)
  return answerOf(body, { status, headers })
}

type Refused = { status: number; headers: Record<string, string>; body: string }

/** 401 and 403 of the security layer are small pages, other errors are `errors` documents. Clients that accept RFC 9457 always get that. */
export function refusal(error: ApiError, accept: string | null, requestId: string): Refused {
  const { status, faults } = error
  const format = errorFormat(accept)
  const security = faults.some(({ code }) => code === '401-UNAUTHORIZED' || code === '403-FORBIDDEN')
  let type = format.type
  let body: string
  if (format.type === SCIM) body = JSON.stringify(scimError(error))
  else if (format.type === PROBLEM) body = problem(error, requestId)
  else if (security) {
    type = 'text/html; charset=utf-8'
    body = page(status, faults[0]?.message ?? '')
  } else body = renderErrors(faults, format.syntax)
  const headers = {
    'content-type': type,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    date: new Date().toUTCString(),
    ...(status === 503 && { 'retry-after': '1' }),
  }
  return { status, headers, body }
}

/** A small page, for browsers. */
export const page = (status: number, message: string): string =>
  `<!doctype html><html lang="en"><head><title>${status}</title></head><body><h1>${status}</h1><p>${message}</p></body></html>`

function problem({ status, faults }: ApiError, requestId: string): string {
  const [first] = faults
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: faults.map(({ message }) => message).join('; '),
    code: first?.code,
    errors: faults,
    requestId,
  })
}

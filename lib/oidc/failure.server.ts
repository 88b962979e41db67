import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { type Problem, SignInProblem } from '#lib/federation/sign-in.server'
import { ApiError, fault } from '#lib/http/errors'
import { requestIdOf } from '#lib/http/request-id.server'
import { log } from '#lib/log.server'

const isTimeout = (error: unknown): boolean =>
  error instanceof ClientError && (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT')

const isServerError = (error: unknown): boolean =>
  error instanceof ClientError && error.cause instanceof Response && error.cause.status >= 500

/** Whether nobody answered, or nobody who could: fetch throws a TypeError with the reason as its cause. */
export const isOutOfReach = (error: unknown): boolean =>
  (error instanceof TypeError && error.cause !== undefined) || isTimeout(error) || isServerError(error)

/** RFC 6749 §4.1.2.1: the provider itself is in trouble. */
const isInTrouble = ({ error }: AuthorizationResponseError): boolean =>
  error === 'server_error' || error === 'temporarily_unavailable'

/** What the user is told of an error on the way of a sign-in. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SignInProblem) return error.problem
  if (isOutOfReach(error)) return 'unreachable'
  if (error instanceof AuthorizationResponseError) return isInTrouble(error) ? 'unreachable' : 'refused'
  return error instanceof ResponseBodyError ? 'refused' : 'invalid'
}

type Reason = { name: string; code?: unknown; error?: string; message?: string }

/**
 * The private reason, from the outermost error to its first cause. Only what never holds a token: a parser quotes the text that it
 * stumbles over, and the libraries keep whole answers beside their messages.
 */
function reasonsOf(error: unknown): Reason[] {
  if (!(error instanceof Error)) return []
  const reason: Reason = {
    name: error.name,
    ...('code' in error && { code: error.code }),
    ...('error' in error && typeof error.error === 'string' && { error: error.error }),
    ...(!(error instanceof SyntaxError) && { message: error.message }),
  }
  return [reason, ...reasonsOf(error.cause)]
}

export const noteFailure = (request: Request, what: string, error: unknown): void =>
  log().warn({ requestId: requestIdOf(request), reasons: reasonsOf(error) }, what)

/** What a program is told where the provider is out of reach: its token may be good nevertheless. */
export const providerUnavailable = (): ApiError =>
  new ApiError(fault('503-UNAVAILABLE', 'The identity provider cannot be reached'))

import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { ApiError, fault } from '#lib/ground/http/errors'
import { inStep, SignInProblem } from '#lib/people/federation/problem.server'
import type { Problem, ProviderStep } from '#lib/people/federation/problems'

const isTimeout = (error: unknown): boolean =>
  error instanceof ClientError && (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT')

const isServerError = (error: unknown): boolean =>
  error instanceof ClientError && error.cause instanceof Response && error.cause.status >= 500

/** Whether the provider could not be reached: fetch throws a TypeError with the reason as its cause. */
export const isOutOfReach = (error: unknown): boolean =>
  (error instanceof TypeError && error.cause !== undefined) || isTimeout(error) || isServerError(error)

/** RFC 6749 §4.1.2.1: the errors of an overloaded or failing provider. */
const isInTrouble = ({ error }: AuthorizationResponseError): boolean =>
  error === 'server_error' || error === 'temporarily_unavailable'

/** The problem that the user sees after a failed sign-in. */
function problemOf(error: unknown): Problem {
  if (isOutOfReach(error)) return 'unreachable'
  if (error instanceof AuthorizationResponseError) return isInTrouble(error) ? 'unreachable' : 'refused'
  return error instanceof ResponseBodyError ? 'refused' : 'invalid'
}

/** The error as a problem of the sign-in, with the error as its cause. */
export const asProblem = (error: unknown): SignInProblem =>
  error instanceof SignInProblem ? error : new SignInProblem(problemOf(error), { cause: error })

/** Runs a step of a sign-in, and names the step in its failures. */
export async function during<T>(
  step: ProviderStep | ((error: unknown) => ProviderStep),
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw inStep(typeof step === 'function' ? step(error) : step, asProblem(error))
  }
}

/** Errors of the library name the part that it could not read: the token response, or the ID token in it. */
const isUnreadable = (cause: unknown): boolean =>
  cause instanceof Response ||
  (cause instanceof Error && /"response" body(?! "id_token")/.test(cause.message))

const isOfTokenEndpoint = (error: unknown): boolean =>
  error instanceof ResponseBodyError ||
  isOutOfReach(error) ||
  (error instanceof ClientError && isUnreadable(error.cause))

/** The library checks the response, exchanges the code and reads the ID token in one call. Returns the step that failed. */
export const stepOfGrant =
  (here: URL) =>
  (error: unknown): ProviderStep => {
    if (error instanceof AuthorizationResponseError || !here.searchParams.get('code')) return 'authorization'
    if (isOfTokenEndpoint(error)) return 'token'
    const why = error instanceof ClientError && error.cause instanceof Error ? error.cause.cause : undefined
    // Errors about the authorization response carry its parameters.
    return typeof why === 'object' && why !== null && 'parameters' in why ? 'authorization' : 'answer'
  }

/** The refusal of a token while the provider cannot be reached: the token may be valid. */
export const providerUnavailable = (): ApiError =>
  new ApiError(fault('503-UNAVAILABLE', 'The identity provider cannot be reached'))

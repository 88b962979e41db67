import type { Exchange } from '#lib/ground/http/exchange.server'
import { requestIdOf } from '#lib/ground/http/request-id.server'
import { log } from '#lib/ground/log.server'
import { SignInProblem } from '#lib/people/federation/problem.server'

/* The reasons of failures at a provider, for the log and for administrators who run a trial. */

type Reason = {
  name: string
  code?: unknown
  status?: number | undefined
  /** `error` and `error_description` of RFC 6749 §4.1.2.1 and §5.2, as the provider sent them. */
  error?: string | undefined
  description?: string | undefined
  message?: string | undefined
}

const MOST = 500

/** Providers may send any text: strings as long as a code or a token are removed. */
const clipped = (text: unknown): string | undefined =>
  typeof text === 'string' ? text.replaceAll(/[\w.~+/=-]{40,}/g, '…').slice(0, MOST) : undefined

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The parameters of a challenge (RFC 6750 §3), which the library puts into the cause. */
const challengeOf = ({ cause }: Error): unknown =>
  Array.isArray(cause) ? fieldOf(cause[0], 'parameters') : undefined

function reasonOf(error: Error): Reason {
  const source = fieldOf(error, 'error') === undefined ? challengeOf(error) : error
  const response = error.cause instanceof Response ? error.cause : error
  const status = fieldOf(response, 'status')
  return {
    name: error.name,
    code: fieldOf(error, 'code'),
    status: typeof status === 'number' ? status : undefined,
    error: clipped(fieldOf(source, 'error')),
    description: clipped(fieldOf(source, 'error_description')),
    // A parser quotes the invalid text, which may be a token.
    message: error instanceof SyntaxError ? undefined : clipped(error.message),
  }
}

/** The private reasons, from the outermost error to its first cause. Leaves out the responses that the libraries attach. */
export const reasonsOf = (error: unknown): Reason[] =>
  error instanceof Error ? [reasonOf(error), ...reasonsOf(error.cause)] : []

export function logFailure(request: Exchange, message: string, error: unknown): void {
  const step = error instanceof SignInProblem ? error.step : undefined
  log().warn({ requestId: requestIdOf(request), step, reasons: reasonsOf(error) }, message)
}

import { SignInProblem } from '#lib/federation/problem.server'
import { requestIdOf } from '#lib/http/request-id.server'
import { log } from '#lib/log.server'

/* Why something at a provider came to nothing, for the log and for who tries a sign-in out. */

type Reason = {
  name: string
  code?: unknown
  status?: number | undefined
  /** What RFC 6749 §4.1.2.1 and §5.2 call `error` and `error_description`: the provider's own words. */
  error?: string | undefined
  description?: string | undefined
  message?: string | undefined
}

const MOST = 500

/** Providers write what they like: what is as long as a code or a token is left out. */
const clipped = (text: unknown): string | undefined =>
  typeof text === 'string' ? text.replaceAll(/[\w.~+/=-]{40,}/g, '…').slice(0, MOST) : undefined

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The parameters of a challenge (RFC 6750 §3), of which the library makes a cause. */
const challengeOf = ({ cause }: Error): unknown =>
  Array.isArray(cause) ? fieldOf(cause[0], 'parameters') : undefined

function reasonOf(error: Error): Reason {
  const says = fieldOf(error, 'error') === undefined ? challengeOf(error) : error
  const answered = error.cause instanceof Response ? error.cause : error
  const status = fieldOf(answered, 'status')
  return {
    name: error.name,
    code: fieldOf(error, 'code'),
    status: typeof status === 'number' ? status : undefined,
    error: clipped(fieldOf(says, 'error')),
    description: clipped(fieldOf(says, 'error_description')),
    // A parser quotes the text that it stumbles over, which may be a token.
    message: error instanceof SyntaxError ? undefined : clipped(error.message),
  }
}

/** The private reason, from the outermost error to its first cause. Whole answers, which the libraries keep beside, are left out. */
export const reasonsOf = (error: unknown): Reason[] =>
  error instanceof Error ? [reasonOf(error), ...reasonsOf(error.cause)] : []

export function noteFailure(request: Request, what: string, error: unknown): void {
  const step = error instanceof SignInProblem ? error.step : undefined
  log().warn({ requestId: requestIdOf(request), step, reasons: reasonsOf(error) }, what)
}

import { ApiError, type ErrorCode, type Fault, fault } from '#lib/ground/http/errors'

export type Scheme = 'Basic' | 'Token' | 'OAuth' | 'Bearer'

/** Details of a missing or wrong verification code. */
export type CodeRequest = {
  /** The two factor provider; `none` if two factor must be enabled first. */
  type: string
  /** Seconds by which the authenticator's clock is ahead; negative: behind. */
  clockOffset?: number
  /** Seconds until another code may be mailed. */
  resendIn?: number
}

/** Why a request was not authenticated: the schemes to offer, the required code, and the path where two factor can be enabled. */
export type Refusal = {
  schemes: Scheme[]
  codeRequired?: CodeRequest
  enrolAt?: string
  /** The error of a Bearer token (RFC 6750 §3.1). */
  error?: 'invalid_token'
}

export class Unauthorized extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('Authentication is required')
    this.refusal = refusal
  }
}

/** A coded error that requires a verification code. The response has the same header as one to Basic. */
export class CodeRequired extends ApiError {
  readonly request: CodeRequest

  constructor(problem: ErrorCode | Fault, request: CodeRequest) {
    super(withClock(typeof problem === 'string' ? fault(problem) : problem, request))
    this.request = request
  }
}

function withClock(problem: Fault, { clockOffset }: CodeRequest): Fault {
  if (clockOffset === undefined) return problem
  const minutes = Math.abs(clockOffset) / 60
  const amount = `${minutes} minute${minutes === 1 ? '' : 's'} ${clockOffset > 0 ? 'ahead' : 'behind'}`
  return fault(problem.code, `${problem.message}: the clock of the authenticator is ${amount}`)
}

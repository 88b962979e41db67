import { ApiError, type ErrorCode, type Fault, fault } from '#lib/http/errors'

export type Scheme = 'Basic' | 'Token' | 'OAuth' | 'Bearer'

/** The code that is missing or wrong: whose it is, and what helps to send the right one. */
export type CodeRequest = {
  /** The two factor provider; `none` where one must be enabled first. */
  type: string
  /** By how many seconds the clock of the authenticator is ahead; negative: behind. */
  clockOffset?: number
  /** In how many seconds another code may be mailed. */
  resendIn?: number
}

/** Why a request was not authenticated: the schemes to offer, the code that is asked for, and the path to enable two factor at. */
export type Refusal = {
  schemes: Scheme[]
  codeRequired?: CodeRequest
  enrolAt?: string
  /** What is wrong with a Bearer token (RFC 6750 §3.1). */
  error?: 'invalid_token'
}

export class Unauthorized extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('Authentication is required')
    this.refusal = refusal
  }
}

/** A coded error that asks for a code, in the header that Basic knows. */
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

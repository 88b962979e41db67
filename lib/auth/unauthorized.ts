export type Scheme = 'Basic' | 'Token'

/**
 * Why a request was not authenticated: the schemes to offer; the two factor provider where a code is missing or wrong, or
 * `none` where one must be enabled first, with the path to do it at.
 */
export type Refusal = { schemes: Scheme[]; codeRequired?: string; enrolAt?: string }

export class Unauthorized extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('Authentication is required')
    this.refusal = refusal
  }
}

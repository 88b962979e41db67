export type Scheme = 'Basic' | 'Token'

/** Why a request was not authenticated: the schemes to offer; the two factor provider where a code is missing or wrong. */
export type Refusal = { schemes: Scheme[]; codeRequired?: string }

export class Unauthorized extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('Authentication is required')
    this.refusal = refusal
  }
}

import { noteFailure } from '#lib/federation/failure.server'
import { finishTrial, type Said } from '#lib/federation/trials.server'
import type { Claims } from '#lib/oidc/claims.server'
import { asProblem } from '#lib/oidc/failure.server'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Each claim as a text: what is none is shown as JSON. */
export const claimTexts = (claims: Claims): Said['attributes'] =>
  Object.entries(claims).map(([name, value]) => ({ name, value: textOf(value) }))

/** Ends a trial of this console session with what the provider says, or with what went wrong instead. */
export const tryOut = (
  request: Request,
  session: string,
  listen: (said: Said) => Promise<void>,
): Promise<Response> =>
  finishTrial(request, { session, provider: 'OPENID' }, async (said) => {
    try {
      await listen(said)
    } catch (error) {
      noteFailure(request, 'a trial of a sign-in by OpenID Connect came to nothing', error)
      throw asProblem(error)
    }
  })

import { noteFailure } from '#lib/federation/failure.server'
import { SignInProblem } from '#lib/federation/problem.server'
import { finishTrial, type Said } from '#lib/federation/trials.server'
import type { Assertion } from '#lib/saml/assertion.server'

/** What the assertion says of somebody, in the order in which it is looked at. */
export const assertionTexts = ({ nameId, attributes }: Assertion): Said['attributes'] => [
  { name: 'NameID', value: nameId.value },
  ...(nameId.format === undefined ? [] : [{ name: 'Format of the NameID', value: nameId.format }]),
  ...[...attributes].map(([name, values]) => ({ name, value: values.join(', ') })),
]

/** Ends a trial of this console session with what the provider says, or with what went wrong instead. */
export const tryOut = (
  request: Request,
  session: string,
  listen: (said: Said) => Promise<void>,
): Promise<Response> =>
  finishTrial(request, { session, provider: 'SAML' }, async (said) => {
    try {
      await listen(said)
    } catch (error) {
      noteFailure(request, 'a trial of a sign-in by SAML came to nothing', error)
      throw error instanceof SignInProblem ? error : new SignInProblem('invalid', { cause: error })
    }
  })

import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { RequestId } from '#components/layout/failure'
import { signInWaysQuery } from '#lib/auth/session.queries'
import { returnAddress } from './place'

/** What became of a sign-in at an identity provider; the codes are the server's. */
const problems = [
  'unreachable',
  'refused',
  'expired',
  'unknown-user',
  'inactive-user',
  'no-role',
  'invalid',
] as const

/** The provider would sign the same person in again without a question. */
const asAnother: readonly string[] = ['unknown-user', 'inactive-user', 'no-role']

/** Where the way back from a provider has ended without a session. */
export function ProviderProblem() {
  const { data: ways } = useQuery(signInWaysQuery)
  const say = useTranslations('signIn.provider')
  const sayCommon = useTranslations('common')
  const query = new URLSearchParams(window.location.search)
  const problem = query.get('problem')
  if (problem === null) return null
  const request = query.get('request') ?? ''
  return (
    <div role="alert">
      <Alert
        type="error"
        header={say('notSignedIn')}
        action={ways?.oidc && asAnother.includes(problem) && <AsAnother />}
        i18nStrings={{ errorIconAriaLabel: sayCommon('errorIcon') }}
      >
        {say(`problems.${problems.find((known) => known === problem) ?? 'invalid'}`)}
        {/^[\x21-\x7e]{1,128}$/.test(request) && <RequestId id={request} />}
      </Alert>
    </div>
  )
}

function AsAnother() {
  const say = useTranslations('signIn.provider')
  return (
    <Button
      formAction="none"
      href={`/api/auth/oidc/login?${new URLSearchParams({ prompt: 'login', returnTo: returnAddress() })}`}
    >
      {say('somebodyElse')}
    </Button>
  )
}

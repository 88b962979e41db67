import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { signInWaysQuery } from '#lib/auth/session.queries'
import { returnAddress } from './place'

/** What became of a sign-in at an identity provider, in plain words; the codes are the server's. */
const problems: Record<string, string> = {
  unreachable: 'The identity provider does not answer at the moment. Try again in a while.',
  refused: 'The identity provider did not sign you in.',
  expired: 'This sign-in took too long, or was begun in another browser. Begin again.',
  'unknown-user': 'You are signed in there, but there is no user for you here. Ask your administrator.',
  'inactive-user': 'Your user may not sign in here. Ask your administrator.',
  'no-role':
    'The identity provider names no role and enterprise for you that there is here. Ask your administrator.',
  invalid:
    'The answer of the identity provider could not be trusted. If it happens again, tell your administrator.',
}

/** The provider would sign the same person in again without a question. */
const asAnother: readonly string[] = ['unknown-user', 'inactive-user', 'no-role']

/** Where the way back from a provider has ended without a session. */
export function ProviderProblem() {
  const { data: ways } = useQuery(signInWaysQuery)
  const query = new URLSearchParams(window.location.search)
  const problem = query.get('problem')
  if (problem === null) return null
  const request = query.get('request') ?? ''
  return (
    <div role="alert">
      <Alert
        type="error"
        header="You are not signed in"
        action={ways?.oidc && asAnother.includes(problem) && <AsAnother />}
        i18nStrings={{ errorIconAriaLabel: 'Error' }}
      >
        {(Object.hasOwn(problems, problem) && problems[problem]) || problems.invalid}
        {/^[\x21-\x7e]{1,128}$/.test(request) && (
          <Box variant="small" display="block" margin={{ top: 'xxs' }} color="inherit">
            Request id <Box variant="code">{request}</Box>
          </Box>
        )}
      </Alert>
    </div>
  )
}

const AsAnother = () => (
  <Button
    formAction="none"
    href={`/api/auth/oidc/login?${new URLSearchParams({ prompt: 'login', returnTo: returnAddress() })}`}
  >
    Sign in as somebody else
  </Button>
)

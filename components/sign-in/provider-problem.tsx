import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { RequestId } from '#components/forms/failure'
import { signInWaysQuery } from '#lib/auth/session.queries'
import { isOfUser, signInProblems, signInSteps } from '#lib/federation/problems'
import { returnAddress } from './place'

/** The reason why the provider's answer started no session. */
export function ProviderProblem() {
  const { data: ways } = useQuery(signInWaysQuery)
  const say = useTranslations('signIn.provider')
  const sayCommon = useTranslations('common')
  const query = new URLSearchParams(window.location.search)
  const problem = query.get('problem')
  if (problem === null) return null
  const step = signInSteps.find((known) => known === query.get('step'))
  return (
    <div role="alert">
      <Alert
        type="error"
        header={say('notSignedIn')}
        action={ways?.oidc && isOfUser(problem) && <AsAnother />}
        i18nStrings={{ errorIconAriaLabel: sayCommon('errorIcon') }}
      >
        {say(`problems.${signInProblems.find((known) => known === problem) ?? 'invalid'}`)}
        {step && (
          <Box variant="small" display="block" margin={{ top: 'xxs' }} color="inherit">
            {say('step')}: {say(`steps.${step}`)}
          </Box>
        )}
        <Details request={query.get('request') ?? ''} />
      </Alert>
    </div>
  )
}

/** The request id, for the log. */
function Details({ request }: { request: string }) {
  const say = useTranslations('signIn.provider')
  if (!/^[\x21-\x7e]{1,128}$/.test(request)) return null
  return (
    <details>
      <summary>{say('details')}</summary>
      <RequestId id={request} />
    </details>
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

import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { AppLink } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { Page } from '#components/layout/page'
import { useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import { ApiFailure } from '#lib/client/api'
import { answerConsent, consentQuery } from '#lib/oauth/applications.queries'
import type { ConsentDocument } from '#lib/oauth/applications.schema'
import { PrivilegeList } from './privilege-list'

/** A program has sent the browser here: the user lets it act in his name, or does not. */
export function Component() {
  const [query] = useSearchParams()
  const token = query.get('oauth_token') ?? ''
  const consent = useQuery({ ...consentQuery(token), enabled: token !== '', retry: false })
  return (
    <Page title="Let a program act in your name?" maxContentWidth={720}>
      {consent.data ? (
        <Consent token={token} consent={consent.data} />
      ) : token === '' || isOver(consent.error) ? (
        <Over />
      ) : consent.error ? (
        <Failure error={consent.error} retry={() => void consent.refetch()} />
      ) : (
        <Spinner size="large" />
      )}
    </Page>
  )
}

const isOver = (error: unknown): boolean => error instanceof ApiFailure && error.has('OAUTH-1')

const Over = () => (
  <Alert
    type="info"
    header="There is nothing to answer any more"
    i18nStrings={{ infoIconAriaLabel: 'Information' }}
  >
    This request was answered already, or is older than ten minutes. Begin again in the program that sent you
    here. What may act in your name is listed in <AppLink to={paths.account()}>My account</AppLink>.
  </Alert>
)

function Consent({ token, consent }: { token: string; consent: ConsentDocument }) {
  const { nick } = useSession()
  const answer = useMutation({
    ...answerConsent(token),
    onSuccess: ({ href }) => window.location.assign(href),
  })
  // The browser is on its way: nothing is to be pressed any more.
  const isUnderWay = answer.isPending || answer.isSuccess
  const busy = (approve: boolean) => isUnderWay && answer.variables === approve
  return (
    <Container
      header={
        <Header variant="h2" description={consent.description || undefined}>
          {consent.application}
        </Header>
      }
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              variant="link"
              loading={busy(false)}
              disabled={isUnderWay}
              onClick={() => answer.mutate(false)}
            >
              Deny
            </Button>
            <Button
              variant="primary"
              loading={busy(true)}
              disabled={isUnderWay}
              onClick={() => answer.mutate(true)}
            >
              Approve
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="l">
        <KeyValuePairs
          columns={3}
          minColumnWidth={180}
          items={[
            { label: 'Registered by', value: consent.owner },
            { label: 'Acts as', value: nick },
            { label: 'Your answer goes to', value: consent.returnsTo ?? 'This browser, as a code to type' },
          ]}
        />
        <div>
          <Box variant="h3">It could, until you take it back:</Box>
          <PrivilegeList names={consent.privileges} />
        </div>
        <Box color="text-body-secondary">
          It never learns your password, and cannot change your account. Approve only what you have just begun
          yourself.
        </Box>
        {answer.isError && <Failure error={answer.error} />}
      </SpaceBetween>
    </Container>
  )
}

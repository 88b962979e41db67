import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Failure } from '#components/layout/failure'
import { Page } from '#components/layout/page'
import { mechanismsQuery } from '#lib/federation/mechanisms.queries'
import type { SignInMechanisms } from '#lib/federation/mechanisms.schema'
import { OnOff, oauthFacts, oidcFacts, passwordFacts, samlFacts, sessionFacts, twoFactorFacts } from './facts'
import { TrialResult } from './trial-result'

/** How one signs in to this installation, for who administers it. */
export function Component() {
  const trial = useSearchParams()[0].get('trial')
  const read = useQuery(mechanismsQuery)
  return (
    <Page
      title="Settings"
      description="How one signs in here. The settings are those that the server was started with; secrets are not shown."
    >
      <SpaceBetween size="l">
        {trial && <TrialResult id={trial} />}
        {read.data ? (
          <Mechanisms mechanisms={read.data} />
        ) : read.isError ? (
          <Failure error={read.error} retry={() => void read.refetch()} />
        ) : (
          <Spinner size="large" />
        )}
      </SpaceBetween>
    </Page>
  )
}

const Mechanisms = ({ mechanisms }: { mechanisms: SignInMechanisms }) => (
  <SpaceBetween size="l">
    <Mechanism
      name="OpenID Connect"
      setting="OIDC_ISSUER"
      facts={mechanisms.oidc && oidcFacts(mechanisms.oidc)}
      test="/api/auth/oidc/login?trial=1&prompt=login"
    />
    <Mechanism
      name="SAML 2.0"
      setting="SAML_IDP_METADATA"
      facts={mechanisms.saml && samlFacts(mechanisms.saml)}
      test="/api/auth/saml/login?trial=1"
    />
    <Mechanism name="Nick and password" facts={passwordFacts(mechanisms)} />
    <Mechanism name="Two factor authentication" facts={twoFactorFacts(mechanisms)} />
    <Mechanism name="Sessions" facts={sessionFacts(mechanisms)} />
    <Mechanism name="OAuth 1.0a" facts={oauthFacts(mechanisms)} />
  </SpaceBetween>
)

type MechanismProps = {
  name: string
  /** What turns it on. */
  setting?: string
  facts: KeyValuePairsProps.Item[] | undefined
  /** Where a sign-in is tried out. */
  test?: string
}

const Mechanism = ({ name, setting, facts, test }: MechanismProps) => (
  <Container
    header={
      <Header
        variant="h2"
        {...(test &&
          facts && {
            description:
              'The test leads to the provider and back. It signs nobody in, and shows what would come of it.',
            actions: (
              <Button href={test} ariaLabel={`Test sign-in by ${name}`}>
                Test sign-in
              </Button>
            ),
          })}
      >
        {name}
      </Header>
    }
  >
    {facts ? (
      <KeyValuePairs columns={3} minColumnWidth={240} items={facts} />
    ) : (
      <SpaceBetween direction="horizontal" size="xs">
        <OnOff on={false} />
        <Box color="text-body-secondary">{setting} turns it on.</Box>
      </SpaceBetween>
    )}
  </Container>
)

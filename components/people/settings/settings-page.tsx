import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { Card } from '#components/frame/layout/card'
import { Page } from '#components/frame/layout/page'
import { WebhooksTable } from '#components/people/webhooks/webhooks-table'
import { TableTabs } from '#components/table/table-tabs'
import { mechanismsQuery } from '#lib/people/federation/mechanisms.queries'
import type { SignInMechanisms } from '#lib/people/federation/mechanisms.schema'
import { OnOff, oauthFacts, oidcFacts, passwordFacts, samlFacts, sessionFacts, twoFactorFacts } from './facts'
import { TrialResult } from './trial-result'

/** The settings that administrators change, or only see. */
export function Component() {
  const say = useTranslations('settings')
  const sayWebhooks = useTranslations('webhooks')
  return (
    <Page title={say('title')}>
      <TableTabs
        label={sayWebhooks('tabsOfSettings')}
        tabs={[
          { id: 'sign-in', label: sayWebhooks('signIn'), content: <SignIn /> },
          { id: 'webhooks', label: sayWebhooks('title'), content: <WebhooksTable /> },
        ]}
      />
    </Page>
  )
}

/** The sign-in mechanisms of the installation. */
function SignIn() {
  const say = useTranslations('settings')
  const trial = useSearchParams()[0].get('trial')
  const read = useQuery(mechanismsQuery)
  return (
    <SpaceBetween size="l">
      <Box variant="p" color="text-body-secondary">
        {say('about')}
      </Box>
      {trial && <TrialResult id={trial} />}
      {read.data ? <Mechanisms mechanisms={read.data} /> : <Waiting read={read} />}
    </SpaceBetween>
  )
}

function Mechanisms({ mechanisms }: { mechanisms: SignInMechanisms }) {
  const say = useTranslations('settings')
  return (
    <SpaceBetween size="l">
      <Mechanism
        name={say('names.oidc')}
        setting="OIDC_ISSUER"
        facts={mechanisms.oidc && oidcFacts(say, mechanisms.oidc)}
        test="/api/auth/oidc/login?trial=1&prompt=login"
      />
      <Mechanism
        name={say('names.saml')}
        setting="SAML_IDP_METADATA"
        facts={mechanisms.saml && samlFacts(say, mechanisms.saml)}
        test="/api/auth/saml/login?trial=1"
      />
      <Mechanism name={say('names.password')} facts={passwordFacts(say, mechanisms)} />
      <Mechanism name={say('names.twoFactor')} facts={twoFactorFacts(say, mechanisms)} />
      <Mechanism name={say('names.sessions')} facts={sessionFacts(say, mechanisms)} />
      <Mechanism name={say('names.oauth')} facts={oauthFacts(say, mechanisms)} />
    </SpaceBetween>
  )
}

type MechanismProps = {
  name: string
  /** The setting that turns the mechanism on. */
  setting?: string
  facts: KeyValuePairsProps.Item[] | undefined
  /** The address that starts a trial sign-in. */
  test?: string
}

function Mechanism({ name, setting = '', facts, test }: MechanismProps) {
  const say = useTranslations('settings')
  return (
    <Card
      title={name}
      {...(test &&
        facts && {
          description: say('testHint'),
          actions: (
            <Button href={test} ariaLabel={say('testBy', { name })}>
              {say('test')}
            </Button>
          ),
        })}
    >
      {facts ? (
        <KeyValuePairs columns={3} minColumnWidth={240} items={facts} />
      ) : (
        <SpaceBetween direction="horizontal" size="xs">
          <OnOff on={false} />
          <Box color="text-body-secondary">{say('turnsOn', { setting })}</Box>
        </SpaceBetween>
      )}
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { Page } from '#components/frame/layout/page'
import { LinkButton } from '#components/kit/button'
import { type Fact, Facts } from '#components/kit/facts'
import { Card, Row, Stack } from '#components/kit/layout'
import { WebhooksTable } from '#components/people/webhooks/webhooks-table'
import { TableTabs } from '#components/table/table-tabs'
import { mechanismsQuery } from '#lib/people/federation/mechanisms.queries'
import type { SignInMechanisms } from '#lib/people/federation/mechanisms.schema'
import { OnOff, oauthFacts, oidcFacts, passwordFacts, samlFacts, sessionFacts, twoFactorFacts } from './facts'
import { Scim } from './scim'
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
          { id: 'scim', label: say('scim.title'), content: <Scim /> },
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
    <Stack gap="l">
      <p className="quiet">{say('about')}</p>
      {trial && <TrialResult id={trial} />}
      {read.data ? <Mechanisms mechanisms={read.data} /> : <Waiting read={read} />}
    </Stack>
  )
}

function Mechanisms({ mechanisms }: { mechanisms: SignInMechanisms }) {
  const say = useTranslations('settings')
  return (
    <Stack gap="l">
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
    </Stack>
  )
}

type MechanismProps = {
  name: string
  /** The setting that turns the mechanism on. */
  setting?: string
  facts: Fact[] | undefined
  /** The address that starts a trial sign-in. */
  test?: string
}

function Mechanism({ name, setting = '', facts, test }: MechanismProps) {
  const say = useTranslations('settings')
  return (
    <Card
      title={name}
      about={test && facts && say('testHint')}
      actions={
        test &&
        facts && (
          <LinkButton label={say('testBy', { name })} href={test}>
            {say('test')}
          </LinkButton>
        )
      }
    >
      {facts ? (
        <Facts columns={3} items={facts} />
      ) : (
        <Row>
          <OnOff on={false} />
          <div className="quiet">{say('turnsOn', { setting })}</div>
        </Row>
      )}
    </Card>
  )
}

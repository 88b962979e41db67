import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { paths } from '#components/base/screens/paths'
import { Card } from '#components/frame/layout/card'
import { trialQuery } from '#lib/people/federation/mechanisms.queries'
import type { SignInTrial } from '#lib/people/federation/mechanisms.schema'
import { isOfUser } from '#lib/people/federation/problems'
import type { Say } from '#lib/words/words'

type Attribute = SignInTrial['attributes'][number]

const columnsOf = (
  say: Say<'settings.trial'>,
  label: Say<'labels'>,
): TableProps.ColumnDefinition<Attribute>[] => [
  { id: 'name', header: label('name'), isRowHeader: true, width: 180, cell: ({ name }) => name },
  { id: 'value', header: say('value'), minWidth: 140, cell: ({ value }) => value },
]

/** The result of a trial sign-in. */
export function TrialResult({ id }: { id: string }) {
  const say = useTranslations('settings.trial')
  const navigate = useNavigate()
  const read = useQuery(trialQuery(id))
  if (read.isError) return <Failure error={read.error} />
  return (
    <Card
      title={say('title')}
      description={say('about')}
      actions={
        <Button onClick={() => void navigate(paths.settings(), { replace: true })}>{say('close')}</Button>
      }
    >
      {read.data ? <Shown trial={read.data} /> : <Spinner size="large" />}
    </Card>
  )
}

function Shown({ trial }: { trial: SignInTrial }) {
  const say = useTranslations('settings.trial')
  const label = useTranslations('labels')
  const sayCommon = useTranslations('common')
  const { type, text, detail } = verdictOf(say, trial)
  const { provider, user, attributes, reason } = trial
  return (
    <SpaceBetween size="l">
      <div role="status">
        <Box variant="h3">
          <StatusIndicator type={type}>{text}</StatusIndicator>
        </Box>
        <Box variant="p">{detail}</Box>
        {reason && (
          <Box variant="p" color="text-body-secondary">
            {say.rich('reason', { code: () => <Box variant="code">{reason}</Box> })}
          </Box>
        )}
      </div>
      {user && (
        <div>
          <Box variant="h3" padding={{ bottom: 'xs' }}>
            {say(`user.${provider}`)}
          </Box>
          <KeyValuePairs columns={3} minColumnWidth={200} items={factsOf(label, user, sayCommon('none'))} />
        </div>
      )}
      {attributes.length > 0 && <Attributes trial={trial} />}
    </SpaceBetween>
  )
}

const factsOf = (
  label: Say<'labels'>,
  { nick, name, surname, email, role, enterprise }: NonNullable<SignInTrial['user']>,
  none: string,
) => [
  { label: label('nick'), value: nick },
  { label: label('name'), value: [name, surname].filter(Boolean).join(' ') || none },
  { label: label('email'), value: email ?? none },
  { label: label('role'), value: role ?? none },
  { label: label('enterprise'), value: enterprise ?? none },
]

function Attributes({ trial: { provider, attributes } }: { trial: SignInTrial }) {
  const say = useTranslations('settings.trial')
  const label = useTranslations('labels')
  const format = useFormatter()
  return (
    <Table
      variant="embedded"
      items={attributes}
      columnDefinitions={columnsOf(say, label)}
      trackBy={({ name, value }) => `${name} ${value}`}
      wrapLines
      ariaLabels={{ tableLabel: say(`attributes.${provider}`) }}
      header={
        <Header variant="h3" counter={`(${format.number(attributes.length)})`}>
          {say(`received.${provider}`)}
        </Header>
      }
    />
  )
}

/** The outcome of a trial, and its explanation. */
type Verdict = { type: 'success' | 'warning' | 'error'; text: string; detail: string }

/** The setting that lets a provider create users. */
const createSetting = { OPENID: 'OIDC_CREATE_USERS', SAML: 'SAML_CREATE_USERS' }
/** The setting that lets a provider sign in users who have a password here. */
const linkSettings = { OPENID: 'OIDC_LINK_EXISTING', SAML: 'SAML_LINK_EXISTING' }

export function verdictOf(
  say: Say<'settings.trial'>,
  { outcome, provider, user }: Pick<SignInTrial, 'outcome' | 'provider' | 'user'>,
): Verdict {
  const nick = user?.nick ?? ''
  const detail = say(`detail.${outcome}`, {
    nick,
    setting: createSetting[provider],
    linkSetting: linkSettings[provider],
  })
  if (outcome === 'known' || outcome === 'followed' || outcome === 'created')
    return { type: 'success', text: say(`verdict.${outcome}`, { nick }), detail }
  return { type: isOfUser(outcome) ? 'warning' : 'error', text: say('verdict.nobody'), detail }
}

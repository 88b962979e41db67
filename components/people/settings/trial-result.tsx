import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { paths } from '#components/base/screens/paths'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Card, Heading, Stack } from '#components/kit/layout'
import { type SimpleColumn, SimpleTable } from '#components/kit/simple-table'
import { Spinner } from '#components/kit/spinner'
import { Status } from '#components/kit/status'
import { trialQuery } from '#lib/people/federation/mechanisms.queries'
import type { SignInTrial } from '#lib/people/federation/mechanisms.schema'
import { isOfUser } from '#lib/people/federation/problems'
import type { Say } from '#lib/words/words'

type Attribute = SignInTrial['attributes'][number]

const columnsOf = (say: Say<'settings.trial'>, label: Say<'labels'>): SimpleColumn<Attribute>[] => [
  { id: 'name', header: label('name'), isRowHeader: true, minWidth: 180, cell: ({ name }) => name },
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
      about={say('about')}
      actions={
        <Button onPress={() => void navigate(paths.settings(), { replace: true })}>{say('close')}</Button>
      }
    >
      {read.data ? <Shown trial={read.data} /> : <Spinner />}
    </Card>
  )
}

function Shown({ trial }: { trial: SignInTrial }) {
  const say = useTranslations('settings.trial')
  const label = useTranslations('labels')
  const sayCommon = useTranslations('common')
  const { kind, text, detail } = verdictOf(say, trial)
  const { provider, user, attributes, reason } = trial
  return (
    <Stack gap="l">
      <div role="status">
        <h3>
          <Status kind={kind}>{text}</Status>
        </h3>
        <p>{detail}</p>
        {reason && <p className="quiet">{say.rich('reason', { code: () => <code>{reason}</code> })}</p>}
      </div>
      {user && (
        <div>
          <h3>{say(`user.${provider}`)}</h3>
          <Facts columns={3} items={factsOf(label, user, sayCommon('none'))} />
        </div>
      )}
      {attributes.length > 0 && <Attributes trial={trial} />}
    </Stack>
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
    <div>
      <Heading level={3} counter={`(${format.number(attributes.length)})`}>
        {say(`received.${provider}`)}
      </Heading>
      <SimpleTable
        label={say(`attributes.${provider}`)}
        rows={attributes}
        columns={columnsOf(say, label)}
        keyOf={({ name, value }) => `${name} ${value}`}
      />
    </div>
  )
}

/** The outcome of a trial, and its explanation. */
type Verdict = { kind: 'good' | 'warn' | 'bad'; text: string; detail: string }

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
    return { kind: 'good', text: say(`verdict.${outcome}`, { nick }), detail }
  return { kind: isOfUser(outcome) ? 'warn' : 'bad', text: say('verdict.nobody'), detail }
}

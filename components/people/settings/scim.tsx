import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { Waiting } from '#components/base/forms/failure'
import { AppLink } from '#components/base/screens/app-link'
import { ExactTime } from '#components/base/screens/moments'
import { paths } from '#components/base/screens/paths'
import { useTranslateFault } from '#components/base/screens/words'
import { ScreenLink } from '#components/base/session/screen-link'
import { Card, Stack } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { type SimpleColumn, SimpleTable } from '#components/kit/simple-table'
import { Tool } from '#components/kit/tool'
import { NothingYet } from '#components/table/table-states'
import { linkOf } from '#lib/ground/http/view'
import { scimStatusQuery } from '#lib/people/scim/status.queries'
import type { ScimStatus } from '#lib/people/scim/status.schema'
import type { TranslateFault } from '#lib/words/translation'
import type { Say } from '#lib/words/words'

type SayScim = Say<'settings.scim'>
type Token = ScimStatus['tokens'][number]
type Refusal = ScimStatus['refusals'][number]

/** The address of SCIM for a directory, and how directories use it. */
export function Scim() {
  const say = useTranslations('settings.scim')
  const translate = useTranslateFault()
  const read = useQuery(scimStatusQuery)
  if (!read.data) return <Waiting read={read} />
  const again = (
    <Tool
      icon={screenIcons.refresh}
      label={say('again')}
      busy={read.isFetching}
      busyText={say('loading')}
      onPress={() => void read.refetch()}
    />
  )
  return (
    <Stack gap="l">
      <p className="quiet">{say('about')}</p>
      <Address address={read.data.address} />
      <Card title={say('tokens')} level={2} actions={again}>
        <SimpleTable
          label={say('tokens')}
          rows={read.data.tokens}
          columns={tokenColumns(say)}
          keyOf={({ id }) => id}
          empty={<NothingYet title={say('noTokens')} hint={say('noTokensHint')} />}
        />
      </Card>
      <Card title={say('refusals')} level={2} about={say('refusalsAbout')}>
        <SimpleTable
          label={say('refusals')}
          rows={read.data.refusals}
          columns={refusalColumns(say, translate)}
          keyOf={({ id }) => id}
          empty={<NothingYet title={say('noRefusals')} hint={say('noRefusalsHint')} />}
        />
      </Card>
    </Stack>
  )
}

function Address({ address }: { address: string }) {
  const say = useTranslations('settings')
  const label = say('scim.address')
  return (
    <Card title={label} level={2}>
      <Stack>
        <Copy inline text={address} label={say('copy', { label })} />
        <AppLink to={paths.help('scim')}>{say('scim.howTo')}</AppLink>
      </Stack>
    </Card>
  )
}

const tokenColumns = (say: SayScim): SimpleColumn<Token>[] => [
  {
    id: 'token',
    header: say('token'),
    isRowHeader: true,
    minWidth: 160,
    cell: ({ links, name }) => <ScreenLink link={linkOf({ links }, 'accesstoken')}>{name}</ScreenLink>,
  },
  {
    id: 'user',
    header: say('user'),
    minWidth: 140,
    cell: ({ links, user }) => <ScreenLink link={linkOf({ links }, 'user')}>{user}</ScreenLink>,
  },
  { id: 'used', header: say('lastUsed'), minWidth: 180, cell: ({ lastUsed }) => <ExactTime at={lastUsed} /> },
  { id: 'expires', header: say('expires'), minWidth: 180, cell: ({ expires }) => <ExactTime at={expires} /> },
]

const refusalColumns = (say: SayScim, translate: TranslateFault): SimpleColumn<Refusal>[] => [
  {
    id: 'refused',
    header: say('when'),
    isRowHeader: true,
    minWidth: 180,
    cell: ({ refused }) => <ExactTime at={refused} />,
  },
  {
    id: 'request',
    header: say('request'),
    minWidth: 220,
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  {
    id: 'reason',
    header: say('reason'),
    minWidth: 280,
    cell: ({ status, code, message }) => `${status} ${code}: ${translate({ code, message }).text}`,
  },
  {
    id: 'user',
    header: say('user'),
    minWidth: 160,
    cell: ({ user, token }) => (token === undefined ? user : `${user}, ${token}`),
  },
]

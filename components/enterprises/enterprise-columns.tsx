import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import type { TableColumn } from '#components/table/table-columns'
import { type LinkDocument, linkOf } from '#lib/http/view'
import type { EnterpriseDocument } from '#lib/identity/identity.schema'
import type { Say } from '#lib/words/words'

type Options = {
  maySeeUsers: boolean
  /** The screen behind a link, where there is one that the reader may open. */
  screenOf: (link: LinkDocument | undefined) => string | undefined
}

export const enterpriseColumns = (
  say: Say<'enterprises.list'>,
  { maySeeUsers, screenOf }: Options,
): TableColumn<EnterpriseDocument>[] => [
  {
    id: 'name',
    header: say('name'),
    by: 'name',
    isRowHeader: true,
    width: 280,
    cell: ({ id, name }) => <AppLink to={paths.enterprise(id)}>{name}</AppLink>,
  },
  {
    id: 'twoFactor',
    header: say('twoFactor'),
    width: 200,
    cell: ({ twoFactorAuthenticationMandatory }) =>
      twoFactorAuthenticationMandatory ? (
        <StatusIndicator type="success">{say('mandatory')}</StatusIndicator>
      ) : (
        <Box color="text-body-secondary">{say('optional')}</Box>
      ),
  },
  {
    id: 'scope',
    header: say('scope'),
    width: 240,
    cell: (enterprise) => {
      const link = linkOf(enterprise, 'scope')
      const screen = screenOf(link)
      if (!link) return <Box color="text-body-secondary">{say('scopeHidden')}</Box>
      return screen ? <AppLink to={screen}>{link.title ?? '–'}</AppLink> : (link.title ?? '–')
    },
  },
  ...(maySeeUsers
    ? [
        {
          id: 'users',
          header: say('users'),
          width: 140,
          cell: ({ id, name }: EnterpriseDocument) => (
            <AppLink to={paths.enterprise(id, 'users')} ariaLabel={say('usersOf', { enterprise: name })}>
              {say('showUsers')}
            </AppLink>
          ),
        },
      ]
    : []),
  { id: 'id', header: say('id'), by: 'id', width: 100, minWidth: 80, hidden: true, cell: ({ id }) => id },
]

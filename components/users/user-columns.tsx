import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import type { ReactNode } from 'react'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { ScreenLink } from '#components/session/screen-link'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { linkOf } from '#lib/http/view'
import type { UserDocument } from '#lib/identity/identity.schema'
import { enterpriseOfUser, hasTwoFactor } from '#lib/identity/users.queries'
import type { Say } from '#lib/words/words'
import { localeName } from './locales'

type UserColumnOptions = {
  /** The id of the reader. */
  self: number
  locale: string
  /** Every user of the list is of one enterprise. */
  ofOneEnterprise?: boolean
}

type Column = TableColumn<UserDocument>

const shownNetworks = 2

export const fullName = ({ name, surname }: Pick<UserDocument, 'name' | 'surname'>): string =>
  [name, surname].filter(Boolean).join(' ')

export function userColumns(say: Say<'users'>, options: UserColumnOptions): Column[] {
  const { self, locale, ofOneEnterprise = false } = options
  return [
    {
      id: 'nick',
      by: 'nick',
      isRowHeader: true,
      width: 190,
      cell: (user) => (
        <>
          <AppLink to={paths.user(enterpriseOfUser(user) ?? 0, user.id)}>{user.nick}</AppLink>{' '}
          {user.id === self && <Badge>{say('list.you')}</Badge>}
        </>
      ),
    },
    { id: 'fullName', header: say('list.fullName'), by: 'name', width: 160, cell: fullName },
    { id: 'email', width: 210, cell: ({ email }) => email || '–' },
    {
      id: 'enterprise',
      width: 160,
      hidden: ofOneEnterprise,
      cell: (user) => <ScreenLink link={linkOf(user, 'enterprise')} />,
    },
    { id: 'role', width: 200, cell: (user) => <ScreenLink link={linkOf(user, 'role')} /> },
    {
      id: 'scope',
      width: 160,
      cell: (user) =>
        linkOf(user, 'scope') ? (
          <ScreenLink link={linkOf(user, 'scope')} />
        ) : (
          <Box color="text-body-secondary">{say('list.defaultScope')}</Box>
        ),
    },
    { id: 'twoFactor', width: 110, cell: (user) => twoFactorState(say, user) },
    { id: 'active', header: say('list.active'), width: 110, cell: (user) => activeState(say, user) },
    { id: 'locked', header: say('list.locked'), width: 120, cell: (user) => lockState(say, user) },
    ...extraColumns(say, locale),
  ]
}

/** Columns that a reader can add. */
function extraColumns(say: Say<'users'>, locale: string): Column[] {
  return [
    { id: 'password', width: 220, hidden: true, cell: (user) => passwordState(say, user) },
    {
      id: 'networks',
      header: say('list.networks'),
      width: 220,
      hidden: true,
      cell: (user) => networksOf(say, user),
    },
    { id: 'language', width: 200, hidden: true, cell: (user) => localeName(user.locale, locale) },
    { id: 'description', width: 240, hidden: true, cell: ({ description }) => description || '–' },
    idColumn,
  ]
}

const twoFactorState = (say: Say<'users'>, user: UserDocument): ReactNode =>
  hasTwoFactor(user) ? (
    <StatusIndicator type="success">{say('state.on')}</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">{say('state.off')}</StatusIndicator>
  )

export const activeState = (say: Say<'users'>, { active }: UserDocument): ReactNode =>
  active ? (
    <StatusIndicator type="success">{say('state.active')}</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">{say('state.disabled')}</StatusIndicator>
  )

export const lockState = (say: Say<'users'>, { locked }: UserDocument): ReactNode =>
  locked ? (
    <StatusIndicator type="warning">{say('state.locked')}</StatusIndicator>
  ) : (
    <Box color="text-body-secondary">{say('state.open')}</Box>
  )

/** Who chose the password. Users of an external provider have none. */
export function passwordState(say: Say<'users'>, { authType, firstLogin }: UserDocument): ReactNode {
  if (authType !== 'LOCAL') return '–'
  return say(firstLogin ? 'list.passwordGiven' : 'list.passwordChosen')
}

function networksOf(say: Say<'users'>, { allowedCIDRs }: UserDocument): ReactNode {
  if (allowedCIDRs.length === 0) return say('list.everywhere')
  const names = allowedCIDRs.slice(0, shownNetworks).join(', ')
  const more = allowedCIDRs.length - shownNetworks
  return more > 0 ? say('list.networksAndMore', { names, count: more }) : names
}

import type { ReactNode } from 'react'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { CellBadge, Mark } from '#components/table/cells'
import { Ends, EndsSoon } from '#components/table/ends'
import { tagsColumn } from '#components/table/notes'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { linkOf } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, hasTwoFactor, isService } from '#lib/people/identity/users.queries'
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

const states = { display: 'inline-flex', flexWrap: 'wrap', columnGap: 12 } as const

export const fullName = ({ name, surname }: Pick<UserDocument, 'name' | 'surname'>): string =>
  [name, surname].filter(Boolean).join(' ')

export function userColumns(say: Say<'users'>, options: UserColumnOptions): Column[] {
  const { self, locale, ofOneEnterprise = false } = options
  return [
    {
      id: 'nick',
      by: 'nick',
      isRowHeader: true,
      small: 'first',
      cell: (user) => (
        <>
          <AppLink to={paths.user(enterpriseOfUser(user) ?? 0, user.id)}>{user.nick}</AppLink>{' '}
          {user.id === self && <CellBadge>{say('list.you')}</CellBadge>}
          {isService(user) && <CellBadge>{say('service.title')}</CellBadge>}
        </>
      ),
    },
    { id: 'fullName', header: say('list.fullName'), by: 'name', small: 'below', cell: fullName },
    { id: 'twoFactor', cell: (user) => twoFactorState(say, user) },
    {
      id: 'state',
      small: 'end',
      cell: (user) => (
        <span style={states}>
          {userState(say, user)} <EndsSoon ends={user.ends} />
        </span>
      ),
    },
    {
      id: 'enterprise',
      hidden: ofOneEnterprise,
      small: 'below',
      cell: (user) => <ScreenLink link={linkOf(user, 'enterprise')} />,
    },
    { id: 'role', cell: (user) => <ScreenLink link={linkOf(user, 'role')} /> },
    { id: 'email', hidden: true, cell: ({ email }) => email || '–' },
    ...extraColumns(say, locale),
  ]
}

/** Columns that a reader can add. */
function extraColumns(say: Say<'users'>, locale: string): Column[] {
  return [
    {
      id: 'scope',
      hidden: true,
      cell: (user) =>
        linkOf(user, 'scope') ? (
          <ScreenLink link={linkOf(user, 'scope')} />
        ) : (
          <div className="quiet">{say('list.defaultScope')}</div>
        ),
    },
    { id: 'password', hidden: true, cell: (user) => passwordState(say, user) },
    {
      id: 'networks',
      header: say('list.networks'),
      hidden: true,
      cell: (user) => networksOf(say, user),
    },
    { id: 'language', hidden: true, cell: (user) => localeName(user.locale, locale) },
    { id: 'description', hidden: true, maxWidth: 400, cell: ({ description }) => description || '–' },
    { id: 'ends', header: say('list.ends'), hidden: true, cell: ({ ends }) => <Ends ends={ends} /> },
    tagsColumn,
    idColumn,
  ]
}

const twoFactorState = (say: Say<'users'>, user: UserDocument): ReactNode =>
  isService(user) ? (
    '–'
  ) : hasTwoFactor(user) ? (
    <Mark kind="good">{say('state.on')}</Mark>
  ) : (
    <Mark kind="off">{say('state.off')}</Mark>
  )

export const activeState = (say: Say<'users'>, { active }: UserDocument): ReactNode =>
  active ? <Mark kind="good">{say('state.active')}</Mark> : <Mark kind="off">{say('state.disabled')}</Mark>

export const lockState = (say: Say<'users'>, { locked }: UserDocument): ReactNode =>
  locked ? (
    <Mark kind="warning">{say('state.locked')}</Mark>
  ) : (
    <div className="quiet">{say('state.open')}</div>
  )

/** A user can be disabled and locked at the same time. */
const userState = (say: Say<'users'>, user: UserDocument): ReactNode =>
  user.locked && !user.active ? (
    <span style={states}>
      {activeState(say, user)} {lockState(say, user)}
    </span>
  ) : user.locked ? (
    lockState(say, user)
  ) : user.invited && user.active ? (
    <Mark kind="unknown">{say('state.invited')}</Mark>
  ) : (
    activeState(say, user)
  )

/** The origin of the password. Users of an external provider have none. */
export function passwordState(say: Say<'users'>, { authType, firstLogin, invited }: UserDocument): ReactNode {
  if (authType !== 'LOCAL') return '–'
  if (invited) return say('list.passwordInvited')
  return say(firstLogin ? 'list.passwordGiven' : 'list.passwordChosen')
}

function networksOf(say: Say<'users'>, { allowedCIDRs }: UserDocument): ReactNode {
  if (allowedCIDRs.length === 0) return say('list.everywhere')
  const names = allowedCIDRs.slice(0, shownNetworks).join(', ')
  const more = allowedCIDRs.length - shownNetworks
  return more > 0 ? say('list.networksAndMore', { names, count: more }) : names
}

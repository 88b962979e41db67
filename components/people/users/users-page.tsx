import { useLocale, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay, useMayPick, useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { useSelection } from '#components/table/bulk'
import { csvHref } from '#components/table/csv-link'
import { useEndsToken } from '#components/table/ends-token'
import { listLoader, type RequestedTable } from '#components/table/list-loader'
import { useTagToken } from '#components/table/notes'
import { ServerTable } from '#components/table/server-table'
import { changedToken, namedToken, type Token } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, usersPath, usersQuery } from '#lib/people/identity/users.queries'
import { filterText } from '#lib/record/jobs/bulk.queries'
import { useUserBulk } from './use-user-bulk'
import { userColumns } from './user-columns'

/** The filters of a list of users, beside text. */
const userFilters = {
  changed: 'change',
  tag: 'text',
  enterprise: 'id',
  role: 'id',
  idScope: 'id',
  active: ['true', 'false'],
  locked: ['true', 'false'],
  twofactor: ['true', 'false'],
  service: ['true', 'false'],
  endsbefore: 'moment',
} as const

type Filter = keyof typeof userFilters

/** The state of the list that the address keeps. */
const userListSpec = (ofOneEnterprise: boolean) => ({
  name: ofOneEnterprise ? 'enterprise-users' : 'users',
  ...(ofOneEnterprise && { prefix: 'users' }),
  by: 'nick',
  orders: ['nick', 'name', 'id'],
  filters: userFilters,
})

function userListQuery(table: RequestedTable<keyof typeof userFilters>, fixed?: number) {
  const { enterprise: chosen, ...query } = { enterprise: undefined, ...table.query }
  return { enterprise: fixed ?? (chosen === undefined ? undefined : Number(chosen)), query }
}

export const loader = listLoader(userListSpec(false), (client, table) => {
  const { enterprise, query } = userListQuery(table)
  return client.prefetchQuery(usersQuery(enterprise, query))
})

export function Component() {
  const say = useTranslations('users.list')
  return (
    <Page isList title={say('title')} description={say('about')}>
      <UsersTable title={say('all')} />
    </Page>
  )
}

/** The users of one enterprise, or of all that the reader sees. */
export function UsersTable({ enterprise: fixed, title }: { enterprise?: number; title: string }) {
  const say = useTranslations('users')
  const label = useTranslations('labels')
  const ofOneEnterprise = fixed !== undefined
  const table = useTableState(userListSpec(ofOneEnterprise))
  const { enterprise, query } = userListQuery(table, fixed)
  const list = useList(table, (startwith) => usersQuery(enterprise, { ...query, startwith }))
  const selection = useSelection(({ nick }: UserDocument) => nick)
  const bulk = useUserBulk(enterprise, selection.selected)
  const session = useSession()
  const options = { self: session.id, locale: useLocale(), ofOneEnterprise }
  const create = useMay(...access.manageUsers) && (
    <AppButton look="main" data-key="n" to={paths.newUser(enterprise)}>
      {label('createUser')}
    </AppButton>
  )
  return (
    <ServerTable
      entity="user"
      title={title}
      table={table}
      list={list}
      columns={userColumns(say, options)}
      filterLabel={say('list.filter')}
      tokens={useUserTokens(ofOneEnterprise)}
      csv={csvHref(usersPath(enterprise), query)}
      imports={fixed === undefined ? 'users' : undefined}
      actions={create}
      selection={bulk.length > 0 ? selection : undefined}
      bulk={bulk.length > 0 ? bulk : undefined}
      bulkFilter={bulk.length > 0 ? filterText(query) : undefined}
      details={(user) => ({
        title: user.nick,
        to: paths.user(enterpriseOfUser(user) ?? 0, user.id),
      })}
      empty={{ title: say('list.empty'), hint: say('list.emptyHint'), action: create }}
    />
  )
}

const state = (key: Filter, label: string, [yes, no]: [string, string]): Token<Filter> => ({
  key,
  label,
  values: [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ],
})

function useUserTokens(ofOneEnterprise: boolean): Token<Filter>[] {
  const say = useTranslations('users')
  const label = useTranslations('labels')
  const mayPickEnterprise = useMayPick('enterprise')
  return [
    ...(mayPickEnterprise && !ofOneEnterprise
      ? [namedToken('enterprise', label('enterprise'), 'enterprise')]
      : []),
    ...(useMayPick('role') ? [namedToken('role', label('role'), 'role')] : []),
    ...(useMayPick('scope') ? [namedToken('idScope', say('list.ownScope'), 'scope')] : []),
    state('active', say('list.active'), [say('state.active'), say('state.disabled')]),
    state('locked', say('list.locked'), [say('state.locked'), say('state.open')]),
    state('twofactor', label('twoFactor'), [say('state.on'), say('state.off')]),
    changedToken(label('changed')),
    useTagToken(),
    useEndsToken(),
    state('service', say('form.kind.label'), [say('form.kind.service'), say('form.kind.person')]),
  ]
}

import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { useMayPick } from '#components/forms/named-picker'
import { access } from '#components/screens/access'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay, useScreenOf, useSession } from '#components/session/session'
import { useSelection } from '#components/table/bulk'
import { csvHref } from '#components/table/csv-link'
import type { AskedTable } from '#components/table/list-loader'
import { ServerTable } from '#components/table/server-table'
import { useTableState } from '#components/table/use-table-state'
import type { UserDocument } from '#lib/identity/identity.schema'
import { usersPath, usersQuery } from '#lib/identity/users.queries'
import { useUserBulk } from './use-user-bulk'
import { userColumns } from './user-columns'
import { userFilters, userTokens } from './user-tokens'

/** What the list of users keeps in the address. */
export const userListSpec = (ofOneEnterprise: boolean) => ({
  name: ofOneEnterprise ? 'enterprise-users' : 'users',
  ...(ofOneEnterprise && { prefix: 'users' }),
  by: 'nick',
  orders: ['nick', 'name', 'id'],
  filters: userFilters,
})

/** What it asks the API for. */
export function userListQuery(table: AskedTable<keyof typeof userFilters>, fixed?: number) {
  const { enterprise: chosen, ...query } = { enterprise: undefined, ...table.query }
  return { enterprise: fixed ?? (chosen === undefined ? undefined : Number(chosen)), query }
}

/** The users of one enterprise, or of all that the reader sees. */
export function UsersTable({ enterprise: fixed, title }: { enterprise?: number; title: string }) {
  const say = useTranslations('users')
  const ofOneEnterprise = fixed !== undefined
  const table = useTableState(userListSpec(ofOneEnterprise))
  const { enterprise, query } = userListQuery(table, fixed)
  const list = useQuery(usersQuery(enterprise, query))
  const selection = useSelection(({ nick }: UserDocument) => nick)
  const bulk = useUserBulk()
  const follow = useFollow()
  const session = useSession()
  const options = { self: session.id, locale: useLocale(), screenOf: useScreenOf(), ofOneEnterprise }
  const may = { enterprise: useMayPick('enterprise'), role: useMayPick('role'), scope: useMayPick('scope') }
  const create = useMay(...access.manageUsers) && (
    <Button variant="primary" href={paths.newUser(enterprise)} onFollow={follow}>
      {say('list.create')}
    </Button>
  )
  return (
    <ServerTable
      title={title}
      table={table}
      list={list}
      columns={userColumns(say, options)}
      filterLabel={say('list.filter')}
      tokens={userTokens(say, may, { ofOneEnterprise })}
      csv={csvHref(usersPath(enterprise), query)}
      actions={create}
      {...(bulk.length > 0 && { selection, bulk })}
      empty={{ title: say('list.empty'), hint: say('list.emptyHint'), action: create }}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { useTableState } from '#components/table/use-table-state'
import { linkOf } from '#lib/http/view'
import { enterprisesQuery } from '#lib/identity/enterprises.queries'
import type { EnterpriseDocument, RoleDocument, UserDocument } from '#lib/identity/identity.schema'
import { rolesQuery } from '#lib/identity/roles.queries'
import { enterpriseOfUser, usersQuery } from '#lib/identity/users.queries'
import type { Say } from '#lib/words/words'

type OfScope = { scope: number }

const titleOf = (document: UserDocument | RoleDocument, rel: string): string | undefined =>
  linkOf(document, rel)?.title

const userColumns = (say: Say<'scopes.users'>): TableColumn<UserDocument>[] => [
  {
    id: 'nick',
    header: say('nick'),
    by: 'nick',
    isRowHeader: true,
    width: 220,
    cell: (user) => <AppLink to={paths.user(enterpriseOfUser(user) ?? '_', user.id)}>{user.nick}</AppLink>,
  },
  { id: 'name', header: say('name'), width: 200, cell: ({ name, surname }) => `${name} ${surname}`.trim() },
  { id: 'enterprise', header: say('enterprise'), width: 200, cell: (user) => titleOf(user, 'enterprise') },
  { id: 'role', header: say('role'), width: 200, cell: (user) => titleOf(user, 'role') },
  { id: 'email', header: say('email'), width: 240, hidden: true, cell: ({ email }) => email || '–' },
]

/** The users who hold the scope themselves. */
export function UsersOfScope({ scope }: OfScope) {
  const say = useTranslations('scopes.users')
  const table = useTableState({ name: 'scope-users', prefix: 'users', by: 'nick', orders: ['nick', 'id'] })
  return (
    <ServerTable
      title={say('title')}
      description={say('about')}
      table={table}
      list={useQuery(usersQuery(undefined, { ...table.query, idScope: scope }))}
      columns={userColumns(say)}
      filterLabel={say('find')}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}

const roleColumns = (say: Say<'scopes.roles'>): TableColumn<RoleDocument>[] => [
  {
    id: 'name',
    header: say('name'),
    by: 'name',
    isRowHeader: true,
    width: 280,
    cell: ({ id, name }) => <AppLink to={paths.role(id)}>{name}</AppLink>,
  },
  {
    id: 'enterprise',
    header: say('enterprise'),
    cell: (role) => titleOf(role, 'enterprise') ?? say('every'),
  },
]

/** The roles that are tied to the scope. */
export function RolesOfScope({ scope }: OfScope) {
  const say = useTranslations('scopes.roles')
  const table = useTableState({ name: 'scope-roles', prefix: 'roles', by: 'name', orders: ['name', 'id'] })
  return (
    <ServerTable
      title={say('title')}
      description={say('about')}
      table={table}
      list={useQuery(rolesQuery({ ...table.query, idScope: scope }))}
      columns={roleColumns(say)}
      filterLabel={say('find')}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}

const enterpriseColumns = (say: Say<'scopes.defaults'>): TableColumn<EnterpriseDocument>[] => [
  {
    id: 'name',
    header: say('name'),
    by: 'name',
    isRowHeader: true,
    width: 280,
    cell: ({ id, name }) => <AppLink to={paths.enterprise(id)}>{name}</AppLink>,
  },
  { id: 'id', header: say('id'), by: 'id', cell: ({ id }) => id },
]

/** The enterprises whose default scope it is. */
export function DefaultOfEnterprises({ scope }: OfScope) {
  const say = useTranslations('scopes.defaults')
  const table = useTableState({
    name: 'scope-defaults',
    prefix: 'defaults',
    by: 'name',
    orders: ['name', 'id'],
  })
  return (
    <ServerTable
      title={say('title')}
      description={say('about')}
      table={table}
      list={useQuery(enterprisesQuery({ ...table.query, idScope: scope }))}
      columns={enterpriseColumns(say)}
      filterLabel={say('find')}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}

import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { EventsOf } from '#components/events/events-of'
import { Button } from '#components/kit/button'
import { Card } from '#components/kit/layout'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { NothingYet } from '#components/table/table-states'
import { TableTabs } from '#components/table/table-tabs'
import { useList } from '#components/table/use-list'
import { type TableState, useTableState } from '#components/table/use-table-state'
import type { ScopeDocument } from '#lib/caller/scopes/scopes.schema'
import type { collectionQuery } from '#lib/client/resources.queries'
import { linkOf } from '#lib/ground/http/view'
import { enterprisesQuery } from '#lib/people/identity/enterprises.queries'
import type { EnterpriseDocument, RoleDocument, UserDocument } from '#lib/people/identity/identity.schema'
import { rolesQuery } from '#lib/people/identity/roles.queries'
import { enterpriseOfUser, usersQuery } from '#lib/people/identity/users.queries'
import type { Say } from '#lib/words/words'
import { Carried, useCarrying } from './carrying'
import { useOpenScopes } from './open-scopes'
import type { ScopeRequest } from './scope-menu'
import { ScopeTreeGrid } from './scope-tree'
import { useScopeTree } from './use-scope-tree'

type ScopeTabsProps = { scope: ScopeDocument; onRequest: (request: ScopeRequest) => void }

/** The scopes below a scope, the users, roles and enterprises that use it, and its events. */
export function ScopeTabs({ scope, onRequest }: ScopeTabsProps) {
  const say = useTranslations('scopes')
  const label = useTranslations('labels')
  const maySeeUsers = useMay(...access.users)
  const maySeeRoles = useMay(...access.roles)
  const maySeeEnterprises = useMay(...access.enterprises)
  return (
    <TableTabs
      label={say('page.tabs', { name: scope.name })}
      tabs={[
        {
          id: 'below',
          label: say('below.title'),
          content: <ScopesBelow scope={scope} onRequest={onRequest} />,
        },
        {
          id: 'users',
          content: (
            <UsesOfScope
              use="users"
              by="nick"
              title={label('users')}
              columns={userColumns}
              filterLabel={say('users.find')}
              queryOf={(query) => usersQuery(undefined, { ...query, idScope: scope.id })}
            />
          ),
          missing: !maySeeUsers && 'USERS_VIEW',
        },
        {
          id: 'roles',
          label: say('roles.title'),
          content: (
            <UsesOfScope
              use="roles"
              by="name"
              title={say('roles.title')}
              columns={roleColumns(say)}
              filterLabel={label('findRoles')}
              queryOf={(query) => rolesQuery({ ...query, idScope: scope.id })}
            />
          ),
          missing: !maySeeRoles && 'USERS_VIEW_PRIVILEGES',
        },
        {
          id: 'enterprises',
          label: say('defaults.title'),
          content: (
            <UsesOfScope
              use="defaults"
              by="name"
              title={say('defaults.title')}
              columns={enterpriseColumns}
              filterLabel={label('findEnterprises')}
              queryOf={(query) => enterprisesQuery({ ...query, idScope: scope.id })}
            />
          ),
          missing: !maySeeEnterprises && 'ENTERPRISE_ENUMERATE',
        },
        { id: 'events', content: <EventsOf entity="scope" entityid={scope.id} /> },
      ]}
    />
  )
}

function ScopesBelow({ scope, onRequest }: ScopeTabsProps) {
  const say = useTranslations('scopes')
  const format = useFormatter()
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const navigate = useNavigate()
  const { open, change } = useOpenScopes(`scopes.open.${scope.id}`)
  const tree = useScopeTree({ root: scope.id, open, onOpenChange: change })
  const { carried, putBack, carrying } = useCarrying(tree, onRequest)
  const { total, status } = tree.branch(0)
  const newScope = (
    <Button onPress={() => void navigate(paths.newScope(scope.id))}>{say('menu.newChild')}</Button>
  )
  return (
    <Card
      title={say('below.title')}
      counter={status !== 'loading' ? `(${format.number(total)})` : undefined}
      about={say('below.about')}
      actions={mayChange && total > 0 && newScope}
    >
      {carried && <Carried name={carried.name} onPutBack={putBack} />}
      <ScopeTreeGrid
        tree={tree}
        label={say('below.label', { name: scope.name })}
        carried={carried?.id}
        carrying={carrying}
        onRequest={mayChange ? onRequest : undefined}
        empty={
          <NothingYet
            title={say('below.empty')}
            hint={say('below.emptyHint')}
            action={mayChange && newScope}
          />
        }
      />
    </Card>
  )
}

const userColumns: TableColumn<UserDocument>[] = [
  {
    id: 'nick',
    by: 'nick',
    isRowHeader: true,
    cell: (user) => <AppLink to={paths.user(enterpriseOfUser(user) ?? '_', user.id)}>{user.nick}</AppLink>,
  },
  { id: 'name', cell: ({ name, surname }) => `${name} ${surname}`.trim() },
  { id: 'enterprise', cell: (user) => <ScreenLink link={linkOf(user, 'enterprise')} /> },
  { id: 'role', cell: (user) => <ScreenLink link={linkOf(user, 'role')} /> },
  { id: 'email', hidden: true, cell: ({ email }) => email || '–' },
]

const roleColumns = (say: Say<'scopes'>): TableColumn<RoleDocument>[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.role(id)}>{name}</AppLink>,
  },
  {
    id: 'enterprise',
    cell: (role) => {
      const link = linkOf(role, 'enterprise')
      return link ? <ScreenLink link={link} /> : say('roles.every')
    },
  },
]

const enterpriseColumns: TableColumn<EnterpriseDocument>[] = [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.enterprise(id)}>{name}</AppLink>,
  },
  { id: 'id', by: 'id', cell: ({ id }) => id },
]

type UsesProps<Row extends { id: number }> = Pick<
  ComponentProps<typeof ServerTable<Row>>,
  'title' | 'columns' | 'filterLabel'
> & {
  use: 'users' | 'roles' | 'defaults'
  by: string
  queryOf: (query: TableState['query']) => ReturnType<typeof collectionQuery<Row>>
}

/** The uses of the scope: users with this scope, roles that are tied to it, or enterprises with it as their default. */
function UsesOfScope<Row extends { id: number }>({ use, by, queryOf, ...shown }: UsesProps<Row>) {
  const say = useTranslations('scopes')
  const table = useTableState({ name: `scope-${use}`, prefix: use, by })
  return (
    <ServerTable
      {...shown}
      description={say(`${use}.about`)}
      table={table}
      list={useList(table, (startwith) => queryOf({ ...table.query, startwith }))}
      empty={{ title: say(`${use}.empty`), hint: say(`${use}.emptyHint`) }}
    />
  )
}

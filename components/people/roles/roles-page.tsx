import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay, useMayPick } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Row } from '#components/kit/layout'
import { Badge } from '#components/kit/status'
import { useUsersColumn } from '#components/people/users/users-column'
import { useSelection } from '#components/table/bulk'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { noteColumns, useTagToken } from '#components/table/notes'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { TableTabs } from '#components/table/table-tabs'
import { changedToken, namedToken, type Token } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { linkOf } from '#lib/ground/http/view'
import type { RoleDocument } from '#lib/people/identity/identity.schema'
import { rolesPath, rolesQuery } from '#lib/people/identity/roles.queries'
import type { Say } from '#lib/words/words'
import { CompareRoles, mostCompared } from './compare-roles'

const filters = { identerprise: 'id', idScope: 'id', changed: 'change', tag: 'text' } as const

const spec = { name: 'roles', by: 'name', filters } as const

export const loader = listLoader(spec, (client, { query }) => client.prefetchQuery(rolesQuery(query)))

export function Component() {
  const say = useTranslations('roles.list')
  return (
    <Page title={say('title')} description={say('about')}>
      <TableTabs
        label={say('tabs')}
        tabs={[
          { id: 'list', label: say('all'), content: <RolesTable /> },
          { id: 'compare', label: say('compare'), content: <CompareRoles /> },
        ]}
      />
    </Page>
  )
}

/** All visible roles. Selected roles can be compared. */
function RolesTable() {
  const say = useTranslations('roles.list')
  const label = useTranslations('labels')
  const table = useTableState(spec)
  const list = useList(table, (startwith) => rolesQuery({ ...table.query, startwith }))
  const selection = useSelection(({ name }: RoleDocument) => name)
  const tokens: Token<keyof typeof filters>[] = [
    ...(useMayPick('enterprise') ? [namedToken('identerprise', label('enterprise'), 'enterprise')] : []),
    ...(useMayPick('scope') ? [namedToken('idScope', label('scope'), 'scope')] : []),
    changedToken(label('changed')),
    useTagToken(),
  ]
  const users = useUsersColumn('role', list.data?.collection, (id) => paths.users({ role: id }))
  const create = useMay(...access.manageRoles) && (
    <AppButton look="main" data-key="n" to={paths.newRole()}>
      {label('createRole')}
    </AppButton>
  )
  return (
    <ServerTable
      entity="role"
      title={say('all')}
      table={table}
      list={list}
      columns={roleColumns(say, label, users)}
      filterLabel={label('findRoles')}
      tokens={tokens}
      csv={csvHref(rolesPath, table.query)}
      imports="roles"
      selection={selection}
      actions={
        <Row>
          <CompareButton roles={selection.selected} />
          {create}
        </Row>
      }
      empty={{ title: say('empty'), hint: say('emptyHint'), action: create }}
    />
  )
}

function CompareButton({ roles }: { roles: readonly RoleDocument[] }) {
  const say = useTranslations('roles.list')
  const reason =
    roles.length < 2
      ? say('compareFew')
      : roles.length > mostCompared
        ? say('compareMany', { most: mostCompared })
        : undefined
  return (
    <AppButton to={paths.compareRoles(roles.map(({ id }) => id))} refused={reason}>
      {say('compare')}
    </AppButton>
  )
}

const roleColumns = (
  say: Say<'roles.list'>,
  label: Say<'labels'>,
  users: readonly TableColumn<RoleDocument>[],
): TableColumn<RoleDocument>[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.role(id)}>{name}</AppLink>,
  },
  {
    id: 'state',
    cell: ({ blocked }) =>
      blocked ? <Badge>{say('blocked')}</Badge> : <div className="quiet">{say('open')}</div>,
  },
  ...(['enterprise', 'scope'] as const).map((rel) => ({
    id: rel,
    cell: (role: RoleDocument) => {
      const link = linkOf(role, rel)
      if (link) return <ScreenLink link={link} />
      return <div className="quiet">{rel === 'enterprise' ? label('allEnterprises') : '–'}</div>
    },
  })),
  ...users,
  ...noteColumns,
  idColumn,
]

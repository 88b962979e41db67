import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay, useMayPick } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { useUsersColumn } from '#components/people/users/users-column'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { noteColumns, useTagToken } from '#components/table/notes'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { changedToken, namedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { linkOf } from '#lib/ground/http/view'
import { enterprisesPath, enterprisesQuery } from '#lib/people/identity/enterprises.queries'
import type { EnterpriseDocument } from '#lib/people/identity/identity.schema'
import type { Say } from '#lib/words/words'
import { fieldColumns, useEnterpriseFields } from './enterprise-fields'

const spec = {
  name: 'enterprises',
  by: 'name',
  filters: { idScope: 'id', changed: 'change', tag: 'text' },
} as const

export const loader = listLoader(spec, (client, { query }) => client.prefetchQuery(enterprisesQuery(query)))

export function Component() {
  const say = useTranslations('enterprises.list')
  const label = useTranslations('labels')
  const table = useTableState(spec)
  const list = useList(table, (startwith) => enterprisesQuery({ ...table.query, startwith }))
  const mayManage = useMay(...access.manageEnterprises)
  const mayPickScopes = useMayPick('scope')
  const users = useUsersColumn('enterprise', list.data?.collection, (id) => paths.enterprise(id, 'users'))
  const create = mayManage && (
    <AppButton look="main" data-key="n" to={paths.newEnterprise()}>
      {label('createEnterprise')}
    </AppButton>
  )
  return (
    <Page isList title={say('title')} description={say('about')}>
      <ServerTable
        entity="enterprise"
        title={label('allEnterprises')}
        table={table}
        list={list}
        columns={enterpriseColumns(say, fieldColumns(useEnterpriseFields()), users)}
        filterLabel={label('findEnterprises')}
        tokens={[
          ...(mayPickScopes ? [namedToken('idScope', say('scope'), 'scope')] : []),
          changedToken(label('changed')),
          useTagToken(),
        ]}
        csv={csvHref(enterprisesPath, table.query)}
        imports="enterprises"
        actions={create}
        details={({ id, name }) => ({ title: name, to: paths.enterprise(id) })}
        empty={{
          title: say('empty'),
          hint: mayManage ? say('emptyHint') : say('emptyOfScope'),
          action: create,
        }}
      />
    </Page>
  )
}

const enterpriseColumns = (
  say: Say<'enterprises.list'>,
  fields: readonly TableColumn<EnterpriseDocument>[],
  users: readonly TableColumn<EnterpriseDocument>[],
): TableColumn<EnterpriseDocument>[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.enterprise(id)}>{name}</AppLink>,
  },
  ...fields,
  {
    id: 'scope',
    header: say('scope'),
    cell: (enterprise) => {
      const link = linkOf(enterprise, 'scope')
      if (link) return <ScreenLink link={link} />
      return <div className="quiet">{say('scopeHidden')}</div>
    },
  },
  ...users,
  ...noteColumns,
  idColumn,
]

import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useMayPick } from '#components/forms/named-picker'
import { Page } from '#components/layout/page'
import { access } from '#components/screens/access'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay, useScreenOf } from '#components/session/session'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { ServerTable } from '#components/table/server-table'
import { namedToken } from '#components/table/table-tokens'
import { useTableState } from '#components/table/use-table-state'
import { enterprisesPath, enterprisesQuery } from '#lib/identity/enterprises.queries'
import { enterpriseColumns } from './enterprise-columns'

const spec = { name: 'enterprises', by: 'name', orders: ['name', 'id'], filters: { idScope: 'id' } } as const

export const loader = listLoader(spec, (client, { query }) => client.prefetchQuery(enterprisesQuery(query)))

export function Component() {
  const say = useTranslations('enterprises.list')
  const table = useTableState(spec)
  const list = useQuery(enterprisesQuery(table.query))
  const follow = useFollow()
  const screenOf = useScreenOf()
  const mayManage = useMay(...access.manageEnterprises)
  const mayPickScopes = useMayPick('scope')
  const maySeeUsers = useMay(...access.users)
  const create = mayManage && (
    <Button variant="primary" href={paths.newEnterprise()} onFollow={follow}>
      {say('create')}
    </Button>
  )
  return (
    <Page title={say('title')} description={say('about')}>
      <ServerTable
        title={say('all')}
        table={table}
        list={list}
        columns={enterpriseColumns(say, { maySeeUsers, screenOf })}
        filterLabel={say('filter')}
        {...(mayPickScopes && { tokens: [namedToken('idScope', say('scope'), 'scope')] })}
        csv={csvHref(enterprisesPath, table.query)}
        actions={create}
        empty={{
          title: say('empty'),
          hint: mayManage ? say('emptyHint') : say('emptyOfScope'),
          action: create,
        }}
      />
    </Page>
  )
}

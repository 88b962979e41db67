import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/access'
import { Page } from '#components/layout/page'
import { useMay } from '#components/session/session'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { ServerTable } from '#components/table/server-table'
import { useTableState } from '#components/table/use-table-state'
import { datacentersPath, datacentersQuery } from '#lib/infrastructure/datacenters.queries'
import { datacenterColumns } from './datacenter-columns'
import { EditDatacenter, NewDatacenter } from './datacenter-form'
import { RemoveDatacenter } from './remove-datacenter'

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'remove'; id: number }

const spec = { name: 'datacenters', by: 'name', orders: ['name', 'id'] }

export const loader = listLoader(spec, (client, { query }) => client.prefetchQuery(datacentersQuery(query)))

export function Component() {
  const say = useTranslations('datacenters')
  const sayList = useTranslations('datacenters.list')
  const table = useTableState(spec)
  const list = useQuery(datacentersQuery(table.query))
  const [dialog, setDialog] = useState<OpenDialog>()
  const maySeeNetworks = useMay(...access.natNetworks)
  const maySeeAddresses = useMay(...access.natAddresses)
  const mayManage = useMay('PHYS_DC_MANAGE')
  const close = () => setDialog(undefined)
  const create = mayManage && (
    <Button variant="primary" onClick={() => setDialog({ kind: 'new' })}>
      {sayList('create')}
    </Button>
  )
  return (
    <Page title={say('title')} description={say('about')}>
      <ServerTable
        title={sayList('title')}
        table={table}
        list={list}
        columns={datacenterColumns(sayList, {
          maySeeNetworks,
          maySeeAddresses,
          mayManage,
          onEdit: ({ id }) => setDialog({ kind: 'edit', id }),
          onRemove: ({ id }) => setDialog({ kind: 'remove', id }),
        })}
        filterLabel={sayList('find')}
        csv={csvHref(datacentersPath, table.query)}
        actions={create}
        empty={{
          title: sayList('empty'),
          hint: mayManage ? sayList('emptyCreate') : sayList('emptyAsk'),
          action: create,
        }}
      />
      {dialog?.kind === 'new' && <NewDatacenter onClose={close} />}
      {dialog?.kind === 'edit' && <EditDatacenter id={dialog.id} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveDatacenter id={dialog.id} onClose={close} />}
    </Page>
  )
}

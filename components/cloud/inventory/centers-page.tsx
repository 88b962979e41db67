import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay, useMayPick } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { noteColumns, useTagToken } from '#components/table/notes'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { changedToken, namedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { centersPath, virtualDatacentersQuery } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import type { VirtualDatacenterDocument } from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { linkOf } from '#lib/ground/http/view'
import { EditCenter, NewVirtualDatacenter } from './center-form'
import { RemoveCenter } from './removals'

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'remove'; id: number }

const spec = {
  name: 'virtual-datacenters',
  by: 'name',
  filters: { enterprise: 'id', datacenter: 'id', device: 'id', changed: 'change', tag: 'text' },
} as const

export const loader = listLoader(spec, (client, { query }) =>
  client.prefetchQuery(virtualDatacentersQuery(query)),
)

export function Component() {
  const say = useTranslations('inventory.centers')
  const label = useTranslations('labels')
  const table = useTableState(spec)
  const list = useList(table, (startwith) => virtualDatacentersQuery({ ...table.query, startwith }))
  const [dialog, setDialog] = useState<OpenDialog>()
  const mayManage = useMay(...access.manageCenters)
  const mayPickEnterprise = useMayPick('enterprise')
  const mayPickDatacenter = useMayPick('datacenter')
  const close = () => setDialog(undefined)
  const create = mayManage && (
    <Button look="main" onPress={() => setDialog({ kind: 'new' })} data-key="n">
      {say('create')}
    </Button>
  )
  const actions = actionsColumn<VirtualDatacenterDocument>({
    nameOf: ({ name }) => name,
    actionsOf: ({ id }) => [
      { does: 'edit', onClick: () => setDialog({ kind: 'edit', id }) },
      { does: 'remove', onClick: () => setDialog({ kind: 'remove', id }) },
    ],
  })
  return (
    <Page isList title={say('title')} description={say('about')}>
      <ServerTable
        entity="virtualdatacenter"
        title={say('title')}
        table={table}
        list={list}
        columns={mayManage ? [...columns, actions] : columns}
        filterLabel={say('find')}
        tokens={[
          changedToken(label('changed')),
          useTagToken(),
          ...(mayPickDatacenter ? [namedToken('datacenter', label('datacenter'), 'datacenter')] : []),
          ...(mayPickEnterprise ? [namedToken('enterprise', label('enterprise'), 'enterprise')] : []),
        ]}
        csv={csvHref(centersPath, table.query)}
        actions={create}
        details={({ id, name }) => ({ title: name, to: paths.virtualDatacenter(id) })}
        empty={{ title: say('empty'), hint: say('emptyHint'), action: create }}
      />
      {dialog?.kind === 'new' && <NewVirtualDatacenter onClose={close} />}
      {dialog?.kind === 'edit' && <EditCenter id={dialog.id} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveCenter id={dialog.id} onClose={close} />}
    </Page>
  )
}

const linked = (id: 'enterprise' | 'datacenter' | 'device', rel: string) => ({
  id,
  cell: (center: VirtualDatacenterDocument) => <ScreenLink link={linkOf(center, rel)} />,
})

const columns: TableColumn<VirtualDatacenterDocument>[] = [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.virtualDatacenter(id)}>{name}</AppLink>,
  },
  linked('enterprise', 'enterprise'),
  linked('datacenter', 'location'),
  linked('device', 'device'),
  ...noteColumns,
  idColumn,
]

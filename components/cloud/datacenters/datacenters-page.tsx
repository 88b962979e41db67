import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { DatacenterForm, EditDatacenter } from '#components/cloud/devices/datacenter-form'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { Row } from '#components/kit/layout'
import { csvHref } from '#components/table/csv-link'
import { listLoader } from '#components/table/list-loader'
import { noteColumns, useTagToken } from '#components/table/notes'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { changedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { datacentersPath, datacentersQuery } from '#lib/cloud/infrastructure/datacenters.queries'
import type { DatacenterDocument } from '#lib/cloud/infrastructure/datacenters.schema'
import { RemoveDatacenter } from './remove-datacenter'

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'remove'; id: number }

const spec = { name: 'datacenters', by: 'name', filters: { changed: 'change', tag: 'text' } } as const

export const loader = listLoader(spec, (client, { query }) => client.prefetchQuery(datacentersQuery(query)))

export function Component() {
  const say = useTranslations('datacenters')
  const sayList = useTranslations('datacenters.list')
  const label = useTranslations('labels')
  const table = useTableState(spec)
  const list = useList(table, (startwith) => datacentersQuery({ ...table.query, startwith }))
  const [dialog, setDialog] = useState<OpenDialog>()
  const maySeeNetworks = useMay(...access.natNetworks)
  const mayManage = useMay('PHYS_DC_MANAGE')
  const close = () => setDialog(undefined)
  const create = mayManage && (
    <Button look="main" onPress={() => setDialog({ kind: 'new' })} data-key="n">
      {say('form.createTitle')}
    </Button>
  )
  const nat: TableColumn<DatacenterDocument> = {
    id: 'nat',
    header: say('page.nat'),
    cell: ({ id, name }) => <NatLinks id={id} name={name} />,
  }
  const actions = actionsColumn<DatacenterDocument>({
    nameOf: ({ name }) => name,
    actionsOf: ({ id }) => [
      { does: 'edit', onClick: () => setDialog({ kind: 'edit', id }) },
      { does: 'remove', onClick: () => setDialog({ kind: 'remove', id }) },
    ],
  })
  return (
    <Page isList title={say('title')} description={say('about')}>
      <ServerTable
        entity="datacenter"
        title={sayList('title')}
        table={table}
        list={list}
        columns={[...facts, ...(maySeeNetworks ? [nat] : []), ...(mayManage ? [actions] : [])]}
        filterLabel={sayList('find')}
        tokens={[changedToken(label('changed')), useTagToken()]}
        csv={csvHref(datacentersPath, table.query)}
        actions={create}
        empty={{
          title: sayList('empty'),
          hint: mayManage ? sayList('emptyCreate') : sayList('emptyAsk'),
          action: create,
        }}
      />
      {dialog?.kind === 'new' && <DatacenterForm onClose={close} />}
      {dialog?.kind === 'edit' && <EditDatacenter id={dialog.id} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveDatacenter id={dialog.id} onClose={close} />}
    </Page>
  )
}

const facts: TableColumn<DatacenterDocument>[] = [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.datacenter(id)}>{name}</AppLink>,
  },
  { id: 'location', cell: ({ location }) => location || '–' },
  ...noteColumns,
  { id: 'id', by: 'id', hidden: true, cell: ({ id }) => id },
]

/** Links to the NAT screens of a datacenter. */
export function NatLinks({ id, name }: Pick<DatacenterDocument, 'id' | 'name'>) {
  const say = useTranslations('datacenters.nat')
  const label = useTranslations('labels')
  const maySeeAddresses = useMay(...access.natAddresses)
  return (
    <Row gap="m">
      <AppLink to={paths.natNetworks(id)} label={say('networksOf', { name })}>
        {label('networks')}
      </AppLink>
      {maySeeAddresses && (
        <AppLink to={paths.natIps(id)} label={say('ipsOf', { name })}>
          {label('ips')}
        </AppLink>
      )}
      {maySeeAddresses && (
        <AppLink to={paths.natRules(id)} label={say('rulesOf', { name })}>
          {label('rules')}
        </AppLink>
      )}
    </Row>
  )
}

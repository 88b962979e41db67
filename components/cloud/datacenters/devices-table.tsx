import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { DeviceForm, EditDevice } from '#components/cloud/devices/device-form'
import { DeviceMark } from '#components/cloud/devices/device-status'
import { RemoveDevice } from '#components/cloud/devices/remove-device'
import { Button } from '#components/kit/button'
import { tagsColumn, useTagToken } from '#components/table/notes'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { changedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { devicesQuery } from '#lib/cloud/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/cloud/infrastructure/devices.schema'
import { linkOf } from '#lib/ground/http/view'
import type { Say } from '#lib/words/words'

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'remove'; device: DeviceDocument }

const facts = (label: Say<'labels'>, datacenter: number): TableColumn<DeviceDocument>[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.device(datacenter, id)}>{name}</AppLink>,
  },
  { id: 'state', isNow: true, cell: ({ status }) => <DeviceMark status={status} /> },
  { id: 'type', cell: (device) => linkOf(device, 'devicetype')?.title ?? '–' },
  { id: 'description', cell: ({ description }) => description || '–' },
  {
    id: 'endpoint',
    header: label('address'),
    cell: ({ endpoint }) => (endpoint ? <code>{endpoint}</code> : '–'),
  },
  { id: 'user', cell: ({ user }) => user || '–' },
  tagsColumn,
  { id: 'id', by: 'id', hidden: true, cell: ({ id }) => id },
]

export function DevicesTable({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.devices')
  const label = useTranslations('labels')
  const table = useTableState({
    name: 'devices',
    prefix: 'devices',
    by: 'name',
    filters: { changed: 'change', tag: 'text' },
  })
  const [dialog, ask] = useState<OpenDialog>()
  const mayManage = useMay('MANAGE_DEVICES')
  const close = () => ask(undefined)
  const actions = actionsColumn<DeviceDocument>({
    nameOf: ({ name }) => name,
    actionsOf: (device) => [
      { does: 'edit', onClick: () => ask({ kind: 'edit', device }) },
      { does: 'remove', onClick: () => ask({ kind: 'remove', device }) },
    ],
  })
  const create = mayManage && (
    <Button onPress={() => ask({ kind: 'new' })} data-key="n">
      {say('create')}
    </Button>
  )
  return (
    <>
      <ServerTable
        entity="device"
        title={label('devices')}
        table={table}
        list={useList(table, (startwith) => devicesQuery(datacenter, { ...table.query, startwith }))}
        columns={mayManage ? [...facts(label, datacenter), actions] : facts(label, datacenter)}
        filterLabel={say('find')}
        tokens={[changedToken(label('changed')), useTagToken()]}
        actions={create}
        empty={{ title: say('empty'), hint: say('emptyHint'), action: create }}
      />
      {dialog?.kind === 'new' && <DeviceForm datacenter={datacenter} onClose={close} />}
      {dialog?.kind === 'edit' && (
        <EditDevice datacenter={datacenter} id={dialog.device.id} onClose={close} />
      )}
      {dialog?.kind === 'remove' && (
        <RemoveDevice datacenter={datacenter} device={dialog.device} onDone={close} onCancel={close} />
      )}
    </>
  )
}

import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { DeviceForm, EditDevice } from '#components/devices/device-form'
import { Confirm } from '#components/forms/confirm'
import { useMay } from '#components/session/session'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { useTableState } from '#components/table/use-table-state'
import { linkOf } from '#lib/http/view'
import { deviceQuery, devicesQuery, useRemoveDevice } from '#lib/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/infrastructure/devices.schema'
import type { Say } from '#lib/words/words'

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'remove'; device: DeviceDocument }

const facts = (label: Say<'labels'>): TableColumn<DeviceDocument>[] => [
  { id: 'name', by: 'name', isRowHeader: true, cell: ({ name }) => name },
  { id: 'type', cell: (device) => linkOf(device, 'devicetype')?.title ?? '–' },
  { id: 'description', cell: ({ description }) => description || '–' },
  {
    id: 'endpoint',
    header: label('address'),
    cell: ({ endpoint }) => (endpoint ? <Box variant="code">{endpoint}</Box> : '–'),
  },
  { id: 'user', cell: ({ user }) => user || '–' },
  { id: 'id', by: 'id', hidden: true, cell: ({ id }) => id },
]

export function DevicesTable({ datacenter }: { datacenter: number }) {
  const say = useTranslations('datacenters.devices')
  const label = useTranslations('labels')
  const table = useTableState({ name: 'devices', prefix: 'devices', by: 'name' })
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
    <Button data-key="n" onClick={() => ask({ kind: 'new' })}>
      {say('create')}
    </Button>
  )
  return (
    <>
      <ServerTable
        title={label('devices')}
        table={table}
        list={useQuery(devicesQuery(datacenter, table.query))}
        columns={mayManage ? [...facts(label), actions] : facts(label)}
        filterLabel={say('find')}
        actions={create}
        empty={{ title: say('empty'), hint: say('emptyHint'), action: create }}
      />
      {dialog?.kind === 'new' && <DeviceForm datacenter={datacenter} onClose={close} />}
      {dialog?.kind === 'edit' && (
        <EditDevice datacenter={datacenter} id={dialog.device.id} onClose={close} />
      )}
      {dialog?.kind === 'remove' && (
        <RemoveDevice datacenter={datacenter} device={dialog.device} onClose={close} />
      )}
    </>
  )
}

type RemoveDeviceProps = { datacenter: number; device: DeviceDocument; onClose: () => void }

function RemoveDevice({ datacenter, device: { id, name }, onClose }: RemoveDeviceProps) {
  const say = useTranslations('datacenters.deviceRemove')
  return (
    <Confirm
      title={say('title', { name })}
      read={useQuery(deviceQuery(datacenter, id))}
      mutation={useRemoveDevice(datacenter)}
      done={() => say('done', { name })}
      advice={{ 'NETDEVICE-3': say('inUse') }}
      onDone={onClose}
      onCancel={onClose}
    >
      {say('about')}
    </Confirm>
  )
}

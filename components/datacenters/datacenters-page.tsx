import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { access } from '#components/access'
import { Page } from '#components/layout/page'
import { ServerTable } from '#components/layout/server-table'
import { useMay } from '#components/layout/session'
import { useTableState } from '#components/layout/use-table-state'
import { datacentersQuery } from '#lib/infrastructure/datacenters.queries'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import { datacenterColumns } from './datacenter-columns'
import { EditDatacenter, NewDatacenter } from './datacenter-form'
import { RemoveDatacenter } from './remove-datacenter'

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'remove'; datacenter: DatacenterDocument }

export function Component() {
  const table = useTableState({ name: 'datacenters', by: 'name', orders: ['name', 'id'] })
  const list = useQuery(datacentersQuery(table.query))
  const [dialog, setDialog] = useState<OpenDialog>()
  const maySeeNetworks = useMay(...access.natNetworks)
  const maySeeAddresses = useMay(...access.natAddresses)
  const mayManage = useMay('PHYS_DC_MANAGE')
  const close = () => setDialog(undefined)
  const create = mayManage && (
    <Button variant="primary" onClick={() => setDialog({ kind: 'new' })}>
      Create datacenter
    </Button>
  )
  return (
    <Page title="Datacenters" description="The places that hold your racks, devices and NAT networks.">
      <ServerTable
        title="All datacenters"
        table={table}
        list={list}
        columns={datacenterColumns({
          maySeeNetworks,
          maySeeAddresses,
          mayManage,
          onEdit: (datacenter) => setDialog({ kind: 'edit', datacenter }),
          onRemove: (datacenter) => setDialog({ kind: 'remove', datacenter }),
        })}
        filterLabel="Find datacenters by name"
        actions={create}
        empty={{
          title: 'No datacenters yet',
          hint: mayManage
            ? 'A datacenter holds devices and their NAT networks. Create the first one.'
            : 'Your scope opens no datacenter. Ask an administrator to add one to it.',
          action: create,
        }}
      />
      {dialog?.kind === 'new' && <NewDatacenter onClose={close} />}
      {dialog?.kind === 'edit' && <EditDatacenter id={dialog.datacenter.id} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveDatacenter id={dialog.datacenter.id} onClose={close} />}
    </Page>
  )
}

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { Address, AddressLink, StateOfIp } from '#components/cloud/nat/cells'
import { NewAppliance } from '#components/cloud/nat/rule-parts'
import { Button } from '#components/kit/button'
import { deferredOver } from '#components/kit/deferred-over'
import { csvHref } from '#components/table/csv-link'
import { noteColumns, useTagToken } from '#components/table/notes'
import { actionsColumn } from '#components/table/row-actions'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { changedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { allMachinesPath, privateIpsQuery, virtualMachinesQuery } from '#lib/cloud/machines/machines.queries'
import type { PrivateIpDocument } from '#lib/cloud/machines/private-ips.schema'
import { appliancesPath, virtualAppliancesQuery } from '#lib/cloud/machines/virtual-appliances.queries'
import type { VirtualApplianceDocument } from '#lib/cloud/machines/virtual-appliances.schema'
import { heldIpsQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { linkOf } from '#lib/ground/http/view'
import { EditAppliance } from './appliance-form'
import { machineColumns } from './machine-columns'
import { detailsOf } from './machines-page'
import { RemoveAppliance } from './removals'

const HeldIpNotes = deferredOver(async () => (await import('#components/cloud/nat/nat-notes')).HeldIpNotes)

type OfCenter = { center: number }

export function MachinesOfCenter({ center }: OfCenter) {
  const say = useTranslations('inventory.machines')
  const label = useTranslations('labels')
  const table = useTableState({
    name: 'center-machines',
    prefix: 'machines',
    by: 'name',
    filters: { changed: 'change', tag: 'text' },
  })
  const list = useList(table, (startwith) =>
    virtualMachinesQuery({ ...table.query, startwith, virtualdatacenter: center }),
  )
  return (
    <ServerTable
      entity="virtualmachine"
      title={say('title')}
      table={table}
      list={list}
      columns={machineColumns('virtualappliance', 'user')}
      filterLabel={say('find')}
      tokens={[changedToken(label('changed')), useTagToken()]}
      csv={csvHref(allMachinesPath, table.query, { virtualdatacenter: center })}
      details={detailsOf}
      empty={{ title: say('empty'), hint: say('emptyInCenter') }}
    />
  )
}

type OpenDialog = { kind: 'new' } | { kind: 'edit' | 'remove'; id: number }

export function AppliancesTable({ center }: OfCenter) {
  const say = useTranslations('inventory.appliances')
  const sayNew = useTranslations('nat.parts.appliance')
  const label = useTranslations('labels')
  const table = useTableState({
    name: 'appliances',
    prefix: 'appliances',
    by: 'name',
    filters: { changed: 'change', tag: 'text' },
  })
  const [dialog, ask] = useState<OpenDialog>()
  const mayManage = useMay(...access.manageMachines)
  const close = () => ask(undefined)
  const columns: TableColumn<VirtualApplianceDocument>[] = [
    {
      id: 'name',
      by: 'name',
      isRowHeader: true,
      cell: ({ id, name }) => <AppLink to={paths.virtualAppliance(center, id)}>{name}</AppLink>,
    },
    ...noteColumns,
    idColumn,
  ]
  const actions = actionsColumn<VirtualApplianceDocument>({
    nameOf: ({ name }) => name,
    actionsOf: ({ id }) => [
      { does: 'edit', onClick: () => ask({ kind: 'edit', id }) },
      { does: 'remove', onClick: () => ask({ kind: 'remove', id }) },
    ],
  })
  const create = mayManage && (
    <Button onPress={() => ask({ kind: 'new' })} data-key="n">
      {sayNew('title')}
    </Button>
  )
  return (
    <>
      <ServerTable
        entity="virtualappliance"
        title={label('virtualappliances')}
        table={table}
        list={useList(table, (startwith) => virtualAppliancesQuery(center, { ...table.query, startwith }))}
        columns={mayManage ? [...columns, actions] : columns}
        filterLabel={say('find')}
        tokens={[changedToken(label('changed')), useTagToken()]}
        csv={csvHref(appliancesPath(center), table.query)}
        actions={create}
        empty={{ title: say('empty'), hint: say('emptyHint'), action: create }}
      />
      {dialog?.kind === 'new' && <NewAppliance center={center} onClose={close} />}
      {dialog?.kind === 'edit' && <EditAppliance center={center} id={dialog.id} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveAppliance center={center} id={dialog.id} onClose={close} />}
    </>
  )
}

/** The NAT IPs that the virtual datacenter holds. */
export function HeldIpsTable({ center }: OfCenter) {
  const say = useTranslations('inventory.ips')
  const table = useTableState({
    name: 'held-ips',
    prefix: 'ips',
    by: 'ip',
    orders: ['ip', 'network'],
    filters: { tag: 'text' },
  })
  const list = useList(table, (startwith) => heldIpsQuery(center, { ...table.query, startwith }))
  const [noting, setNoting] = useState<NatIpDocument>()
  const actions = actionsColumn<NatIpDocument>({
    nameOf: ({ ip }) => ip,
    actionsOf: (ip) => [{ does: 'edit', onClick: () => setNoting(ip) }],
  })
  return (
    <>
      <ServerTable
        entity="natip"
        title={say('title')}
        table={table}
        list={list}
        columns={useMay('MANAGE_NATIPS') ? [...ipColumns, actions] : ipColumns}
        filterLabel={say('find')}
        tokens={[useTagToken()]}
        empty={{ title: say('empty'), hint: say('emptyHint') }}
      />
      {noting && <HeldIpNotes center={center} ip={noting} onClose={() => setNoting(undefined)} />}
    </>
  )
}

const ipColumns: TableColumn<NatIpDocument>[] = [
  { id: 'address', by: 'ip', isRowHeader: true, cell: ({ ip }) => <AddressLink ip={ip} /> },
  { id: 'state', cell: (ip) => <StateOfIp ip={ip} /> },
  { id: 'network', by: 'network', cell: (ip) => <ScreenLink link={linkOf(ip, 'natnetwork')} /> },
  { id: 'defaultSnat', cell: ({ defaultSnat }) => <YesNo is={defaultSnat} /> },
  { id: 'rules', isNumber: true, cell: ({ rules }) => rules },
  ...noteColumns,
]

function YesNo({ is }: { is: boolean }) {
  const say = useTranslations('nat.ips')
  return say(is ? 'yes' : 'no')
}

export function PrivateIpsTable({ center }: OfCenter) {
  const say = useTranslations('inventory.privateIps')
  const label = useTranslations('labels')
  const table = useTableState({ name: 'private-ips', prefix: 'privateips', by: 'ip' })
  return (
    <ServerTable
      entity="privateip"
      title={label('privateips')}
      table={table}
      list={useList(table, (startwith) => privateIpsQuery(center, { ...table.query, startwith }))}
      columns={privateColumns(say('mac'))}
      filterLabel={say('find')}
      empty={{ title: say('empty'), hint: say('emptyHint') }}
    />
  )
}

const privateColumns = (mac: string): TableColumn<PrivateIpDocument>[] => [
  { id: 'address', by: 'ip', isRowHeader: true, cell: ({ ip }) => <Address>{ip}</Address> },
  { id: 'virtualmachine', cell: (ip) => <ScreenLink link={linkOf(ip, 'virtualmachine')} /> },
  { id: 'mac', header: mac, cell: (ip) => <code>{ip.mac}</code> },
]

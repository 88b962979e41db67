import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useInventoryIds } from '#components/base/forms/ids'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { NewMachine } from '#components/cloud/nat/rule-parts'
import { EventsOf } from '#components/events/events-of'
import { EditAndDelete } from '#components/frame/layout/edit-and-delete'
import { Facts } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { csvHref } from '#components/table/csv-link'
import { useNoteFacts, useTagToken } from '#components/table/notes'
import { ServerTable } from '#components/table/server-table'
import { TableTabs } from '#components/table/table-tabs'
import { changedToken } from '#components/table/table-tokens'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { machinesPath, machinesQuery } from '#lib/cloud/machines/machines.queries'
import { virtualApplianceQuery } from '#lib/cloud/machines/virtual-appliances.queries'
import { linkOf } from '#lib/ground/http/view'
import { EditAppliance } from './appliance-form'
import { machineColumns } from './machine-columns'
import { detailsOf } from './machines-page'
import { RemoveAppliance } from './removals'

/** One virtual appliance: its machines and its events. */
export function Component() {
  const { center, appliance: id } = useInventoryIds()
  const say = useTranslations('inventory')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.virtualDatacenter(center, 'appliances'), 'appliances.tag')
  const read = useQuery(virtualApplianceQuery(center, id))
  const appliance = read.data?.document
  const place = appliance && linkOf(appliance, 'virtualdatacenter')?.title
  return (
    <Page
      title={appliance?.name ?? say('appliances.unknown', { id: String(id) })}
      breadcrumbs={[
        { text: say('centers.title'), href: paths.virtualDatacenters() },
        {
          text: place ?? say('centers.unknown', { id: String(center) }),
          href: paths.virtualDatacenter(center),
        },
      ]}
      actions={appliance && <Actions center={center} id={id} />}
    >
      {appliance ? (
        <Stack key={id} gap="s">
          <Facts
            of={appliance}
            name={appliance.name}
            line={(document) => [
              {
                label: label('virtualdatacenter'),
                value: <ScreenLink link={linkOf(document, 'virtualdatacenter')} />,
                short: linkOf(document, 'virtualdatacenter')?.title,
              },
              {
                label: label('enterprise'),
                value: <ScreenLink link={linkOf(document, 'enterprise')} />,
                short: linkOf(document, 'enterprise')?.title,
              },
            ]}
            rest={(document) => [
              { label: label('datacenter'), value: <ScreenLink link={linkOf(document, 'location')} /> },
              ...ofNotes(document),
              { label: label('id'), value: id },
            ]}
          />
          <TableTabs
            label={say('appliances.holds', { name: appliance.name })}
            tabs={[
              {
                id: 'machines',
                label: label('virtualMachines'),
                content: <MachinesTable center={center} appliance={id} />,
              },
              { id: 'events', content: <EventsOf entity="virtualappliance" entityid={id} /> },
            ]}
          />
        </Stack>
      ) : (
        <Waiting read={read} />
      )}
    </Page>
  )
}

function Actions({ center, id }: { center: number; id: number }) {
  const navigate = useNavigate()
  return (
    <EditAndDelete
      may={useMay(...access.manageMachines)}
      edit={(close) => <EditAppliance center={center} id={id} onClose={close} />}
      remove={(close) => (
        <RemoveAppliance
          center={center}
          id={id}
          onClose={close}
          onRemoved={() => void navigate(paths.virtualDatacenter(center, 'appliances'))}
        />
      )}
    />
  )
}

function MachinesTable({ center, appliance }: { center: number; appliance: number }) {
  const say = useTranslations('inventory.machines')
  const sayNew = useTranslations('nat.parts.machine')
  const label = useTranslations('labels')
  const table = useTableState({
    name: 'appliance-machines',
    prefix: 'machines',
    by: 'name',
    filters: { changed: 'change', tag: 'text' },
  })
  const list = useList(table, (startwith) => machinesQuery(center, appliance, { ...table.query, startwith }))
  const [isCreating, setCreating] = useState(false)
  const create = useMay(...access.manageMachines) && (
    <Button onPress={() => setCreating(true)} data-key="n">
      {sayNew('title')}
    </Button>
  )
  return (
    <>
      <ServerTable
        entity="virtualmachine"
        title={say('title')}
        table={table}
        list={list}
        columns={machineColumns('user')}
        filterLabel={say('find')}
        tokens={[changedToken(label('changed')), useTagToken()]}
        csv={csvHref(machinesPath(center, appliance), table.query)}
        details={detailsOf}
        actions={create}
        empty={{ title: say('empty'), hint: say('emptyInAppliance'), action: create }}
      />
      {isCreating && <NewMachine center={center} appliance={appliance} onClose={() => setCreating(false)} />}
    </>
  )
}

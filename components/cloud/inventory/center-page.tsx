import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useInventoryIds } from '#components/base/forms/ids'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { EventsOf } from '#components/events/events-of'
import { EditAndDelete } from '#components/frame/layout/edit-and-delete'
import { Facts } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Stack } from '#components/kit/layout'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import { virtualDatacenterQuery } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import type { VirtualDatacenterDocument } from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { linkOf } from '#lib/ground/http/view'
import { EditCenter } from './center-form'
import { AppliancesTable, HeldIpsTable, MachinesOfCenter, PrivateIpsTable } from './center-tables'
import { RemoveCenter } from './removals'

/** One virtual datacenter: its machines, appliances, addresses and events. */
export function Component() {
  const { center: id } = useInventoryIds()
  const say = useTranslations('inventory.centers')
  const read = useQuery(virtualDatacenterQuery(id))
  const center = read.data?.document
  return (
    <Page
      title={center?.name ?? say('unknown', { id: String(id) })}
      breadcrumbs={[{ text: say('title'), href: paths.virtualDatacenters() }]}
      actions={center && <Actions id={id} />}
    >
      {center ? (
        <Stack key={id} gap="s">
          <CenterFacts center={center} />
          <Holdings center={center} />
        </Stack>
      ) : (
        <Waiting read={read} />
      )}
    </Page>
  )
}

function Actions({ id }: { id: number }) {
  const navigate = useNavigate()
  return (
    <EditAndDelete
      may={useMay(...access.manageCenters)}
      edit={(close) => <EditCenter id={id} onClose={close} />}
      remove={(close) => (
        <RemoveCenter id={id} onClose={close} onRemoved={() => void navigate(paths.virtualDatacenters())} />
      )}
    />
  )
}

type OfCenter = { center: VirtualDatacenterDocument }

function CenterFacts({ center }: OfCenter) {
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.virtualDatacenters())
  const linked = (document: VirtualDatacenterDocument, rel: string) => ({
    value: <ScreenLink link={linkOf(document, rel)} />,
    short: linkOf(document, rel)?.title ?? '–',
  })
  return (
    <Facts
      of={center}
      name={center.name}
      line={(document) => [
        { label: label('enterprise'), ...linked(document, 'enterprise') },
        { label: label('datacenter'), ...linked(document, 'location') },
      ]}
      rest={(document) => [
        { label: label('device'), ...linked(document, 'device') },
        ...ofNotes(document),
        { label: label('id'), value: document.id },
      ]}
    />
  )
}

function Holdings({ center: { id, name } }: OfCenter) {
  const say = useTranslations('inventory.centers')
  const label = useTranslations('labels')
  const maySeeMachines = useMay(...access.machines)
  const maySeeIps = useMay('VDC_ENUMERATE', 'MANAGE_NATIPS')
  const noMachines = !maySeeMachines && 'VDC_ENUMERATE'
  return (
    <TableTabs
      label={say('holds', { name })}
      tabs={[
        {
          id: 'machines',
          label: label('virtualMachines'),
          content: <MachinesOfCenter center={id} />,
          missing: noMachines,
        },
        {
          id: 'appliances',
          label: label('virtualappliances'),
          content: <AppliancesTable center={id} />,
          missing: noMachines,
        },
        {
          id: 'ips',
          label: say('ips'),
          content: <HeldIpsTable center={id} />,
          missing: !maySeeIps && 'VDC_ENUMERATE',
        },
        {
          id: 'privateips',
          content: <PrivateIpsTable center={id} />,
          missing: noMachines,
        },
        { id: 'events', content: <EventsOf entity="virtualdatacenter" entityid={id} /> },
      ]}
    />
  )
}

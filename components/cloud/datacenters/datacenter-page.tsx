import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useIds } from '#components/base/forms/ids'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { EditDatacenter } from '#components/cloud/devices/datacenter-form'
import { NetworksTable } from '#components/cloud/nat/networks-page'
import { useCheckTab } from '#components/cloud/nat-check/use-check-tab'
import { EditAndDelete } from '#components/frame/layout/edit-and-delete'
import { Facts } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Stack } from '#components/kit/layout'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import { kinds } from '#lib/caller/kinds/kinds'
import { datacenterQuery } from '#lib/cloud/infrastructure/datacenters.queries'
import type { DatacenterDocument } from '#lib/cloud/infrastructure/datacenters.schema'
import { RacksTable, RemoteServicesTable } from './datacenter-tables'
import { NatLinks } from './datacenters-page'
import { DevicesTable } from './devices-table'
import { RemoveDatacenter } from './remove-datacenter'

export function Component() {
  const { datacenter: id } = useIds()
  const say = useTranslations('datacenters')
  const read = useQuery(datacenterQuery(id))
  const document = read.data?.document
  return (
    <Page
      title={document?.name ?? say('withId', { id: String(id) })}
      breadcrumbs={[{ text: say('title'), href: paths.datacenters() }]}
      actions={document && <Actions id={id} />}
    >
      {document ? (
        <Stack key={id} gap="s">
          <DatacenterFacts datacenter={document} />
          <Holdings datacenter={document} />
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
      may={useMay('PHYS_DC_MANAGE')}
      edit={(close) => <EditDatacenter id={id} onClose={close} />}
      remove={(close) => (
        <RemoveDatacenter id={id} onClose={close} onRemoved={() => void navigate(paths.datacenters())} />
      )}
    />
  )
}

function DatacenterFacts({ datacenter }: { datacenter: DatacenterDocument }) {
  const { id, name } = datacenter
  const say = useTranslations('datacenters.page')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.datacenters())
  const maySeeNetworks = useMay(...access.natNetworks)
  const maySeeEvents = useMay(...access.events)
  const nat = { label: say('nat'), value: <NatLinks id={id} name={name} /> }
  const history = {
    label: label('history'),
    value: <AppLink to={paths.events({ entity: 'datacenter', entityid: id })}>{say('events')}</AppLink>,
  }
  return (
    <Facts
      of={datacenter}
      name={name}
      line={({ location }) => [{ label: label('location'), value: location || '–' }]}
      rest={(document) => [
        ...(maySeeNetworks ? [nat] : []),
        ...(maySeeEvents ? [history] : []),
        ...ofNotes(document),
        { label: label('id'), value: id },
      ]}
    />
  )
}

function Holdings({ datacenter: { id, name } }: { datacenter: DatacenterDocument }) {
  const say = useTranslations('datacenters.page')
  const label = useTranslations('labels')
  const maySeeNetworks = useMay(...access.natNetworks)
  const maySeeDetails = useMay('PHYS_DC_RETRIEVE_DETAILS')
  const maySeeDevices = useMay(...kinds.device.readers)
  const check = useCheckTab({ datacenter: id })
  return (
    <TableTabs
      label={say('holds', { name })}
      tabs={[
        {
          id: 'nat',
          label: label('natNetworks'),
          content: <NetworksTable datacenter={id} />,
          missing: !maySeeNetworks && 'VDC_ENUMERATE',
        },
        {
          ...check,
          missing: !maySeeDetails && 'PHYS_DC_RETRIEVE_DETAILS',
        },
        {
          id: 'racks',
          content: <RacksTable datacenter={id} />,
          isNow: true,
          missing: !maySeeDetails && 'PHYS_DC_RETRIEVE_DETAILS',
        },
        {
          id: 'remoteservices',
          label: label('remoteServices'),
          content: <RemoteServicesTable datacenter={id} />,
          isNow: true,
          missing: !maySeeDetails && 'PHYS_DC_RETRIEVE_DETAILS',
        },
        {
          id: 'devices',
          content: <DevicesTable datacenter={id} />,
          missing: !maySeeDevices && 'PHYS_DC_RETRIEVE_DETAILS',
        },
      ]}
    />
  )
}

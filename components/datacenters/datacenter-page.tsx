import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { EditDatacenter } from '#components/devices/datacenter-form'
import { Waiting } from '#components/forms/failure'
import { useIds } from '#components/forms/ids'
import { Facts } from '#components/layout/facts'
import { Page } from '#components/layout/page'
import { NetworksTable } from '#components/nat/networks-page'
import { useCheckTab } from '#components/nat-check/use-check-tab'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import { TableTabs } from '#components/table/table-tabs'
import { datacenterQuery } from '#lib/infrastructure/datacenters.queries'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import { kinds } from '#lib/kinds/kinds'
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
      actions={document && <Actions datacenter={document} />}
    >
      {document ? (
        <SpaceBetween key={id} size="xs">
          <DatacenterFacts datacenter={document} />
          <Holdings datacenter={document} />
        </SpaceBetween>
      ) : (
        <Waiting read={read} />
      )}
    </Page>
  )
}

function Actions({ datacenter }: { datacenter: DatacenterDocument }) {
  const navigate = useNavigate()
  const words = useTranslations('common')
  const [dialog, setDialog] = useState<'edit' | 'remove'>()
  const close = () => setDialog(undefined)
  if (!useMay('PHYS_DC_MANAGE')) return null
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => setDialog('remove')}>{words('delete')}</Button>
      <Button data-key="e" onClick={() => setDialog('edit')}>
        {words('edit')}
      </Button>
      {dialog === 'edit' && <EditDatacenter id={datacenter.id} onClose={close} />}
      {dialog === 'remove' && (
        <RemoveDatacenter
          id={datacenter.id}
          onClose={close}
          onRemoved={() => void navigate(paths.datacenters())}
        />
      )}
    </SpaceBetween>
  )
}

function DatacenterFacts({ datacenter: { id, name, location } }: { datacenter: DatacenterDocument }) {
  const say = useTranslations('datacenters.page')
  const label = useTranslations('labels')
  const maySeeNetworks = useMay(...access.natNetworks)
  const maySeeEvents = useMay(...access.events)
  const nat = { label: say('nat'), value: <NatLinks id={id} name={name} /> }
  const history = {
    label: label('history'),
    value: <AppLink to={paths.events({ entity: 'datacenter', entityid: id })}>{say('events')}</AppLink>,
  }
  return (
    <Facts
      name={name}
      line={[{ label: label('location'), value: location || '–' }]}
      rest={[
        ...(maySeeNetworks ? [nat] : []),
        ...(maySeeEvents ? [history] : []),
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
          missing: !maySeeDetails && 'PHYS_DC_RETRIEVE_DETAILS',
        },
        {
          id: 'remoteservices',
          label: label('remoteServices'),
          content: <RemoteServicesTable datacenter={id} />,
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

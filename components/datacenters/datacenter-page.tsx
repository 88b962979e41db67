import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { access } from '#components/access'
import { Failure } from '#components/layout/failure'
import { Page } from '#components/layout/page'
import { useMay } from '#components/layout/session'
import { TableTabs } from '#components/layout/table-tabs'
import { paths } from '#components/paths'
import { datacenterQuery } from '#lib/infrastructure/datacenters.queries'
import type { DatacenterDocument } from '#lib/infrastructure/datacenters.schema'
import { NatLinks } from './datacenter-columns'
import { EditDatacenter } from './datacenter-form'
import { DevicesTable, RacksTable, RemoteServicesTable } from './equipment'
import { NatUse } from './nat-use'
import { deviceReaders, needs } from './reasons'
import { RemoveDatacenter } from './remove-datacenter'
import { useIds } from './use-ids'

export function Component() {
  const { datacenter: id } = useIds()
  const read = useQuery(datacenterQuery(id))
  const document = read.data?.document
  return (
    <Page
      title={document?.name ?? `Datacenter ${id}`}
      breadcrumbs={[{ text: 'Datacenters', href: paths.datacenters() }]}
      actions={document && <Actions datacenter={document} />}
    >
      {document && <Content key={id} datacenter={document} />}
      {!document && read.isError && <Failure error={read.error} retry={() => void read.refetch()} />}
      {read.isPending && <Spinner size="large" />}
    </Page>
  )
}

function Actions({ datacenter }: { datacenter: DatacenterDocument }) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'remove'>()
  const close = () => setDialog(undefined)
  if (!useMay('PHYS_DC_MANAGE')) return null
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button onClick={() => setDialog('remove')}>Delete</Button>
      <Button onClick={() => setDialog('edit')}>Edit</Button>
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

function Content({ datacenter }: { datacenter: DatacenterDocument }) {
  const { id, name, location } = datacenter
  const maySeeNetworks = useMay(...access.natNetworks)
  const maySeeAddresses = useMay(...access.natAddresses)
  const maySeeDevices = useMay(...deviceReaders)
  const closed = maySeeAddresses ? {} : { disabled: true, disabledReason: needs('PHYS_DC_RETRIEVE_DETAILS') }
  return (
    <SpaceBetween size="l">
      <Container>
        <KeyValuePairs
          columns={3}
          ariaLabel={`Facts about ${name}`}
          items={[
            { label: 'Location', value: location || '–' },
            { label: 'Id', value: id },
            ...(maySeeNetworks
              ? [{ label: 'NAT', value: <NatLinks id={id} name={name} maySeeAddresses={maySeeAddresses} /> }]
              : []),
          ]}
        />
      </Container>
      <TableTabs
        label={`What ${name} holds`}
        tabs={[
          {
            id: 'nat',
            label: 'NAT use',
            content: maySeeNetworks && <NatUse datacenter={id} />,
            ...(!maySeeNetworks && { disabled: true, disabledReason: needs('VDC_ENUMERATE') }),
          },
          { id: 'racks', label: 'Racks', ...closed, content: <RacksTable datacenter={id} /> },
          {
            id: 'remoteservices',
            label: 'Remote services',
            ...closed,
            content: <RemoteServicesTable datacenter={id} />,
          },
          {
            id: 'devices',
            label: 'Devices',
            ...(maySeeDevices ? {} : closed),
            content: <DevicesTable datacenter={id} />,
          },
        ]}
      />
    </SpaceBetween>
  )
}

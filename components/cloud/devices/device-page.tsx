import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useIds } from '#components/base/forms/ids'
import { paths } from '#components/base/screens/paths'
import { useMay } from '#components/base/session/session'
import { EventsOf } from '#components/events/events-of'
import { EditAndDelete } from '#components/frame/layout/edit-and-delete'
import { Facts } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Stack } from '#components/kit/layout'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import { deviceQuery } from '#lib/cloud/infrastructure/devices.queries'
import { type DeviceDocument, isLinux } from '#lib/cloud/infrastructure/devices.schema'
import { deviceStateQuery } from '#lib/cloud/translations/translations.queries'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { BeginChange } from './begin-change'
import { EditDevice } from './device-form'
import { GatewayState } from './gateway-state'
import { RemoveDevice } from './remove-device'
import { StartGateway } from './start-gateway'

/** One device: the report of its gateway, and its events. */
export function Component() {
  const { datacenter, device: id } = useIds()
  const say = useTranslations('datacenters')
  const label = useTranslations('labels')
  const sayGateway = useTranslations('gateways')
  const read = useQuery(deviceQuery(datacenter, id))
  const device = read.data?.document
  const place = device && linkOf(device, 'location')?.title
  return (
    <Page
      title={device?.name ?? sayGateway('unknown', { id: String(id) })}
      breadcrumbs={[
        { text: say('title'), href: paths.datacenters() },
        { text: place ?? say('withId', { id: String(datacenter) }), href: paths.datacenter(datacenter) },
        { text: label('devices'), href: `${paths.datacenter(datacenter)}?tab=devices` },
      ]}
      actions={device && <Actions datacenter={datacenter} device={device} />}
    >
      {device ? (
        <Stack gap="s">
          <DeviceFacts device={device} />
          <TableTabs
            label={sayGateway('tabs', { name: device.name })}
            tabs={[
              {
                id: 'gateway',
                label: sayGateway('title'),
                content: <Gateway datacenter={datacenter} device={device} />,
                isNow: true,
              },
              { id: 'events', content: <EventsOf entity="device" entityid={id} /> },
            ]}
          />
        </Stack>
      ) : (
        <Waiting read={read} />
      )}
    </Page>
  )
}

function DeviceFacts({ device }: { device: DeviceDocument }) {
  const label = useTranslations('labels')
  const { ofTags } = useNoteFacts(paths.datacenter(idOfLink(linkOf(device, 'location')) ?? 0), 'devices.tag')
  return (
    <Facts
      of={device}
      name={device.name}
      line={(document) => [{ label: label('type'), value: linkOf(document, 'devicetype')?.title ?? '–' }]}
      rest={({ id, description, endpoint, user, tags }) => [
        { label: label('description'), value: description || '–' },
        { label: label('address'), value: endpoint || '–' },
        { label: label('user'), value: user || '–' },
        ofTags({ tags }),
        { label: label('id'), value: id },
      ]}
    />
  )
}

type OfDevice = { datacenter: number; device: DeviceDocument }

function Gateway({ datacenter, device }: OfDevice) {
  const read = useQuery(deviceStateQuery(datacenter, device.id))
  const state = read.data?.document
  if (!state) return <Waiting read={read} />
  return (
    <div>
      <Stack gap="l">
        <GatewayState state={state} isLinux={isLinux(device)} />
        {isLinux(device) && <BeginChange device={{ datacenter, id: device.id, name: device.name }} />}
        {isLinux(device) && <StartGateway device={device} status={state.status} />}
      </Stack>
    </div>
  )
}

function Actions({ datacenter, device }: OfDevice) {
  const navigate = useNavigate()
  return (
    <EditAndDelete
      may={useMay('MANAGE_DEVICES')}
      edit={(close) => <EditDevice datacenter={datacenter} id={device.id} onClose={close} />}
      remove={(close) => (
        <RemoveDevice
          datacenter={datacenter}
          device={device}
          onDone={() => void navigate(`${paths.datacenter(datacenter)}?tab=devices`)}
          onCancel={close}
        />
      )}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { deviceQuery, useRemoveDevice } from '#lib/cloud/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/cloud/infrastructure/devices.schema'

type RemoveDeviceProps = {
  datacenter: number
  device: DeviceDocument
  onDone: () => void
  onCancel: () => void
}

export function RemoveDevice({ datacenter, device: { id, name }, ...ends }: RemoveDeviceProps) {
  const say = useTranslations('datacenters.deviceRemove')
  return (
    <Confirm
      title={say('title', { name })}
      read={useQuery(deviceQuery(datacenter, id))}
      mutation={useRemoveDevice(datacenter)}
      done={() => say('done', { name })}
      advice={{ 'NETDEVICE-3': say('inUse') }}
      {...ends}
    >
      {say('about')}
    </Confirm>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ConfirmDelete } from '#components/forms/confirm-delete'
import { isStaleWrite } from '#components/forms/conflict'
import { useFlash } from '#components/forms/flash'
import { deviceQuery, useRemoveDevice } from '#lib/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/infrastructure/devices.schema'

type RemoveDeviceProps = { datacenter: number; device: DeviceDocument; onClose: () => void }

/** Asks before a device goes. */
export function RemoveDevice({ datacenter, device: { id, name }, onClose }: RemoveDeviceProps) {
  const say = useTranslations('datacenters.deviceRemove')
  const current = useQuery(deviceQuery(datacenter, id))
  const remove = useRemoveDevice(datacenter)
  const notify = useFlash()

  const confirm = () => {
    if (!current.data) return
    remove.mutate(current.data, {
      onSuccess: () => {
        notify({ type: 'success', content: say('done', { name }) })
        onClose()
      },
      onError: (error) => isStaleWrite(error) && void current.refetch(),
    })
  }

  return (
    <ConfirmDelete
      title={say('title', { name })}
      busy={remove.isPending || current.isPending}
      error={remove.error ?? current.error}
      advice={(code) => (code === 'NETDEVICE-3' ? say('inUse') : undefined)}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {say('about')}
    </ConfirmDelete>
  )
}

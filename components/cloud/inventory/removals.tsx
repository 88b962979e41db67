import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import {
  useRemoveVirtualDatacenter,
  virtualDatacenterQuery,
} from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import { machinePath, useRemoveMachine, virtualMachineQuery } from '#lib/cloud/machines/machines.queries'
import { useRemoveAppliance, virtualApplianceQuery } from '#lib/cloud/machines/virtual-appliances.queries'

type RemovalProps = { onClose: () => void; onRemoved?: () => void }

/** The user types the name before a virtual datacenter or a machine is deleted. */
export function RemoveCenter({ id, onClose, onRemoved = onClose }: RemovalProps & { id: number }) {
  const say = useTranslations('inventory.centers.remove')
  const read = useQuery(virtualDatacenterQuery(id))
  const name = read.data?.document.name ?? ''
  return (
    <Confirm
      title={say('title', { name })}
      typed={name}
      read={read}
      mutation={useRemoveVirtualDatacenter()}
      done={() => say('done', { name })}
      advice={{ 'VDC-1': say('inUse') }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say('about')}
    </Confirm>
  )
}

type ApplianceProps = RemovalProps & { center: number; id: number }

export function RemoveAppliance({ center, id, onClose, onRemoved = onClose }: ApplianceProps) {
  const say = useTranslations('inventory.appliances.remove')
  const read = useQuery(virtualApplianceQuery(center, id))
  const name = read.data?.document.name ?? ''
  return (
    <Confirm
      title={say('title', { name })}
      read={read}
      mutation={useRemoveAppliance(center)}
      done={() => say('done', { name })}
      advice={{ 'VAPP-1': say('inUse') }}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say('about')}
    </Confirm>
  )
}

type MachineProps = ApplianceProps & { appliance: number }

export function RemoveMachine({ center, appliance, id, onClose, onRemoved = onClose }: MachineProps) {
  const say = useTranslations('inventory.machines.remove')
  const path = machinePath(center, appliance, id)
  const read = useQuery(virtualMachineQuery(path))
  const name = read.data?.document.name ?? ''
  const rules = read.data?.document.natrules.length ?? 0
  return (
    <Confirm
      title={say('title', { name })}
      typed={name}
      read={read}
      mutation={useRemoveMachine(center, path)}
      done={() => say('done', { name })}
      onDone={onRemoved}
      onCancel={onClose}
    >
      {say('about', { rules })}
    </Confirm>
  )
}

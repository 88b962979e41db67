import type { SelectProps } from '@cloudscape-design/components/select'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { useTranslations } from 'use-intl'
import { idOfLink, linkOf } from '#lib/http/view'
import { devicePickerQuery, deviceTypesQuery } from '#lib/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/infrastructure/devices.schema'
import { ResourcePicker } from './resource-picker'

export type ChosenDevice = { href: string; name: string }

type DevicePickerProps = {
  datacenter: number
  value: ChosenDevice | undefined
  disabled?: boolean
  onChange: (device: ChosenDevice) => void
  ref?: Ref<SelectProps.Ref>
}

const hrefOf = (device: DeviceDocument): string => linkOf(device, 'edit')?.href ?? ''

/** Devices of the datacenter; those that cannot do NAT are there, with the reason. */
export function DevicePicker({ datacenter, value, disabled = false, onChange, ref }: DevicePickerProps) {
  const say = useTranslations('nat.form')
  const [opened, setOpened] = useState(false)
  const types = useQuery({ ...deviceTypesQuery(), enabled: opened })
  const withoutNat = new Set(types.data?.collection.filter(({ nat }) => !nat).map(({ id }) => id))

  const optionOf = (device: DeviceDocument) => {
    const type = linkOf(device, 'devicetype')
    const cannot = withoutNat.has(idOfLink(type) ?? 0)
    return {
      value: hrefOf(device),
      label: device.name,
      ...(type?.title && { labelTag: type.title }),
      ...(device.description && { description: device.description }),
      ...(cannot && { disabled: true, disabledReason: say('noNat', { type: type?.title ?? '' }) }),
    }
  }
  return (
    <ResourcePicker
      {...(ref && { ref })}
      kind="device"
      value={value && { value: value.href, label: value.name }}
      pages={(has) => devicePickerQuery(datacenter, has)}
      optionOf={optionOf}
      disabled={disabled}
      onOpen={() => setOpened(true)}
      onChange={(device) => onChange({ href: hrefOf(device), name: device.name })}
    />
  )
}

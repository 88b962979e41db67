import Select, { type SelectProps } from '@cloudscape-design/components/select'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { idOfLink, linkOf } from '#lib/http/view'
import { devicePickerQuery, deviceTypesQuery } from '#lib/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/infrastructure/devices.schema'

export type ChosenDevice = { href: string; name: string }

type DevicePickerProps = {
  datacenter: number
  value: ChosenDevice | undefined
  disabled?: boolean
  onChange: (device: ChosenDevice) => void
  ref?: Ref<SelectProps.Ref>
}

/** Devices of the datacenter, searched on the server; those that cannot do NAT are there, with the reason. */
export function DevicePicker({ datacenter, value, disabled = false, onChange, ref }: DevicePickerProps) {
  const [has, setHas] = useState<string>()
  const devices = useInfiniteQuery({
    ...devicePickerQuery(datacenter, has ?? ''),
    enabled: has !== undefined,
  })
  const types = useQuery({ ...deviceTypesQuery(), enabled: has !== undefined })
  const withoutNat = new Set(types.data?.collection.filter(({ nat }) => !nat).map(({ id }) => id))

  const load: SelectProps['onLoadItems'] = ({ detail }) => {
    if (detail.firstPage) setHas(detail.filteringText)
    else if (detail.samePage) void devices.refetch()
    else if (!devices.isFetchingNextPage) void devices.fetchNextPage()
  }

  return (
    <Select
      {...(ref && { ref })}
      selectedOption={value ? { value: value.href, label: value.name } : null}
      options={
        devices.data?.pages.flatMap(({ collection }) =>
          collection.map((item) => optionOf(item, withoutNat)),
        ) ?? []
      }
      placeholder="Choose a device"
      filteringType="manual"
      filteringPlaceholder="Find devices by name"
      filteringAriaLabel="Find devices by name"
      filteringClearAriaLabel="Clear the text"
      selectedAriaLabel="Chosen"
      ariaRequired
      disabled={disabled}
      statusType={statusOf(devices)}
      loadingText="Loading devices"
      errorText="The devices could not be loaded."
      recoveryText="Try again"
      empty={has ? 'No device has this name.' : 'This datacenter has no devices.'}
      onLoadItems={load}
      onChange={({ detail: { selectedOption } }) =>
        onChange({ href: selectedOption.value ?? '', name: selectedOption.label ?? '' })
      }
    />
  )
}

function optionOf(device: DeviceDocument, withoutNat: ReadonlySet<number>): SelectProps.Option {
  const type = linkOf(device, 'devicetype')
  const cannot = withoutNat.has(idOfLink(type) ?? 0)
  return {
    value: linkOf(device, 'edit')?.href ?? '',
    label: device.name,
    ...(type?.title && { labelTag: type.title }),
    ...(device.description && { description: device.description }),
    ...(cannot && {
      disabled: true,
      disabledReason: `Devices of the type ${type?.title ?? ''} do not support NAT.`,
    }),
  }
}

type Loading = { isError: boolean; isFetching: boolean; isPending: boolean; hasNextPage: boolean }

function statusOf({
  isError,
  isFetching,
  isPending,
  hasNextPage,
}: Loading): NonNullable<SelectProps['statusType']> {
  if (isFetching || isPending) return 'loading'
  if (isError) return 'error'
  return hasNextPage ? 'pending' : 'finished'
}

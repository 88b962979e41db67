import Select, { type SelectProps } from '@cloudscape-design/components/select'
import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/base/forms/picker-list'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { useMay } from '#components/base/session/session'
import { devicePickerQuery, deviceTypesQuery } from '#lib/cloud/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/cloud/infrastructure/devices.schema'
import { type Collection, idOfLink, linkOf } from '#lib/ground/http/view'
import type { English } from '#lib/words/words'

const DeviceForm = lazy(async () => ({
  default: (await import('#components/cloud/devices/device-form')).DeviceForm,
}))

type Pages<T, Key extends QueryKey> = UseInfiniteQueryOptions<
  Collection<T>,
  Error,
  InfiniteData<Collection<T>>,
  Key,
  number
>

type PickedKind = keyof English['nat']['pick']

type ResourcePickerProps<T, Key extends QueryKey> = {
  kind: PickedKind
  value: { value: string; label: string } | undefined
  pages: (has: string) => Pages<T, Key>
  optionOf: (item: T) => SelectProps.Option & { value: string }
  disabled?: boolean
  onChange: (item: T) => void
  /** Called when the list is opened for the first time. */
  onOpen?: () => void
}

/** Selects one item of a list that the server searches while the user types. Forbidden items are shown with the reason. */
export function ResourcePicker<T, Key extends QueryKey>({
  kind,
  value,
  pages,
  optionOf,
  onChange,
  onOpen,
  disabled = false,
}: ResourcePickerProps<T, Key>) {
  const say = useTranslations('nat.pick')
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({ ...pages(has ?? ''), enabled: has !== undefined })
  const items = list.data?.pages.flatMap(({ collection }) => collection) ?? []
  const words = { loading: say(`${kind}.loading`), failed: say(`${kind}.failed`) }
  const loaded = usePickerList(list, words, (text) => {
    onOpen?.()
    setHas(text)
  })
  return (
    <Select
      selectedOption={value ?? null}
      options={items.map(optionOf)}
      placeholder={say(`${kind}.choose`)}
      filteringType="manual"
      filteringPlaceholder={say(`${kind}.find`)}
      filteringAriaLabel={say(`${kind}.find`)}
      ariaRequired
      disabled={disabled}
      {...loaded}
      empty={has ? say(`${kind}.noMatch`) : say(`${kind}.nothing`)}
      onChange={({ detail }) => {
        const chosen = items.find((item) => optionOf(item).value === detail.selectedOption.value)
        if (chosen) onChange(chosen)
      }}
    />
  )
}

export type ChosenDevice = { href: string; name: string }

type DevicePickerProps = {
  datacenter: number
  value: ChosenDevice | undefined
  disabled?: boolean
  onChange: (device: ChosenDevice) => void
}

const hrefOf = (device: DeviceDocument): string => linkOf(device, 'edit')?.href ?? ''

/** Devices without NAT support are shown with the reason. A device that is missing is created in place. */
export function DevicePicker({ datacenter, value, disabled = false, onChange }: DevicePickerProps) {
  const say = useTranslations('nat.form')
  const sayNew = useTranslations('forms.inPlace')
  const mayCreate = useMay('MANAGE_DEVICES') && !disabled
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
  const choose = (device: DeviceDocument) => onChange({ href: hrefOf(device), name: device.name })
  return (
    <CreateInPlace
      label={sayNew('device')}
      mayCreate={mayCreate}
      dialog={(onClose) => (
        <Suspense>
          <DeviceForm datacenter={datacenter} onMade={choose} onClose={onClose} />
        </Suspense>
      )}
    >
      <ResourcePicker
        kind="device"
        value={value && { value: value.href, label: value.name }}
        pages={(has) => devicePickerQuery(datacenter, has)}
        optionOf={optionOf}
        disabled={disabled}
        onOpen={() => setOpened(true)}
        onChange={choose}
      />
    </CreateInPlace>
  )
}

import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/base/forms/picker-list'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { useMay } from '#components/base/session/session'
import { deferredOver } from '#components/kit/deferred-over'
import { type Option, Picker } from '#components/kit/picker'
import { devicePickerQuery, deviceTypesQuery } from '#lib/cloud/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/cloud/infrastructure/devices.schema'
import { virtualDatacenterPickerQuery } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import { type Collection, idOfLink, linkOf, type Named } from '#lib/ground/http/view'
import type { English } from '#lib/words/words'

const DeviceForm = deferredOver(
  async () => (await import('#components/cloud/devices/device-form')).DeviceForm,
)

type Pages<T, Key extends QueryKey> = UseInfiniteQueryOptions<
  Collection<T>,
  Error,
  InfiniteData<Collection<T>>,
  Key,
  number
>

type PickedKind = keyof English['nat']['pick']

type ResourcePickerProps<T, Key extends QueryKey, Id extends string | number> = {
  kind: PickedKind
  label: string
  hint?: ReactNode
  error?: ReactNode
  value: Option<Id> | undefined
  pages: (has: string) => Pages<T, Key>
  optionOf: (item: T) => Option<Id>
  disabled?: boolean
  onChange: (item: T) => void
  /** The option for no choice; without it, one is required. */
  none?: { name: string; onChoose: () => void }
  /** Called when the list is opened for the first time. */
  onOpen?: () => void
}

/** The id of no choice, which no resource has. */
const NONE = ''

/** One item of a list that the server searches while the user types. Forbidden items are shown with the reason. */
export function ResourcePicker<T, Key extends QueryKey, Id extends string | number>({
  kind,
  pages,
  optionOf,
  onChange,
  onOpen,
  none,
  ...field
}: ResourcePickerProps<T, Key, Id>) {
  const say = useTranslations('nat.pick')
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({ ...pages(has ?? ''), enabled: has !== undefined })
  const items = list.data?.pages.flatMap(({ collection }) => collection) ?? []
  const words = {
    loading: say(`${kind}.loading`),
    failed: say(`${kind}.failed`),
    none: say(has ? `${kind}.noMatch` : `${kind}.nothing`),
  }
  const search = usePickerList(list, words, (text) => {
    onOpen?.()
    setHas(text)
  })
  const noneOption = none && { id: NONE as Id, name: none.name }
  return (
    <Picker
      {...field}
      {...search}
      value={field.value ?? noneOption}
      required={!none}
      placeholder={say(`${kind}.find`)}
      options={[...(noneOption && !has ? [noneOption] : []), ...items.map(optionOf)]}
      onChange={(option) => {
        if (option?.id === NONE) return none?.onChoose()
        const chosen = items.find((item) => optionOf(item).id === option?.id)
        if (chosen) onChange(chosen)
      }}
    />
  )
}

type VirtualDatacenterPickerProps = {
  /** If absent, those of all datacenters. */
  datacenter: number | undefined
  error?: ReactNode
  value: Named | undefined
  onChange: (center: Named) => void
}

export function VirtualDatacenterPicker({ datacenter, onChange, ...field }: VirtualDatacenterPickerProps) {
  const label = useTranslations('labels')
  return (
    <ResourcePicker
      {...field}
      kind="virtualDatacenter"
      label={label('virtualdatacenter')}
      pages={(has) => virtualDatacenterPickerQuery(datacenter, has)}
      optionOf={(center) => ({
        id: center.id,
        name: center.name,
        about: linkOf(center, 'enterprise')?.title,
      })}
      onChange={({ id, name }) => onChange({ id, name })}
    />
  )
}

export type ChosenDevice = { href: string; name: string }

type DevicePickerProps = {
  datacenter: number
  hint?: ReactNode
  error?: ReactNode
  value: ChosenDevice | undefined
  disabled?: boolean
  onChange: (device: ChosenDevice) => void
}

const hrefOf = (device: DeviceDocument): string => linkOf(device, 'edit')?.href ?? ''

/** Devices without NAT support are shown with the reason. A device that is missing is created in place. */
export function DevicePicker({ datacenter, value, disabled = false, onChange, ...texts }: DevicePickerProps) {
  const say = useTranslations('nat.form')
  const label = useTranslations('labels')
  const sayNew = useTranslations('forms.inPlace')
  const mayCreate = useMay('MANAGE_DEVICES') && !disabled
  const [opened, setOpened] = useState(false)
  const types = useQuery({ ...deviceTypesQuery(), enabled: opened })
  const withoutNat = new Set(types.data?.collection.filter(({ nat }) => !nat).map(({ id }) => id))

  const optionOf = (device: DeviceDocument) => {
    const type = linkOf(device, 'devicetype')
    const cannot = withoutNat.has(idOfLink(type) ?? 0)
    return {
      id: hrefOf(device),
      name: device.name,
      about: [type?.title, device.description].filter(Boolean).join(' · '),
      ...(cannot && { refused: say('noNat', { type: type?.title ?? '' }) }),
    }
  }
  const choose = (device: DeviceDocument) => onChange({ href: hrefOf(device), name: device.name })
  return (
    <CreateInPlace
      label={sayNew('device')}
      mayCreate={mayCreate}
      dialog={(onClose) => <DeviceForm datacenter={datacenter} needsNat onMade={choose} onClose={onClose} />}
    >
      <ResourcePicker
        {...texts}
        kind="device"
        label={label('device')}
        value={value && { id: value.href, name: value.name }}
        pages={(has) => devicePickerQuery(datacenter, has)}
        optionOf={optionOf}
        disabled={disabled}
        onOpen={() => setOpened(true)}
        onChange={choose}
      />
    </CreateInPlace>
  )
}

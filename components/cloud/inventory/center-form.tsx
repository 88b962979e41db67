import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type InputProps, resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog } from '#components/base/forms/declared-screens'
import { linked } from '#components/base/forms/field-kinds'
import { noteFields } from '#components/base/forms/note-fields'
import { LoadingDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { NamedField } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { useMay, useMayPick, useSession } from '#components/base/session/session'
import { centerFields } from '#components/cloud/nat/rule-parts'
import { Select } from '#components/kit/select'
import { useFresh } from '#lib/client/resources.queries'
import { devicesQuery } from '#lib/cloud/infrastructure/devices.queries'
import {
  useChangeVirtualDatacenter,
  useCreateVirtualDatacenter,
  virtualDatacenterQuery,
} from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import {
  newVirtualDatacenterInput,
  type VirtualDatacenterDocument,
  virtualDatacenterInput,
} from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { idOfLink, linkOf, type Named } from '#lib/ground/http/view'

const newForm = resourceForm(newVirtualDatacenterInput, {
  ...centerFields,
  location: {
    as: { ...linked, Input: LocationInput },
    label: 'datacenter',
    hint: 'inventory.centers.locationRule',
    missing: 'labels.datacenterMissing',
  },
  ...noteFields,
})

export function NewVirtualDatacenter({ onClose }: { onClose: () => void }) {
  const say = useTranslations('nat.parts.center')
  const creating = useCreateVirtualDatacenter()
  return (
    <FormInDialog
      of={newForm}
      title={say('title')}
      first={{ enterprise: useSession().enterprise }}
      save={({ draft: { enterprise = 0, location: datacenter = 0, ...draft } }) =>
        creating.mutateAsync({ draft: { ...draft, enterprise, datacenter } })
      }
      done={({ name }) => say('created', { name })}
      onClose={onClose}
    />
  )
}

function LocationInput({ form: _, autoFocus: __, ...field }: InputProps<Named | undefined>) {
  return <NamedField {...field} kind="datacenter" disabled={!useMayPick('datacenter')} />
}

/** The enterprise and the datacenter never change. */
const editForm = resourceForm(virtualDatacenterInput, {
  name: centerFields.name,
  device: {
    as: { ...linked, send: (device: Named | undefined) => device, Input: DeviceInput },
    label: 'device',
    hint: 'inventory.centers.deviceRule',
  },
  ...noteFields,
})

export function EditCenter({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useTranslations('inventory.centers')
  const read = useFresh(virtualDatacenterQuery(id))
  if (!read.data) return <LoadingDialog header={say('edit')} read={read} onClose={onClose} />
  return <EditForm read={read} onClose={onClose} />
}

function EditForm({ read, onClose }: { read: Read<VirtualDatacenterDocument>; onClose: () => void }) {
  const say = useTranslations('inventory.centers')
  const changing = useChangeVirtualDatacenter()
  return (
    <FormInDialog
      of={editForm}
      title={say('edit')}
      read={read}
      save={async ({ draft, current }) => {
        if (!current) throw new Error('A virtual datacenter is saved before it is read')
        return changing.mutateAsync({ draft, current })
      }}
      done={({ name }) => say('saved', { name })}
      onClose={onClose}
    />
  )
}

const NONE = 'none'

/** A datacenter has few devices. */
function DeviceInput({ label, hint, error, value, onChange, form }: InputProps<Named | undefined>) {
  const none = useTranslations('common')('none')
  const mayRead = useMay(...access.devices)
  const datacenter = idOfLink(linkOf(form.saved as VirtualDatacenterDocument, 'location')) ?? 0
  const { data } = useQuery({
    ...devicesQuery(datacenter, { by: 'name', limit: 100 }),
    enabled: mayRead,
  })
  const known = data?.collection ?? []
  const unread = value && !known.some(({ id }) => id === value.id) ? [value] : []
  const devices = [...unread, ...known]
  return (
    <Select
      label={label}
      hint={hint}
      error={error}
      disabled={!mayRead}
      value={value ? String(value.id) : NONE}
      options={[
        { value: NONE, text: none },
        ...devices.map(({ id, name }) => ({ value: String(id), text: name })),
      ]}
      onChange={(chosen) => {
        const device = devices.find(({ id }) => String(id) === chosen)
        onChange(device && { id: device.id, name: device.name })
      }}
    />
  )
}

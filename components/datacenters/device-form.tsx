import { useTranslations } from 'use-intl'
import { useFlash } from '#components/forms/flash'
import { fieldNamedIn, textFaults } from '#components/forms/form-faults'
import { LoadingDialog, ResourceDialog } from '#components/forms/resource-form'
import { type Read, useResourceForm } from '#components/forms/use-resource-form'
import type { ApiFault } from '#lib/client/api'
import { useFresh } from '#lib/client/resources.queries'
import { idOfLink, linkOf } from '#lib/http/view'
import { type DeviceDraft, deviceQuery, useSaveDevice } from '#lib/infrastructure/devices.queries'
import { type DeviceDocument, deviceInput } from '#lib/infrastructure/devices.schema'
import { type DeviceField, DeviceFields } from './device-fields'

const fieldOfCode: Record<string, DeviceField> = {
  'NETDEVICE-2': 'name',
  'NETDEVICE-3': 'type',
  'DEVICETYPE-1': 'type',
  'GEN-2': 'type',
  'GEN-6': 'type',
}

const fieldOf = (fault: ApiFault): DeviceField | undefined =>
  fieldOfCode[fault.code] ??
  fieldNamedIn(fault, ['name', 'description', 'endpoint', 'user', 'password'] as const)

type FormOf = { datacenter: number; onClose: () => void }

export function NewDevice(props: FormOf) {
  const say = useTranslations('datacenters.deviceForm')
  return <DeviceForm {...props} title={say('createTitle')} />
}

export function EditDevice({ id, ...props }: FormOf & { id: number }) {
  const say = useTranslations('datacenters.deviceForm')
  const read = useFresh(deviceQuery(props.datacenter, id))
  if (!read.data) return <LoadingDialog header={say('editTitle')} read={read} onClose={props.onClose} />
  return <DeviceForm {...props} title={say('editTitle')} read={read} />
}

type DeviceFormProps = FormOf & {
  title: string
  /** The device to change; absent for a new one. */
  read?: Read<DeviceDocument>
}

const draftOf = (device: DeviceDocument): DeviceDraft => ({
  name: device.name,
  type: idOfLink(linkOf(device, 'devicetype')),
  description: device.description,
  endpoint: device.endpoint,
  user: device.user,
  password: '',
  forget: false,
})

const emptyDraft: DeviceDraft = {
  name: '',
  type: undefined,
  description: '',
  endpoint: '',
  user: '',
  password: '',
  forget: false,
}

function DeviceForm({ datacenter, title, read, onClose }: DeviceFormProps) {
  const notify = useFlash()
  const say = useTranslations('datacenters.deviceForm')
  const sayFault = useTranslations('forms.faults')
  const form = useResourceForm<DeviceDraft, DeviceDocument, DeviceField>({
    first: emptyDraft,
    read,
    draftOf,
    check: ({ type, ...texts }) => {
      const { links: _, ...faults } = textFaults(sayFault, deviceInput, { ...texts, name: texts.name.trim() })
      return { ...faults, ...(type === undefined && { type: say('typeMissing') }) }
    },
    fieldOf,
    save: useSaveDevice(datacenter).mutateAsync,
    onSaved: ({ name }) => {
      notify({ type: 'success', content: say('saved', { name }) })
      onClose()
    },
  })
  return (
    <ResourceDialog
      header={title}
      form={form}
      theirs={(device) => [
        { label: say('name'), value: device.name },
        { label: say('type'), value: linkOf(device, 'devicetype')?.title ?? '–' },
        { label: say('descriptionName'), value: device.description || '–' },
        { label: say('endpointName'), value: device.endpoint || '–' },
        { label: say('userName'), value: device.user || '–' },
      ]}
      onClose={onClose}
    >
      <DeviceFields
        draft={form.draft}
        errors={form.errors}
        isNew={read === undefined}
        knownType={read?.data && linkOf(read.data.document, 'devicetype')?.title}
        onChange={form.change}
      />
    </ResourceDialog>
  )
}

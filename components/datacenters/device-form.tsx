import { useTranslations } from 'use-intl'
import { Conflict } from '#components/forms/conflict'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { fieldNamedIn, textFaults } from '#components/forms/form-faults'
import { useResourceForm } from '#components/forms/use-resource-form'
import type { ApiFault } from '#lib/client/api'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import { idOfLink, linkOf } from '#lib/http/view'
import { type DeviceDraft, deviceQuery, useSaveDevice } from '#lib/infrastructure/devices.queries'
import { type DeviceDocument, deviceInput } from '#lib/infrastructure/devices.schema'
import { type DeviceField, DeviceFields } from './device-fields'
import { FormDialog, LoadingDialog } from './form-dialog'

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
  if (!read.data) return <LoadingDialog title={say('editTitle')} read={read} onClose={props.onClose} />
  return <DeviceForm {...props} title={say('editTitle')} current={read.data} refresh={read.refetch} />
}

type DeviceFormProps = FormOf & {
  title: string
  /** The newest that is known of the device to change. */
  current?: Tagged<DeviceDocument>
  refresh?: () => Promise<unknown>
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

const nothingToRead = () => Promise.resolve()

function DeviceForm({ datacenter, title, current, refresh = nothingToRead, onClose }: DeviceFormProps) {
  const notify = useFlash()
  const say = useTranslations('datacenters.deviceForm')
  const sayFault = useTranslations('datacenters.faults')
  const form = useResourceForm<DeviceDraft, DeviceDocument, DeviceField>({
    first: current ? draftOf(current.document) : emptyDraft,
    current,
    refresh,
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
    <FormDialog
      ref={form.ref}
      title={title}
      isSaving={form.isSaving}
      isBlocked={form.conflict}
      loses={form.loses}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {form.conflict && current && (
        <Conflict
          theirs={[
            { label: say('name'), value: current.document.name },
            { label: say('type'), value: linkOf(current.document, 'devicetype')?.title ?? '–' },
            { label: say('descriptionName'), value: current.document.description || '–' },
            { label: say('endpointName'), value: current.document.endpoint || '–' },
            { label: say('userName'), value: current.document.user || '–' },
          ]}
          isSaving={form.isSaving}
          onKeepMine={form.saveMine}
          onTakeTheirs={form.takeTheirs}
        />
      )}
      {form.failure && <Failure error={form.failure} />}
      <DeviceFields
        draft={form.draft}
        errors={form.errors}
        isNew={current === undefined}
        knownType={current && linkOf(current.document, 'devicetype')?.title}
        onChange={form.change}
      />
    </FormDialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type FieldKind, type InputProps, resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog, type MadeProps } from '#components/base/forms/declared-screens'
import { linked, textLine } from '#components/base/forms/field-kinds'
import { tagsField } from '#components/base/forms/note-fields'
import { LoadingDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { Checkbox } from '#components/kit/checkbox'
import { TextField } from '#components/kit/field'
import { useFresh } from '#lib/client/resources.queries'
import { deviceQuery, deviceTypesQuery, useSaveDevice } from '#lib/cloud/infrastructure/devices.queries'
import { type DeviceDocument, deviceInput } from '#lib/cloud/infrastructure/devices.schema'
import { NatTypeInput, TypeInput, typeFor } from './device-type'

/** null: the current password is removed. */
type TypedPassword = string | null

/** Never read. An empty one stays as it is. */
const password: FieldKind<TypedPassword, string | undefined> = {
  Input: PasswordInput,
  empty: '',
  read: () => '',
  send: (typed) => (typed === null ? '' : typed || undefined),
}

export const deviceForm = resourceForm(deviceInput, {
  name: { as: textLine(), label: 'name', hint: 'datacenters.deviceForm.nameRule' },
  devicetype: {
    as: { ...linked, Input: TypeInput },
    label: 'type',
    missing: 'datacenters.deviceForm.typeMissing',
  },
  description: { as: textLine(), label: 'description' },
  endpoint: {
    as: textLine({ spellCheck: false }),
    label: 'address',
    hint: 'datacenters.deviceForm.endpointRule',
  },
  user: { as: textLine({ spellCheck: false }), label: 'user' },
  password: { as: password, label: 'password' },
  ...tagsField,
})

/** For a device that NAT networks need. */
const natDeviceForm = {
  ...deviceForm,
  fields: {
    ...deviceForm.fields,
    devicetype: { ...deviceForm.fields.devicetype, as: { ...linked, Input: NatTypeInput } },
  },
}

type FormOf = { datacenter: number; onClose: () => void }

export function EditDevice({ id, ...props }: FormOf & { id: number }) {
  const say = useTranslations('datacenters.deviceForm')
  const read = useFresh(deviceQuery(props.datacenter, id))
  if (!read.data) return <LoadingDialog header={say('editTitle')} read={read} onClose={props.onClose} />
  return <DeviceForm {...props} read={read} />
}

type DeviceFormProps = MadeProps<DeviceDocument> & {
  datacenter: number
  /** The device to change; absent for a new one. */
  read?: Read<DeviceDocument>
  /** Whether only a type that supports NAT is of use. */
  needsNat?: boolean
}

export function DeviceForm({ datacenter, needsNat = false, ...dialog }: DeviceFormProps) {
  const say = useTranslations('datacenters.deviceForm')
  const saving = useSaveDevice(datacenter)
  const types = useQuery(deviceTypesQuery())
  const title = say(dialog.read ? 'editTitle' : 'createTitle')
  if (!types.data) return <LoadingDialog header={title} read={types} onClose={dialog.onClose} />
  return (
    <FormInDialog
      {...dialog}
      of={needsNat ? natDeviceForm : deviceForm}
      title={title}
      first={{ devicetype: typeFor('carry', types.data.collection) }}
      save={saving.mutateAsync}
      done={({ name }) => say('saved', { name })}
    />
  )
}

function PasswordInput({ value, form: { saved }, required: _, ...field }: InputProps<TypedPassword>) {
  const say = useTranslations('datacenters.deviceForm')
  return (
    <>
      <TextField
        {...field}
        hint={say(saved ? 'passwordKept' : 'passwordNew')}
        type="password"
        autoComplete="new-password"
        value={value ?? ''}
        disabled={value === null}
      />
      {saved && (
        <Checkbox isChosen={value === null} onChange={(forget) => field.onChange(forget ? null : '')}>
          {say('forget')}
        </Checkbox>
      )}
    </>
  )
}

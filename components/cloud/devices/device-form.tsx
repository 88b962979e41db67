import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type FieldKind, type InputProps, resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog, type MadeProps } from '#components/base/forms/declared-screens'
import { linked, textLine } from '#components/base/forms/field-kinds'
import { failureLine } from '#components/base/forms/picker-list'
import { LoadingDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { Checkbox } from '#components/kit/checkbox'
import { TextField } from '#components/kit/field'
import { Select } from '#components/kit/select'
import { useFresh } from '#lib/client/resources.queries'
import { deviceQuery, deviceTypesQuery, useSaveDevice } from '#lib/cloud/infrastructure/devices.queries'
import { type DeviceDocument, deviceInput } from '#lib/cloud/infrastructure/devices.schema'
import type { Named } from '#lib/ground/http/view'

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
})

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
}

export function DeviceForm({ datacenter, ...dialog }: DeviceFormProps) {
  const say = useTranslations('datacenters.deviceForm')
  return (
    <FormInDialog
      {...dialog}
      of={deviceForm}
      title={say(dialog.read ? 'editTitle' : 'createTitle')}
      save={useSaveDevice(datacenter).mutateAsync}
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

function TypeInput({ label, error, value, onChange }: InputProps<Named | undefined>) {
  const say = useTranslations('datacenters.deviceForm')
  const words = useTranslations('common')
  const types = useQuery(deviceTypesQuery())
  const known = types.data?.collection ?? []
  const options = known.map(({ id, name, nat }) => ({
    value: String(id),
    text: name,
    about: nat ? say('nat') : say('noNat'),
  }))
  const isUnread = value && !known.some(({ id }) => id === value.id)
  return (
    <Select
      label={label}
      error={error}
      value={value && String(value.id)}
      options={isUnread ? [{ value: String(value.id), text: value.name }, ...options] : options}
      placeholder={say('typeChoose')}
      empty={
        types.isError
          ? failureLine(say('typeFailed'), types.error, words('requestId'))
          : say(types.isPending ? 'typeLoading' : 'typeNone')
      }
      onOpen={() => types.isError && void types.refetch()}
      onChange={(type) => {
        const chosen = known.find(({ id }) => String(id) === type)
        onChange(chosen ? { id: chosen.id, name: chosen.name } : value)
      }}
    />
  )
}

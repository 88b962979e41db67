import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select, { type SelectProps } from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { textFaults } from '#components/base/forms/form-faults'
import type { ShownFields } from '#components/base/forms/merge'
import { failureLine } from '#components/base/forms/picker-list'
import { LoadingDialog, ResourceDialog } from '#components/base/forms/resource-form'
import { TextField } from '#components/base/forms/text-field'
import { type FormFields, type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { useFresh } from '#lib/client/resources.queries'
import {
  type DeviceDraft,
  deviceQuery,
  deviceTypesQuery,
  useSaveDevice,
} from '#lib/cloud/infrastructure/devices.queries'
import { type DeviceDocument, deviceInput } from '#lib/cloud/infrastructure/devices.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'

type FormOf = { datacenter: number; onClose: () => void }

export function EditDevice({ id, ...props }: FormOf & { id: number }) {
  const say = useTranslations('datacenters.deviceForm')
  const read = useFresh(deviceQuery(props.datacenter, id))
  if (!read.data) return <LoadingDialog header={say('editTitle')} read={read} onClose={props.onClose} />
  return <DeviceForm {...props} read={read} />
}

type DeviceFormProps = FormOf & {
  onMade?: (device: DeviceDocument) => void
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

export function DeviceForm({ datacenter, read, onMade, onClose }: DeviceFormProps) {
  const say = useTranslations('datacenters.deviceForm')
  const sayFault = useTranslations('forms.faults')
  const form = useResourceForm<DeviceDraft, DeviceDocument, DeviceField>({
    first: emptyDraft,
    editing: { read, draftOf, shown: useShownDevice() },
    check: ({ type, ...texts }) => {
      const { links: _, ...faults } = textFaults(sayFault, deviceInput, { ...texts, name: texts.name.trim() })
      return { ...faults, ...(type === undefined && { type: say('typeMissing') }) }
    },
    names: () => ({ devicetype: 'type' }),
    save: useSaveDevice(datacenter).mutateAsync,
    done: ({ name }) => say('saved', { name }),
    onDone: (device) => {
      onMade?.(device)
      onClose()
    },
  })
  return (
    <ResourceDialog header={say(read ? 'editTitle' : 'createTitle')} form={form} onClose={onClose}>
      <DeviceFields
        form={form}
        isNew={read === undefined}
        knownType={read?.data && linkOf(read.data.document, 'devicetype')?.title}
      />
    </ResourceDialog>
  )
}

function useShownDevice(): ShownFields<DeviceDraft> {
  const label = useTranslations('labels')
  const { data: types } = useQuery(deviceTypesQuery())
  const text = (value: string) => value || '–'
  return {
    name: { label: label('name'), text },
    type: {
      label: label('type'),
      text: (type) => types?.collection.find(({ id }) => id === type)?.name ?? '–',
    },
    description: { label: label('description'), text },
    endpoint: { label: label('address'), text },
    user: { label: label('user'), text },
    password: null,
    forget: null,
  }
}

type DeviceField = Exclude<keyof DeviceDraft, 'forget'>

type DeviceFieldsProps = {
  form: FormFields<DeviceDraft, DeviceField>
  isNew: boolean
  /** The name of the saved type, shown until the types are loaded. */
  knownType: string | undefined
}

const italic = { i: (inside: ReactNode) => <i>{inside}</i> }

function DeviceFields({ form: { draft, errors, change, field }, isNew, knownType }: DeviceFieldsProps) {
  const say = useTranslations('datacenters.deviceForm')
  const label = useTranslations('labels')
  return (
    <SpaceBetween size="l">
      <TextField
        {...field('name')}
        label={label('name')}
        constraintText={say('nameRule')}
        autoFocus
        ariaRequired
      />
      <FormField label={label('type')} errorText={errors.type} stretch>
        <TypePicker value={draft.type} known={knownType} onChange={(type) => change({ type })} />
      </FormField>
      <TextField {...field('description')} label={label.rich('descriptionOptional', italic)} />
      <TextField
        {...field('endpoint')}
        label={say.rich('endpoint', italic)}
        constraintText={say('endpointRule')}
        spellcheck={false}
      />
      <TextField {...field('user')} label={say.rich('user', italic)} autoComplete="off" spellcheck={false} />
      <FormField
        label={say.rich('password', italic)}
        constraintText={isNew ? say('passwordNew') : say('passwordKept')}
        errorText={errors.password}
        stretch
      >
        <SpaceBetween size="xs">
          <Input
            type="password"
            value={draft.password}
            autoComplete="new-password"
            disabled={draft.forget}
            onChange={({ detail }) => change({ password: detail.value })}
          />
          {!isNew && (
            <Checkbox
              checked={draft.forget}
              onChange={({ detail }) => change({ forget: detail.checked, password: '' })}
            >
              {say('forget')}
            </Checkbox>
          )}
        </SpaceBetween>
      </FormField>
    </SpaceBetween>
  )
}

type TypePickerProps = {
  value: number | undefined
  known: string | undefined
  onChange: (type: number) => void
}

function TypePicker({ value, known, onChange }: TypePickerProps) {
  const say = useTranslations('datacenters.deviceForm')
  const words = useTranslations('common')
  const types = useQuery(deviceTypesQuery())
  const options: SelectProps.Option[] = (types.data?.collection ?? []).map(({ id, name, nat }) => ({
    value: String(id),
    label: name,
    labelTag: nat ? say('nat') : say('noNat'),
  }))
  const chosen = options.find((option) => option.value === String(value))
  return (
    <Select
      selectedOption={chosen ?? (value === undefined ? null : { value: String(value), label: known ?? '' })}
      options={options}
      placeholder={say('typeChoose')}
      ariaRequired
      statusType={types.isError ? 'error' : types.isPending ? 'loading' : 'finished'}
      loadingText={say('typeLoading')}
      errorText={failureLine(say('typeFailed'), types.error, words('requestId'))}
      recoveryText={words('tryAgain')}
      empty={say('typeNone')}
      onLoadItems={() => types.isError && void types.refetch()}
      onChange={({ detail }) => onChange(Number(detail.selectedOption.value))}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { textFaults } from '#components/base/forms/form-faults'
import type { ShownFields } from '#components/base/forms/merge'
import { failureLine } from '#components/base/forms/picker-list'
import { LoadingDialog, ResourceDialog } from '#components/base/forms/resource-form'
import { type FormFields, type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { Checkbox } from '#components/kit/checkbox'
import { TextField } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { Select } from '#components/kit/select'
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
    <Stack gap="l">
      <TextField {...field('name')} label={label('name')} hint={say('nameRule')} autoFocus required />
      <TypePicker
        value={draft.type}
        known={knownType}
        error={errors.type}
        onChange={(type) => change({ type })}
      />
      <TextField {...field('description')} label={label.rich('descriptionOptional', italic)} />
      <TextField
        {...field('endpoint')}
        label={say.rich('endpoint', italic)}
        hint={say('endpointRule')}
        spellCheck={false}
      />
      <TextField {...field('user')} label={say.rich('user', italic)} autoComplete="off" spellCheck={false} />
      <TextField
        {...field('password')}
        label={say.rich('password', italic)}
        hint={isNew ? say('passwordNew') : say('passwordKept')}
        type="password"
        autoComplete="new-password"
        disabled={draft.forget}
      />
      {!isNew && (
        <Checkbox isChosen={draft.forget} onChange={(forget) => change({ forget, password: '' })}>
          {say('forget')}
        </Checkbox>
      )}
    </Stack>
  )
}

type TypePickerProps = {
  value: number | undefined
  known: string | undefined
  error: ReactNode
  onChange: (type: number) => void
}

function TypePicker({ value, known, error, onChange }: TypePickerProps) {
  const say = useTranslations('datacenters.deviceForm')
  const label = useTranslations('labels')
  const words = useTranslations('common')
  const types = useQuery(deviceTypesQuery())
  const options = (types.data?.collection ?? []).map(({ id, name, nat }) => ({
    value: String(id),
    text: name,
    about: nat ? say('nat') : say('noNat'),
  }))
  const chosen = value === undefined ? undefined : String(value)
  const isUnread = chosen !== undefined && !options.some((option) => option.value === chosen)
  return (
    <Select
      label={label('type')}
      error={error}
      value={chosen}
      options={isUnread ? [{ value: chosen, text: known ?? '' }, ...options] : options}
      placeholder={say('typeChoose')}
      empty={
        types.isError
          ? failureLine(say('typeFailed'), types.error, words('requestId'))
          : say(types.isPending ? 'typeLoading' : 'typeNone')
      }
      onOpen={() => types.isError && void types.refetch()}
      onChange={(type) => onChange(Number(type))}
    />
  )
}

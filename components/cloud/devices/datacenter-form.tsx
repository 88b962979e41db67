import { useTranslations } from 'use-intl'
import { textFaults } from '#components/base/forms/form-faults'
import { LoadingDialog, ResourceDialog } from '#components/base/forms/resource-form'
import { TextField } from '#components/base/forms/text-field'
import { type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { useFresh } from '#lib/client/resources.queries'
import { datacenterQuery, useSaveDatacenter } from '#lib/cloud/infrastructure/datacenters.queries'
import {
  type DatacenterDocument,
  type DatacenterInput,
  datacenterInput,
} from '#lib/cloud/infrastructure/datacenters.schema'

export function EditDatacenter({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useTranslations('datacenters.form')
  const read = useFresh(datacenterQuery(id))
  if (!read.data) return <LoadingDialog header={say('editTitle')} read={read} onClose={onClose} />
  return <DatacenterForm read={read} onClose={onClose} />
}

type DatacenterFormProps = {
  /** The datacenter to change; absent for a new one. */
  read?: Read<DatacenterDocument>
  onMade?: (datacenter: DatacenterDocument) => void
  onClose: () => void
}

const draftOf = ({ name, location }: DatacenterInput): DatacenterInput => ({ name, location })

export function DatacenterForm({ read, onMade, onClose }: DatacenterFormProps) {
  const say = useTranslations('datacenters.form')
  const label = useTranslations('labels')
  const sayFault = useTranslations('forms.faults')
  const form = useResourceForm<DatacenterInput, DatacenterDocument, keyof DatacenterInput>({
    first: { name: '', location: '' },
    editing: {
      read,
      draftOf,
      shown: {
        name: { label: label('name'), text: String },
        location: { label: label('location'), text: (location) => location || '–' },
      },
    },
    check: ({ name, location }) => textFaults(sayFault, datacenterInput, { name: name.trim(), location }),
    save: useSaveDatacenter().mutateAsync,
    done: ({ name }) => say('saved', { name }),
    onDone: (datacenter) => {
      onMade?.(datacenter)
      onClose()
    },
  })
  return (
    <ResourceDialog header={say(read ? 'editTitle' : 'createTitle')} form={form} onClose={onClose}>
      <TextField {...form.field('name')} label={label('name')} autoFocus ariaRequired />
      <TextField
        {...form.field('location')}
        label={say.rich('locationOptional', { i: (inside) => <i>{inside}</i> })}
        constraintText={say('locationRule')}
      />
    </ResourceDialog>
  )
}

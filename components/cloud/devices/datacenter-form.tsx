import { useTranslations } from 'use-intl'
import { resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog, type MadeProps } from '#components/base/forms/declared-screens'
import { textLine } from '#components/base/forms/field-kinds'
import { noteFields } from '#components/base/forms/note-fields'
import { LoadingDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { useFresh } from '#lib/client/resources.queries'
import { datacenterQuery, useSaveDatacenter } from '#lib/cloud/infrastructure/datacenters.queries'
import { type DatacenterDocument, datacenterInput } from '#lib/cloud/infrastructure/datacenters.schema'

const LocationRule = () => useTranslations('datacenters.form')('locationRule')

const datacenterForm = resourceForm(datacenterInput, {
  name: { as: textLine(), label: 'name' },
  location: { as: textLine(), label: 'location', about: LocationRule },
  ...noteFields,
})

export function EditDatacenter({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useTranslations('datacenters.form')
  const read = useFresh(datacenterQuery(id))
  if (!read.data) return <LoadingDialog header={say('editTitle')} read={read} onClose={onClose} />
  return <DatacenterForm read={read} onClose={onClose} />
}

type DatacenterFormProps = MadeProps<DatacenterDocument> & {
  /** The datacenter to change; absent for a new one. */
  read?: Read<DatacenterDocument>
}

export function DatacenterForm(dialog: DatacenterFormProps) {
  const say = useTranslations('datacenters.form')
  return (
    <FormInDialog
      {...dialog}
      of={datacenterForm}
      title={say(dialog.read ? 'editTitle' : 'createTitle')}
      save={useSaveDatacenter().mutateAsync}
      done={({ name }) => say('saved', { name })}
    />
  )
}

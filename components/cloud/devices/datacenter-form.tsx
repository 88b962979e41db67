import { useTranslations } from 'use-intl'
import { DeclaredFields, resourceForm, useDeclaredForm } from '#components/base/forms/declared-form'
import { textLine } from '#components/base/forms/field-kinds'
import { LoadingDialog, ResourceDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { useFresh } from '#lib/client/resources.queries'
import { datacenterQuery, useSaveDatacenter } from '#lib/cloud/infrastructure/datacenters.queries'
import { type DatacenterDocument, datacenterInput } from '#lib/cloud/infrastructure/datacenters.schema'

const LocationRule = () => useTranslations('datacenters.form')('locationRule')

const datacenterForm = resourceForm(datacenterInput, {
  name: { as: textLine(), label: 'name' },
  location: { as: textLine(), label: 'location', about: LocationRule },
})

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

export function DatacenterForm({ read, onMade, onClose }: DatacenterFormProps) {
  const say = useTranslations('datacenters.form')
  const form = useDeclaredForm(datacenterForm, {
    read,
    save: useSaveDatacenter().mutateAsync,
    done: ({ name }) => say('saved', { name }),
    onDone: (datacenter) => {
      onMade?.(datacenter)
      onClose()
    },
  })
  return (
    <ResourceDialog header={say(read ? 'editTitle' : 'createTitle')} form={form} onClose={onClose}>
      <DeclaredFields of={datacenterForm} form={form} inDialog />
    </ResourceDialog>
  )
}

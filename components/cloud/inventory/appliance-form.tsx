import { useTranslations } from 'use-intl'
import { resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog } from '#components/base/forms/declared-screens'
import { textLine } from '#components/base/forms/field-kinds'
import { noteFields } from '#components/base/forms/note-fields'
import { LoadingDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { useFresh } from '#lib/client/resources.queries'
import { useSaveAppliance, virtualApplianceQuery } from '#lib/cloud/machines/virtual-appliances.queries'
import {
  type VirtualApplianceDocument,
  virtualApplianceInput,
} from '#lib/cloud/machines/virtual-appliances.schema'

const applianceForm = resourceForm(virtualApplianceInput, {
  name: { as: textLine(), label: 'name', hint: 'nat.parts.appliance.about' },
  ...noteFields,
})

type EditProps = { center: number; id: number; onClose: () => void }

export function EditAppliance({ center, id, onClose }: EditProps) {
  const say = useTranslations('inventory.appliances')
  const read = useFresh(virtualApplianceQuery(center, id))
  if (!read.data) return <LoadingDialog header={say('edit')} read={read} onClose={onClose} />
  return <ApplianceForm center={center} read={read} onClose={onClose} />
}

type FormProps = { center: number; read: Read<VirtualApplianceDocument>; onClose: () => void }

function ApplianceForm({ center, read, onClose }: FormProps) {
  const say = useTranslations('inventory.appliances')
  return (
    <FormInDialog
      of={applianceForm}
      title={say('edit')}
      read={read}
      save={useSaveAppliance(center).mutateAsync}
      done={({ name }) => say('saved', { name })}
      onClose={onClose}
    />
  )
}

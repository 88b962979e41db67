import { Fragment, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { NamedField } from '#components/base/pickers/named-picker'
import { useMay } from '#components/base/session/session'
import { DatacenterForm } from '#components/cloud/devices/datacenter-form'
import { Stack } from '#components/kit/layout'
import type { Named } from '#lib/ground/http/view'

type InDatacenterProps = {
  /** If absent, the user chooses one. */
  given: number | undefined
  value: Named | undefined
  error: ReactNode
  onChange: (datacenter: Named | undefined) => void
  /** The fields that depend on the datacenter. */
  children: (datacenter: number) => ReactNode
}

/** The fields of a form in a datacenter. Forms that are opened from a list of all datacenters ask for one first. */
export function InDatacenter({ given, children, ...field }: InDatacenterProps) {
  const label = useTranslations('labels')
  const sayNew = useTranslations('forms.inPlace')
  const mayCreate = useMay('PHYS_DC_MANAGE')
  if (given !== undefined) return children(given)
  const chosen = field.value?.id
  return (
    <Stack gap="l">
      <NamedField
        {...field}
        kind="datacenter"
        label={label('datacenter')}
        hint={label('datacenterFirst')}
        required
        around={(picker) => (
          <CreateInPlace
            label={sayNew('datacenter')}
            mayCreate={mayCreate}
            dialog={(onClose) => <DatacenterForm onMade={field.onChange} onClose={onClose} />}
          >
            {picker}
          </CreateInPlace>
        )}
      />
      {chosen !== undefined && <Fragment key={chosen}>{children(chosen)}</Fragment>}
    </Stack>
  )
}

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { NamedField } from '#components/pickers/named-picker'
import type { Named } from '#lib/http/view'

type DatacenterFieldProps = {
  value: Named | undefined
  error: ReactNode
  onChange: (datacenter: Named | undefined) => void
}

/** The first question of the forms that are opened from a list of all datacenters. */
export function DatacenterField(props: DatacenterFieldProps) {
  const label = useTranslations('labels')
  return (
    <NamedField
      {...props}
      kind="datacenter"
      label={label('datacenter')}
      description={label('datacenterFirst')}
      required
    />
  )
}

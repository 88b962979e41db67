import Select, { type SelectProps } from '@cloudscape-design/components/select'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/forms/picker-list'
import { useMay } from '#components/session/session'
import { entityPickerQuery } from '#lib/scopes/scopes.queries'
import { entityKinds, useEntityNames } from './entity-kinds'

type EnterpriseFilterProps = { value: number | undefined; onChange: (enterprise: number | undefined) => void }

/** Keeps the scopes that open one enterprise, found on the server as one types. */
export function EnterpriseFilter({ value, onChange }: EnterpriseFilterProps) {
  const say = useTranslations('scopes.visibleIn')
  const sayKind = useTranslations('scopes.kinds.ENTERPRISE')
  const mayList = useMay(...entityKinds.ENTERPRISE.readers)
  const [name] = useEntityNames('ENTERPRISE', value === undefined ? [] : [value])
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({
    ...entityPickerQuery('ENTERPRISE', has ?? ''),
    enabled: mayList && has !== undefined,
  })
  const words = { loading: sayKind('loading'), failed: sayKind('failed') }
  const loaded = usePickerList(list, words, setHas)
  const any: SelectProps.Option = { value: '', label: say('any') }
  const found = list.data?.pages.flatMap(({ collection }) => collection) ?? []
  // Without the list the choice that came with the address can only be taken back.
  if (!mayList && value === undefined) return null
  return (
    <div style={{ flex: '0 1 320px', minInlineSize: 220 }}>
      <Select
        inlineLabelText={say('label')}
        selectedOption={value === undefined ? any : { value: String(value), label: name ?? '' }}
        options={[...(has ? [] : [any]), ...found.map((one) => ({ value: String(one.id), label: one.name }))]}
        selectedAriaLabel={say('chosen')}
        {...(mayList && {
          filteringType: 'manual' as const,
          filteringPlaceholder: sayKind('find'),
          filteringAriaLabel: sayKind('find'),
          ...loaded,
          empty: sayKind('noMatch'),
        })}
        onChange={({ detail }) => onChange(Number(detail.selectedOption.value) || undefined)}
      />
    </div>
  )
}

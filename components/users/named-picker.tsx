import Select, { type SelectProps } from '@cloudscape-design/components/select'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/forms/picker-list'
import { useMay } from '#components/session/session'
import { readers } from '#lib/auth/readers'
import type { Query } from '#lib/client/resources.queries'
import { type Found, type Named, type NamedKind, namedPickerQuery } from '#lib/identity/pickers.queries'

type NamedPickerProps = {
  kind: NamedKind
  value: Named | undefined
  onChange: (chosen: Named | undefined) => void
  /** Narrows the list on the server. */
  filter?: Query
  /** The choice of none: what it is called, and what it means. */
  none?: { label: string; description?: string }
  /** What is known without asking, for who may not read the list. */
  known?: readonly Named[]
  /** Why one of them cannot be chosen. */
  refusalOf?: (found: Found) => string | undefined
  disabled?: boolean
  required?: boolean
}

/** May the user read the list that a picker searches? */
export const useMayPick = (kind: NamedKind): boolean => useMay(...readers[kind])

/** One enterprise, role or scope, searched on the server while one types. */
export function NamedPicker({ kind, value, filter, none, known = [], ...props }: NamedPickerProps) {
  const say = useTranslations('users.picker')
  const mayRead = useMayPick(kind)
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({
    ...namedPickerQuery(kind, has ?? '', filter),
    enabled: mayRead && has !== undefined,
  })
  const found = mayRead ? (list.data?.pages.flatMap(({ collection }) => collection) ?? []) : known
  const noneOption = none && { value: '', ...none }
  const words = { loading: say(`${kind}.loading`), failed: say(`${kind}.failed`) }
  const loaded = usePickerList(list, words, setHas)
  return (
    <Select
      selectedOption={value ? { value: String(value.id), label: value.name } : (noneOption ?? null)}
      options={[
        ...(noneOption && !has ? [noneOption] : []),
        ...found.map((one) => optionOf(one, props.refusalOf)),
      ]}
      placeholder={say(`${kind}.choose`)}
      {...(mayRead && {
        filteringType: 'manual' as const,
        filteringPlaceholder: say(`${kind}.find`),
        filteringAriaLabel: say(`${kind}.find`),
        ...loaded,
        empty: has ? say(`${kind}.noMatch`) : say(`${kind}.nothing`),
      })}
      disabled={props.disabled ?? false}
      ariaRequired={props.required ?? false}
      onChange={({ detail: { selectedOption } }) =>
        props.onChange(
          selectedOption.value
            ? { id: Number(selectedOption.value), name: selectedOption.label ?? '' }
            : undefined,
        )
      }
    />
  )
}

function optionOf(found: Found, refusalOf: NamedPickerProps['refusalOf']): SelectProps.Option {
  const refusal = refusalOf?.(found)
  return {
    value: String(found.id),
    label: found.name,
    ...(refusal !== undefined && { disabled: true, disabledReason: refusal }),
  }
}

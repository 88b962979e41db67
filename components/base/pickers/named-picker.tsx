import FormField, { type FormFieldProps } from '@cloudscape-design/components/form-field'
import Select, { type SelectProps } from '@cloudscape-design/components/select'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/base/forms/picker-list'
import { useMay, useSession } from '#components/base/session/session'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Found, type NamedKind, namedPickerQuery } from '#lib/caller/kinds/named.queries'
import type { Query } from '#lib/client/resources.queries'
import type { Named } from '#lib/ground/http/view'

/** The reason why the user may not grant a scope that is wider than their own. */
export function useScopeRefusal(): (scope: Found) => string | undefined {
  const say = useTranslations('users.form')
  const own = useSession().scope
  return ({ automaticAddEnterprise, automaticAddDatacenter }) =>
    (automaticAddEnterprise && !own.allEnterprises) || (automaticAddDatacenter && !own.allDatacenters)
      ? say('wider')
      : undefined
}

/** May the user read the list that a picker searches? */
export const useMayPick = (kind: NamedKind): boolean => useMay(...kinds[kind].readers)

/** The list of a picker, read once the picker opens and searched on the server while the user types. */
export function useNamedList(kind: NamedKind, filter?: Query) {
  const say = useTranslations('users.picker')
  const mayRead = useMayPick(kind)
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({
    ...namedPickerQuery(kind, has ?? '', filter),
    enabled: mayRead && has !== undefined,
  })
  const words = { loading: say(`${kind}.loading`), failed: say(`${kind}.failed`) }
  const loaded = usePickerList(list, words, setHas)
  return {
    mayRead,
    isSearching: Boolean(has),
    found: list.data?.pages.flatMap(({ collection }) => collection) ?? [],
    /** The properties of a Select or Multiselect over this list. */
    searchProps: {
      filteringType: 'manual' as const,
      filteringPlaceholder: say(`${kind}.find`),
      filteringAriaLabel: say(`${kind}.find`),
      ...loaded,
      empty: say(has ? `${kind}.noMatch` : `${kind}.nothing`),
    },
  }
}

export const optionOf = ({ id, name }: Named) => ({ value: String(id), label: name })

type NamedPickerProps = {
  kind: NamedKind
  value: Named | undefined
  onChange: (chosen: Named | undefined) => void
  /** Stands inside the field, where no form field labels it. */
  label?: string
  /** Narrows the list on the server. */
  filter?: Query
  /** The option for no choice. */
  none?: { label: string; description?: string }
  /** Options for users who may not read the list. */
  known?: readonly Named[]
  /** Why an item cannot be chosen. */
  refusalOf?: (found: Found) => string | undefined
  disabled?: boolean
  required?: boolean
}

/** One enterprise, datacenter, role or scope, searched on the server while the user types. */
export function NamedPicker({ kind, value, filter, none, known = [], ...props }: NamedPickerProps) {
  const say = useTranslations('users.picker')
  const { mayRead, isSearching, found, searchProps } = useNamedList(kind, filter)
  const noneOption = none && { value: '', ...none }
  const optionFor = (one: Found): SelectProps.Option => {
    const refusal = props.refusalOf?.(one)
    return { ...optionOf(one), ...(refusal !== undefined && { disabled: true, disabledReason: refusal }) }
  }
  return (
    <Select
      {...(props.label !== undefined && { inlineLabelText: props.label })}
      selectedOption={value ? optionOf(value) : (noneOption ?? null)}
      options={[
        ...(noneOption && !isSearching ? [noneOption] : []),
        ...(mayRead ? found : known).map(optionFor),
      ]}
      placeholder={say(`${kind}.choose`)}
      {...(mayRead && searchProps)}
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

type NamedFieldProps = Omit<NamedPickerProps, 'label'> &
  Pick<FormFieldProps, 'label' | 'description' | 'constraintText'> & {
    error: ReactNode
    /** A picker with a button that creates a missing item in place. */
    around?: (picker: ReactNode) => ReactNode
  }

/** The same with a label of its own: `<NamedField {...form.field('scope')} kind="scope" label={say('scope')} />`. */
export const NamedField = ({
  label,
  description,
  constraintText,
  error,
  around = (picker) => picker,
  ...picker
}: NamedFieldProps) => (
  <FormField
    label={label}
    description={description}
    constraintText={constraintText}
    errorText={error}
    stretch
  >
    {around(<NamedPicker {...picker} />)}
  </FormField>
)

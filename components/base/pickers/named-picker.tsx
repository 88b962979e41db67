import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/base/forms/picker-list'
import { useMayPick, useSession } from '#components/base/session/session'
import { Picker } from '#components/kit/picker'
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

/** The list of a picker, read once the picker opens and searched on the server while the user types. */
export function useNamedList(kind: NamedKind, filter?: Query) {
  const say = useTranslations('users.picker')
  const mayRead = useMayPick(kind)
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({
    ...namedPickerQuery(kind, has ?? '', filter),
    enabled: mayRead && has !== undefined,
  })
  const words = {
    loading: say(`${kind}.loading`),
    failed: say(`${kind}.failed`),
    none: say(has ? `${kind}.noMatch` : `${kind}.nothing`),
  }
  return {
    mayRead,
    isSearching: Boolean(has),
    found: list.data?.pages.flatMap(({ collection }) => collection) ?? [],
    /** The properties of a picker over this list. */
    searchProps: { placeholder: say(`${kind}.find`), ...usePickerList(list, words, setHas) },
  }
}

export type NamedFieldProps = {
  kind: NamedKind
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  value: Named | undefined
  onChange: (chosen: Named | undefined) => void
  /** Narrows the list on the server. */
  filter?: Query | undefined
  /** The option for no choice. */
  none?: { label: string; description?: string } | undefined
  /** Options for users who may not read the list. */
  known?: readonly Named[] | undefined
  /** Why an item cannot be chosen. */
  refusalOf?: ((found: Found) => string | undefined) | undefined
  disabled?: boolean
  required?: boolean
  /** The field with a button that creates a missing item in place. */
  around?: (field: ReactNode) => ReactNode
}

/** The id of no choice. */
const NONE = 0

/**
 * One enterprise, datacenter, role or scope, searched on the server while the user types:
 * `<NamedField {...form.field('scope')} kind="scope" label={say('scope')} />`.
 */
export function NamedField({ kind, value, filter, none, known = [], refusalOf, ...props }: NamedFieldProps) {
  const { onChange, around = (field) => field, ...field } = props
  const { mayRead, isSearching, found, searchProps } = useNamedList(kind, filter)
  const noneOption = none && { id: NONE, name: none.label, about: none.description }
  return around(
    <Picker
      {...field}
      {...searchProps}
      value={value ?? noneOption}
      options={[
        ...(noneOption && !isSearching ? [noneOption] : []),
        ...(mayRead
          ? found.map((one) => ({ id: one.id, name: one.name, refused: refusalOf?.(one) }))
          : known),
      ]}
      onChange={(chosen) =>
        onChange(chosen?.id === NONE ? undefined : chosen && { id: chosen.id, name: chosen.name })
      }
    />,
  )
}

import Select, { type SelectProps } from '@cloudscape-design/components/select'
import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/forms/picker-list'
import type { Collection } from '#lib/http/view'
import type { English } from '#lib/words/words'

/** A page of a list after the other. */
type Pages<T, Key extends QueryKey> = UseInfiniteQueryOptions<
  Collection<T>,
  Error,
  InfiniteData<Collection<T>>,
  Key,
  number
>

type PickedKind = keyof English['nat']['pick']

type ResourcePickerProps<T, Key extends QueryKey> = {
  kind: PickedKind
  /** What is chosen: its value among the options, and its name. */
  value: { value: string; label: string } | undefined
  pages: (has: string) => Pages<T, Key>
  optionOf: (item: T) => SelectProps.Option & { value: string }
  disabled?: boolean
  onChange: (item: T) => void
  /** Called when the list is opened for the first time. */
  onOpen?: () => void
  ref?: Ref<SelectProps.Ref>
}

/** One thing of a list, searched on the server as one types; what cannot be chosen is there, with the reason. */
export function ResourcePicker<T, Key extends QueryKey>({
  kind,
  value,
  pages,
  optionOf,
  onChange,
  onOpen,
  ...props
}: ResourcePickerProps<T, Key>) {
  const say = useTranslations('nat.pick')
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({ ...pages(has ?? ''), enabled: has !== undefined })
  const items = list.data?.pages.flatMap(({ collection }) => collection) ?? []
  const words = { loading: say(`${kind}.loading`), failed: say(`${kind}.failed`) }
  const loaded = usePickerList(list, words, (text) => {
    onOpen?.()
    setHas(text)
  })
  return (
    <Select
      {...(props.ref && { ref: props.ref })}
      selectedOption={value ?? null}
      options={items.map(optionOf)}
      placeholder={say(`${kind}.choose`)}
      filteringType="manual"
      filteringPlaceholder={say(`${kind}.find`)}
      filteringAriaLabel={say(`${kind}.find`)}
      ariaRequired
      disabled={props.disabled ?? false}
      {...loaded}
      empty={has ? say(`${kind}.noMatch`) : say(`${kind}.nothing`)}
      onChange={({ detail }) => {
        const chosen = items.find((item) => optionOf(item).value === detail.selectedOption.value)
        if (chosen) onChange(chosen)
      }}
    />
  )
}

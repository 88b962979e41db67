import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TokenGroup from '@cloudscape-design/components/token-group'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePickerList } from '#components/forms/picker-list'
import { useMay } from '#components/session/session'
import { entityPickerQuery } from '#lib/scopes/scopes.queries'
import type { ScopeEntityType } from '#lib/scopes/scopes.schema'
import { entityKinds, namesAtOnce, useEntityNames } from './entity-kinds'

type EntityPickerProps = {
  type: ScopeEntityType
  ids: readonly number[]
  /** All of them belong to the scope: what it names beside does not count. */
  unlimited: boolean
  error: ReactNode
  onChange: (ids: number[]) => void
}

/** Enterprises or datacenters of a scope: found on the server as one types, the chosen ones shown below. */
export function EntityPicker({ type, ids, unlimited, error, onChange }: EntityPickerProps) {
  const say = useTranslations('scopes.picker')
  const sayKinds = useTranslations('scopes.kinds')
  const mayRead = useMay(...entityKinds[type].readers)
  const [has, setHas] = useState('')
  const [opened, setOpened] = useState(false)
  const list = useInfiniteQuery({ ...entityPickerQuery(type, has), enabled: opened })
  const words = { loading: sayKinds(`${type}.loading`), failed: sayKinds(`${type}.failed`) }
  const loaded = usePickerList(list, words, (text) => {
    setOpened(true)
    setHas(text)
  })
  const options = list.data?.pages.flatMap(({ collection }) => collection.map(optionOf)) ?? []
  const closed = unlimited
    ? sayKinds(`${type}.unlimited`)
    : mayRead
      ? undefined
      : sayKinds(`${type}.mayNotList`)

  return (
    <FormField label={sayKinds(`${type}.title`)} description={closed} errorText={error} stretch>
      <SpaceBetween size="xs">
        <Multiselect
          options={options}
          selectedOptions={ids.map((id) => ({ value: String(id) }))}
          hideTokens
          keepOpen
          disabled={closed !== undefined}
          placeholder={ids.length === 0 ? sayKinds(`${type}.choose`) : say('chosen', { count: ids.length })}
          filteringType="manual"
          filteringPlaceholder={sayKinds(`${type}.find`)}
          filteringAriaLabel={sayKinds(`${type}.find`)}
          {...loaded}
          empty={has === '' ? sayKinds(`${type}.empty`) : sayKinds(`${type}.noMatch`)}
          onChange={({ detail }) => onChange(detail.selectedOptions.map(({ value }) => Number(value)))}
        />
        <ChosenEntities type={type} ids={ids} disabled={unlimited} onChange={onChange} />
      </SpaceBetween>
    </FormField>
  )
}

const optionOf = ({ id, name }: { id: number; name: string }): MultiselectProps.Option => ({
  value: String(id),
  label: name,
})

type ChosenProps = {
  type: ScopeEntityType
  ids: readonly number[]
  disabled: boolean
  onChange: (ids: number[]) => void
}

function ChosenEntities({ type, ids, disabled, onChange }: ChosenProps) {
  const say = useTranslations('scopes')
  const [shown, setShown] = useState(namesAtOnce)
  const names = useEntityNames(type, ids.slice(0, shown))
  if (ids.length === 0) return null
  const left = ids.length - names.length
  return (
    <SpaceBetween size="xs">
      <TokenGroup
        disableOuterPadding
        items={names.map((name) => ({
          label: name,
          disabled,
          dismissLabel: say('picker.remove', { name }),
        }))}
        onDismiss={({ detail }) => onChange(ids.filter((_, index) => index !== detail.itemIndex))}
      />
      {left > 0 && (
        <Button variant="inline-link" onClick={() => setShown(shown + namesAtOnce)}>
          {say('more', { count: Math.min(left, namesAtOnce), left })}
        </Button>
      )}
    </SpaceBetween>
  )
}

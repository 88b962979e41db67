import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TokenGroup from '@cloudscape-design/components/token-group'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '#components/layout/session'
import { entityPickerQuery } from '#lib/scopes/scopes.queries'
import type { ScopeEntityType } from '#lib/scopes/scopes.schema'
import { entityKinds, namesAtOnce, useEntityNames } from './entity-kinds'

type EntityPickerProps = {
  type: ScopeEntityType
  label: string
  ids: readonly number[]
  /** All of them belong to the scope: what it names beside does not count. */
  unlimited: boolean
  error: string | undefined
  onChange: (ids: number[]) => void
}

/** Enterprises or datacenters of a scope: found on the server as one types, the chosen ones shown below. */
export function EntityPicker({ type, label, ids, unlimited, error, onChange }: EntityPickerProps) {
  const { many, readers } = entityKinds[type]
  const mayRead = useMay(...readers)
  const [has, setHas] = useState('')
  const [opened, setOpened] = useState(false)
  const list = useInfiniteQuery({ ...entityPickerQuery(type, has), enabled: opened })
  const options = list.data?.pages.flatMap(({ collection }) => collection.map(optionOf)) ?? []

  return (
    <FormField label={label} description={describe(many, unlimited, mayRead)} errorText={error} stretch>
      <SpaceBetween size="xs">
        <Multiselect
          options={options}
          selectedOptions={ids.map((id) => ({ value: String(id) }))}
          hideTokens
          keepOpen
          disabled={unlimited || !mayRead}
          placeholder={ids.length === 0 ? `Choose ${many}` : `${ids.length.toLocaleString()} chosen`}
          filteringType="manual"
          filteringPlaceholder={`Find ${many} by name`}
          filteringAriaLabel={`Find ${many} by name`}
          statusType={statusOf(list)}
          loadingText={`Loading ${many}`}
          errorText={`The ${many} could not be loaded.`}
          recoveryText="Try again"
          empty={has === '' ? `You see no ${many}.` : `No ${many} of this name.`}
          onLoadItems={({ detail }) => {
            setOpened(true)
            if (detail.firstPage) setHas(detail.filteringText)
            else if (!detail.samePage) void list.fetchNextPage()
            if (detail.samePage) void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())
          }}
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

function statusOf(list: {
  isPending: boolean
  isError: boolean
  isFetchingNextPage: boolean
  hasNextPage: boolean
}): 'loading' | 'error' | 'pending' | 'finished' {
  if (list.isError) return 'error'
  if (list.isPending || list.isFetchingNextPage) return 'loading'
  return list.hasNextPage ? 'pending' : 'finished'
}

function describe(many: string, unlimited: boolean, mayRead: boolean): string | undefined {
  if (unlimited) return `All ${many} belong to this scope.`
  return mayRead ? undefined : `You may not list ${many}, so none can be added here.`
}

type ChosenProps = {
  type: ScopeEntityType
  ids: readonly number[]
  disabled: boolean
  onChange: (ids: number[]) => void
}

function ChosenEntities({ type, ids, disabled, onChange }: ChosenProps) {
  const [shown, setShown] = useState(namesAtOnce)
  const names = useEntityNames(type, ids.slice(0, shown))
  if (ids.length === 0) return null
  const left = ids.length - names.length
  return (
    <SpaceBetween size="xs">
      <TokenGroup
        disableOuterPadding
        items={names.map((label) => ({ label, disabled, dismissLabel: `Remove ${label}` }))}
        onDismiss={({ detail }) => onChange(ids.filter((_, index) => index !== detail.itemIndex))}
      />
      {left > 0 && (
        <Button variant="inline-link" onClick={() => setShown(shown + namesAtOnce)}>
          {`Show ${Math.min(left, namesAtOnce)} more of ${left.toLocaleString()}`}
        </Button>
      )}
    </SpaceBetween>
  )
}

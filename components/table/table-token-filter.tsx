import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { failureLine } from '#components/forms/picker-list'
import { queryOfSearch, searchOfQuery, type Token } from './table-tokens'
import type { TableState } from './use-table-state'
import { keepName, useTokenOptions } from './use-token-options'

type TokenFilterProps = {
  tokens: readonly Token[]
  table: Pick<TableState<string>, 'has' | 'filters' | 'filterValues' | 'setSearch'>
  /** What free text looks for; without it there is none. */
  label: string | undefined
  total: number | undefined
  isLoading: boolean
}

/** The filters of a list as tokens: one of a kind, all of them narrow. */
export function TokenFilter({ tokens, table, label, total, isLoading }: TokenFilterProps) {
  const say = useTranslations('layout')
  const sayCommon = useTranslations('common')
  const client = useQueryClient()
  const contains = say('tokens.contains')
  const [unknown, setUnknown] = useState<{ key: string; value: string }>()
  const { optionsOf, status, error, onLoadItems } = useTokenOptions(tokens, table.filters)
  const labelOf = (key: string, value: string) =>
    optionsOf(key).find((option) => option.value === value)?.label ?? value

  const change = (query: PropertyFilterProps.Query) => {
    const search = searchOfQuery(query, { tokens, values: table.filterValues, optionsOf })
    const others = Object.entries(table.filters).filter(([key]) => !tokens.some((token) => token.key === key))
    setUnknown(search.unknown)
    for (const token of tokens) {
      const value = search.filters[token.key]
      if (value !== undefined) keepName(client, token, value, labelOf(token.key, value))
    }
    table.setSearch(search.has, { ...Object.fromEntries(others), ...search.filters })
  }

  const isNarrowed = table.has !== '' || tokens.some(({ key }) => table.filters[key] !== undefined)
  return (
    <div style={{ flex: '1 1 280px', maxInlineSize: 720 }}>
      <PropertyFilter
        query={queryOfSearch(table, tokens, contains)}
        filteringProperties={tokens.map(({ key, label: propertyLabel }) => ({
          key,
          propertyLabel,
          groupValuesLabel: propertyLabel,
          operators: [{ operator: '=', format: (value: string) => labelOf(key, value) }],
        }))}
        filteringOptions={tokens.flatMap(({ key }) =>
          optionsOf(key).map((option) => ({ propertyKey: key, ...option })),
        )}
        filteringPlaceholder={label ?? say('tokens.placeholder')}
        filteringAriaLabel={label ?? say('tokens.placeholder')}
        filteringStatusType={status}
        filteringLoadingText={say('tokens.loading')}
        filteringErrorText={failureLine(say('tokens.failed'), error, sayCommon('requestId'))}
        filteringRecoveryText={sayCommon('tryAgain')}
        filteringEmpty={say('tokens.none')}
        filteringConstraintText={
          unknown &&
          say('tokens.unknown', {
            filter: tokens.find(({ key }) => key === unknown.key)?.label ?? unknown.key,
            value: unknown.value,
          })
        }
        freeTextFiltering={{ operators: [contains], defaultOperator: contains }}
        disableFreeTextFiltering={!label}
        hideOperations
        countText={total === undefined || !isNarrowed ? '' : say('table.matches', { count: total })}
        loading={isLoading}
        expandToViewport
        onLoadItems={({ detail }) => onLoadItems(detail)}
        onChange={({ detail }) => change(detail)}
        i18nStrings={{
          formatToken: ({ propertyKey, propertyLabel, value }) =>
            propertyKey === undefined ? `${contains} ${value}` : `${propertyLabel}: ${value}`,
        }}
      />
    </div>
  )
}

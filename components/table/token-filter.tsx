import PropertyFilter, { type PropertyFilterProps } from '@cloudscape-design/components/property-filter'
import {
  type QueryClient,
  queryOptions,
  skipToken,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { failureLine } from '#components/base/forms/picker-list'
import { useSettled } from '#lib/client/use-settled'
import { type Lookup, queryOfSearch, searchOfQuery, type Token, type TokenValue } from './table-tokens'
import type { TableState } from './use-table-state'

type TokenFilterProps = {
  tokens: readonly Token[]
  table: Pick<TableState<string>, 'has' | 'filters' | 'filterValues' | 'setSearch'>
  /** The label of the free text; if absent, free text is disabled. */
  label: string | undefined
  total: number | undefined
  isLoading: boolean
}

/** The filters of a list as tokens: at most one of each kind, combined by "and". */
export function TokenFilter({ tokens, table, label, total, isLoading }: TokenFilterProps) {
  const say = useTranslations('layout')
  const contains = say('tokens.contains')
  const { optionsOf, labelOf, suggestions } = useTokenOptions(tokens, table.filters)
  const { unknown, change } = useTokenSearch({ tokens, table, optionsOf, labelOf })
  const isNarrowed =
    table.has !== '' ||
    tokens.some(({ key, containing = key }) => table.filters[key] ?? table.filters[containing])
  return (
    <div data-key="/">
      <PropertyFilter
        query={queryOfSearch(table, tokens, contains)}
        filteringProperties={tokens.map(({ key, label: propertyLabel, containing }) => ({
          key,
          propertyLabel,
          groupValuesLabel: propertyLabel,
          operators: [
            ...(containing ? ([':'] as const) : []),
            { operator: '=', format: (value: string) => labelOf(key, value) },
          ],
          ...(containing && { defaultOperator: ':' as const }),
        }))}
        filteringOptions={tokens.flatMap(({ key }) =>
          optionsOf(key).map((option) => ({ propertyKey: key, ...option })),
        )}
        {...suggestions}
        filteringPlaceholder={label ?? say('tokens.placeholder')}
        filteringAriaLabel={label ?? say('tokens.placeholder')}
        filteringConstraintText={unknown && say('tokens.unknown', unknown)}
        freeTextFiltering={{ operators: [contains], defaultOperator: contains }}
        disableFreeTextFiltering={!label}
        hideOperations
        countText={total === undefined || !isNarrowed ? '' : say('table.matches', { count: total })}
        loading={isLoading}
        expandToViewport
        onChange={({ detail }) => change(detail)}
        i18nStrings={{
          formatToken: ({ propertyKey, propertyLabel, value }) =>
            propertyKey === undefined ? `${contains} ${value}` : `${propertyLabel}: ${value}`,
        }}
      />
    </div>
  )
}

type TokenSearch = Pick<TokenFilterProps, 'tokens' | 'table'> &
  Pick<ReturnType<typeof useTokenOptions>, 'optionsOf' | 'labelOf'>

/** Puts the tokens into the URL. `unknown` is the last token if no value has its text. */
function useTokenSearch({ tokens, table, optionsOf, labelOf }: TokenSearch) {
  const client = useQueryClient()
  const [unknown, setUnknown] = useState<{ filter: string; value: string }>()
  const change = (query: PropertyFilterProps.Query) => {
    const search = searchOfQuery(query, { tokens, values: table.filterValues, optionsOf })
    const others = Object.entries(table.filters).filter(
      ([name]) => !tokens.some(({ key, containing }) => key === name || containing === name),
    )
    setUnknown(search.unknown)
    for (const token of tokens) {
      const value = search.filters[token.key]
      if (value !== undefined) keepName(client, token, { value, label: labelOf(token.key, value) })
    }
    table.setSearch(search.has, { ...Object.fromEntries(others), ...search.filters })
  }
  return { unknown, change }
}

const lookupQuery = <T,>({ key, read }: Lookup<T>) =>
  queryOptions({
    queryKey: ['lookup', ...key] as readonly unknown[],
    queryFn: ({ client }) => read(client),
    staleTime: 60_000,
  })

const nothing = queryOptions<readonly TokenValue[], Error, readonly TokenValue[], readonly unknown[]>({
  queryKey: ['lookup'],
  queryFn: skipToken,
})

/** Caches the name of a chosen value, which needs no request then. */
function keepName(client: QueryClient, token: Token, { value, label }: TokenValue): void {
  if (token.name && label !== value) client.setQueryData(lookupQuery(token.name(value)).queryKey, label)
}

const pauseInTyping = 250

type Option = TokenValue & { filteringTags?: string[] }
type SuggestionRequest = { key: string; text: string }
type Chosen = Readonly<Partial<Record<string, string>>>

/** The suggestions for each token: its known values or the results of the server, and the chosen value. */
function useTokenOptions(tokens: readonly Token[], chosen: Chosen) {
  const say = useTranslations('layout')
  const sayCommon = useTranslations('common')
  const [request, setRequest] = useState<SuggestionRequest>()
  // The first suggestions, without a text, are loaded at once.
  const settled = useSettled(request, request?.text ? pauseInTyping : 0)
  const search = tokens.find(({ key }) => key === settled?.key)?.search
  const found = useQuery(search && settled ? lookupQuery(search(settled.text)) : nothing)
  const names = useNames(tokens, chosen)

  const optionsOf = (key: string): readonly Option[] => {
    const token = tokens.find((one) => one.key === key)
    if (token?.values) return token.values
    const name = names.get(key)
    if (settled?.key !== key) return name ? [name] : []
    const fitting = (found.data ?? []).map((option) => fittingFor(settled.text, option))
    return name && !fitting.some(({ value }) => value === name.value) ? [...fitting, name] : fitting
  }

  const suggestions: Partial<PropertyFilterProps> = {
    filteringStatusType: request === settled ? (search ? statusOf(found) : 'finished') : 'loading',
    filteringLoadingText: say('tokens.loading'),
    filteringErrorText: failureLine(say('tokens.failed'), found.error, sayCommon('requestId')),
    filteringRecoveryText: sayCommon('tryAgain'),
    filteringEmpty: say('tokens.none'),
    onLoadItems: ({ detail: { filteringProperty, filteringText, samePage } }) => {
      if (samePage) void found.refetch()
      const key = filteringProperty?.key
      setRequest(key === undefined ? undefined : { key, text: filteringText.trim() })
    },
  }
  const labelOf = (key: string, value: string) =>
    optionsOf(key).find((option) => option.value === value)?.label ?? value
  return { optionsOf, labelOf, suggestions }
}

/** Keeps a suggestion that the server has found by another field than the name. */
const fittingFor = (text: string, option: TokenValue): Option =>
  option.label.toLowerCase().includes(text.toLowerCase()) ? option : { ...option, filteringTags: [text] }

const statusOf = ({ isError, isPending }: { isError: boolean; isPending: boolean }) =>
  isError ? 'error' : isPending ? 'loading' : 'finished'

/** The names of the chosen values. */
function useNames(tokens: readonly Token[], chosen: Chosen): ReadonlyMap<string, Option> {
  const wanted = tokens.flatMap(({ key, name }) => {
    const value = chosen[key]
    return name && value !== undefined ? [{ key, value, name: name(value) }] : []
  })
  const names = useQueries({ queries: wanted.map(({ name }) => lookupQuery(name)) })
  return new Map(
    wanted.flatMap(({ key, value }, index) => {
      const label = names[index]?.data
      return label === undefined ? [] : [[key, { value, label }]]
    }),
  )
}

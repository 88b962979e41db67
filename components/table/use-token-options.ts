import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter'
import { type QueryClient, queryOptions, skipToken, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettled } from '#lib/client/use-settled'
import type { Lookup, Token, TokenValue } from './table-tokens'

const lookupQuery = <T>({ key, read }: Lookup<T>) =>
  queryOptions({
    queryKey: ['lookup', ...key] as readonly unknown[],
    queryFn: ({ client }) => read(client),
    staleTime: 60_000,
  })

const nothing = queryOptions<readonly TokenValue[], Error, readonly TokenValue[], readonly unknown[]>({
  queryKey: ['lookup'],
  queryFn: skipToken,
})

/** The name of a value that was chosen from a list need not be asked for. */
export function keepName(client: QueryClient, token: Token, value: string, label: string): void {
  if (token.name && label !== value) client.setQueryData(lookupQuery(token.name(value)).queryKey, label)
}

const pauseInTyping = 250

type Option = TokenValue & { filteringTags?: string[] }
type Asked = { key: string; text: string }
type Chosen = Readonly<Partial<Record<string, string>>>

/** The values that are offered for each token: known ones, those that the server finds, and the one that is chosen. */
export function useTokenOptions(tokens: readonly Token[], chosen: Chosen) {
  const [asked, setAsked] = useState<Asked>()
  // What begins without a text is asked for at once.
  const settled = useSettled(asked, asked?.text ? pauseInTyping : 0)
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

  const status = asked === settled ? (search ? statusOf(found) : 'finished') : 'loading'

  const onLoadItems = ({
    filteringProperty,
    filteringText,
    samePage,
  }: PropertyFilterProps.LoadItemsDetail) => {
    if (samePage) void found.refetch()
    const key = filteringProperty?.key
    setAsked(key === undefined ? undefined : { key, text: filteringText.trim() })
  }

  return { optionsOf, status, error: found.error, onLoadItems } as const
}

/** What the server has found by another of its fields than the name is offered all the same. */
const fittingFor = (text: string, option: TokenValue): Option =>
  option.label.toLowerCase().includes(text.toLowerCase()) ? option : { ...option, filteringTags: [text] }

const statusOf = ({ isError, isPending }: { isError: boolean; isPending: boolean }) =>
  isError ? 'error' : isPending ? 'loading' : 'finished'

/** What the chosen values are called. */
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

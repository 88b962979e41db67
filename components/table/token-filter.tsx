import {
  type QueryClient,
  queryOptions,
  skipToken,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { failureLine } from '#components/base/forms/picker-list'
import { type Completion, FilterField } from '#components/kit/filter'
import { useSettled } from '#lib/client/use-settled'
import { rangeMeant, sizeOfRange } from '#lib/ground/net/addresses'
import {
  headOf,
  type Lookup,
  lineOf,
  readLine,
  type Search,
  searchOfLine,
  type Token,
  type TokenValue,
  valueWord,
  type Word,
  wordOf,
  wordToComplete,
} from './table-tokens'
import type { TableState } from './use-table-state'

type TokenFilterProps = {
  tokens: readonly Token[]
  table: Pick<TableState<string>, 'has' | 'filters' | 'filterValues' | 'setSearch'>
  /** The label of the free text; if absent, the list has only filters. */
  label: string | undefined
}

/** The filter of a list as a line of text: at most one word of each filter, combined by "and". */
export function TokenFilter({ tokens, table, label }: TokenFilterProps) {
  const say = useTranslations('layout')
  const format = useFormatter()
  const client = useQueryClient()
  const [unknown, setUnknown] = useState<Pick<Word, 'token' | 'value'>>()
  const { optionsOf, labelOf, look, status } = useTokenOptions(tokens, table.filters)
  /** A step back leaves all that was typed in one go. */
  const isTyping = useRef(false)

  const put = (search: Search, isDone: boolean): string => {
    const others = Object.entries(table.filters).filter(
      ([name]) => !tokens.some(({ key, containing }) => key === name || containing === name),
    )
    const filters = { ...Object.fromEntries(others), ...search.filters }
    const next = stateOf({ has: search.has, filters })
    if (next !== stateOf(table)) table.setSearch(search.has, filters, isTyping.current)
    isTyping.current = !isDone
    return next
  }
  const keepNames = ({ filters }: Search, known = optionsOf) => {
    for (const token of tokens) {
      const name = known(token.key).find(({ value }) => value === filters[token.key])
      if (name) keepName(client, token, name)
    }
  }
  /** Names that are not on the list of suggestions are looked up. */
  const finish = async (line: string) => {
    const found = new Map<string, readonly TokenValue[]>()
    for (const { token, value } of readLine(line, tokens).words)
      if (token.search) found.set(token.key, await client.fetchQuery(lookupQuery(token.search(value))))
    const known = (key: string) => [...optionsOf(key), ...(found.get(key) ?? [])]
    const search = searchOfLine(line, { tokens, values: table.filterValues, optionsOf: known }, true)
    keepNames(search, known)
    if (search.unknown) setUnknown(search.unknown)
    else put(search, true)
  }
  const filter = (line: string, isDone: boolean): string | undefined => {
    const search = searchOfLine(line, { tokens, values: table.filterValues, optionsOf }, isDone)
    if (!search.unknown) {
      if (isDone) keepNames(search)
      return put(search, isDone)
    }
    if (isDone && search.unknown.token.search) void finish(line)
    else if (isDone) setUnknown(search.unknown)
    return undefined
  }
  const takesRanges = tokens.some(({ range }) => range)
  /** The same line with the range that its text may mean. */
  const propose = (line: string): Completion | undefined => {
    const { text } = readLine(line, tokens)
    const range = takesRanges ? rangeMeant(text) : undefined
    if (range === undefined) return undefined
    const size = sizeOfRange(range, format.number)
    return { text: `${line.replace(text, range)} `, label: say('tokens.meant', { range, size }) }
  }
  return (
    <FilterField
      label={label ?? say('tokens.placeholder')}
      clearLabel={say('table.clearText')}
      text={lineOf(table, tokens, labelOf)}
      state={stateOf(table)}
      complete={tokens.length > 0 ? (line) => completionsOf(line, tokens, optionsOf) : undefined}
      status={tokens.length > 0 ? status : undefined}
      fault={
        unknown &&
        say(unknown.token.compares ? 'tokens.bound' : 'tokens.unknown', {
          filter: unknown.token.label,
          value: unknown.value,
        })
      }
      propose={propose}
      onType={(line) => {
        setUnknown(undefined)
        const word = wordToComplete(line, tokens)
        look(word && { key: word.token.key, text: word.value, isOpen: word.isOpen })
      }}
      onFilter={filter}
    />
  )
}

const stateOf = ({ has, filters }: { has: string; filters: Readonly<Partial<Record<string, string>>> }) =>
  JSON.stringify([has, Object.entries(filters).sort()])

/** Values of the filter that is named last, or else filters and values that the last word begins. */
function completionsOf(
  line: string,
  tokens: readonly Token[],
  optionsOf: (key: string) => readonly TokenValue[],
): Completion[] {
  const open = wordToComplete(line, tokens)
  const to = (begin: number, word: string): Pick<Completion, 'text' | 'label'> => ({
    text: `${line.slice(0, begin)}${word}${/[:>]$/.test(word) ? '' : ' '}`,
    label: word,
  })
  const wordFor = (token: Token, option: TokenValue) => `${headOf(token)}${valueWord(token, option.label)}`
  if (open && (open.isOpen || optionsOf(open.token.key).length > 0)) {
    const typed = open.value.toLowerCase()
    const { token } = open
    return optionsOf(token.key)
      .filter(({ label }) => token.search || label.toLowerCase().includes(typed))
      .map((option) => to(open.begin, wordFor(token, option)))
  }
  const begin = line.lastIndexOf(' ') + 1
  const typed = line.slice(begin).toLowerCase()
  if (typed === '' && line !== '') return []
  const rest = tokens.filter((token) => !readLine(line, tokens).words.some(({ key }) => key === token.key))
  const names = rest
    .filter((token) => wordOf(token).startsWith(typed))
    .map((token) => ({
      ...to(begin, token.compares ? `${wordOf(token)}>` : headOf(token)),
      about: token.label,
    }))
  const values = rest.flatMap((token) =>
    (token.values ?? [])
      .filter(({ label }) => typed !== '' && label.toLowerCase().startsWith(typed))
      .map((option) => to(begin, wordFor(token, option))),
  )
  return [...names, ...values]
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
  if (token.name) client.setQueryData(lookupQuery(token.name(value)).queryKey, label)
}

const pauseInTyping = 250

type Chosen = Readonly<Partial<Record<string, string>>>

/** The suggestions for each token: its known values or the results of the server, and the chosen value. */
function useTokenOptions(tokens: readonly Token[], chosen: Chosen) {
  const say = useTranslations('layout.tokens')
  const sayCommon = useTranslations('common')
  const [request, look] = useState<{ key: string; text: string; isOpen: boolean }>()
  // The first suggestions, without a text, are loaded at once.
  const settled = useSettled(request, request?.text ? pauseInTyping : 0)
  const search = tokens.find(({ key }) => key === settled?.key)?.search
  const found = useQuery(search && settled ? lookupQuery(search(settled.text)) : nothing)
  const names = useNames(tokens, chosen)

  const optionsOf = (key: string): readonly TokenValue[] => {
    const token = tokens.find((one) => one.key === key)
    if (token?.values) return token.values
    const name = names.get(key)
    const others = settled?.key === key ? (found.data ?? []) : []
    return name && !others.some(({ value }) => value === name.value) ? [...others, name] : others
  }
  const labelOf = (key: string, value: string) =>
    optionsOf(key).find((option) => option.value === value)?.label ?? value
  const isSought = tokens.some(({ key, search: seeks }) => seeks && key === request?.key)
  const isLate = request !== settled || found.isPending
  const failed = found.error && failureLine(say('failed'), found.error, sayCommon('requestId'))
  const status = isLate ? say('loading') : (failed ?? say('none'))
  return { optionsOf, labelOf, look, status: isSought && request?.isOpen ? status : undefined }
}

/** The names of the chosen values. */
function useNames(tokens: readonly Token[], chosen: Chosen): ReadonlyMap<string, TokenValue> {
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

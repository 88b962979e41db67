import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter'
import type { QueryClient, QueryFunction, QueryKey, SkipToken } from '@tanstack/react-query'
import { type NamedKind, namedListQuery, namedQuery } from '#lib/caller/kinds/named.queries'
import type { Named } from '#lib/ground/http/view'
import { type FilterValues, isFilterValue } from './table-url'

export type TokenValue = { value: string; label: string }

export type Lookup<T> = { key: QueryKey; read: (client: QueryClient) => Promise<T> }

type ApiQuery<Read, Key extends QueryKey> = { queryKey: Key; queryFn?: QueryFunction<Read, Key> | SkipToken }

/** A query of the API, and the part of its response to keep. */
export const lookup = <Read, T, Key extends QueryKey>(
  { queryKey, queryFn }: ApiQuery<Read, Key>,
  pick: (answer: NoInfer<Read>) => T,
): Lookup<T> => ({
  key: queryKey,
  read: async (client) => pick(await client.fetchQuery({ queryKey, queryFn })),
})

type TokenSource =
  | { values: readonly TokenValue[]; search?: undefined; name?: undefined }
  | {
      values?: undefined
      /** Finds values whose name contains the text. */
      search: (text: string) => Lookup<readonly TokenValue[]>
      /** Finds the name of a value from the URL. */
      name: (value: string) => Lookup<string>
    }
  | { values?: undefined; search?: undefined; name?: undefined }

/** A filter of a list as a token. `key` is its name in `useTableState`. Its values are known, searched on the server, or any text. */
export type Token<Filter extends string = string> = {
  key: Filter
  label: string
  /** The filter that the operator “contains” sets. Without it the only operator is “equals”. */
  containing?: Filter
} & TokenSource

type NamedQueries = {
  list: (has: string) => ApiQuery<{ collection: readonly Named[] }, readonly unknown[]>
  one: (id: number) => ApiQuery<{ document: { name: string } }, readonly unknown[]>
}

/** A filter by something that has a name, searched on the server. */
export const foundToken = <F extends string>(
  { key, label }: { key: F; label: string },
  { list, one }: NamedQueries,
): Token<F> => ({
  key,
  label,
  search: (text) =>
    lookup(list(text), ({ collection }) =>
      collection.map(({ id, name }) => ({ value: String(id), label: name })),
    ),
  name: (value) => lookup(one(Number(value)), ({ document }) => document.name),
})

export const namedToken = <F extends string>(key: F, label: string, kind: NamedKind): Token<F> =>
  foundToken({ key, label }, { list: (has) => namedListQuery(kind, has), one: (id) => namedQuery(kind, id) })

type Search = { has: string; filters: Readonly<Record<string, string>> }

/**
 * The tokens of a search. `contains` is the operator of free text. It must be a word: the component strips a leading operator from the
 * typed text, so the usual colon would break the address `::1`.
 */
export function queryOfSearch(
  { has, filters }: { has: string; filters: Readonly<Partial<Record<string, string>>> },
  tokens: readonly Token[],
  contains: string,
): PropertyFilterProps.Query {
  const filtering = tokens.flatMap(({ key, containing }) => {
    const equal = filters[key]
    const part = containing && filters[containing]
    return [
      ...(equal === undefined ? [] : [{ propertyKey: key, operator: '=', value: equal }]),
      ...(part === undefined ? [] : [{ propertyKey: key, operator: ':', value: part }]),
    ]
  })
  return {
    operation: 'and',
    tokens: has === '' ? filtering : [...filtering, { operator: contains, value: has }],
  }
}

/** The value whose name was typed, in full or as the only match. */
const valueMeant = (typed: string, options: readonly TokenValue[]): string => {
  const text = typed.trim().toLowerCase()
  const begun = options.filter(({ label }) => label.toLowerCase().includes(text))
  const known =
    options.find(({ value }) => value === typed) ??
    options.find(({ label }) => label.toLowerCase() === text) ??
    (begun.length === 1 ? begun[0] : undefined)
  return known?.value ?? typed.trim()
}

type NamedText = { key: string | undefined; typed: string; operator?: string | undefined }

/** The text `IP: 10.0` sets the filter by IP, and the text `free` the only filter that has a value of this name. */
function namedIn(typed: string, tokens: readonly Token[]): NamedText {
  const [, name = '', value = ''] = /^([^:]+):(.+)$/.exec(typed.trim()) ?? []
  const spoken = name.trim().toLowerCase()
  const token = tokens.find(({ key, label }) => key === spoken || label.toLowerCase() === spoken)
  if (token) return { key: token.key, typed: value.trimStart(), operator: ':' }
  const word = typed.trim().toLowerCase()
  const meant = tokens.filter(({ values }) => values?.some(({ label }) => label.toLowerCase() === word))
  return { key: meant.length === 1 ? meant[0]?.key : undefined, typed }
}

type Reading = {
  tokens: readonly Token[]
  values: Readonly<Record<string, FilterValues>>
  optionsOf: (key: string) => readonly TokenValue[]
}

/** The search of these tokens; the last one of a kind counts. `unknown` is the last token without a valid value, by the name of its filter. */
export function searchOfQuery(
  query: Pick<PropertyFilterProps.Query, 'tokens'>,
  { tokens, values, optionsOf }: Reading,
): Search & { unknown?: { filter: string; value: string } } {
  let has = ''
  let unknown: { filter: string; value: string } | undefined
  const filters: Record<string, string> = {}
  for (const { propertyKey, operator: chosen, value: text } of query.tokens) {
    const {
      key: named,
      typed,
      operator,
    }: NamedText = propertyKey === undefined
      ? namedIn(String(text), tokens)
      : { key: propertyKey, typed: String(text), operator: chosen }
    if (named === undefined) {
      has = typed.trim()
      continue
    }
    const containing = tokens.find(({ key }) => key === named)?.containing
    const key = operator === ':' && containing !== undefined ? containing : named
    const value = valueMeant(typed, optionsOf(key))
    const allowed = values[key]
    if (allowed && isFilterValue(allowed, value)) filters[key] = value
    else unknown = { filter: tokens.find((token) => token.key === key)?.label ?? key, value: typed }
  }
  return { has, filters, ...(unknown && { unknown }) }
}

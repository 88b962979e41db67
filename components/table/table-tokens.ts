import type { QueryClient, QueryFunction, QueryKey, SkipToken } from '@tanstack/react-query'
import { type NamedKind, namedListQuery, namedQuery } from '#lib/caller/kinds/named.queries'
import type { Named } from '#lib/ground/http/view'
import { formatRange, parseRange, rangeWord } from '#lib/ground/net/addresses'
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
  /** The filter that a CIDR or a range of addresses sets, also without a name. */
  range?: Filter
  /** A bare address is such a range too, and no text. */
  takesAddress?: true
  /** Its values are bounds of a number, which follow the name alone: `rules>10`. */
  compares?: true
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

/** Rows that changed within a time, or that did not. Any other time may be typed. */
export const changedToken = (label: string): Token<'changed'> => ({
  key: 'changed',
  label,
  values: ['<1h', '<1d', '<7d', '<30d', '>30d'].map((value) => ({ value, label: value })),
})

/** Rows with more or fewer of these. Any other number may be typed. */
export const boundToken = <F extends string>(
  key: F,
  label: string,
  bounds: readonly `${'<' | '>'}${number}`[],
): Token<F> => ({
  key,
  label,
  compares: true,
  values: bounds.map((value) => ({ value, label: value })),
})

export type Search = { has: string; filters: Readonly<Record<string, string>> }

/** The name of a filter as one word, in the user's language. */
export const wordOf = ({ label }: Token): string => label.toLowerCase().replaceAll(/\s+/g, '')

/** Texts with spaces or quotes stand in quotes, in which a backslash precedes a quote and a backslash. */
export const quoted = (text: string): string =>
  /[\s"]|^$/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text

/** What a word in a line stands for. The closing quote may not be typed yet. */
const unquoted = (word: string): string =>
  word.startsWith('"') ? word.replace(/^"((?:\\.|[^"\\])*).*$/su, '$1').replaceAll(/\\(["\\])/g, '$1') : word

export const valueWord = (token: Token, label: string): string =>
  quoted(token.values ? label.toLowerCase() : label)

/** The name of a filter with the sign before its value. */
export const headOf = (token: Token, sign: ':' | '=' = ':'): string =>
  `${wordOf(token)}${token.compares ? '' : sign}`

/** The range that a word means, in canonical form. */
const rangeOf = ({ takesAddress }: Token, word: string): string | undefined => {
  const range = takesAddress ? parseRange(word) : undefined
  return range ? formatRange(range) : rangeWord(word)
}

/** Where a bare address would be read as text, it gets its length. */
const rangeShown = ({ takesAddress }: Token, range: string): string =>
  takesAddress || /[/-]/.test(range) ? range : `${range}/${range.includes(':') ? 128 : 32}`

/** The filter as a line: `state:free network:"Madrid public" 10.0`. What a token contains is written like text: the list searches for it. */
export function lineOf(
  { has, filters }: { has: string; filters: Readonly<Partial<Record<string, string>>> },
  tokens: readonly Token[],
  labelOf: (key: string, value: string) => string,
): string {
  const words = tokens.flatMap((token) => {
    const { key, containing, range } = token
    const equal = key === range ? undefined : filters[key]
    const part = containing && filters[containing]
    const within = range && filters[range]
    return [
      ...(within === undefined ? [] : [rangeShown(token, within)]),
      ...(equal === undefined
        ? []
        : [`${headOf(token, containing ? '=' : ':')}${valueWord(token, labelOf(key, equal))}`]),
      ...(part === undefined ? [] : [part]),
    ]
  })
  return [...words, has].filter(Boolean).join(' ')
}

/** The value whose name was typed, in full or as the only match. */
export const valueMeant = (typed: string, options: readonly TokenValue[]): string | undefined => {
  const text = typed.toLowerCase()
  const fitting = options.filter(({ label }) => label.toLowerCase().includes(text))
  const known =
    options.find(({ value }) => value === typed) ??
    options.find(({ label }) => label.toLowerCase() === text) ??
    (fitting.length === 1 ? fitting[0] : undefined)
  return known?.value
}

/** A word that names its filter. `isOpen`: it is the last one, and still being typed. */
export type Word = {
  token: Token
  key: string
  value: string
  begin: number
  end: number
  isQuoted: boolean
  isOpen: boolean
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The words of a line, and the text between them. A filter is named by its label, as one word or several, or by its key. */
export function readLine(line: string, tokens: readonly Token[]): { words: Word[]; text: string } {
  const byName = new Map<string, Token>()
  for (const token of tokens)
    for (const name of [token.key, wordOf(token), token.label.toLowerCase()])
      if (!byName.has(name)) byName.set(name, token)
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(escaped)
  const words: Word[] = []
  if (names.length === 0) return { words, text: line.trim() }
  const value = '"(?:\\\\.|[^"\\\\])*"?|[<>]\\s*\\d+\\s*%?(?=\\s|$)|\\S+'
  const pattern = new RegExp(`(?<=^|\\s)(${names.join('|')})\\s*([:=]|(?=[<>]))(?:\\s*(${value}))?`, 'giu')
  const text = line.replaceAll(pattern, (found, name: string, sign: string, value = '', begin: number) => {
    const token = byName.get(name.toLowerCase())
    const end = begin + found.length
    const isQuoted = /^"(?:\\.|[^"\\])*"$/.test(value)
    const isOpen = end === line.length && !isQuoted
    if (!token || (value === '' && !isOpen) || (sign === '' && !token.compares)) return found
    const key = sign === '=' ? token.key : (token.containing ?? token.key)
    const plain = token.compares ? value.replaceAll(/[\s%"]/g, '') : unquoted(value)
    words.push({ token, key, value: plain, begin, end, isQuoted, isOpen })
    return ' '
  })
  return { words, text: text.trim().replaceAll(/\s+/g, ' ') }
}

/** The word to complete. What follows a name without quotes may belong to it: names have spaces. */
export function wordToComplete(line: string, tokens: readonly Token[]): Word | undefined {
  const last = readLine(line, tokens).words.at(-1)
  if (!last || last.isOpen) return last
  const rest = line.slice(last.end)
  const isPart = last.token.search && !last.isQuoted && rest.trim() !== ''
  return isPart ? { ...last, value: `${last.value}${rest}`.trim() } : undefined
}

/** The only filter with a value of this name, so that `free` alone says what `state:free` does. */
function tokenOfValue(text: string, tokens: readonly Token[]): Meant | undefined {
  const meant = tokens.flatMap((token) =>
    (token.values ?? [])
      .filter(({ label }) => label.toLowerCase() === text.toLowerCase())
      .map(({ value }) => ({ token, key: token.key, value })),
  )
  return meant.length === 1 ? meant[0] : undefined
}

type Meant = Pick<Word, 'token' | 'key' | 'value'>

/** The ranges of addresses among the words of a text, if a filter takes them. */
function rangesOf(text: string, tokens: readonly Token[]): { ranges: Meant[]; rest: string } {
  const token = tokens.find(({ range }) => range)
  if (!token) return { ranges: [], rest: text }
  const isRange = (word: string) => rangeOf(token, word) !== undefined
  const words = isRange(text) ? [text] : text.split(' ')
  return {
    ranges: words.filter(isRange).map((value) => ({ token, key: token.key, value })),
    rest: words.filter((word) => !isRange(word)).join(' '),
  }
}

/** Without a last word that begins the name of a filter. */
function withoutName(text: string, tokens: readonly Token[]): string {
  const last = text.slice(text.lastIndexOf(' ') + 1)
  const isName = last !== '' && tokens.some((token) => wordOf(token).startsWith(last.toLowerCase()))
  return isName ? text.slice(0, -last.length).trim() : text
}

type Reading = {
  tokens: readonly Token[]
  values: Readonly<Record<string, FilterValues>>
  optionsOf: (key: string) => readonly TokenValue[]
}

/** The search of a line; the last word of a kind counts. `unknown` is the last word without a valid value. While it is typed, the last word does not count. */
export function searchOfLine(
  line: string,
  { tokens, values, optionsOf }: Reading,
  isDone: boolean,
): Search & { unknown?: Pick<Word, 'token' | 'value'> } {
  const { words, text: typedText } = readLine(line, tokens)
  const isTextLast = /\S$/.test(line) && words.at(-1)?.end !== line.length
  const text = isDone || !isTextLast ? typedText : withoutName(typedText, tokens)
  const named = isDone ? tokenOfValue(text, tokens) : undefined
  const filters: Record<string, string> = {}
  let unknown: Pick<Word, 'token' | 'value'> | undefined
  const { ranges, rest } = rangesOf(text, tokens)
  const counting = words.filter(({ isOpen, value }) => !isOpen || (isDone && value !== ''))
  for (const { token, key: meant, value: typed } of [...counting, ...ranges, ...(named ? [named] : [])]) {
    const range = token.range && rangeOf(token, typed)
    const key = (range && token.range) ?? meant
    const known = token.compares ? undefined : valueMeant(typed, optionsOf(token.key))
    const value = range ?? known ?? typed
    const allowed = values[key]
    if (allowed && isFilterValue(allowed, value)) filters[key] = value
    else unknown = { token, value: typed }
  }
  return { has: named ? '' : rest, filters, ...(unknown && { unknown }) }
}

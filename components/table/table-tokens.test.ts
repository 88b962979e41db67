import { expect, test } from 'vitest'
import { words as english } from '#lib/words/en/words'
import { words as spanish } from '#lib/words/es/words'
import { queryOfSearch, searchOfQuery, type Token } from './table-tokens'

const tokens: Token[] = [
  {
    key: 'available',
    label: 'Available',
    values: [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ],
  },
  { key: 'network', label: 'Network', values: [] },
  { key: 'ip', label: 'IP' },
]

const found = [
  { value: '7', label: 'Madrid public' },
  { value: '8', label: 'Madrid' },
  { value: '9', label: 'Frankfurt' },
]

const reading = {
  tokens,
  values: { available: ['true', 'false'], network: 'id', ip: 'text' } as const,
  optionsOf: (key: string) =>
    key === 'network' ? found : (tokens.find((token) => token.key === key)?.values ?? []),
}

const search = (...typed: [key: string | undefined, value: string][]) =>
  searchOfQuery(
    { tokens: typed.map(([propertyKey, value]) => ({ propertyKey, operator: '=', value })) },
    reading,
  )

test('the content of the URL is shown as tokens, the text last', () => {
  const { tokens: shown } = queryOfSearch(
    { has: 'x', filters: { network: '7', available: 'true' } },
    tokens,
    'contains',
  )
  expect(shown.map(({ propertyKey, value }) => [propertyKey, value])).toEqual([
    ['available', 'true'],
    ['network', '7'],
    [undefined, 'x'],
  ])
})

test('of each kind the last token counts', () => {
  expect(search(['available', 'true'], ['available', 'false'], [undefined, 'a'], [undefined, ' b '])).toEqual(
    { has: 'b', filters: { available: 'false' } },
  )
})

test.each([
  ['a value', '9', '9'],
  ['its name', 'Frankfurt', '9'],
  ['its name in another case', ' frankfurt ', '9'],
  ['the beginning that only one name has', 'fra', '9'],
  ['a name that others begin with', 'madrid', '8'],
])('%s means the value', (_, typed, value) => {
  expect(search(['network', typed])).toEqual({ has: '', filters: { network: value } })
})

test.each(['mad', 'nowhere', ''])('%j is no value, and narrows nothing', (typed) => {
  expect(search(['network', typed], ['ip', '10.'])).toEqual({
    has: '',
    filters: { ip: '10.' },
    unknown: { filter: 'Network', value: typed },
  })
})

test.each([
  ['::f', { has: '::f', filters: {} }],
  ['fe80::1', { has: 'fe80::1', filters: {} }],
  ['IP: ::f', { has: '', filters: { ip: '::f' } }],
  ['IP : ::f', { has: '', filters: { ip: '::f' } }],
  ['ip:10.0', { has: '', filters: { ip: '10.0' } }],
  ['network: frank', { has: '', filters: { network: '9' } }],
  ['network:', { has: 'network:', filters: {} }],
  ['Rack: 7', { has: 'Rack: 7', filters: {} }],
])('%s is read as it was typed', (typed, meant) => {
  expect(search([undefined, typed])).toEqual(meant)
})

test.each([english, spanish])('no text that one types begins with the operator of the text', (words) => {
  expect(words.layout.tokens.contains).toMatch(/^\p{L}+$/u)
})

const words: Token[] = [
  { key: 'address', label: 'IP', containing: 'ip' },
  { key: 'state', label: 'State', values: [{ value: 'free', label: 'Free' }] },
  { key: 'type', label: 'Type', values: [{ value: 'a', label: 'Open' }] },
  { key: 'other', label: 'Other', values: [{ value: 'b', label: 'Open' }] },
]

const spoken = (value: string, operator?: string) =>
  searchOfQuery(
    { tokens: [{ value, operator: operator ?? 'contains', ...(operator && { propertyKey: 'address' }) }] },
    {
      tokens: words,
      values: { address: 'address', ip: 'text', state: ['free'], type: ['a'], other: ['b'] },
      optionsOf: (key) => words.find((token) => token.key === key)?.values ?? [],
    },
  )

test('operators have their own filters: “contains” and “equals” are two', () => {
  expect(spoken('10.0', ':').filters).toEqual({ ip: '10.0' })
  expect(spoken('10.0.0.1', '=').filters).toEqual({ address: '10.0.0.1' })
  expect(spoken('10.0', '=').unknown).toEqual({ filter: 'IP', value: '10.0' })
  expect(spoken('IP: 10.0').filters).toEqual({ ip: '10.0' })
  const shown = queryOfSearch({ has: '', filters: { ip: '1', address: '10.0.0.1' } }, words, 'contains')
  expect(shown.tokens.map(({ operator, value }) => [operator, value])).toEqual([
    ['=', '10.0.0.1'],
    [':', '1'],
  ])
})

test('the name of a value is its filter, unless two filters have it', () => {
  expect(spoken('free')).toEqual({ has: '', filters: { state: 'free' } })
  expect(spoken('open')).toEqual({ has: 'open', filters: {} })
})

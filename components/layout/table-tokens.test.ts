import { expect, test } from 'vitest'
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
  values: { available: ['true', 'false'], network: 'id', ip: 'text' } as const,
  optionsOf: (key: string) =>
    key === 'network' ? found : (tokens.find((token) => token.key === key)?.values ?? []),
}

const search = (...typed: [key: string | undefined, value: string][]) =>
  searchOfQuery(
    { tokens: typed.map(([propertyKey, value]) => ({ propertyKey, operator: '=', value })) },
    reading,
  )

test('what the address holds is shown as tokens, the text last', () => {
  const { tokens: shown } = queryOfSearch({ has: 'x', filters: { network: '7', available: 'true' } }, tokens)
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
    unknown: { key: 'network', value: typed },
  })
})

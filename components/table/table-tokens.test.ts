import { describe, expect, test } from 'vitest'
import { boundToken, lineOf, searchOfLine, type Token, wordToComplete } from './table-tokens'

const tokens: Token[] = [
  {
    key: 'available',
    label: 'Available',
    values: [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ],
  },
  { key: 'network', label: 'Network' },
  { key: 'ip', label: 'IP' },
]

const unused = { key: [], read: () => Promise.reject() }
const sought: Token = { key: 'network', label: 'Network', search: () => unused, name: () => unused }

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

const search = (line: string, isDone = true) => {
  const { unknown, ...found } = searchOfLine(line, reading, isDone)
  return { ...found, ...(unknown && { unknown: [unknown.token.label, unknown.value] }) }
}

const labelOf = (key: string, value: string) =>
  reading.optionsOf(key).find((option) => option.value === value)?.label ?? value

test('the content of the URL is shown as words, the text last, and is read the same', () => {
  const shown = { has: 'x y', filters: { network: '7', available: 'true', ip: '10.' } }
  const line = lineOf(shown, tokens, labelOf)
  expect(line).toBe('available:yes network:"Madrid public" ip:10. x y')
  expect(search(line)).toEqual(shown)
})

const tagToken: Token = { key: 'tag', label: 'Tag', search: () => unused, name: () => unused }

describe.each([
  'web shop',
  'a "quoted" one',
  '"',
  '\\',
  'back\\slash "and quote\\',
  'a,b:c|d',
  ':=x',
  "=cmd|' /C calc'!A0",
  '<5',
  '< 5 %',
  '<b>',
  '100%_',
  'tag:x ip:1',
  '\u202eevil',
  'zero\u200bwidth\u00a0👩🏽‍💻',
])('the tag %j', (tag) => {
  const withTags = [tagToken, ...tokens]
  const shown = { has: 'x', filters: { ip: '10.', tag } }
  const line = lineOf(shown, withTags, (_, value) => value)

  test.each([
    ['in use', [{ value: tag, label: tag }]],
    ['in use nowhere', []],
  ])('is read from the line as it is written there, if it is %s', (_, known) => {
    const optionsOf = (key: string) => (key === 'tag' ? known : reading.optionsOf(key))
    const values = { ...reading.values, tag: 'text' } as const
    expect(searchOfLine(line, { tokens: withTags, values, optionsOf }, true)).toEqual(shown)
  })

  test('is completed while its closing quote is not typed', () => {
    const typed = line.slice(0, line.lastIndexOf(' ip:')).replace(/(?<=".*)"$/s, '')
    expect(wordToComplete(typed, withTags)).toMatchObject({ value: tag, isOpen: true })
  })
})

test('of each kind the last word counts', () => {
  expect(search('a available:yes  b available:no')).toEqual({ has: 'a b', filters: { available: 'false' } })
})

test('a name may be typed with its spaces, and completed', () => {
  const completed = (line: string) => wordToComplete(line, [sought, ...tokens])?.value
  expect(completed('network:madrid p')).toBe('madrid p')
  expect(completed('network:"Madrid public" p')).toBeUndefined()
  expect(completed('available:yes p')).toBeUndefined()
})

test('the beginning of a name of a filter is no text while it is typed', () => {
  expect(search('x net', false)).toEqual({ has: 'x', filters: {} })
  expect(search('x net')).toEqual({ has: 'x net', filters: {} })
})

test('the word that is being typed does not count yet', () => {
  expect(search('a available:yes network:frank', false)).toEqual({ has: 'a', filters: { available: 'true' } })
  expect(search('network:"Madrid pu', false)).toEqual({ has: '', filters: {} })
  expect(search('network:"Madrid public"', false).filters).toEqual({ network: '7' })
})

test.each([
  ['a value', '9', '9'],
  ['its name', 'Frankfurt', '9'],
  ['its name in another case', 'frankFURT', '9'],
  ['the beginning that only one name has', 'fra', '9'],
  ['a name that others begin with', 'madrid', '8'],
])('%s means the value', (_, typed, value) => {
  expect(search(`network:"${typed}"`)).toEqual({ has: '', filters: { network: value } })
})

test.each(['mad', 'nowhere'])('%j is no value, and narrows nothing', (typed) => {
  expect(search(`network:${typed} ip:10.`)).toEqual({
    has: '',
    filters: { ip: '10.' },
    unknown: ['Network', typed],
  })
})

test.each([
  ['::f', { has: '::f', filters: {} }],
  ['fe80::1', { has: 'fe80::1', filters: {} }],
  ['IP: ::f', { has: '', filters: { ip: '::f' } }],
  ['IP : ::f', { has: '', filters: { ip: '::f' } }],
  ['ip:10.0', { has: '', filters: { ip: '10.0' } }],
  ['network: frank', { has: '', filters: { network: '9' } }],
  ['network:', { has: '', filters: {} }],
  ['Network = Madrid public', { has: 'public', filters: { network: '8' } }],
  ['Rack: 7', { has: 'Rack: 7', filters: {} }],
])('%s is read as it was typed', (typed, meant) => {
  expect(search(typed)).toEqual(meant)
})

const words: Token[] = [
  { key: 'address', label: 'IP', containing: 'ip' },
  { key: 'state', label: 'State', values: [{ value: 'free', label: 'Free' }] },
  { key: 'type', label: 'Type', values: [{ value: 'a', label: 'Open' }] },
  { key: 'other', label: 'Other', values: [{ value: 'b', label: 'Open' }] },
]

const spoken = (line: string) =>
  searchOfLine(
    line,
    {
      tokens: words,
      values: { address: 'address', ip: 'text', state: ['free'], type: ['a'], other: ['b'] },
      optionsOf: (key) => words.find((token) => token.key === key)?.values ?? [],
    },
    true,
  )

test('signs have their own filters: “contains” and “equals” are two', () => {
  expect(spoken('ip:10.0').filters).toEqual({ ip: '10.0' })
  expect(spoken('ip=10.0.0.1').filters).toEqual({ address: '10.0.0.1' })
  expect(spoken('ip=10.0').unknown?.value).toBe('10.0')
  expect(spoken('IP: 10.0').filters).toEqual({ ip: '10.0' })
  const both = { has: '', filters: { ip: '1', address: '10.0.0.1' } }
  expect(lineOf(both, words, (_, value) => value)).toBe('ip=10.0.0.1 1')
})

test('the name of a value is its filter, unless two filters have it', () => {
  expect(spoken('free')).toEqual({ has: '', filters: { state: 'free' } })
  expect(spoken('open')).toEqual({ has: 'open', filters: {} })
})

test('a range of addresses stands without a name, and is the filter of ranges wherever it is written', () => {
  const ranged: Token[] = [{ key: 'address', label: 'IP', containing: 'ip', range: 'within' }, ...tokens]
  const values = { address: 'address', ip: 'text', within: 'range', available: ['true', 'false'] } as const
  const read = (line: string) => searchOfLine(line, { ...reading, tokens: ranged, values }, true)
  const within = { has: '', filters: { within: '10.1.2.0/24' } }
  for (const line of ['10.1.2.0/24', 'ip:10.1.2.0/24', 'ip=10.1.2.9/24', '10.1.2.0 - 10.1.2.255'])
    expect(read(line)).toEqual(within)
  expect(read('web 10.1.2.0/24 available:yes')).toEqual({
    has: 'web',
    filters: { within: '10.1.2.0/24', available: 'true' },
  })
  expect(read('10.1.2.3')).toEqual({ has: '10.1.2.3', filters: {} })
  const shown = { has: '', filters: { within: '10.1.2.3', available: 'true' } }
  expect(lineOf(shown, ranged, labelOf)).toBe('10.1.2.3/32 available:yes')
})

describe('the filters of NAT networks', () => {
  const own: Token[] = [
    { key: 'overlaps', label: 'CIDR', range: 'overlaps', takesAddress: true },
    boundToken('rules', 'Rules', ['>0', '>10']),
    boundToken('used', 'En uso', ['>80']),
  ]
  const values = { overlaps: 'range', rules: 'bound', used: 'bound' } as const
  const read = (line: string) =>
    searchOfLine(line, { tokens: own, values, optionsOf: () => own[1]?.values ?? [] }, true)

  test.each([
    ['rules>10', { rules: '>10' }],
    ['rules > 5', { rules: '>5' }],
    ['rules:<3', { rules: '<3' }],
    // The beginning of a suggestion is a number of its own.
    ['Rules>1', { rules: '>1' }],
    ['enuso>80%', { used: '>80' }],
    ['en uso > 80 % rules<1', { used: '>80', rules: '<1' }],
  ])('%s is a bound', (line, filters) => {
    expect(read(line)).toEqual({ has: '', filters })
  })

  test('a bound without a number is none', () => {
    expect(read('rules>x')).toMatchObject({ filters: {}, unknown: { value: '>x' } })
    expect(read('rules 10')).toMatchObject({ filters: {}, has: 'rules 10' })
  })

  test('an address is a range, and is shown as it is', () => {
    expect(read('10.1.2.3 madrid')).toEqual({ has: 'madrid', filters: { overlaps: '10.1.2.3' } })
    expect(read('10.1.2.3/24').filters).toEqual({ overlaps: '10.1.2.0/24' })
    expect(read('10.0.0.0 - 10.0.0.9').filters).toEqual({ overlaps: '10.0.0.0-10.0.0.9' })
    expect(read('10.1.2').has).toBe('10.1.2')
    const filters = { overlaps: '10.1.2.3', rules: '>10', used: '<5' }
    const line = lineOf({ has: '', filters }, own, (_, value) => value)
    expect(line).toBe('10.1.2.3 rules>10 enuso<5')
    expect(read(line).filters).toEqual(filters)
  })
})

import { describe, expect, test } from 'vitest'
import { narrowingFilters, queryOf, readView, type TableSpec, writeView } from './table-url'

const spec = {
  name: 'ips',
  orders: ['ip', 'network'],
  by: 'ip',
  filters: { all: ['true'], snat: ['true', 'false'] },
} satisfies TableSpec<'all' | 'snat'>

const read = (query: string) => readView<'all' | 'snat'>(new URLSearchParams(query), spec)
const write = (query: string, changes: Partial<ReturnType<typeof read>>) =>
  writeView<'all' | 'snat'>(new URLSearchParams(query), spec, { ...read(query), ...changes }).toString()

describe('reading a view from the URL', () => {
  test('an empty URL begins with the first row in the usual order', () => {
    expect(read('')).toEqual({ first: 0, size: 50, by: 'ip', asc: true, has: '', filters: {} })
  })

  test('everything that a URL can hold', () => {
    expect(read('from=51&size=25&by=network&asc=false&has=10.0&all=true&snat=false')).toEqual({
      first: 50,
      size: 25,
      by: 'network',
      asc: false,
      has: '10.0',
      filters: { all: 'true', snat: 'false' },
    })
  })

  test.each([
    'from=0',
    'from=-1',
    'from=1e3',
    'page=0',
    'page=-1',
    'page=1e3',
    'page=x',
    'size=7',
    'by=password',
    'asc=maybe',
    'snat=perhaps',
  ])('%s counts as absent', (query) => {
    expect(read(query)).toEqual(read(''))
  })

  test('a link to a page leads to its first row', () => {
    expect(read('page=3').first).toBe(100)
    expect(read('page=3&size=25').first).toBe(50)
  })

  test('two tables of one screen do not read each other', () => {
    const view = readView(new URLSearchParams('ips.from=4&from=9'), { name: 'ips', prefix: 'ips' })
    expect(view.first).toBe(3)
  })
})

describe('writing a view to the URL', () => {
  test('default values are left out', () => {
    expect(
      write('from=2&by=network&asc=false&all=true', { first: 0, by: 'ip', asc: true, filters: {} }),
    ).toBe('')
  })

  test('parameters of other tables stay', () => {
    expect(write('tab=rules&rules.from=2', { first: 2 })).toBe('tab=rules&rules.from=2&from=3')
  })

  test.each(['', 'from=3&size=25&by=network&asc=false&has=a%26b&all=true'])(
    '%j is the same after a round trip',
    (query) => {
      expect(write(query, {})).toBe(query)
    },
  )
})

test('the query of the API', () => {
  expect(queryOf(read('from=120&size=50&asc=false&has=10.&all=true'))).toEqual({
    startwith: 100,
    limit: 50,
    by: 'ip',
    asc: false,
    has: '10.',
    all: 'true',
  })
})

test('a filter that adds rows does not cause an empty list', () => {
  expect(narrowingFilters(read('all=true&snat=false'), { ...spec, widening: ['all'] })).toEqual(['snat'])
})

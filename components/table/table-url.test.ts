import { describe, expect, test } from 'vitest'
import { lastPage, narrowingFilters, queryOf, readView, type TableSpec, writeView } from './table-url'

const spec = {
  name: 'ips',
  orders: ['ip', 'network'],
  by: 'ip',
  filters: { all: ['true'], snat: ['true', 'false'] },
} satisfies TableSpec<'all' | 'snat'>

const read = (query: string, size?: number) =>
  readView<'all' | 'snat'>(new URLSearchParams(query), spec, size)
const write = (query: string, changes: Partial<ReturnType<typeof read>>) =>
  writeView<'all' | 'snat'>(new URLSearchParams(query), spec, { ...read(query), ...changes }).toString()

describe('reading a view from the URL', () => {
  test('an empty URL is the first page in the usual order', () => {
    expect(read('')).toEqual({ page: 1, size: 50, by: 'ip', asc: true, has: '', filters: {} })
  })

  test('everything that a URL can hold', () => {
    expect(read('page=3&size=25&by=network&asc=false&has=10.0&all=true&snat=false')).toEqual({
      page: 3,
      size: 25,
      by: 'network',
      asc: false,
      has: '10.0',
      filters: { all: 'true', snat: 'false' },
    })
  })

  test.each([
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

  test('the size that the user likes holds for a plain address', () => {
    expect(read('has=x', 100).size).toBe(100)
  })

  test('a link to a later page shows the same rows to everybody', () => {
    expect(read('page=3', 100).size).toBe(50)
  })

  test('two tables of one screen do not read each other', () => {
    const view = readView(new URLSearchParams('ips.page=4&page=9'), { name: 'ips', prefix: 'ips' })
    expect(view.page).toBe(4)
  })
})

describe('writing a view to the URL', () => {
  test('default values are left out', () => {
    expect(write('page=2&by=network&asc=false&all=true', { page: 1, by: 'ip', asc: true, filters: {} })).toBe(
      '',
    )
  })

  test('parameters of other tables stay', () => {
    expect(write('tab=rules&rules.page=2', { page: 3 })).toBe('tab=rules&rules.page=2&page=3')
  })

  test.each(['', 'page=3&size=25&by=network&asc=false&has=a%26b&all=true'])(
    '%j is the same after a round trip',
    (query) => {
      expect(write(query, {})).toBe(query)
    },
  )
})

test('the query of the API', () => {
  expect(queryOf(read('page=3&size=50&asc=false&has=10.&all=true'))).toEqual({
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

test.each([
  [0, 1],
  [1, 1],
  [25, 1],
  [26, 2],
  [1_000_000, 40_000],
])('%i rows of 25 a page end on page %i', (total, page) => {
  expect(lastPage(total, 25)).toBe(page)
})

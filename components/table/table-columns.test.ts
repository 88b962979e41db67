import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { type ColumnWithHeader, columnDefinitions, columnDisplay } from './table-columns'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'layout.table' })

const columns: ColumnWithHeader<string>[] = [
  { id: 'name', header: 'Name', cell: (row) => row, by: 'name', isRowHeader: true },
  { id: 'use', header: 'Use', cell: (row) => row },
  { id: 'id', header: 'Id', cell: (row) => row, hidden: true },
]

test('without preferences all columns but the hidden ones are shown', () => {
  expect(columnDisplay(columns, {})).toEqual([
    { id: 'name', visible: true },
    { id: 'use', visible: true },
    { id: 'id', visible: false },
  ])
})

test('a preference from an older version loses columns that are gone and gains new ones at the end', () => {
  const stored = [
    { id: 'use', visible: false },
    { id: 'gone', visible: true },
    { id: 'name', visible: true },
  ]
  expect(columnDisplay(columns, { columns: stored }).map(({ id }) => id)).toEqual(['use', 'name', 'id'])
})

test('a column without an order of the server cannot be sorted by', () => {
  expect(columnDefinitions(say, columns).map(({ sortingField }) => sortingField)).toEqual([
    'name',
    undefined,
    undefined,
  ])
})

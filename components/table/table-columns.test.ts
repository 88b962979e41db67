import { expect, test } from 'vitest'
import { type ColumnWithHeader, columnDisplay, shownColumns } from './table-columns'

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

test('the shown columns are in the order of the user', () => {
  const stored = [
    { id: 'use', visible: true },
    { id: 'id', visible: false },
    { id: 'name', visible: true },
  ]
  expect(shownColumns(columns, { columns: stored }).map(({ header }) => header)).toEqual(['Use', 'Name'])
})

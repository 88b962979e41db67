import { expect, test } from 'vitest'
import { z } from 'zod'
import { columns } from '#lib/caller/kinds/columns.server'
import { kinds } from '#lib/caller/kinds/kinds'

const fields = {
  name: z.string(),
  twoFactorAuthenticationMandatory: z.boolean().default(false),
  properties: z.array(z.string()).default([]),
}

const table = columns(kinds.enterprise, fields, { twoFactorAuthenticationMandatory: 'two_factor_mandatory' })

test('a written value is the same when it is read', () => {
  const row = table.written({ name: 'Ärea', twoFactorAuthenticationMandatory: true, properties: ['a', 'b'] })
  expect(row).toEqual({
    name: 'Ärea',
    name_key: 'ärea',
    two_factor_mandatory: 1,
    properties: '["a","b"]',
  })
  expect(table.read(row)).toEqual({
    name: 'Ärea',
    twoFactorAuthenticationMandatory: true,
    properties: ['a', 'b'],
  })
})

test('a missing value becomes its default', () => {
  expect(table.read(table.written({ name: 'One', properties: undefined }))).toEqual({
    name: 'One',
    twoFactorAuthenticationMandatory: false,
    properties: [],
  })
})

test('a past row that is older than a column has its default', () => {
  expect(table.read({ name: 'One', two_factor_mandatory: null, properties: null })).toEqual({
    name: 'One',
    twoFactorAuthenticationMandatory: false,
    properties: [],
  })
})

test('the columns are selected of their own table', () => {
  expect(table.select).toEqual([
    'enterprises.name',
    'enterprises.two_factor_mandatory',
    'enterprises.properties',
  ])
})

test('a field without a column of its own or a named one does not compile', () => {
  // @ts-expect-error: the table has no column two_factor_authentication_mandatory.
  columns(kinds.enterprise, fields, {})
})

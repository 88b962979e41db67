import { expect, test } from 'vitest'
import { dereference } from './dereference'

const description = {
  paths: { '/a~b': { get: { answer: { $ref: '#/schemas/tree' }, list: [{ $ref: '#/schemas/name' }] } } },
  again: { $ref: '#/paths/~1a~0b/get/list' },
  schemas: {
    name: { type: 'string' },
    tree: { name: { $ref: '#/schemas/name' }, children: { items: { $ref: '#/schemas/tree' } } },
  },
}
const name = { type: 'string', $$ref: '#/schemas/name' }

test('references are replaced, except for references to a containing schema', () => {
  expect(dereference(description, ['paths', '/a~b', 'get'])).toEqual({
    answer: { name, children: { items: { $ref: '#/schemas/tree' } }, $$ref: '#/schemas/tree' },
    list: [name],
  })
})

test('a pointer escapes slashes and tildes', () => {
  expect(dereference(description, ['again'])).toEqual([name])
})

test('a missing value is null', () => {
  expect(dereference(description, ['webhooks'])).toBeNull()
})

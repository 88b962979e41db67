import { expect, test } from 'vitest'
import type { PlanDocument } from '#lib/state/plans/plans.schema'
import { changesIn, countsOf, hasSameChanges, linesToLeave, narrowed, rowsOf } from './plan-rows'

const plan = {
  links: [],
  id: 7,
  mode: 'replace',
  created: '2026-11-23T12:00:00.000Z',
  expires: '2026-11-23T13:00:00.000Z',
  totals: [{ entity: 'scopes', create: 1, update: 1, delete: 1, none: 4 }],
  refused: 1,
  refusals: [
    {
      line: 9,
      entity: 'scopes',
      name: 'Nordics',
      field: 'parent',
      code: 'SCOPE-1',
      message: 'No such scope',
    },
  ],
  operations: [
    {
      operation: 'create',
      entity: 'scopes',
      name: 'Iberia',
      line: 2,
      changes: [{ field: 'parent', after: 'Europe' }],
    },
    {
      operation: 'update',
      entity: 'scopes',
      name: 'Asia',
      place: 'Madrid',
      line: 3,
      changes: [
        { field: 'parent', before: 'World', after: '' },
        { field: 'enterprises', before: '', after: 'A|B' },
      ],
    },
    { operation: 'delete', entity: 'scopes', name: 'Old', changes: [{ field: 'parent', before: 'World' }] },
  ],
} satisfies PlanDocument

const refusal = { line: 9, name: 'Nordics', field: 'parent', code: 'SCOPE-1', message: 'No such scope' }

const named = (view: Parameters<typeof narrowed>[1], text = '') =>
  narrowed(rowsOf(plan), view, text).map(({ name }) => name)

test('refusals come first, with line, column and code; each change has its values before and after', () => {
  const [refused, created, changed, removed] = rowsOf(plan)
  expect(refused).toMatchObject({ kind: 'refused', line: 9, field: 'parent', code: 'SCOPE-1' })
  expect(refused?.lines).toEqual(['No such scope'])
  expect(created).toMatchObject({ kind: 'create', line: 2, lines: ['parent: Europe'] })
  expect(changed?.lines).toEqual(['parent: World → –', 'enterprises: A|B'])
  expect(removed).toMatchObject({ kind: 'delete', line: undefined, lines: [] })
})

test('the totals of all lists are counted, the refusals too', () => {
  expect(countsOf(plan)).toEqual({ all: 4, create: 1, update: 1, delete: 1, none: 4, refused: 1, lines: 1 })
})

test('an operation that is refused is counted as refused alone', () => {
  const twice = {
    ...plan,
    refusals: [
      { ...refusal, line: 2 },
      { ...refusal, line: 2, field: 'name' },
    ],
    refused: 2,
  } satisfies PlanDocument
  expect(countsOf(twice)).toMatchObject({ all: 4, create: 0, update: 1, delete: 1, refused: 2, lines: 1 })
  expect(changesIn(twice)).toBe(2)
  expect(rowsOf(twice).map(({ name }) => name)).toEqual(['Nordics', 'Nordics', 'Asia', 'Old'])
})

test('lines can be left out of an import that deletes nothing, if each refusal has a line', () => {
  expect(linesToLeave({ ...plan, mode: 'merge' })).toEqual(new Set([9]))
  expect(linesToLeave(plan)).toBeUndefined()
  expect(linesToLeave({ ...plan, mode: 'merge', incomplete: true })).toBeUndefined()
  expect(
    linesToLeave({ ...plan, mode: 'merge', refusals: [{ ...refusal, line: undefined }] }),
  ).toBeUndefined()
})

test('the plan of the good lines is the shown one unless data has changed, whatever the numbers of the lines', () => {
  const [created, changed, removed] = plan.operations
  const shown = { ...plan, refusals: [{ ...refusal, line: 2 }] } satisfies PlanDocument
  const good = { ...plan, refusals: [], refused: 0, operations: [removed, { ...changed, line: 2 }] }
  expect(hasSameChanges(shown, good as PlanDocument)).toBe(true)
  const changes = [{ field: 'parent', before: 'Europe', after: '' }, changed?.changes[1]]
  const moved = { ...good, operations: [removed, { ...changed, line: 2, changes }] }
  expect(hasSameChanges(shown, moved as PlanDocument)).toBe(false)
  expect(hasSameChanges(shown, { ...good, operations: [removed] } as PlanDocument)).toBe(false)
  expect(hasSameChanges(shown, { ...good, operations: [...good.operations, created] } as PlanDocument)).toBe(
    false,
  )
})

test('a view shows one kind, and the text looks into names, places, values and codes', () => {
  expect(named('all')).toEqual(['Nordics', 'Iberia', 'Asia', 'Old'])
  expect(named('delete')).toEqual(['Old'])
  expect(named('refused')).toEqual(['Nordics'])
  expect(named('all', ' madrid')).toEqual(['Asia'])
  expect(named('all', 'a|b')).toEqual(['Asia'])
  expect(named('all', 'scope-1')).toEqual(['Nordics'])
  expect(named('create', 'world')).toEqual([])
})

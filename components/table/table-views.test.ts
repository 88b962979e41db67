import { expect, test } from 'vitest'
import { faultOfView, viewNamed, withView } from './table-views'

const collator = new Intl.Collator('es')
const views = [
  { name: 'Ámbar', view: 'a' },
  { name: 'Zeta', view: 'z' },
]

test('a new view has its place in the order of the language', () => {
  expect(withView(views, { name: 'Ñu', view: 'n' }, collator).map(({ name }) => name)).toEqual([
    'Ámbar',
    'Ñu',
    'Zeta',
  ])
})

test('a view replaces the one with the same name, in any case', () => {
  expect(viewNamed(views, 'zETA')?.view).toBe('z')
  expect(withView(views, { name: 'zeta', view: 'new' }, collator)).toEqual([
    { name: 'Ámbar', view: 'a' },
    { name: 'zeta', view: 'new' },
  ])
})

test('a view needs a name, and room', () => {
  const many = Array.from({ length: 31 }, (_, index) => ({ name: String(index), view: '' }))
  expect(faultOfView('', views)).toBe('missing')
  expect(faultOfView('x'.repeat(61), views)).toBe('long')
  expect(faultOfView('x', many)).toBe('many')
  expect(faultOfView('x', [{ name: 'x', view: 'v'.repeat(8192) }])).toBe('large')
  expect(faultOfView('x', views)).toBeUndefined()
})

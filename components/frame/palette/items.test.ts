import { expect, test } from 'vitest'
import { type Item, matching, sectionsOf, stepOfGroup } from './items'

const item = (text: string, group: Item['group'] = 'screens', detail?: string) => ({
  id: text,
  group,
  text,
  detail,
  icon: null,
  to: '/',
})

test('items are found by all typed words, in any order, whatever case and accents', () => {
  const items = [item('Configuración'), item('Redes NAT', 'screens', 'Madrid'), item('Roles')]
  const found = (typed: string) => matching(items, typed).map(({ text }) => text)
  expect(found('configuracion')).toEqual(['Configuración'])
  expect(found('madrid redes')).toEqual(['Redes NAT'])
  expect(found('madrid roles')).toEqual([])
  expect(found('  ')).toHaveLength(3)
})

test('keywords find an item whose text does not contain them', () => {
  const items = [{ ...item('Show the keyboard shortcuts'), keywords: 'keys help' }, item('Roles')]
  expect(matching(items, 'keys').map(({ text }) => text)).toEqual(['Show the keyboard shortcuts'])
})

test('the item whose shortcut is typed comes first', () => {
  const items = [item('Settings'), { ...item('Scopes'), keys: ['g', 's'] }]
  expect(matching(items, 'gs').map(({ text }) => text)).toEqual(['Scopes', 'Settings'])
  expect(matching(items, 'sco').map(({ text }) => text)).toEqual(['Scopes'])
})

test('items of a group are together', () => {
  const sections = sectionsOf([item('a'), item('b', 'user'), item('c', 'user')])
  expect(sections.map(({ group, items }) => [group, items.length])).toEqual([
    ['screens', 1],
    ['user', 2],
  ])
})

test('a step leads to the next group, and around the ends', () => {
  const items = [item('a'), item('b'), item('c', 'user'), item('d', 'role'), item('e', 'role')]
  expect(stepOfGroup(items, 0, 1)).toBe(2)
  expect(stepOfGroup(items, 4, 1)).toBe(0)
  expect(stepOfGroup(items, 4, -1)).toBe(3)
  expect(stepOfGroup(items, 3, -1)).toBe(2)
  expect(stepOfGroup(items, 0, -1)).toBe(3)
  expect(stepOfGroup([], 0, 1)).toBe(0)
})

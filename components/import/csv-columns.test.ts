import { afterEach, expect, test, vi } from 'vitest'
import { fieldTwice, headOf, matched, rememberedMatches, rememberMatches, tableOf } from './csv-columns'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['name,parent\r\nIberia,Europe\r\n', ['name', 'parent'], '\r\nIberia,Europe\r\n'],
  ['\ufeffname;parent\nIberia;Europe', ['name', 'parent'], '\nIberia;Europe'],
  ['"a ""b"", c",,parent,\nx', ['a "b", c', '', 'parent', ''], '\nx'],
  ['Größe,名前\n1,2', ['Größe', '名前'], '\n1,2'],
  ['name', ['name'], ''],
])('the header of %j', async (text, columns, rest) => {
  const head = await headOf(new Blob([text]))
  expect(head.columns).toEqual(columns)
  expect(await head.rest.text()).toBe(rest)
})

test('the fields take the place of the header; a column without one is ignored', async () => {
  const head = await headOf(new Blob(['Scope;Boss;Remark\nIberia;Europe;x\n']))
  expect(await tableOf(head, ['name', 'parent', undefined]).text()).toBe('name;parent;id\nIberia;Europe;x\n')
})

test('columns are matched by name, or as they were before', () => {
  const fields = ['name', 'automaticAddDatacenter', 'parent']
  const columns = ['Name', 'Automatic add datacenter', 'Boss', 'id']
  expect(matched(columns, { fields, chosen: {} })).toEqual([
    'name',
    'automaticAddDatacenter',
    undefined,
    undefined,
  ])
  expect(matched(columns, { fields, chosen: { Boss: 'parent', Name: '', id: 'gone' } })).toEqual([
    undefined,
    'automaticAddDatacenter',
    'parent',
    undefined,
  ])
  expect(fieldTwice(['name', undefined, undefined])).toBeUndefined()
  expect(fieldTwice(['name', 'parent', 'name'])).toBe('name')
})

test('matches are remembered for each list, and a broken or missing store is no failure', () => {
  const store = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  })
  rememberMatches('scopes', { Boss: 'parent' })
  rememberMatches('scopes', { Scope: 'name' })
  expect(rememberedMatches('scopes')).toEqual({ Boss: 'parent', Scope: 'name' })
  expect(rememberedMatches('users')).toEqual({})
  store.set('console.import.users', 'broken')
  expect(rememberedMatches('users')).toEqual({})
  vi.stubGlobal('localStorage', undefined)
  rememberMatches('users', {})
  expect(rememberedMatches('users')).toEqual({})
})

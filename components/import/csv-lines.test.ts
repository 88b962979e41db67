import { expect, test } from 'vitest'
import { faultyLines, linesOf, withoutLines } from './csv-lines'

const table = 'name,note\r\nOne,"two\nlines"\r\nTwo,"a ""quote"""\nThree,x'

test('a row with a line break in quotes is one row, and the next one has its own line', () => {
  expect(linesOf(table)).toEqual([
    { line: 1, text: 'name,note\r\n' },
    { line: 2, text: 'One,"two\nlines"\r\n' },
    { line: 4, text: 'Two,"a ""quote"""\n' },
    { line: 5, text: 'Three,x' },
  ])
})

test('refused lines are left out, and written apart with their faults', async () => {
  const blob = new Blob([table])
  expect(await (await withoutLines(blob, new Set([4]))).text()).toBe(
    'name,note\r\nOne,"two\nlines"\r\nThree,x',
  )
  const faults = new Map([[4, 'name: "Two" is taken']])
  const head = { columns: ['Company', 'Note'], separator: ',' as const }
  expect(await (await faultyLines(blob, { head, title: 'Fault', faults })).text()).toBe(
    '"Company","Note","Fault"\r\nTwo,"a ""quote""","name: ""Two"" is taken"\r\n',
  )
})

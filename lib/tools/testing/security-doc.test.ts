import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const project = join(import.meta.dirname, '../../..')
const document = readFileSync(join(project, 'docs/security.md'), 'utf8')

/** The sections of ASVS 5.0.0, each with its requirements of levels 1 and 2, without those of level 3. */
const sections = [
  '1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1 3.2:1-2 3.3:1-4 3.4:1-6',
  '3.5:1-5 3.7:1-2 4.1:1-3 4.2:1 4.3:1-2 4.4:1-4 5.1:1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12',
  '6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3 6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2 8.1:1-2',
  '8.2:1-3 8.3:1 8.4:1 9.1:1-3 9.2:1-4 10.1:1-2 10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2',
  '10.7:1-3 11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1 12.1:1-3 12.2:1-2 12.3:1-4 13.1:1',
  '13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3 15.3:1-7 16.1:1',
  '16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1 17.2:1-4 17.3:1-2',
].join(' ')

const required = sections.split(/\s+/).flatMap((section) => {
  const [name, ranges = ''] = section.split(':')
  return ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => `${name}.${first + index}`)
  })
})

type RequirementRow = { numbers: string[]; state: string; where: string }

const rows: RequirementRow[] = [...document.matchAll(/^\| ([\d., ]+) \| .+? \| (.+?) \| (.+) \|$/gm)].map(
  ([, numbers = '', state = '', where = '']) => ({ numbers: numbers.split(', '), state, where }),
)

const filesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w./[\]-]+\.(?:tsx?|js|json|md))`/g)].map(([, file = '']) => file)

describe('docs/security.md', () => {
  test('has each requirement of levels 1 and 2 once, and no other', () => {
    expect(required).toHaveLength(253)
    expect(rows.flatMap(({ numbers }) => numbers).toSorted()).toEqual(required.toSorted())
  })

  test('has a state for each requirement', () => {
    const states = new Set(rows.map(({ state }) => state))
    expect([...states].toSorted()).toEqual(['met', 'not applicable', 'not met', 'operator'])
  })

  test('names no file that is not there', () => {
    const missing = filesIn(document).filter((file) => !existsSync(join(project, file)))
    expect(missing.filter((file) => !file.startsWith('/'))).toEqual([])
  })

  test.each(rows.filter(({ state }) => state === 'met'))(
    'shows how $numbers are met: by a file, or a section of its own',
    ({ where }) => {
      const places = [...filesIn(where), ...where.matchAll(/\]\((#|\.\.\/)/g)]
      expect(places).not.toEqual([])
    },
  )
})

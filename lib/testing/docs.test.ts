import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allErrorCodes, statusOf } from '#lib/http/errors'

const project = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(project, file), 'utf8')

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: project }).sort()
const sources = globSync('{app,components,e2e,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => file !== 'lib/testing/docs.test.ts',
)

const headingsOf = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

const linksOf = (text: string): string[] => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)

function isThere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(project, file))) return false
  return anchor === undefined || headingsOf(read(file)).map(anchorOf).includes(anchor)
}

/** A comment or the title of a test in one line, so that a citation may stand on two. */
const flat = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ')

const headings = headingsOf(read('docs/api.md'))

test.each(documents)('the links in %s lead to files and headings that exist', (document) => {
  const own = linksOf(read(document)).filter((link) => !/^[a-z]+:/.test(link))
  expect(own.filter((link) => !isThere(document, link))).toEqual([])
})

describe('docs/api.md', () => {
  test('has each heading once', () => {
    expect(headings.filter((title, index) => headings.indexOf(title) !== index)).toEqual([])
  })

  test('has the headings that comments cite', () => {
    const cited = sources.flatMap((file) =>
      [...flat(read(file)).matchAll(/docs\/api\.md(?:, "([^"]*)")?/g)].map(([, title = '']) => ({
        file,
        title,
      })),
    )
    expect(cited.filter(({ title }) => !headings.includes(title))).toEqual([])
  })

  test('has each error code once, with its status', () => {
    const rows = [...read('docs/api.md').matchAll(/^\| (\d{3}) \| (.+) \|$/gm)]
    const listed = rows.flatMap(([, status, codes = '']) =>
      codes.split(', ').map((code) => `${status} ${code}`),
    )
    expect(listed.sort()).toEqual(allErrorCodes.map((code) => `${statusOf(code)} ${code}`).sort())
  })
})

test('no comment cites a document that is not here', () => {
  const cites = /\bcontract\b|\bsettled,? (?:points? )?\d|\bgiven\.md|\bbeyond, section|\bissue \d/i
  expect(sources.filter((file) => cites.test(flat(read(file))))).toEqual([])
})

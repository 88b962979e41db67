import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { helpTopics } from '#components/base/screens/help-topics'
import { parseEnv } from '#lib/ground/env.server'
import { allErrorCodes, statusOf } from '#lib/ground/http/errors'

const project = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(project, file), 'utf8')

const documents = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md'], { cwd: project }).sort()
const sources = globSync('{app,components,e2e,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => file !== 'lib/tools/testing/docs.test.ts',
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

const pages = globSync('docs/api/*.md', { cwd: project }).sort()
const headings = pages.flatMap((page) => headingsOf(read(page)).slice(1))

test.each(documents)('the links in %s lead to files and headings that exist', (document) => {
  const own = linksOf(read(document)).filter((link) => !/^[a-z]+:/.test(link))
  expect(own.filter((link) => !isThere(document, link))).toEqual([])
})

describe('docs/api', () => {
  test('has each heading once', () => {
    expect(headings.filter((title, index) => headings.indexOf(title) !== index)).toEqual([])
  })

  test('has the pages and headings that comments cite', () => {
    const cited = sources.flatMap((file) =>
      [...flat(read(file)).matchAll(/(?<!#)(docs\/api[\w/-]*\.md)(?:, "([^"]*)")?/g)].map(
        ([, page = '', title]) => ({ file, page, title }),
      ),
    )
    const isHere = (page: string, title?: string) =>
      pages.includes(page) && (title === undefined || headingsOf(read(page)).includes(title))
    expect(cited.filter(({ page, title }) => !isHere(page, title))).toEqual([])
    expect(cited.length).toBeGreaterThan(100)
  })

  test('has each error code once, with its status', () => {
    const rows = [...read('docs/api/errors.md').matchAll(/^\| (\d{3}) \| (.+) \|$/gm)]
    const listed = rows.flatMap(([, status, codes = '']) =>
      codes.split(', ').map((code) => `${status} ${code}`),
    )
    expect(listed.sort()).toEqual(allErrorCodes.map((code) => `${statusOf(code)} ${code}`).sort())
  })
})

/** The names between backticks. */
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

test.each(documents)('the commands in %s exist, with their options', (document) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands = [
    ...read(document).matchAll(/(?:^|`|&& )npm (?:run (?:-s )?)?([a-z][\w:-]*)(?: -- ([^`|\n]*))?/gm),
  ]
  const unknown = commands.flatMap(([command, name = '', rest = '']) => {
    if (['audit', 'ci', 'sbom'].includes(name)) return []
    const script = scripts[name]
    if (script === undefined) return [command]
    const file = /run\.js ([\w-]+)$/.exec(script)?.[1]
    const options = [...rest.matchAll(/--([a-z][\w-]*)/g)].map(([, option = '']) => option)
    const source = file ? read(`lib/tools/scripts/${file}.ts`) : undefined
    return options.filter((option) => source && !source.includes(option)).map((option) => `${name} ${option}`)
  })
  expect(unknown).toEqual([])
})

test.each(documents)('the files named in %s exist', (document) => {
  const named = codeIn(read(document)).filter((code) =>
    /^(?:app|components|docs|e2e|lib)\/[\w./-]+$/.test(code),
  )
  const places = named.filter((file) => !/NNN|<|…/.test(file))
  expect(places.filter((file) => !existsSync(join(project, file)))).toEqual([])
})

test('docs/settings.md has each setting once, with its default', () => {
  const rows = [...read('docs/settings.md').matchAll(/^\| (`[A-Z_`, ]+`) \| (.*?) \|/gm)].flatMap(
    ([, names = '', values = '']) =>
      codeIn(names).map((name, index, all) => ({
        name,
        value: (all.length > 1 ? values.split(', ')[index] : values)?.replaceAll('`', ''),
      })),
  )
  const inSource = [...read('lib/ground/env.server.ts').matchAll(/^ {4}([A-Z_]+): /gm)].map(
    ([, name = '']) => name,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual([...new Set(inSource)].sort())

  const defaults = Object.entries(parseEnv({ SECRET_KEY: 'k'.repeat(32) })).filter(
    ([name, value]) =>
      /string|number|boolean/.test(typeof value) && !/^(SECRET_KEY|WEB_CONCURRENCY)$/.test(name),
  )
  for (const [name, value] of defaults)
    expect
      .soft({ name, value: rows.find((row) => row.name === name)?.value })
      .toEqual({ name, value: String(value) })
})

test('docs/architecture.md quotes a route as it is', () => {
  const quoted = /^export const PUT[\s\S]*?^}\)$/m.exec(read('docs/architecture.md'))?.[0] ?? 'nothing'
  expect(read('app/api/admin/scopes/[scope]/route.ts')).toContain(quoted)
})

test('the help of a screen leads to a heading that exists', () => {
  const linkTo = (topic: string): string => {
    const [name, anchor] = topic.split('#')
    const file = existsSync(join(project, `docs/${name}/index.md`)) ? `${name}/index.md` : `${name}.md`
    return anchor ? `${file}#${anchor}` : file
  }
  expect(helpTopics.filter(([, topic]) => !isThere('docs/index.md', linkTo(topic)))).toEqual([])
})

test.each(['api', 'decisions'])('docs/%s/index.md lists every page', (folder) => {
  const files = globSync(`docs/${folder}/*.md`, { cwd: project }).map((file) => basename(file))
  const listed = linksOf(read(`docs/${folder}/index.md`)).filter((link) => !link.startsWith('../'))
  expect(['index.md', ...listed].sort()).toEqual(files.sort())
})

test('the changes that are not released stand in CHANGELOG.md with a line each, under the headings of Keep a Changelog', () => {
  const [open = ''] = (read('CHANGELOG.md').split('## Unreleased\n')[1] ?? '').split(/^## /m)
  const lines = open.split('\n').filter(Boolean).slice(1)
  const headings = lines.flatMap((line) => /^### (.+)/.exec(line)?.[1] ?? [])
  const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
  expect(headings).toEqual(known.filter((heading) => headings.includes(heading)))
  expect(lines.filter((line) => !/^(?:###|####|-) \S/.test(line))).toEqual([])
})

test('no comment cites a document that is not here', () => {
  const cites = /\bcontract\b|\bsettled,? (?:points? )?\d|\bgiven\.md|\bbeyond, section|\bissue \d/i
  expect(sources.filter((file) => cites.test(flat(read(file))))).toEqual([])
})

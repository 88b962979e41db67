import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * The allowed imports of a file follow from its name. biome.json has the rules, and this test asks the linter itself. The linter ignores
 * types written as `import('./x').X`.
 */

const project = join(import.meta.dirname, '../../..')

const app = ['../../../app/layout', '../../../app/[[...path]]/page']
const components = ['#components/console', '../../../components/console']
const next = ['next', 'next/headers']
const node = ['node:fs', 'node:fs/promises', 'fs']
const tools = [
  '#lib/tools/testing/client',
  '#lib/tools/sample/names',
  '#lib/tools/scripts/backup',
  '#lib/tools/bench/load',
]
const server = ['#lib/db/db.server', './x.server', './x.server.ts', 'kysely', '#lib/server/status', ...tools]
const browser = ['#lib/cloud/nat/ips.queries', '#lib/client/api']
const pure = ['zod', '#lib/ground/http/errors', '#lib/caller/auth/privileges', '#lib/cloud/nat/ips.schema']

const headless = ['react-aria-components/Button']

type Kind = { name: string; files: RegExp; but?: RegExp; may: string[]; mayNot: string[] }

const kit = /^components\/kit\//
const toolRooms = /^lib\/tools\//
const nodeRooms = /^lib\/(server|gateway|tools)\//
const otherSuffix = /\.(schema|queries|server)\.ts$|^lib\/client\//

const kinds: Kind[] = [
  {
    name: 'a schema',
    files: /^lib\/.*\.schema\.ts$/,
    may: [...pure, './x.schema'],
    mayNot: [...app, ...components, ...next, ...node, ...server, ...browser, '#lib/db/fold', 'react'],
  },
  {
    name: 'a plain file of lib',
    files: /^lib\/.*\.tsx?$/,
    but: new RegExp(`${otherSuffix.source}|${nodeRooms.source}`),
    may: [...pure, '#lib/db/fold', 'ipaddr.js', 'use-intl'],
    mayNot: [...app, ...components, ...next, ...node, ...server, ...browser, 'react'],
  },
  {
    name: 'queries and the client',
    files: /^lib\/(.*\.queries\.ts|client\/.*)$/,
    may: [...pure, ...browser, '@tanstack/react-query'],
    mayNot: [...app, ...components, ...next, ...node, ...server, '#lib/db/fold'],
  },
  {
    name: 'a component',
    files: /^components\/.*\.tsx?$/,
    but: kit,
    may: [...pure, ...browser, '#components/console', '../layout/x', 'react', 'next/dynamic', 'use-intl'],
    mayNot: [
      ...app,
      ...next,
      ...node,
      ...server,
      '#lib/db/fold',
      '../../../lib/ground/http/errors',
      ...headless,
    ],
  },
  {
    name: 'the kit',
    files: kit,
    may: ['react', 'react-dom', ...headless, './x'],
    mayNot: [
      ...app,
      ...components,
      ...next,
      ...node,
      ...server,
      ...browser,
      ...pure,
      '../base/x',
      'react-aria-components',
      'use-intl',
    ],
  },
  {
    name: 'a route',
    files: /^app\/.*\.ts$/,
    may: [
      'zod',
      '#lib/request/pipeline/endpoint.server',
      '#lib/cloud/nat/ips.server',
      '#lib/cloud/nat/ips.schema',
    ],
    mayNot: [
      ...app,
      ...components,
      ...next,
      ...node,
      ...browser,
      ...tools,
      '#lib/db/db.server',
      '#lib/db/fold',
      'kysely',
    ],
  },
  {
    name: 'a server file',
    files: /^lib\/.*\.server\.ts$/,
    but: nodeRooms,
    may: [...pure, ...node, '#lib/db/db.server', 'kysely'],
    mayNot: [...app, ...components, ...next, ...browser],
  },
  {
    name: 'a tool',
    files: toolRooms,
    may: [...pure, ...node, ...tools, '#lib/db/db.server', '#lib/db/fold', 'kysely'],
    mayNot: [...app, ...components, ...next, ...browser],
  },
  {
    name: 'the gateway',
    files: /^lib\/gateway\//,
    may: ['node:fs', 'node:fs/promises', 'node:child_process', '#lib/gateway/elements'],
    mayNot: [
      ...app,
      ...components,
      ...next,
      ...browser,
      ...server,
      'zod',
      '#lib/ground/http/errors',
      'ipaddr.js',
    ],
  },
  {
    name: 'the front server',
    files: /^lib\/server\//,
    may: [...pure, ...node, '#lib/db/db.server', 'next'],
    mayNot: [...app, ...components, ...browser],
  },
]

const files = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => !/\.test\.tsx?$|\.d\.ts$|^app\/.*\.tsx$/.test(file),
)

const isOf = (file: string, { files: pattern, but }: Kind) => pattern.test(file) && !but?.test(file)

const filesOf = (kind: Kind) => files.filter((file) => isOf(file, kind))

/** The faults that the linter would find if these lines were in each file. */
function refusedIn(lines: Map<string, string[]>): Map<string, string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'boundaries-'))
  try {
    copyFileSync(join(project, 'biome.json'), join(directory, 'biome.json'))
    for (const [file, text] of lines) {
      mkdirSync(dirname(join(directory, file)), { recursive: true })
      writeFileSync(join(directory, file), text.join('\n'))
    }
    return readRefusals(directory, lines)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function readRefusals(directory: string, lines: Map<string, string[]>): Map<string, string[]> {
  const { stdout } = spawnSync(
    join(project, 'node_modules/.bin/biome'),
    [
      'lint',
      '--only=style/noRestrictedImports',
      '--only=style/noRestrictedGlobals',
      '--vcs-enabled=false',
      '--max-diagnostics=none',
      '--reporter=github',
    ],
    { cwd: directory, encoding: 'utf8', maxBuffer: 100_000_000 },
  )
  const refused = new Map([...lines.keys()].map((file) => [file, new Set<string>()]))
  for (const [, path = '', line] of stdout.matchAll(/file=(.*?),line=(\d+)/g)) {
    const file = path.slice(path.lastIndexOf(directory) + directory.length + 1)
    refused.get(file)?.add(lines.get(file)?.[Number(line) - 1] ?? '')
  }
  return new Map([...refused].map(([file, found]) => [file, [...found].sort()]))
}

const imported = (specifiers: string[]) => specifiers.map((specifier) => `import '${specifier}'`)

const refused = refusedIn(
  new Map(
    kinds.flatMap((kind) => filesOf(kind).map((file) => [file, imported([...kind.may, ...kind.mayNot])])),
  ),
)

test.each(kinds)('$name imports what it may, and nothing else', (kind) => {
  const held = filesOf(kind)
  expect(held.length).toBeGreaterThan(0)
  for (const file of held) expect(refused.get(file), file).toEqual(imported(kind.mayNot).sort())
})

test('each file is of one kind', () => {
  expect(files.filter((file) => kinds.filter((kind) => isOf(file, kind)).length !== 1)).toEqual([])
})

const browserFiles = [
  'lib/cloud/nat/x.schema.ts',
  'lib/cloud/nat/x.queries.ts',
  'lib/cloud/nat/x.ts',
  'components/cloud/nat/x.tsx',
]

test('a type, a re-exported name and a lazy import are imports too', () => {
  const forms = [
    "import type { X } from './x.server'",
    "import { type X } from './x.server'",
    "export { x } from './x.server'",
    "export type { X } from './x.server'",
    "export * from './x.server'",
    "const x = () => import('./x.server')",
  ]
  for (const [, found] of refusedIn(new Map(browserFiles.map((file) => [file, forms]))))
    expect(found).toEqual(forms.toSorted())
})

test('only Node code imports Node modules', () => {
  const globals = ['Buffer.from(a)', 'process.exit()', 'global.x', 'setImmediate(a)', "require('./x.server')"]
  const inNode = [
    'lib/cloud/nat/x.server.ts',
    'lib/server/x.ts',
    'lib/tools/testing/x.ts',
    'lib/cloud/nat/x.test.ts',
  ]
  const found = refusedIn(new Map([...browserFiles, ...inNode].map((file) => [file, globals])))
  for (const file of browserFiles) expect(found.get(file), file).toEqual(globals.toSorted())
  for (const file of inNode) expect(found.get(file), file).toEqual([])
})

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ReleaseError } from '#lib/tools/release/ending'
import { debianVersion, fillIn } from '#lib/tools/scripts/package/build'
import { shippedFiles } from '#lib/tools/scripts/package/contents'
import { filesOf, placeOf } from '#lib/tools/scripts/package/debian'
import { neededPackages } from '#lib/tools/scripts/package/needed'
import { importedFiles, leftBy, packages, partOf } from '#lib/tools/scripts/package/parts'
import { signingKey } from '#lib/tools/scripts/package/repository'
import { debianProgram } from '#lib/tools/testing/debian-programs'

const project = join(import.meta.dirname, '../../../..')
const deploy = join(project, 'deploy')
const read = (file: string): string => readFileSync(join(project, file), 'utf8')
const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).status === 0

const settingsOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name).sort()

const settings = [...new Set(settingsOf(read('lib/ground/env.server.ts'), /^ {4}([A-Z][A-Z_]+):/gm))]

test('deploy/console.env has each setting once, as a comment or with the value of an installed console', () => {
  expect(settings.length).toBeGreaterThan(50)
  expect(settingsOf(read('deploy/console.env'), /^#?([A-Z_]+)=/gm)).toEqual(settings)
})

test('deploy/console.env shows the defaults that the settings have', () => {
  const shown = new Map(
    [...read('deploy/console.env').matchAll(/^#([A-Z_]+)='?([^'\n]*)'?$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const defaults = [
    ...read('lib/ground/env.server.ts').matchAll(
      /^ {4}([A-Z_]+): (?:positive\((.+?)\)|.*\.default\('?([^'[\]]+?)'?\)),$/gm,
    ),
  ].map(([, name, positive, value]) => [name, positive ?? value])
  expect(defaults.length).toBeGreaterThan(20)
  const differing = defaults.filter(([name, value]) => name !== 'DATA_DIR' && shown.get(name) !== value)
  expect(differing).toEqual([])
})

test('deploy/console.env names each secret that a file may hold', () => {
  const [, list = ''] = /const secretSettings = \[([^\]]+)\]/.exec(read('lib/ground/env.server.ts')) ?? []
  const secrets = settingsOf(list, /'(\w+)'/g).map((name) => `${name}_FILE`)
  expect(settingsOf(read('deploy/console.env'), /\b([A-Z_]+_FILE)\b/g)).toEqual(secrets)
})

test
  .runIf(hasProgram('systemd-analyze'))
  .each([
    'cloud-console/cloud-console.service',
    'cloud-console/cloud-console-backup.service',
    'cloud-console-gateway/cloud-console-gateway@.service',
  ])('the unit %s is exposed 2.5 at most', (name) => {
  const unit = join(deploy, 'debian', name)
  const { status, stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=yes', '--threshold=25', '--no-pager', unit],
    { encoding: 'utf8' },
  )
  expect({ status, report: status === 0 || stdout }).toEqual({ status: 0, report: true })
})

test('bin/cloud-console and the image start Node with the options and the variables of npm start', () => {
  const { start } = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts
  const wanted = [...start.matchAll(/--[\w-]+=\d+|MALLOC_\w+=\d+/g)].map(([option]) => option)
  expect(wanted).toHaveLength(4)
  for (const file of ['deploy/bin/cloud-console', 'deploy/container/Containerfile'])
    expect(wanted.filter((option) => !read(file).includes(option))).toEqual([])
})

test('bin/cloud-console shows its usage, makes paths absolute, and leaves the name of a copy that an upgrade made to restore', () => {
  const root = mkdtempSync(join(tmpdir(), 'test-bin-'))
  try {
    mkdirSync(join(root, 'bin'))
    copyFileSync(join(deploy, 'bin/cloud-console'), join(root, 'bin/cloud-console'))
    writeFileSync(join(root, 'bin/node'), '#!/bin/sh\nfor last; do :; done; echo "$last"\n', { mode: 0o755 })
    writeFileSync(join(root, 'here.db'), '')
    const given = (...args: string[]): string =>
      execFileSync('sh', ['bin/cloud-console', ...args], { cwd: root, encoding: 'utf8' }).trim()
    expect(given('restore', 'here.db')).toBe(join(root, 'here.db'))
    expect(given('backup', 'new.db')).toBe(join(root, 'new.db'))
    expect(given('restore', 'schema-57.db')).toBe('schema-57.db')
    expect(given('restore')).toBe('restore')
    expect(given('backup', '--help')).toMatch(/^Usage: cloud-console COMMAND/)
    expect(given('gateway', '--help')).toBe('--help')
    writeFileSync(join(root, 'package.json'), '{\n  "version": "1.2.3",\n}\n')
    expect([given('version'), given('--version')]).toEqual(['1.2.3', '1.2.3'])
  } finally {
    rmSync(root, { recursive: true })
  }
})

describe('the files of the package', () => {
  let files: string[] = []
  beforeAll(() => {
    files = shippedFiles(project)
  })

  test('include each script that bin/cloud-console runs', () => {
    const commands =
      read('deploy/bin/cloud-console')
        .match(/^ {2}(start \|[^)]*)\)/m)?.[1]
        ?.split(' | ') ?? []
    const scripts = [...commands, 'backup', 'restore', 'cli'].map((name) => `lib/tools/scripts/${name}.ts`)
    expect(scripts).toHaveLength(10)
    expect(scripts.filter((script) => !files.includes(script))).toEqual([])
  })

  test('import no file of this project that is left out', () => {
    const imports = files
      .filter((file) => /^(app|lib)\/.*\.ts$/.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(/(?:from |import |import\()'#(lib\/[^']+)'/g)].map(
          ([, path]) => `${path}.ts`,
        ),
      )
    expect(imports.length).toBeGreaterThan(1000)
    expect(imports.filter((path) => !files.includes(path))).toEqual([])
  })

  test('are no tests, no pages and no tools of development', () => {
    expect(files.filter((file) => /\.test\.|\.tsx$|^lib\/tools\/(testing|bench)\//.test(file))).toEqual([])
  })

  test('need the packages that the server imports, and no others of the console', () => {
    const packages = neededPackages(project, files)
    for (const name of ['next', 'kysely', 'pg', 'pino', '@node-rs/argon2', 'zod', 'jose'])
      expect(packages).toContain(`node_modules/${name}`)
    expect(packages.filter((path) => /react-aria|swc-linux|typescript|vitest/.test(path))).toEqual([])
  })
})

describe('the Debian packages', () => {
  const values = {
    VERSION: '1.2.3',
    ARCHITECTURE: 'amd64',
    INSTALLED_SIZE: 1,
    DATE: 'Sun, 22 Nov 2026 00:00:00 +0000',
  }

  test.each(packages)('%s has the fields that Debian requires', (name) => {
    const control = fillIn(join(deploy, 'debian', name, 'control'), values)
    expect(control).toContain(`Package: ${name}\nVersion: 1.2.3\nArchitecture: amd64\n`)
    for (const field of ['Maintainer', 'Installed-Size', 'Depends', 'Description'])
      expect(control).toMatch(new RegExp(`^${field}: \\S`, 'm'))
    expect(() => fillIn(join(deploy, 'debian', name, 'control'), {})).toThrow('@VERSION@')
  })

  test.each(packages)('%s has a place for each file, and its own command', (name) => {
    const places = filesOf(deploy, name).map(([file]) => placeOf(name, file))
    expect(new Set(places).size).toBe(places.length)
    expect(places).toContain(`usr/bin/${name}`)
    expect(places).toContain(`usr/share/doc/${name}/copyright`)
    expect(() => placeOf(name, 'other')).toThrow('has no place')
  })

  test('of a commit after a release are newer than the release, and older than the next one', () => {
    const built = debianVersion('1.2.3', 1_700_000_000)
    expect(built).toBe('1.2.3+20231114221320')
    if (!hasProgram('dpkg')) return
    const isLess = (one: string, other: string) =>
      spawnSync('dpkg', ['--compare-versions', one, 'lt', other]).status === 0
    expect([isLess('1.2.3', built), isLess(built, '1.2.4'), isLess('1.2.3+', built)]).toEqual([
      true,
      true,
      true,
    ])
    expect(isLess('1.2.3', '1.2.3+')).toBe(true)
  })

  test('of the programs have the files that these import, and no others of the console', () => {
    const gateway = partOf('cloud-console-gateway', { root: project, source: project })
    expect(gateway).toContain('lib/gateway/upkeep.ts')
    expect(
      gateway.filter((file) => /^node_modules|^app|lib\/(db|request|cloud|client)\//.test(file)),
    ).toEqual([])
    const cloudctl = partOf('cloudctl', { root: project, source: project })
    expect(cloudctl).toContain('lib/tools/scripts/cli/plans.ts')
    expect(cloudctl.filter((file) => file.startsWith('node_modules/'))).toEqual(['node_modules/zod'])
    expect(cloudctl.filter((file) => /\.server\.ts$|^app|lib\/db\//.test(file))).toEqual([])
  })

  test.runIf(hasProgram('gpg') && hasProgram('reprepro'))(
    'have a repository only by a key that can sign',
    () => {
      const home = mkdtempSync(join(tmpdir(), 'test-gnupg-'))
      vi.stubEnv('GNUPGHOME', home)
      const make = (name: string, use: string, end: string) =>
        execFileSync(
          'gpg',
          ['--batch', '--passphrase', '', '--quick-generate-key', name, 'ed25519', use, end],
          { stdio: 'ignore' },
        )
      try {
        expect(() => signingKey('UNKNOWNKEY')).toThrow(
          new ReleaseError(
            '--sign: gpg has no secret key UNKNOWNKEY. List your keys: gpg --list-secret-keys',
          ),
        )
        make('two@console.invalid', 'cert', 'never')
        expect(() => signingKey('two@console.invalid')).toThrow(
          new ReleaseError(
            '--sign: the key two@console.invalid has expired, is revoked or cannot sign. List your keys: gpg --list-secret-keys',
          ),
        )
        make('<two@console.invalid>', 'sign', 'never')
        expect(signingKey('two@console.invalid')).toMatch(/^[0-9A-F]{40}$/)
      } finally {
        vi.unstubAllEnvs()
        spawnSync('gpgconf', ['--homedir', home, '--kill', 'all'])
        rmSync(home, { recursive: true, force: true })
      }
    },
  )

  test('leave nothing out that the server imports', () => {
    const left = leftBy(project)
    expect(left).toContain('lib/gateway/upkeep.ts')
    expect(left).not.toContain('lib/gateway/lookup.ts')
    const server = importedFiles(project, ['lib/tools/scripts/start.ts', 'lib/cloud/nat/explain.server.ts'])
    expect(server).toContain('lib/gateway/lookup.ts')
    expect(server.filter((file) => left.includes(file))).toEqual([])
  })

  test('complete each option of the gateway in all three shells', () => {
    const options = [...read('lib/tools/scripts/gateway.ts').matchAll(/^ {2}--([a-z]+) /gm)].map(
      ([, name = '']) => name,
    )
    expect(options.length).toBeGreaterThan(7)
    for (const [shell, dashes] of [
      ['bash', '--'],
      ['zsh', '--'],
      ['fish', '-l '],
    ] as const) {
      const script = read(`deploy/debian/cloud-console-gateway/completion.${shell}`)
      expect(options.filter((name) => !script.includes(`${dashes}${name}`))).toEqual([])
    }
    const manual = read('deploy/debian/cloud-console-gateway/cloud-console-gateway.8')
    expect(options.filter((name) => !manual.includes(`\\-\\-${name}`))).toEqual([])
  })

  test('have shell scripts that a POSIX shell can read', () => {
    const scripts = globSync(
      ['bin/*', 'container/{build,context}', 'debian/*/{p*,cloud-console,cloud-console-gateway,cloudctl}'],
      {
        cwd: deploy,
      },
    )
    expect(scripts).toHaveLength(13)
    for (const script of scripts) execFileSync('sh', ['-n', join(deploy, script)])
  })
})

describe('deploy/alerts.yaml', () => {
  const text = read('deploy/alerts.yaml')
  const expressions = [...text.matchAll(/^ {8}expr: (?:\|\n((?: {10}.+\n)+)|(.+)\n)/gm)].map(
    ([, block, line]) => block ?? line ?? '',
  )
  const own = settingsOf(read('lib/ground/metrics/metrics.server.ts'), /(?:name: |sharedGauge\(\s*)'(\w+)'/g)
  const ofNode = ['nodejs_eventloop_lag_p99_seconds', 'up']

  test('has an expression, a severity and a summary for each alert', () => {
    const alerts = text.match(/^ {6}- alert: CloudConsole\w+$/gm) ?? []
    expect(alerts.length).toBeGreaterThan(15)
    expect(new Set(alerts).size).toBe(alerts.length)
    expect(expressions).toHaveLength(alerts.length)
    expect(text.match(/^ {8}labels: \{ severity: (critical|warning) \}$/gm)).toHaveLength(alerts.length)
    expect(text.match(/^ {10}summary: ".+"$/gm)).toHaveLength(alerts.length)
  })

  const promtool = debianProgram('promtool', 'prometheus')

  test.runIf(promtool)('fires when something is wrong, and never on a quiet console', () => {
    const { file = '', env } = promtool ?? {}
    const checked = spawnSync(file, ['test', 'rules', join(deploy, 'alerts.test.yaml')], {
      env,
      encoding: 'utf8',
    })
    expect(checked.stdout + checked.stderr).toMatch(/SUCCESS\s*$/)
    const tested = read('deploy/alerts.test.yaml')
    const alerts = settingsOf(text, /alert: (\w+)/g)
    expect(alerts.filter((alert) => !tested.includes(`alertname="${alert}"`))).toEqual([])
  })

  test('names only metrics that the console has', () => {
    const named = expressions.flatMap((expression) =>
      [...expression.matchAll(/\b(\w+)\{/g)].map(([, name = '']) =>
        name.replace(/(?<=_seconds)_(count|bucket|sum)$/, ''),
      ),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => ![...own, ...ofNode].includes(name))).toEqual([])
  })

  test('names only values that the labels have', () => {
    const sizes = settingsOf(read('lib/server/measure.server.ts'), /'([a-z-]+)'(?=,| as kind)/g)
    const kinds = expressions.flatMap((expression) => settingsOf(expression, /kind="([^"]+)"/g))
    expect(kinds.filter((kind) => !sizes.includes(kind))).toEqual([])
    const outcomes = expressions.flatMap((expression) => settingsOf(expression, /outcome=~?"([^"]+)"/g))
    const metrics = read('lib/ground/metrics/metrics.server.ts')
    expect(outcomes.flatMap((one) => one.split('|')).filter((one) => !metrics.includes(`'${one}'`))).toEqual(
      [],
    )
  })
})

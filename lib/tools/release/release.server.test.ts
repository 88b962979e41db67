import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { brokenBy } from '#lib/openapi/promises'
import { dated, isAfter, isMajorAfter } from '#lib/tools/release/changelog'
import { lastRelease, presentPromises, release } from '#lib/tools/release/release'

let project = ''

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: 'pipe' }).trim()

const read = (file: string): string => readFileSync(join(project, file), 'utf8')

function write(file: string, text: string): void {
  mkdirSync(join(project, file, '..'), { recursive: true })
  writeFileSync(join(project, file), text)
}

function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Change')
}

/** Runs tests that end with this code. Everything else is left to npm. */
function npmWithTests(code: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = process.env.PATH ?? ''
  const script = `#!/bin/sh\n[ "$*" = "run test:all -- --complete" ] && exit ${code}\nPATH='${path}' exec npm "$@"\n`
  writeFileSync(join(folder, 'npm'), script, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}${delimiter}${path}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

/** What names the version in the documents, and a past version, which stays. */
const names = (version: string): string =>
  [
    `cloud-console-${version}-linux-x64.tar.gz`,
    `cloud-console_${version}_amd64.deb`,
    `cloud-console-gateway_${version}_amd64.deb`,
    `cloudctl_${version}_amd64.deb`,
    `--read-only cloud-console:${version}`,
    `VERSION=${version} docker compose up`,
    'from 1.0.0\n',
  ].join(' ')

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'release-'))
  onTestFinished(() => rmSync(project, { recursive: true }))
  git('init', '--quiet')
  git('config', 'user.name', 'Maintainer')
  git('config', 'user.email', 'maintainer@example.com')
  write('package.json', JSON.stringify({ name: 'console', version: '1.0.0' }))
  write(
    'package-lock.json',
    JSON.stringify({
      name: 'console',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'console', version: '1.0.0' } },
    }),
  )
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0\n\nThe first version.\n')
  write('README.md', 'Read.\n')
  write('deploy/ansible/galaxy.yml', 'name: console\nversion: 1.0.0\n')
  write('docs/operation.md', names('1.0.0'))
  write('lib/openapi/index.ts', '')
  commit()
})

describe('a release', () => {
  test('writes its version in one commit with a tag, and what it promises; a major one may break promises', async () => {
    npmWithTests(0)
    write('lib/openapi/released.txt', '1.0.0\nlistScopes: GET /api/gone\n')
    commit()
    await release(project, '2.0.0')
    expect([
      git('tag', '--list', '--format=%(refname:short) %(objecttype)'),
      git('status', '--porcelain'),
    ]).toEqual(['v2.0.0 tag', ''])
    expect(git('log', '--format=%s').split('\n')).toEqual(['Release 2.0.0', 'Change', 'Change'])
    expect(JSON.parse(read('package.json')).version).toBe('2.0.0')
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '2.0.0',
      packages: { '': { version: '2.0.0' } },
    })
    expect(read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## Unreleased\n\n## 2\.0\.0 \(\d{4}-\d\d-\d\d\)\n\n- New\.\n\n## 1\.0\.0\n/,
    )
    expect(read('docs/operation.md')).toBe(names('2.0.0'))
    expect(read('deploy/ansible/galaxy.yml')).toBe('name: console\nversion: 2.0.0\n')
    expect(lastRelease(project)).toEqual({ version: '2.0.0', promises: await presentPromises() })
  })

  test('is refused and changes nothing where its tests fail', async () => {
    npmWithTests(1)
    await expect(release(project, '2.0.0')).rejects.toThrow('The tests have failed')
    expect([git('tag'), git('status', '--porcelain'), git('log', '--format=%s')]).toEqual(['', '', 'Change'])
  })

  test.each([
    ['no version', '2.0', () => {}, '2.0 is no version'],
    [
      'changes that are in no commit',
      '2.0.0',
      () => write('README.md', 'Other.\n'),
      'There are changes that are in no commit',
    ],
    [
      'a tag of the same version or a later one',
      '2.0.0',
      () => {
        git('tag', 'v2-draft')
        git('tag', 'v2.0.0')
      },
      '2.0.0 does not come after v2.0.0',
    ],
    [
      'an older version than the present one',
      '0.9.9',
      () => {},
      '0.9.9 does not come after 1.0.0 of package.json',
    ],
    ['a version of the changelog', '1.0.0', () => {}, 'CHANGELOG.md has a section of 1.0.0 already'],
    [
      'no name for the commit',
      '2.0.0',
      () => {
        git('config', 'user.useConfigOnly', 'true')
        git('config', '--unset', 'user.email')
        vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null')
        onTestFinished(() => {
          vi.unstubAllEnvs()
        })
      },
      'git var GIT_COMMITTER_IDENT',
    ],
    [
      'an empty changelog',
      '2.0.0',
      () => {
        write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.0.0\n\nThe first version.\n')
        commit()
      },
      'CHANGELOG.md has no changes under "## Unreleased"',
    ],
    [
      'a broken promise in a minor version',
      '2.1.0',
      () => {
        write('lib/openapi/released.txt', '2.0.0\nlistScopes: GET /api/gone\n')
        commit()
      },
      'Programs that were written for 2.0.0 break, which takes a major version:\ngone: listScopes: GET /api/gone',
    ],
  ])('is refused before its tests with %s', async (_what, version, prepare, message) => {
    npmWithTests(0)
    prepare()
    await expect(release(project, version)).rejects.toThrow(message)
    expect(git('log', '--format=%s')).not.toContain('Release')
  })
})

test.each([
  ['release', [], 'Name the version of the release: npm run release -- 2.1.0'],
  ['package', ['--built'], '--built needs the key of a repository: --sign KEYID'],
])('a command without what it needs ends with one line: %s', (name, args, line) => {
  const script = join(import.meta.dirname, '../scripts/run.js')
  const { status, stderr } = spawnSync(process.execPath, [script, name, ...args], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, `${line}\n`])
})

test('versions are compared by their numbers', () => {
  const isLater = [
    ['2.0.0', '1.9.9'],
    ['2.10.0', '2.9.0'],
    ['2.0.1', '2.0.0'],
    ['2.0.0', '2.0.0'],
    ['1.9.9', '2.0.0'],
  ]
  expect(isLater.map(([one = '', other = '']) => isAfter(one, other))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect([isMajorAfter('2.0.0', '1.9.9'), isMajorAfter('2.1.0', '2.0.0')]).toEqual([true, false])
  expect(() => dated('## Unreleased\n', '2.0.0', 'today')).toThrow('no changes')
})

test('this API keeps what its last release promised, until the next major version', async () => {
  const last = lastRelease(process.cwd())
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const broken =
    last && !isMajorAfter(version, last.version) ? brokenBy(await presentPromises(), last.promises) : []
  expect(broken).toEqual([])
})

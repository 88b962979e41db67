import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from '#lib/openapi/openapi.server'
import { brokenBy, type Description, promisesOf } from '#lib/openapi/promises'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { dated, isAfter, isDated, isMajorAfter, isVersion, versionOf } from '#lib/tools/release/changelog'
import { git, isChanged, versionOfCommit } from '#lib/tools/release/commit'
import { ReleaseError } from '#lib/tools/release/ending'

/* `npm run release -- 2.1.0` checks the commit that is checked out, writes the version into a commit of its own, and tags it. */

/** What the last release promises: its version, then a fact a line. */
const promisesIn = (project: string): string => join(project, 'lib/openapi/released.txt')

type Released = { version: string; promises: string[] }

/** Undefined before the first release. */
export function lastRelease(project: string): Released | undefined {
  if (!existsSync(promisesIn(project))) return undefined
  const [version = '', ...promises] = readFileSync(promisesIn(project), 'utf8').trimEnd().split('\n')
  return { version, promises }
}

export const presentPromises = async (): Promise<string[]> =>
  promisesOf(describeApi(await loadRoutes()) as Description)

function requireClean(project: string): void {
  if (isChanged(project)) throw new ReleaseError('There are changes that are in no commit')
}

const changelogOf = (project: string): string => readFileSync(join(project, 'CHANGELOG.md'), 'utf8')

/** The version in package.json may be the one to release: a major version is set there when it begins. */
function requireLater(project: string, version: string): void {
  const tags = git(project, 'tag', '--list', 'v*').split('\n')
  const later = tags.find((tag) => isVersion(tag.slice(1)) && !isAfter(version, tag.slice(1)))
  if (later) throw new ReleaseError(`${version} does not come after ${later}`)
  const present = versionOfCommit(project)
  if (isAfter(present, version))
    throw new ReleaseError(`${version} does not come after ${present} of package.json`)
  if (isDated(changelogOf(project), version))
    throw new ReleaseError(`CHANGELOG.md has a section of ${version} already`)
}

/** Throws ReleaseError unless the commit can become this version. */
async function requireReleasable(project: string, version: string): Promise<string[]> {
  versionOf(version)
  requireClean(project)
  requireLater(project, version)
  // Fails where git has no name for the commit.
  git(project, 'var', 'GIT_COMMITTER_IDENT')
  const promises = await presentPromises()
  const last = lastRelease(project)
  const broken = last && !isMajorAfter(version, last.version) ? brokenBy(promises, last.promises) : []
  if (broken.length > 0)
    throw new ReleaseError(
      [`Programs that were written for ${last?.version} break, which takes a major version:`, ...broken].join(
        '\n',
      ),
    )
  return promises
}

function test(project: string): void {
  const { status } = spawnSync('npm', ['run', 'test:all', '--', '--complete'], {
    cwd: project,
    stdio: 'inherit',
  })
  if (status !== 0) throw new ReleaseError('The tests have failed')
  requireClean(project)
}

function rewrite(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  if (changed !== text) writeFileSync(file, changed)
}

/** Names of archives and images in the documents: cloud-console-2.0.0-linux-x64.tar.gz, cloudctl_2.0.0_amd64.deb, cloud-console:2.0.0. */
const archive = /\b((?:cloud-console(?:-gateway)?|cloudctl)[-_:]|VERSION=)\d+\.\d+\.\d+/g

const documents = ['README.md', 'docs/**/*.md', 'deploy/container/compose.yaml']

/** What names the version of the Ansible collection, which is that of the API. */
const collection = 'deploy/ansible/galaxy.yml'

function write(project: string, version: string, promises: readonly string[]): void {
  const day = new Date().toISOString().slice(0, 10)
  rewrite(join(project, 'CHANGELOG.md'), (text) => dated(text, version, day))
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { cwd: project })
  for (const file of globSync(documents, { cwd: project }))
    rewrite(join(project, file), (text) => text.replaceAll(archive, `$1${version}`))
  rewrite(join(project, collection), (text) => text.replace(/^version: .*$/m, `version: ${version}`))
  writeFileSync(promisesIn(project), [version, ...promises, ''].join('\n'))
}

/** Tests the commit, and tags another one with the version in it. Throws ReleaseError, and has changed nothing then. */
export async function release(project: string, version: string): Promise<void> {
  const promises = await requireReleasable(project, version)
  // Before the tests, which take most of an hour.
  dated(changelogOf(project), version, '')
  test(project)
  write(project, version, promises)
  git(project, 'add', '--all')
  git(project, 'commit', '--quiet', '--message', `Release ${version}`)
  git(project, 'tag', '--annotate', `v${version}`, '--message', version)
}

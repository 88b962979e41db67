import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasOpenChanges } from '#lib/tools/release/changelog'
import { git, isChanged, versionOfCommit } from '#lib/tools/release/commit'
import { ReleaseError } from '#lib/tools/release/ending'

export type Release = {
  version: string
  /** The version of the Debian packages: later than the last release if there are changes since then. */
  debian: string
  commit: string
  /** When the commit was made, in seconds: the date of every file in the archives. */
  date: number
  /** The architecture as Node calls it. */
  arch: string
  /** Name of the archives, without their suffix. */
  file: string
}

/** Its output goes to the terminal. Throws ReleaseError if it fails. */
export function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): void {
  const { error, status } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (error) throw error
  if (status !== 0) throw new ReleaseError(`${[command, ...args].join(' ')} has failed`)
}

export function readRelease(project: string): Release {
  const version = versionOfCommit(project)
  const { arch } = process
  const date = Number(git(project, 'show', '--no-patch', '--format=%ct'))
  const isOpen = hasOpenChanges(git(project, 'show', 'HEAD:CHANGELOG.md'))
  return {
    version,
    debian: isOpen ? debianVersion(version, date) : version,
    commit: git(project, 'rev-parse', 'HEAD'),
    date,
    arch,
    file: `cloud-console-${version}-linux-${arch}`,
  }
}

/** A build between two releases is newer than the first of them, and older than the second. `date`: of its commit, in seconds. */
export const debianVersion = (version: string, date: number): string =>
  `${version}+${new Date(date * 1000).toISOString().slice(0, 19).replaceAll(/\D/g, '')}`

/** Writes the files of the commit into an empty folder. Files that are not committed stay out. */
export function checkOut(project: string, folder: string): void {
  if (isChanged(project))
    console.warn('The work tree has changes that are not committed. The package is built without them.')
  mkdirSync(folder)
  const archive = join(folder, 'source.tar')
  run('git', ['archive', `--output=${archive}`, 'HEAD'], project)
  run('tar', ['--extract', `--file=${archive}`], folder)
  run('rm', [archive], folder)
}

const install = (source: string, ...more: string[]): void =>
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...more], source)

/** CI is set: without it Next keeps a cache of the build. */
export function build(source: string, { commit }: Release): void {
  install(source)
  run('npm', ['run', 'build'], source, { BUILD_ID: commit.slice(0, 12), CI: 'true' })
}

export const installProduction = (source: string): void => install(source, '--omit=dev')

/** The text of a file in `deploy/`, with the release's values in place of `@NAME@`. */
export function fillIn(file: string, values: Record<string, string | number>): string {
  return readFileSync(file, 'utf8').replaceAll(/@([A-Z_]+)@/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${file} names @${name}@, which has no value`)
    return String(value)
  })
}

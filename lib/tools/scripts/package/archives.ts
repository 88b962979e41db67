import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Release, run } from '#lib/tools/scripts/package/build'

/** One date and fixed modes, too: nothing in the archive depends on the machine or the clock. */
export function buildTarball(root: string, { date, file }: Release, dist: string): string {
  settle(root, date)
  const tar = join(dist, `${file}.tar`)
  writeTar(tar, dirname(root), [basename(root)])
  return compress(tar)
}

/** A tar of these names of the folder. Sorted names and one owner: its bytes follow from the settled files. */
export function writeTar(file: string, folder: string, names: readonly string[], owner = 0): void {
  const fixed = ['--sort=name', `--owner=${owner}`, `--group=${owner}`, '--numeric-owner', '--format=gnu']
  run('tar', ['--create', `--file=${file}`, ...fixed, ...names], folder)
}

/** Replaces the file with `FILE.gz`, without name and time in it. The best level takes four times as long for one part in 100. */
export function compress(file: string): string {
  run('gzip', ['--force', '--no-name', file], dirname(file))
  return `${file}.gz`
}

export const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** Packages mark some of their data as programs, too. */
const programs =
  /\/(bin\/(node|cloud-console(-gateway)?|cloudctl)|DEBIAN\/(postinst|prerm|postrm)|ld-linux[^/]*)$/

/** Gives everything the date of the commit, and the modes of Debian's policy (§10.9). */
export function settle(root: string, date: number): void {
  for (const path of [...namesIn(root).map((name) => join(root, name)), root]) {
    const entry = lstatSync(path)
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || programs.test(path) ? 0o755 : 0o644)
    lutimesSync(path, date, date)
  }
}

/** The names of Debian and of images. */
export const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { completionScript } from '#lib/tools/scripts/cli/completion'
import { fillIn, type Release, run } from '#lib/tools/scripts/package/build'

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

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** Packages mark some of their data as programs, too. */
const programs = /\/(bin\/(node|cloud-console|cloudctl)|DEBIAN\/(postinst|prerm|postrm)|ld-linux[^/]*)$/

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

/** Where the files of `deploy/` go. */
export const places = {
  'console.env': 'etc/cloud-console/console.env',
  'debian/cloud-console': 'usr/bin/cloud-console',
  'debian/cloudctl': 'usr/bin/cloudctl',
  'gateway.env': 'etc/cloud-console/gateway.env',
  'debian/cloud-console-gateway@.service': 'usr/lib/systemd/system/cloud-console-gateway@.service',
  'debian/cloud-console-backup.service': 'usr/lib/systemd/system/cloud-console-backup.service',
  'debian/cloud-console-backup.timer': 'usr/lib/systemd/system/cloud-console-backup.timer',
  'debian/cloud-console.service': 'usr/lib/systemd/system/cloud-console.service',
  'debian/cloud-console.sysusers': 'usr/lib/sysusers.d/cloud-console.conf',
  'debian/lintian-overrides': 'usr/share/lintian/overrides/cloud-console',
  'debian/copyright': 'usr/share/doc/cloud-console/copyright',
}

/** These are compressed, as the policy asks (§12.1, §12.7). */
const compressed = {
  'debian/cloud-console.8': 'usr/share/man/man8/cloud-console.8.gz',
  'debian/cloudctl.1': 'usr/share/man/man1/cloudctl.1.gz',
  'debian/changelog': 'usr/share/doc/cloud-console/changelog.gz',
}

const maintainerScripts = ['postinst', 'prerm', 'postrm']

/** Where the shells look for completions. */
const completions = {
  bash: 'usr/share/bash-completion/completions/cloudctl',
  zsh: 'usr/share/zsh/vendor-completions/_cloudctl',
  fish: 'usr/share/fish/vendor_completions.d/cloudctl.fish',
}

type Debian = { root: string; source: string; release: Release; dist: string; work: string }

export function buildDebianPackage({ root, source, release, dist, work }: Debian): string {
  const { version, date } = release
  const architecture = architectures[release.arch] ?? release.arch
  const tree = join(work, 'debian')
  const deploy = join(source, 'deploy')
  const values = {
    VERSION: version,
    ARCHITECTURE: architecture,
    DATE: new Date(date * 1000).toUTCString().replace('GMT', '+0000'),
  }
  const put = (file: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), content)
  }
  cpSync(root, join(tree, 'usr/lib/cloud-console'), { recursive: true })
  for (const [from, to] of Object.entries(places)) cpSync(join(deploy, from), join(tree, to))
  for (const [from, to] of Object.entries(compressed))
    put(to, gzipSync(fillIn(join(deploy, from), values), { level: 9 }))
  for (const [shell, to] of Object.entries(completions)) put(to, completionScript(shell))
  const files = namesIn(tree).filter((name) => lstatSync(join(tree, name)).isFile())
  const size = files.reduce((sum, name) => sum + lstatSync(join(tree, name)).size, 0)
  put('DEBIAN/md5sums', files.map((name) => `${md5(join(tree, name))}  ${name}\n`).join(''))
  put(
    'DEBIAN/control',
    fillIn(join(deploy, 'debian/control'), { ...values, INSTALLED_SIZE: Math.ceil(size / 1024) }),
  )
  put('DEBIAN/conffiles', '/etc/cloud-console/console.env\n/etc/cloud-console/gateway.env\n')
  for (const script of maintainerScripts) cpSync(join(deploy, 'debian', script), join(tree, 'DEBIAN', script))
  settle(tree, date)
  // The settings may hold passwords. postinst lets the group of the service read them.
  chmodSync(join(tree, places['console.env']), 0o640)
  // systemd alone reads the token of the gateway.
  chmodSync(join(tree, places['gateway.env']), 0o600)
  const file = join(dist, `cloud-console_${version}_${architecture}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', tree, file], work, {
    SOURCE_DATE_EPOCH: String(date),
  })
  return file
}

/** dpkg verifies files by MD5. */
const md5 = (file: string): string => createHash('md5').update(readFileSync(file)).digest('hex')

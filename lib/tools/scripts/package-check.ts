import { match } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orEnd, ReleaseError, requirePrograms, temporaryFolder } from '#lib/tools/release/ending'
import { checkLife } from '#lib/tools/scripts/package/apt-life'
import { readRelease, run } from '#lib/tools/scripts/package/build'
import { bootMachine, prepareMachine, runOnce } from '#lib/tools/scripts/package/machine'
import { packages } from '#lib/tools/scripts/package/parts'
import { signingKey, writeRepository } from '#lib/tools/scripts/package/repository'

/*
 * `npm run package:check` verifies the result of `npm run package`: the same bytes of a build elsewhere, and a whole life of the Debian
 * packages on a Debian of its own, which systemd-nspawn boots and which has them from a signed repository. It needs root, debootstrap,
 * systemd-container, reprepro and gnupg; the image is checked if there is buildah, and the packages by lintian and piuparts if they are there.
 * `--no-rebuild` leaves out the second build. `--old FILE` upgrades from this package of the server instead of an imitation.
 */

const { values } = parseArgs({
  options: { 'no-rebuild': { type: 'boolean', default: false }, old: { type: 'string' } },
})
const project = join(import.meta.dirname, '../../..')
const dist = join(project, 'dist')
const work = temporaryFolder('package-check-')
const { version, debian } = await orEnd(() => readRelease(project))
const IMITATED = '0.9.9'

const checked = (what: string): void => console.log(`ok  ${what}`)

function digests(folder: string): Record<string, string> {
  const files = globSync([`*-${version}-*`, `*_${debian}_*`], { cwd: folder }).sort()
  // A tarball, an image, three Debian packages and a list of components.
  if (files.length !== 6)
    throw new ReleaseError(
      `${folder} has ${files.length} of the 6 files of ${debian}. Build them: npm run package`,
    )
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ]),
  )
}

/** Mounts $1/node_modules, since the user who builds may not enter that folder. The name of the host and the mount end with the process. */
const elsewhere = `hostname another-host
mkdir node_modules
mount --bind "$1/node_modules" node_modules
umask 077
ulimit -n 4096
shift
exec setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs "$@"`

function checkSameBytes(): void {
  const [folder, home] = [join(work, 'another-folder'), join(work, 'another-home')]
  run('git', ['-c', 'advice.detachedHead=false', 'clone', '--quiet', project, folder], work)
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { cwd: project, encoding: 'utf8' }).trim()
  // In another year no certificate of the registry is valid: the packages come from the cache.
  run('cp', ['--recursive', cache, home], work)
  chmodSync(work, 0o711)
  run('chown', ['--recursive', 'nobody:nogroup', folder, home], work)
  const later = hasProgram('faketime') ? ['faketime', '+373days'] : []
  const path = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`
  const build = [...later, 'node', 'lib/tools/scripts/run.js', 'package']
  execFileSync('unshare', ['--uts', '--mount', 'sh', '-ec', elsewhere, 'sh', project, ...build], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: path,
      // faketime changes the clock alone, and not the dates that files have.
      NO_FAKE_STAT: '1',
      TZ: 'Asia/Tokyo',
      LC_ALL: 'C',
      HOME: home,
      npm_config_cache: home,
      TMPDIR: '/tmp',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [again, built] = [digests(join(folder, 'dist')), digests(dist)]
  const other = Object.keys(built).filter((file) => again[file] !== built[file])
  if (other.length > 0) throw new ReleaseError(`A second build has other bytes: ${other.join(', ')}`)
  checked(
    `the same bytes by another user${later.length > 0 ? ' in another year' : ''}, host name, folder, time zone, locale and umask`,
  )
}

const fileOf = (name: string): string => globSync(`${name}_${debian}_*.deb`, { cwd: dist })[0] ?? ''

/** An older package of the server, with all programs in it as up to 1.0.0. */
function imitateOld(): string {
  const tree = join(work, 'old')
  run('dpkg-deb', ['--raw-extract', join(dist, fileOf('cloud-console')), tree], work)
  for (const name of packages.slice(1)) run('dpkg-deb', ['--extract', join(dist, fileOf(name)), tree], work)
  const change = (path: string, from: RegExp, to: string): void => {
    const file = join(tree, path)
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
  }
  change('DEBIAN/control', /^Version: .+$/m, `Version: ${IMITATED}`)
  change('DEBIAN/control', /^Recommends: .+\n/m, '')
  change('DEBIAN/conffiles', /$/, '/etc/cloud-console/gateway.env\n')
  const file = join(work, `cloud-console_${IMITATED}_amd64.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', tree, file], work)
  return file
}

/** Runs a command that opens a new database. It needs every library of the image, but neither a port nor a network. */
function checkImage(): void {
  const image = 'localhost/cloud-console-check'
  const tarball = globSync(`cloud-console-${version}-*.tar.gz`, { cwd: dist })[0] ?? ''
  run('sh', [join(project, 'deploy/container/build'), join(dist, tarball), image], work)
  const buildah = (...args: string[]): string => execFileSync('buildah', args, { encoding: 'utf8' }).trim()
  const container = buildah('from', image)
  try {
    const entry = buildah(
      'inspect',
      '--format',
      '{{range .OCIv1.Config.Entrypoint}}{{.}} {{end}}',
      container,
    ).split(' ')
    const command = [...entry, 'sample', '--scopes', '1']
    match(buildah('run', '--isolation=chroot', container, '--', ...command), /scopes: 1 of 1/)
  } finally {
    buildah('rm', container)
    buildah('rmi', image)
  }
  checked('the image has all libraries that the program needs')
}

const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).status === 0

/** `folder`: the Debian in which piuparts installs and purges each package, to find what it leaves. */
function checkByTools(folder: string): void {
  if (hasProgram('lintian'))
    for (const name of packages) {
      run('lintian', ['--allow-root', '--fail-on', 'error', join(dist, fileOf(name))], work)
      checked(`lintian finds no error in ${name}`)
    }
  if (!hasProgram('piuparts')) return
  const base = join(work, 'base.tgz')
  run('tar', ['--create', '--gzip', `--file=${base}`, '.'], folder)
  const mirror = ['--distribution', 'bookworm', '--mirror', 'http://deb.debian.org/debian main']
  for (const name of packages) {
    const options = [
      '--basetgz',
      base,
      ...mirror,
      '--no-eatmydata',
      '--tmpdir',
      work,
      join(dist, fileOf(name)),
    ]
    execFileSync('piuparts', options, { stdio: ['ignore', 'ignore', 'inherit'] })
    checked(`piuparts finds nothing that ${name} leaves`)
  }
}

/** Each package alone, where no systemd runs. */
function checkWithoutSystemd(folder: string, binds: string[]): void {
  match(
    runOnce(folder, binds, `dpkg --install /dist/${fileOf('cloud-console')} && dpkg --purge cloud-console`),
    /systemd is not running\. Start the server: cloud-console start/,
  )
  const gateway = `dpkg --install /dist/${fileOf('cloud-console-gateway')} && cloud-console-gateway --help && dpkg --purge cloud-console-gateway`
  match(runOnce(folder, binds, gateway), /--device ID/)
  const cloudctl = `dpkg --install /dist/${fileOf('cloudctl')} && cloudctl version && cloudctl help && dpkg --purge cloudctl`
  match(runOnce(folder, binds, cloudctl), /list-scopes/)
  checked('each package is installed and purged alone, without systemd')
}

const fieldOf = (file: string, field: string): string =>
  execFileSync('dpkg-deb', ['--field', file, field], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

/** A key for these checks alone, and a repository with the old package. */
function beginRepository(): { repository: string; key: string; old: string } {
  const home = join(work, 'gnupg')
  mkdirSync(home, { mode: 0o700 })
  process.env.GNUPGHOME = home
  run(
    'gpg',
    [
      '--batch',
      '--quiet',
      '--passphrase',
      '',
      '--quick-generate-key',
      'check@console.invalid',
      'ed25519',
      'sign',
    ],
    work,
  )
  const key = signingKey('check@console.invalid')
  const repository = join(work, 'apt')
  const file = values.old ?? imitateOld()
  writeRepository(repository, [file], key)
  return { repository, key, old: fieldOf(file, 'Version') }
}

function requireMachine(): void {
  if (process.getuid?.() !== 0)
    throw new ReleaseError('package:check needs root, to boot a Debian of its own')
  requirePrograms(
    ['debootstrap', 'systemd-nspawn', 'reprepro', 'gpg', 'dpkg-deb'],
    'debootstrap systemd-container reprepro gnupg dpkg',
  )
  if (values.old !== undefined && fieldOf(values.old, 'Package') !== 'cloud-console')
    throw new ReleaseError(`--old ${values.old} is no package of the server`)
}

await orEnd(async () => {
  requireMachine()
  digests(dist)
  if (!values['no-rebuild']) checkSameBytes()
  if (hasProgram('buildah')) checkImage()
  const folder = prepareMachine(join(dist, 'machine'))
  checkWithoutSystemd(folder, [`${dist}:/dist`])
  const { repository, key, old } = beginRepository()
  const publish = (): void =>
    writeRepository(
      repository,
      packages.map((name) => join(dist, fileOf(name))),
      key,
    )
  const machine = await bootMachine(folder, [`${repository}:/apt`])
  checkLife({ machine, checked, version, debian, old, repository, publish })
  machine.end()
  checkByTools(folder)
})

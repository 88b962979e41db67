import { deepEqual, equal, match } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readRelease, run } from '#lib/tools/scripts/package/build'
import { bootMachine, type Machine, prepareMachine, runOnce } from '#lib/tools/scripts/package/machine'

/*
 * `npm run package:check` verifies the result of `npm run package`: the same bytes from another folder, and a whole life of the Debian
 * package on a Debian of its own, which systemd-nspawn boots. It needs root, debootstrap and systemd-container; the image is checked if
 * there is buildah. `--no-rebuild` leaves out the second build.
 */

const { values } = parseArgs({ options: { 'no-rebuild': { type: 'boolean', default: false } } })
const project = join(import.meta.dirname, '../../..')
const dist = join(project, 'dist')
const work = mkdtempSync(join(tmpdir(), 'package-check-'))
const { version } = readRelease(project)
const OLD = '0.9.9'

const checked = (what: string): void => console.log(`ok  ${what}`)

function digests(folder: string): Record<string, string> {
  const files = globSync('cloud-console*', { cwd: folder }).sort()
  equal(files.length, 4, `${folder} has a tarball, an image, a Debian package and a list of components`)
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ]),
  )
}

function checkSameBytes(): void {
  const other = join(work, 'another-folder')
  run('git', ['clone', '--quiet', project, other], work)
  symlinkSync(join(project, 'node_modules'), join(other, 'node_modules'))
  execFileSync('sh', ['-c', 'umask 077 && exec "$0" lib/tools/scripts/run.js package', process.execPath], {
    cwd: other,
    env: { ...process.env, TZ: 'Asia/Tokyo' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  deepEqual(digests(join(other, 'dist')), digests(dist))
  checked('a build in another folder, time zone and umask has the same bytes')
}

/** The package as an older version of itself. */
function repackAsOld(file: string): string {
  const tree = join(work, 'old')
  run('dpkg-deb', ['--raw-extract', file, tree], work)
  for (const path of ['DEBIAN/control', 'usr/lib/cloud-console/package.json']) {
    const text = readFileSync(join(tree, path), 'utf8')
    writeFileSync(join(tree, path), text.replace(/(^Version: |"version": ")[\d.]+/m, `$1${OLD}`))
  }
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', tree, join(work, 'old.deb')], work)
  return '/work/old.deb'
}

const ENV = '/etc/cloud-console/console.env'
let port = 3000

function checkInstallation({ inside, status }: Machine, deb: string): string {
  match(inside(`dpkg --install ${deb}`), /Password of the first administrator: cloud-console reset-password/)
  ready(inside)
  equal(inside('systemctl is-enabled cloud-console').trim(), 'enabled')
  const pid = inside('systemctl show --property MainPID --value cloud-console').trim()
  equal(inside(`stat --format %U /proc/${pid}`).trim(), 'cloud-console')
  match(inside(`cat /proc/${pid}/status`), /CapBnd:\t0+\n[\s\S]*NoNewPrivs:\t1\nSeccomp:\t2\n/)
  equal(inside('stat --format "%a %U:%G" /var/lib/cloud-console').trim(), '700 cloud-console:cloud-console')
  equal(inside(`stat --format "%a %U:%G" ${ENV}`).trim(), '640 root:cloud-console')
  equal(status('systemctl is-failed cloud-console') === 0, false)
  checked(
    'installed: enabled, running as its own user without capabilities and with a filter for system calls',
  )

  const printed = /password (\S+) \(shown/.exec(inside('journalctl --unit cloud-console --output cat'))?.[1]
  const [, password = ''] = /is: (\S+) /.exec(inside('cloud-console reset-password --nick admin')) ?? []
  equal(signIn(inside, password), '200')
  equal(signIn(inside, printed ?? ''), '401')
  match(inside(`curl --silent --fail localhost:${port}/sign-in`), /_next\/static/)
  checked('the first administrator signs in with a new password, and the one of the log is not valid')
  return password
}

type Inside = Machine['inside']

const ready = (inside: Inside): string =>
  inside(`curl --silent --fail --retry 40 --retry-all-errors --retry-delay 1 localhost:${port}/readyz`)

const signIn = (inside: Inside, password: string): string =>
  inside(
    `curl --silent --output /dev/null --write-out '%{http_code}' --user 'admin:${password}' localhost:${port}/api/login`,
  )

function checkLife({ inside, status }: Machine): void {
  const password = checkInstallation({ inside, status }, repackAsOld(join(dist, newestDeb())))
  inside(`sed -i 's/^#PORT=.*/PORT=3100/' ${ENV} && systemctl restart cloud-console`)
  port = 3100
  ready(inside)
  checked('a changed setting is read')

  inside('cloud-console backup /var/backups/cloud-console/a.db && systemctl stop cloud-console')
  equal(inside('systemctl show --property Result --value cloud-console').trim(), 'success')
  inside('cloud-console restore /var/backups/cloud-console/a.db && systemctl start cloud-console')
  ready(inside)
  equal(signIn(inside, password), '200')
  checked('backup, stop, restore and start')

  equal(inside(`curl --silent localhost:${port}/api/version`), OLD)
  inside(`dpkg --install /dist/${newestDeb()}`)
  ready(inside)
  equal(inside(`curl --silent localhost:${port}/api/version`), version)
  equal(signIn(inside, password), '200')
  checked(`upgraded from ${OLD} to ${version}: data and changed settings are kept`)

  inside('dpkg --remove cloud-console')
  equal(status('test -e /usr/lib/cloud-console || systemctl is-active cloud-console'), 3)
  inside(`test -e ${ENV} && test -e /var/lib/cloud-console/console.db`)
  inside('dpkg --purge cloud-console')
  equal(status('test -e /var/lib/cloud-console || test -e /etc/cloud-console'), 1)
  inside('test -e /var/backups/cloud-console/a.db')
  checked('removed with settings and data kept; purged with backups kept')
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
    const command = [...entry, 'reset-password', '--nick', 'admin']
    match(buildah('run', '--isolation=chroot', container, '--', ...command), /The password of admin is/)
  } finally {
    buildah('rm', container)
    buildah('rmi', image)
  }
  checked('the image has all libraries that the program needs')
}

const newestDeb = (): string => globSync(`cloud-console_${version}_*.deb`, { cwd: dist })[0] ?? ''

try {
  digests(dist)
  if (!values['no-rebuild']) checkSameBytes()
  if (spawnSync('buildah', ['--version']).status === 0) checkImage()
  const folder = prepareMachine(join(dist, 'machine'))
  const binds = [`${dist}:/dist`, `${work}:/work`]
  match(
    runOnce(folder, binds, `dpkg --install /dist/${newestDeb()} && dpkg --purge cloud-console`),
    /systemd is not running\. Start the server: cloud-console start/,
  )
  checked('installed and purged without systemd')
  const machine = await bootMachine(folder, binds)
  try {
    checkLife(machine)
  } finally {
    machine.end()
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

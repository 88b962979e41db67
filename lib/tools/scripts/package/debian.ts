import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { completionScript } from '#lib/tools/scripts/cli/completion'
import { architectures, namesIn, settle } from '#lib/tools/scripts/package/archives'
import { fillIn, type Release, run } from '#lib/tools/scripts/package/build'
import { collectPart, type Package, packages } from '#lib/tools/scripts/package/parts'

/* The Debian packages, from the files of deploy/debian and the whole program. */

/** Settings that an upgrade keeps. Both may hold secrets: postinst lets the group of the service read the server's. */
const settings: Partial<Record<Package, { file: string; mode: number }>> = {
  'cloud-console': { file: 'console.env', mode: 0o640 },
  'cloud-console-gateway': { file: 'gateway.env', mode: 0o600 },
}

const shells = ['bash', 'zsh', 'fish'] as const

/** Where a package has a file of its folder in deploy/debian. Names that end in `.gz` are compressed, as the policy asks (§12.1, §12.7). */
export function placeOf(name: Package, file: string): string {
  const [, stem = '', end = ''] = /^(.*?)(?:\.(\w+))?$/.exec(file) ?? []
  const places: Record<string, string> = {
    [name]: `usr/bin/${name}`,
    'lintian-overrides': `usr/share/lintian/overrides/${name}`,
    copyright: `usr/share/doc/${name}/copyright`,
    changelog: `usr/share/doc/${name}/changelog.gz`,
    'completion.bash': `usr/share/bash-completion/completions/${name}`,
    'completion.zsh': `usr/share/zsh/vendor-completions/_${name}`,
    'completion.fish': `usr/share/fish/vendor_completions.d/${name}.fish`,
    control: 'DEBIAN/control',
    postinst: 'DEBIAN/postinst',
    prerm: 'DEBIAN/prerm',
    postrm: 'DEBIAN/postrm',
  }
  const byEnd: Record<string, string> = {
    service: `usr/lib/systemd/system/${file}`,
    timer: `usr/lib/systemd/system/${file}`,
    sysusers: `usr/lib/sysusers.d/${stem}.conf`,
    1: `usr/share/man/man1/${file}.gz`,
    8: `usr/share/man/man8/${file}.gz`,
  }
  const place = places[file] ?? byEnd[end]
  if (place === undefined) throw new Error(`${file} of ${name} has no place`)
  return place
}

type Made = { root: string; source: string; release: Release; dist: string; work: string }

export const buildDebianPackages = (made: Made): string[] => packages.map((name) => build(name, made))

function build(name: Package, { root, source, release, dist, work }: Made): string {
  const { arch, date, debian } = release
  const architecture = architectures[arch] ?? arch
  const tree = join(work, 'debian', name)
  const deploy = join(source, 'deploy')
  const put = (file: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), content)
  }
  collectPart(name, join(tree, 'usr/lib', name), { root, source })
  const installed = settings[name]
  if (installed) {
    put(`etc/cloud-console/${installed.file}`, readFileSync(join(deploy, installed.file)))
    put('DEBIAN/conffiles', `/etc/cloud-console/${installed.file}\n`)
  }
  const values = {
    PACKAGE: name,
    VERSION: debian,
    ARCHITECTURE: architecture,
    DATE: new Date(date * 1000).toUTCString().replace('GMT', '+0000'),
    INSTALLED_SIZE: Math.ceil(sizeOf(tree) / 1024),
  }
  for (const [file, path] of filesOf(deploy, name)) {
    const [place, text] = [placeOf(name, file), fillIn(path, values)]
    put(place, place.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text)
  }
  if (name === 'cloudctl')
    for (const shell of shells) put(placeOf(name, `completion.${shell}`), completionScript(shell))
  put('DEBIAN/md5sums', md5sums(tree))
  settle(tree, date)
  if (installed) chmodSync(join(tree, 'etc/cloud-console', installed.file), installed.mode)
  const file = join(dist, `${name}_${debian}_${architecture}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', tree, file], work, {
    SOURCE_DATE_EPOCH: String(date),
  })
  return file
}

/** Names in the package's folder of deploy/debian, and those that all packages share, with their paths. */
export function filesOf(deploy: string, name: Package): [string, string][] {
  const folder = join(deploy, 'debian', name)
  return [
    ...readdirSync(folder).map((file): [string, string] => [file, join(folder, file)]),
    ...['changelog', 'copyright'].map((file): [string, string] => [file, join(deploy, 'debian', file)]),
  ]
}

const contentsOf = (tree: string): string[] =>
  namesIn(tree).filter((name) => !name.startsWith('DEBIAN/') && lstatSync(join(tree, name)).isFile())

const sizeOf = (tree: string): number =>
  contentsOf(tree).reduce((sum, name) => sum + lstatSync(join(tree, name)).size, 0)

/** dpkg verifies files by MD5. */
const md5sums = (tree: string): string =>
  contentsOf(tree)
    .map(
      (name) =>
        `${createHash('md5')
          .update(readFileSync(join(tree, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')

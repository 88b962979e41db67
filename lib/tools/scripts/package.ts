import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orEnd, ReleaseError, requirePrograms, temporaryFolder } from '#lib/tools/release/ending'
import { architectures, buildTarball } from '#lib/tools/scripts/package/archives'
import {
  build,
  checkOut,
  installProduction,
  type Release,
  readRelease,
} from '#lib/tools/scripts/package/build'
import { collect } from '#lib/tools/scripts/package/contents'
import { buildDebianPackages } from '#lib/tools/scripts/package/debian'
import { buildImage } from '#lib/tools/scripts/package/image'
import { signingKey, writeRepository } from '#lib/tools/scripts/package/repository'
import { writeBillOfMaterials } from '#lib/tools/scripts/package/sbom'

/*
 * `npm run package` builds the commit that is checked out, not the files of the work tree: one commit gives the same bytes everywhere.
 * `--sign KEYID` adds the Debian packages to an apt repository in dist/apt. `--built` takes the packages that an earlier run has built.
 */

const { values } = parseArgs({
  options: { sign: { type: 'string' }, built: { type: 'boolean', default: false } },
})

const project = join(import.meta.dirname, '../../..')
const dist = join(project, 'dist')
const work = temporaryFolder('cloud-console-')

function buildAll(release: Release): void {
  const source = join(work, 'source')
  checkOut(project, source)
  build(source, release)
  mkdirSync(dist, { recursive: true })
  const bill = join(dist, `${release.file}.cdx.json`)
  writeBillOfMaterials(source, release, bill)
  installProduction(source)
  const root = join(work, release.file)
  collect(source, root, release)
  const tarball = buildTarball(root, release, dist)
  const files = [
    tarball,
    buildImage({ tarball, source, release, dist, work }),
    ...buildDebianPackages({ root, source, release, dist, work }),
    bill,
  ]
  for (const file of files) {
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
    console.log(`${digest}  ${file}  ${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`)
  }
}

function publish({ debian }: Release, key: string): void {
  const packages = globSync(`*_${debian}_*.deb`, { cwd: dist }).map((name) => join(dist, name))
  if (packages.length === 0) throw new ReleaseError(`dist/ has no packages of ${debian}. Leave out --built`)
  const folder = join(dist, 'apt')
  writeRepository(folder, packages, key)
  console.log(`${folder}: the apt repository, signed by ${key}`)
}

/** Before the build, which takes minutes. */
function requireMachine(): void {
  if (process.platform !== 'linux' || !(process.arch in architectures))
    throw new ReleaseError('Packages are built on Linux, x64 or arm64')
  requirePrograms(['git', 'npm', 'tar', 'gzip', 'dpkg-deb'], 'git npm tar gzip dpkg')
}

await orEnd(() => {
  requireMachine()
  const release = readRelease(project)
  const key = values.sign === undefined ? undefined : signingKey(values.sign)
  if (values.built && key === undefined)
    throw new ReleaseError('--built needs the key of a repository: --sign KEYID')
  if (!values.built) buildAll(release)
  if (key !== undefined) publish(release, key)
  else console.log('No apt repository was written: apt accepts signed ones alone. Name a key: --sign KEYID')
})

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDebianPackage, buildTarball } from '#lib/tools/scripts/package/archives'
import { build, checkOut, installProduction, readRelease } from '#lib/tools/scripts/package/build'
import { collect } from '#lib/tools/scripts/package/contents'
import { buildImage } from '#lib/tools/scripts/package/image'
import { writeBillOfMaterials } from '#lib/tools/scripts/package/sbom'

/* `npm run package` builds the commit that is checked out, not the files of the work tree: one commit gives the same bytes everywhere. */

const project = join(import.meta.dirname, '../../..')
const dist = join(project, 'dist')
const work = mkdtempSync(join(tmpdir(), 'cloud-console-'))

try {
  const release = readRelease(project)
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
    buildDebianPackage({ root, source, release, dist, work }),
    bill,
  ]
  for (const file of files) {
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
    console.log(`${digest}  ${file}  ${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

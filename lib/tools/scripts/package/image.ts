import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { architectures, compress, settle, writeTar } from '#lib/tools/scripts/package/archives'
import { type Release, run } from '#lib/tools/scripts/package/build'
import { imageConfigOf } from '#lib/tools/scripts/package/image-config'

/*
 * The image as an archive of an OCI image layout (image-spec 1.0), which `podman load`, `docker load` and `skopeo copy oci-archive:` read.
 * It is written without an engine: the Containerfile gives the configuration, and the tarball the program.
 */

const media = 'application/vnd.oci.image'

type Blob = { mediaType: string; digest: string; size: number }

const digestOf = (file: string): string =>
  `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`

/** Moves the file among the blobs. */
function keep(layout: string, mediaType: string, file: string): Blob {
  const digest = digestOf(file)
  const { size } = statSync(file)
  renameSync(file, join(layout, 'blobs', digest.replace(':', '/')))
  return { mediaType, digest, size }
}

function keepJson(layout: string, mediaType: string, content: object): Blob {
  const file = join(layout, 'draft.json')
  writeFileSync(file, JSON.stringify(content))
  return keep(layout, mediaType, file)
}

/** The content of a folder, which belongs to this user. */
function keepLayer(layout: string, folder: string, owner: number): { blob: Blob; diffId: string } {
  const tar = join(layout, 'layer.tar')
  writeTar(tar, folder, readdirSync(folder).sort(), owner)
  const diffId = digestOf(tar)
  return { diffId, blob: keep(layout, `${media}.layer.v1.tar+gzip`, compress(tar)) }
}

const labelsOf = ({ version, commit, date }: Release) => ({
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.revision': commit,
  'org.opencontainers.image.created': new Date(date * 1000).toISOString(),
})

type Image = { tarball: string; source: string; release: Release; dist: string; work: string }

export function buildImage({ tarball, source, release, dist, work }: Image): string {
  const container = join(source, 'deploy/container')
  const [context, layout] = [join(work, 'context'), join(work, 'layout')]
  run('sh', [join(container, 'context'), tarball, context], work)
  settle(context, release.date)
  // New volumes take the mode of the folder.
  chmodSync(join(context, 'own/data'), 0o700)
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true })
  const config = imageConfigOf(readFileSync(join(container, 'Containerfile'), 'utf8'))
  const layers = [
    keepLayer(layout, join(context, 'root'), 0),
    keepLayer(layout, join(context, 'own'), Number.parseInt(config.User, 10)),
  ]
  const labels = { ...config.Labels, ...labelsOf(release) }
  const image = {
    architecture: architectures[release.arch] ?? release.arch,
    os: 'linux',
    created: new Date(release.date * 1000).toISOString(),
    config: { ...config, Labels: labels },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  }
  const manifest = {
    schemaVersion: 2,
    mediaType: `${media}.manifest.v1+json`,
    config: keepJson(layout, `${media}.config.v1+json`, image),
    layers: layers.map(({ blob }) => blob),
    annotations: labels,
  }
  const name = `cloud-console:${release.version}`
  // umoci and Skopeo read the first name, Podman and Docker the second one.
  const annotations = {
    'org.opencontainers.image.ref.name': name,
    'io.containerd.image.name': `docker.io/library/${name}`,
  }
  const described = { ...keepJson(layout, manifest.mediaType, manifest), annotations }
  const index = { schemaVersion: 2, mediaType: `${media}.index.v1+json`, manifests: [described] }
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index))
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  settle(layout, release.date)
  const file = join(dist, `${release.file}.oci.tar`)
  writeTar(file, layout, readdirSync(layout).sort())
  for (const folder of [context, layout]) rmSync(folder, { recursive: true })
  return file
}

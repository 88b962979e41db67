import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildTarball } from '#lib/tools/scripts/package/archives'
import { readRelease, run } from '#lib/tools/scripts/package/build'
import { collect } from '#lib/tools/scripts/package/contents'
import { buildImage } from '#lib/tools/scripts/package/image'
import { ask, started, statusOf } from '#lib/tools/testing/api-process'
import { type Contained, canContain, startContained } from '#lib/tools/testing/contained'
import { debianProgram } from '#lib/tools/testing/debian-programs'
import { freePort } from '#lib/tools/testing/free-port'

/* The image, read by another program than the one that wrote it, and run as an engine runs it. */

const project = join(import.meta.dirname, '../../../..')
const umoci = debianProgram('umoci', 'umoci')
const canRun = umoci && canContain() && existsSync(join(project, '.next/BUILD_ID'))
const work = mkdtempSync(join(tmpdir(), 'test-image-'))
const release = readRelease(project)
const password = 'a password for the container'

const runtime = z.object({
  process: z.object({
    user: z.object({ uid: z.number(), gid: z.number() }),
    args: z.array(z.string()),
    env: z.array(z.string()),
    cwd: z.string(),
  }),
})

const imageConfig = z.object({
  config: z.object({
    Volumes: z.record(z.string(), z.object({})),
    Labels: z.record(z.string(), z.string()),
    StopSignal: z.string(),
    Healthcheck: z.object({ Test: z.array(z.string()) }),
  }),
})

const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(work, ...path), 'utf8'))

/** The configuration of the image: by its digest in the manifest, by the manifest's in the index. */
function readConfig() {
  const blob = (digest: string) => json('unpacked', 'blobs', digest.replace(':', '/'))
  const described = z.object({ digest: z.string() })
  const [manifest] = z
    .object({ manifests: z.array(described) })
    .parse(json('unpacked', 'index.json')).manifests
  const { config } = z.object({ config: described }).parse(blob(manifest?.digest ?? ''))
  return imageConfig.parse(blob(config.digest)).config
}

describe.runIf(canRun)('the image of a container', { timeout: 600_000 }, () => {
  let bundle: z.infer<typeof runtime>['process']
  let contained: Contained
  let url = ''

  beforeAll(() => {
    const root = join(work, release.file)
    collect(project, root, release)
    const tarball = buildTarball(root, release, work)
    const made = { tarball, source: project, release, work }
    const [first, again] = ['first', 'again'].map((name) => {
      mkdirSync(join(work, name))
      return readFileSync(buildImage({ ...made, dist: join(work, name) }))
    })
    expect(again?.equals(first ?? Buffer.from([]))).toBe(true)
    mkdirSync(join(work, 'unpacked'))
    const archive = join(work, 'first', `${release.file}.oci.tar`)
    run('tar', ['--extract', `--file=${archive}`, '--directory=unpacked'], work)
    const name = `unpacked:cloud-console:${release.version}`
    run(umoci?.file ?? '', ['unpack', '--image', name, 'bundle'], work, umoci?.env as Record<string, string>)
    bundle = runtime.parse(json('bundle', 'config.json')).process
  }, 600_000)

  beforeAll(async () => {
    const data = join(work, 'volume')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, bundle.user.uid, bundle.user.gid)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    contained = {
      root: join(work, 'bundle/rootfs'),
      data,
      user: bundle.user.uid,
      folder: bundle.cwd,
      env: [...bundle.env, 'HOST=127.0.0.1', `PORT=${port}`, `ADMIN_PASSWORD=${password}`],
    }
  })

  afterAll(() => rmSync(work, { recursive: true, force: true }))

  /** The exit code of the health check, beside the process. */
  async function health(): Promise<number> {
    const [kind, ...command] = readConfig().Healthcheck.Test
    expect(kind).toBe('CMD')
    const { outside } = startContained(contained, command)
    const [code] = await once(outside, 'exit')
    return code
  }

  /** Starts the image and waits until it serves. */
  async function serve() {
    const { outside, pid } = startContained(contained, bundle.args)
    const errors = text(outside.stderr)
    let isServing = false
    for await (const line of createInterface({ input: outside.stdout })) {
      isServing = started.test(line)
      if (isServing) break
    }
    if (!isServing) throw new Error(await errors)
    outside.stdout.resume()
    return { outside, pid: await pid() }
  }

  test('names its version, its user, its volume, its signal and its health check', () => {
    const { Labels, Volumes, StopSignal } = readConfig()
    expect(Labels).toMatchObject({
      'org.opencontainers.image.title': 'cloud-console',
      'org.opencontainers.image.version': release.version,
      'org.opencontainers.image.revision': release.commit,
      'org.opencontainers.image.created': new Date(release.date * 1000).toISOString(),
    })
    expect(Volumes).toEqual({ '/data': {} })
    expect(StopSignal).toBe('SIGTERM')
    expect(bundle.user).toEqual({ uid: 10001, gid: 10001 })
  })

  test('serves without privileges on a read-only root, ends on SIGTERM, and finds its data again', async () => {
    expect(await health()).toBe(1)
    const as = { nick: 'admin', password }
    const first = await serve()
    expect(await statusOf(ask({ url }, '/readyz'))).toBe(200)
    expect(await health()).toBe(0)
    const status = readFileSync(`/proc/${first.pid}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m)
    expect(status).toMatch(/^CapEff:\t0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(readFileSync(`/proc/${first.pid}/mountinfo`, 'utf8')).toMatch(/ \/ ro,/)
    expect(await statusOf(ask({ url }, '/api/login', { as: { ...as, password: 'another one' } }))).toBe(401)
    const made = await ask({ url }, '/api/admin/enterprises', { as, body: { name: 'Kept' } })
    expect(made.status).toBe(201)
    const { id } = await made.json()
    process.kill(first.pid, 'SIGTERM')
    expect(await once(first.outside, 'exit')).toEqual([0, null])
    const second = await serve()
    const kept = await ask({ url }, `/api/admin/enterprises/${id}`, { as })
    expect([kept.status, await kept.json()]).toEqual([200, expect.objectContaining({ name: 'Kept' })])
    process.kill(second.pid, 'SIGTERM')
    expect(await once(second.outside, 'exit')).toEqual([0, null])
  })
})

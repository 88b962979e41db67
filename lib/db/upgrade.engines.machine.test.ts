import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { closeDatabase, openDatabase } from '#lib/db/db.server'
import { isMigrated, migrateTo, schemaVersion } from '#lib/db/migrate.server'
import { readSchema } from '#lib/db/schema.server'
import { ask, environmentOf, startApi, started } from '#lib/tools/testing/api-process'
import { as, rowsOfFirstRelease } from '#lib/tools/testing/first-release'
import {
  columnsOf,
  contentOf,
  eventsOfFirstDays,
  massOfFirstDays,
} from '#lib/tools/testing/mass-of-first-days'
import { fillAt, inDatabase, ownDatabase, type Settings } from '#lib/tools/testing/own-database'

test('a server migrates a database of the first release at its start, and serves it', {
  timeout: 60_000,
}, async () => {
  const settings = await ownDatabase()
  await fillAt(settings, 1, rowsOfFirstRelease(await hashPassword(as.password)))
  const api = await startApi(settings)
  onTestFinished(async () => {
    await api.stop()
  })
  const read = async (path: string) => {
    const answer = await ask(api, `/api${path}`, { as })
    expect(answer.status, path).toBe(200)
    return answer.json()
  }
  expect(await read('/login')).toMatchObject({ id: 9, nick: as.nick })
  const networks = '/admin/datacenters/3/natnetworks'
  expect(await read(`${networks}/12`)).toMatchObject({ name: 'outside', cidr: '10.9.8.0/24' })
  const ids = async (query: string) =>
    (await read(`${networks}/action/${query}`)).collection.map(({ id }: { id: number }) => id)
  expect(await ids('allips?all=true')).toEqual([13, 14])
  expect(await ids('allips?quarantine=true&all=true')).toEqual([14])
  expect(await ids('allips?all=true&has=9.8.2')).toEqual([14])
  for (const word of ['10.9.8', '192.168.7', 'M%C3%BCH', 'tcp'])
    expect(await ids(`allrules?has=${word}`)).toEqual([15])
  const next = await ask(api, `/api${networks}/12/ips`, { as, body: {} })
  expect([next.status, await next.json()]).toEqual([201, expect.objectContaining({ ip: '10.9.8.3' })])
  const database = openDatabase(settings)
  onTestFinished(() => closeDatabase(database))
  expect(await isMigrated(database)).toBe(true)
})

/** The schema of a commit, by its own program. */
function schemaOf(commit: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'test-schema-'))
  try {
    const archive = join(folder, 'source.tar')
    execFileSync('git', ['archive', `--output=${archive}`, commit, 'lib', 'package.json'])
    execFileSync('tar', ['--extract', `--file=${archive}`], { cwd: folder })
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    const print = `import('#lib/db/migrate.server').then((one) => console.log(one.schemaVersion))`
    return Number(execFileSync(process.execPath, ['--eval', print], { cwd: folder, encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const tags = execFileSync('git', ['tag'], { encoding: 'utf8' }).split('\n').filter(Boolean)

/** Those of the commits 4b5dcb1 and 1946f36, which were in use, and of each release. */
const published = [...new Set([10, 16, ...tags.map(schemaOf)])].filter((version) => version < schemaVersion)

const IPS = 500_000
const LONGEST = 60_000

/** These rows came with a later schema. The list of migrations differs as a whole. */
const old = { device_types: `name <> 'LINUX'`, nat_blocks: 'wide <> 2', migrations: 'false' }

/** A start that is killed after this time (ms), unless it serves before. */
async function startFor(settings: Settings, time: number) {
  const child = spawn(process.execPath, ['lib/tools/testing/api-server.ts'], {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), time)
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = started.exec(line) ?? []
    if (url === undefined) continue
    clearTimeout(timer)
    return { url }
  }
  await ended
  return undefined
}

const versionOf = (settings: Settings): Promise<number> =>
  inDatabase(settings, async (database) => (await readSchema(database)).version)

/** Starts the server and kills it, later each time, until it has upgraded the database and serves. */
async function upgradeWithKills(settings: Settings, from: number) {
  let seconds = 0
  for (let [kills, time] = [0, 1000]; time < 2 * LONGEST; [kills, time] = [kills + 1, time * 1.6]) {
    const version = await versionOf(settings)
    expect([from, schemaVersion]).toContain(version)
    const began = performance.now()
    const server = await startFor(settings, time)
    // The one before was killed after its upgrade.
    if (version === from) seconds = (performance.now() - began) / 1000
    if (server) return { server, kills, seconds }
  }
  throw new Error('The upgrade did not end')
}

test('the schema of a release is the one of its own program', { timeout: 60_000 }, () => {
  expect(schemaOf('HEAD')).toBe(schemaVersion)
})

test.each(published)(
  '1,000,000 rows of schema %i are upgraded within a minute, and are all there after kills',
  { timeout: 900_000 },
  async (version) => {
    const settings = await ownDatabase()
    const engine = settings.DATABASE_URL ? 'postgres' : 'sqlite'
    const hash = await hashPassword(as.password)
    await fillAt(settings, 1, [...rowsOfFirstRelease(hash), ...massOfFirstDays(engine, IPS)])
    await fillAt(settings, 2, eventsOfFirstDays(IPS / 100))
    const { columns, before } = await inDatabase(settings, async (database) => {
      await migrateTo(database, version)
      const columns = await columnsOf(database)
      return { columns, before: await contentOf(database, columns, old) }
    })
    const { server, kills, seconds } = await upgradeWithKills(settings, version)
    process.stdout.write(
      `${engine}, schema ${version}: ${kills} kills, upgraded in ${seconds.toFixed(1)} s\n`,
    )
    expect(kills).toBeGreaterThan(0)
    expect(seconds * 1000).toBeLessThan(LONGEST)
    await inDatabase(settings, async (database) => {
      expect(await isMigrated(database)).toBe(true)
      expect(await contentOf(database, columns, old)).toEqual(before)
    })
    const sizeOf = async (list: string): Promise<number> =>
      (await (await ask(server, `/api/admin/datacenters/3/natnetworks/action/${list}`, { as })).json())
        .totalSize
    expect(await sizeOf('allips?all=true&limit=1')).toBe(IPS + 2)
    expect(await sizeOf('allrules?limit=1')).toBe(IPS + 1)
    expect(await sizeOf('allips?limit=1&quarantine=true&all=true')).toBe(IPS / 100 + 1)
    expect(await sizeOf('allips?limit=1&all=true&has=100.3.7.')).toBe(256)
  },
)

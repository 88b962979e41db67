import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { databaseFile } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, failingStart, startApi, statusOf } from '#lib/tools/testing/api-process'
import { admin, expectStatus } from '#lib/tools/testing/client'
import { migratedDatabase, ownDatabase } from '#lib/tools/testing/own-database'
import { tokenOf } from '#lib/tools/testing/session'

/* Only SQLite: the tests cannot fill the disk of PostgreSQL. */
const onSqlite = test.runIf(env().DATABASE_URL === undefined)

const SLOW = { timeout: 120_000 }

/** Limits the file size of the process, which simulates a full disk without any privilege. */
const limitFiles = ({ process: { pid } }: ApiProcess, bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])

const create = (server: ApiProcess, name: string, headers: Record<string, string>) =>
  ask(server, '/api/admin/datacenters', { headers, body: { name, location: '' } })

onSqlite(
  'with a full disk changes get 503 and reads work; changes work again once there is space',
  SLOW,
  async () => {
    const settings = await ownDatabase()
    const server = await startApi(settings)
    const headers = { authorization: `Token ${tokenOf(await ask(server, '/api/login', { as: admin }))}` }
    await expectStatus(201, create(server, 'Before', headers))

    limitFiles(server, 0)
    const refused = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(server, `Never ${index}`, headers)),
    )
    for (const answer of refused) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await answer.json()).toEqual({
        links: [],
        collection: [
          {
            code: '503-UNAVAILABLE',
            message:
              'Nothing can be saved now, neither a change nor a sign-in: the disk of the database is full or read-only',
          },
        ],
      })
    }
    const { collection } = await expectStatus(200, ask(server, '/api/admin/datacenters', { headers }))
    expect(collection.map(({ name }: { name: string }) => name)).toEqual(['Before'])
    expect(await statusOf(ask(server, '/api/login', { as: admin }))).toBe(200)
    expect(await statusOf(ask(server, '/readyz'))).toBe(200)
    const signIn = () => ask(server, '/api/session', { body: { nick: admin.nick, password: admin.password } })
    const refusedSignIn = await signIn()
    expect([refusedSignIn.status, await refusedSignIn.text()]).toEqual([
      503,
      expect.stringContaining('neither a change nor a sign-in'),
    ])

    limitFiles(server, 'unlimited')
    await expectStatus(201, create(server, 'After', headers))
    expect(await statusOf(signIn())).toBe(200)
    expect(await server.stop()).toBe(0)
    const file = new DatabaseSync(databaseFile(settings.DATA_DIR), { readOnly: true })
    expect(file.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(file.prepare('pragma foreign_key_check').all()).toEqual([])
    expect(file.prepare('select name from datacenters order by id').all()).toEqual([
      { name: 'Before' },
      { name: 'After' },
    ])
    file.close()
  },
)

onSqlite('a backup onto a full disk ends with one line and leaves nothing', SLOW, async () => {
  const settings = await migratedDatabase()
  const copy = join(settings.DATA_DIR, 'copy.db')
  // The file of the database is larger.
  const { status, stderr } = spawnSync(
    'prlimit',
    ['--fsize=65536', process.execPath, 'lib/tools/scripts/run.js', 'backup', copy],
    { env: { ...process.env, DATA_DIR: settings.DATA_DIR, NODE_COMPILE_CACHE: '' }, encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^\S+copy\.db cannot be written: [^\n]+\n$/)])
  expect(readdirSync(settings.DATA_DIR).filter((name) => name.startsWith('copy'))).toEqual([])
})

onSqlite('a data directory that cannot be written stops the start with one line', SLOW, async () => {
  const file = join(env().DATA_DIR, 'a file')
  writeFileSync(file, '')
  const { code, said } = await failingStart({ DATA_DIR: join(file, 'data') }, { SECRET_KEY: '' })
  expect(code).toBe(1)
  expect(said).toMatch(/^DATA_DIR cannot be written: .+\n$/)
})

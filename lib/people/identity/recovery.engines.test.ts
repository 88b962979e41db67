import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { resetIdentity } from '#lib/people/federation/people.server'
import { resetPassword, resetTwoFactor } from '#lib/people/identity/recovery.server'
import { call, expectStatus, newUser } from '#lib/tools/testing/client'
import { isLong, swept } from '#lib/tools/testing/search'
import { changeUser, rowOf, tokenOf } from '#lib/tools/testing/session'

const actionsOf = async (id: number): Promise<string[]> => {
  const events = await database()
    .read.selectFrom('events')
    .where('entity_type', '=', 'user')
    .where('entity_id', '=', id)
    .select(['action', 'changes', 'user_id'])
    .orderBy('id')
    .execute()
  return events.map(({ action, user_id }) => `${action} by ${user_id ?? 'nobody'}`)
}

/** The scripts of one test start side by side. A first word like `DATA_DIR=…` is a setting. */
async function run(...words: string[]) {
  const [, name, value] = /^([A-Z_]+)=(.*)/.exec(words[0] ?? '') ?? []
  const child = spawn(process.execPath, ['lib/tools/scripts/run.js', ...words.slice(name ? 1 : 0)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(name && { [name]: value }) },
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: child.exitCode, stdout, stderr }
}

describe('recovery on the server', () => {
  test('a new password unlocks and enables the user, allows all networks, and ends all sessions', async () => {
    const user = await newUser()
    const token = tokenOf(await call('GET', '/api/login', { as: user }))
    await changeUser(user, { locked: 1, active: 0, allowed_cidrs: '["192.0.2.0/24"]' })
    const password = await resetPassword(user.nick)
    expect(password.length).toBeGreaterThanOrEqual(12)
    const document = await expectStatus(200, call('GET', '/api/login', { as: { ...user, password } }))
    expect(document).toMatchObject({ firstLogin: true, active: true, locked: false, allowedCIDRs: [] })
    expect((await call('GET', '/api/login', { as: user })).status).toBe(401)
    const headers = { authorization: `Token ${token}` }
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
    expect(await actionsOf(user.id)).toContain('reset-password by nobody')
  })

  test('after a reset of two factor the password alone suffices', async () => {
    const user = await newUser()
    const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}/action/enable2fa`
    await expectStatus(201, call('POST', path, { as: user, body: { type: 'APP_AUTHENTICATOR' } }))
    expect((await call('GET', '/api/login', { as: user })).status).toBe(401)
    await resetTwoFactor(user.nick)
    expect((await call('GET', '/api/login', { as: user })).status).toBe(200)
    expect(await rowOf(user)).toMatchObject({ two_factor_provider: null, two_factor_secret: null })
    expect(await actionsOf(user.id)).toContain('reset-2fa by nobody')
  })

  test('a reset identity is bound to no subject of a provider', async () => {
    const user = await newUser()
    const row = { user_id: user.id, provider: 'OPENID', issuer: 'https://x.example', subject: user.nick }
    await transaction((trx) => trx.insertInto('user_identities').values(row).execute())
    await resetIdentity(user.nick)
    const left = database().read.selectFrom('user_identities').where('user_id', '=', user.id)
    expect(await left.select('id').execute()).toEqual([])
    expect(await actionsOf(user.id)).toContain('reset-identity by nobody')
  })

  test('an unknown nick is reported', async () => {
    await expect(resetPassword('nobody at all')).rejects.toThrow('There is no user nobody at all')
    await expect(resetIdentity('nobody at all')).rejects.toThrow('There is no user nobody at all')
    await expect(resetTwoFactor('nobody at all')).rejects.toThrow('There is no user nobody at all')
  })

  // The tests above cover the functions, on both engines. A start takes seconds of processor time: one script each day, all in a long
  // search.
  const onSqlite = env().DATABASE_URL === undefined
  const scripts = ['reset-password', 'reset-2fa', 'reset-identity']

  test.each(onSqlite ? swept(scripts, scripts.length) : [])(
    'npm run %s reports an unknown nick in one line',
    { timeout: 60_000 },
    async (script) => {
      const unknown = await run(script, '--nick', 'nobody')
      expect(unknown).toMatchObject({ status: 1, stderr: 'There is no user nobody\n' })
    },
  )

  test.runIf(onSqlite)(
    'they begin no installation where there is no database',
    { timeout: 60_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'test-recovery-'))
      try {
        const { status, stdout, stderr } = await run(`DATA_DIR=${folder}`, 'reset-2fa', '--nick', 'admin')
        expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(`no database in ${folder}`)])
        expect(readdirSync(folder)).toEqual([])
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  test.runIf(isLong)('they report a missing nick in one line', { timeout: 60_000 }, async () => {
    expect(await run('reset-password')).toMatchObject({ status: 1, stderr: '--nick N is missing\n' })
    const { status, stderr } = await run('reset-password', 'ana')
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Unexpected argument 'ana'[^\n]*\n$/)])
  })

  test.runIf(onSqlite || isLong)(
    'npm run reset-password prints the new password',
    { timeout: 60_000 },
    async () => {
      const user = await newUser()
      const { stdout } = await run('reset-password', '--nick', user.nick)
      const password = /is: (\S+) \(shown this once\)/.exec(stdout)?.[1] ?? ''
      expect((await call('GET', '/api/login', { as: { ...user, password } })).status).toBe(200)
      // OWASP's minimum for servers. The tests' own process hashes at less cost.
      expect((await rowOf(user)).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    },
  )
})

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Selectable, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { migrateTo } from '#lib/db/migrate.server'
import type { Tables } from '#lib/db/tables.server'
import { ask, startApi } from '#lib/tools/testing/api-process'
import { fillAt, inDatabase, ownDatabase } from '#lib/tools/testing/own-database'
import { isLong } from '#lib/tools/testing/search'

const as = { nick: 'olga', password: 'a password of the first days' }

const event = (id: number, columns: Record<string, string | number | null>): string => {
  const row = {
    // Higher than the ids that the server assigns next, because PostgreSQL does not count ids that a statement names.
    id: 1000 + id,
    timestamp: 1_700_000_000_000 + id,
    request_id: `request-${id}`,
    ip: '127.0.0.1',
    user_id: 9,
    user_nick: as.nick,
    enterprise_id: 7,
    ...columns,
    entity_key: String(columns.entity_name).toLowerCase(),
  }
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
  )
  return `insert into events (${Object.keys(row).join(', ')}) values (${values.join(', ')})`
}

const application = (id: number) => ({
  entity_type: 'application',
  entity_id: id,
  entity_name: `program ${id}`,
  entity_path: `/admin/enterprises/7/users/9/applications/${id}`,
})

const created = (id: number, name = `program ${id}`) =>
  JSON.stringify({
    name: { after: name },
    apiKey: { after: `key-${id}` },
    apiSecret: { after: `leaked-${id}` },
  })

/** A name that looks like the JSON of a secret. */
const odd = '"apiSecret":{"after":"a name"}'

const removed = Array.from({ length: 200 }, (_, index) => 100 + index)

const rows = (hash: string): string[] => [
  `insert into enterprises (id, name, name_key, default_scope_id, two_factor_mandatory, properties)
    values (7, 'Old', 'old', 1, 0, '{}')`,
  `insert into roles (id, name, name_key, blocked) values (5, 'Everything', 'everything', 0)`,
  ...allPrivileges.map((name) => `insert into role_privileges (role_id, privilege) values (5, '${name}')`),
  `insert into users (id, enterprise_id, role_id, nick, nick_key, name_key, search_key, name, surname, description, email,
      locale, auth_type, active, locked, first_login, password_hash, token_epoch, allowed_cidrs, two_factor_step)
    values (9, 7, 5, '${as.nick}', '${as.nick}', 'olga', 'olga', 'Olga', '', '', '', 'en_US', 'ABIQUO', 1, 0, 0, '${hash}', 0, '[]', 0)`,
  ...[1, 2, 3].map(
    (id) => `insert into applications (id, user_id, name, name_key, description, api_key, api_secret)
      values (${id}, 9, 'program ${id}', 'program ${id}', '', 'key-${id}', '')`,
  ),
  event(1, { ...application(1), action: 'create', changes: created(1) }),
  event(2, { ...application(2), action: 'create', changes: created(2) }),
  event(3, { ...application(2), action: 'rotate-secret', changes: '{"apiSecret":{"after":"changed"}}' }),
  event(4, { ...application(4), action: 'create', changes: created(4, odd) }),
  event(5, {
    entity_type: 'natrule',
    entity_id: 8,
    entity_name: '',
    entity_path: '/cloud/virtualdatacenters/6/virtualappliances/1/virtualmachines/1/natrules/8',
    action: 'create',
    changes: '{"snat":{"after":"true"}}',
  }),
  // Rows that retention removed stay in the free space of the file until it is vacuumed.
  ...removed.map((id) => event(id, { ...application(id), action: 'create', changes: created(id) })),
  `delete from events where id in (${removed.map((id) => 1000 + id).join(', ')})`,
]

let once: ReturnType<typeof upgrade> | undefined

/** The same upgrade for all tests. */
const upgraded = () => {
  once ??= upgrade()
  return once
}

async function upgrade() {
  const settings = await ownDatabase()
  let events: Selectable<Tables['events']>[] = []
  let applications: Selectable<Tables['applications']>[] = []
  await fillAt(settings, 10, rows(await hashPassword(as.password)), async (database) => {
    await migrateTo(database, 11)
    events = await database.read.selectFrom('events').selectAll().orderBy('id').execute()
    applications = await database.read.selectFrom('applications').selectAll().orderBy('id').execute()
  })
  return { settings, events, applications }
}

test('the upgrade removes the secrets of applications from events, and marks applications that still use one', async () => {
  const { settings, events, applications } = await upgraded()
  const changes = events.map((row) => JSON.parse(row.changes))
  expect(changes[0]).toEqual({
    name: { after: 'program 1' },
    apiKey: { after: 'key-1' },
    apiSecret: { after: 'changed' },
  })
  expect(changes[3]).toMatchObject({ name: { after: odd }, apiSecret: { after: 'changed' } })
  expect(JSON.stringify(events)).not.toContain('leaked')
  expect(events[0]).toMatchObject({ request_id: 'request-1', entity_name: 'program 1', structured: 0 })
  // The second secret was rotated since; the third application's events never had a secret.
  expect(applications.map((row) => row.secret_exposed_at)).toEqual([1_700_000_000_001, null, null])
  if (settings.DATABASE_URL) return
  expect(await readFile(join(settings.DATA_DIR, 'console.db'), 'latin1')).not.toContain('leaked')
})

test('an upgrade that fails half way changes nothing, and the next one completes', async () => {
  const settings = await ownDatabase()
  const hash = await hashPassword(as.password)
  await fillAt(settings, 10, rows(hash), async (database) => {
    const changes = () => database.read.selectFrom('events').select('changes').orderBy('id').execute()
    const before = await changes()
    const write = (statement: string) =>
      transaction((trx) => sql.raw(statement).execute(trx), { on: database, anySchema: true })
    // Migration 11 adds this column after it has removed the secrets.
    await write('alter table events add column was_enterprise_id bigint')
    await expect(migrateTo(database, 11)).rejects.toThrow(/was_enterprise_id/)
    expect(await changes()).toEqual(before)
    await write('alter table events drop column was_enterprise_id')
    await migrateTo(database, 11)
    expect(JSON.stringify(await changes())).not.toContain('leaked')
  })
})

test('secrets in the free space of the file are removed by the next start where the first one is killed before', async () => {
  const settings = await ownDatabase()
  if (settings.DATABASE_URL) return
  const holdsSecrets = async () => {
    const names = await readdir(settings.DATA_DIR)
    const files = await Promise.all(names.map((name) => readFile(join(settings.DATA_DIR, name), 'latin1')))
    return files.join().includes('leaked')
  }
  await fillAt(settings, 10, rows(await hashPassword(as.password)), (database) => {
    vi.spyOn(database.write, 'connection').mockImplementation(() => {
      throw new Error('killed before VACUUM')
    })
    return migrateTo(database, 11)
  })
  expect(await holdsSecrets()).toBe(true)
  await inDatabase(settings, (database) => migrateTo(database, 11))
  expect(await holdsSecrets()).toBe(false)
})

test('an event without an enterprise and a datacenter gets those of its path', async () => {
  const { events } = await upgraded()
  expect(events.map((row) => row.about_enterprise_id)).toEqual([7, 7, 7, 7, 0])
  expect(events[4]).toMatchObject({ about_enterprise_id: 0, about_datacenter_id: 0 })
})

test.runIf(isLong)(
  'the start logs the number of affected applications; a new secret clears the mark',
  {
    timeout: 60_000,
  },
  async () => {
    const { settings } = await upgraded()
    const api = await startApi(settings, { LOG_LEVEL: 'warn' })
    try {
      const warnings = api.lines.filter((line) => line.includes('secrets of applications were in events'))
      expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, applications: 1 }])
      const path = '/api/admin/enterprises/7/users/9/applications'
      const marks = async () => {
        const { collection } = (await (await ask(api, path, { as })).json()) as {
          collection: { secretExposed?: boolean }[]
        }
        return collection.map(({ secretExposed = false }) => secretExposed)
      }
      expect(await marks()).toEqual([true, false, false])
      expect((await ask(api, `${path}/1/action/rotatesecret`, { as }, 'POST')).status).toBe(200)
      expect(await marks()).toEqual([false, false, false])
    } finally {
      await api.stop()
    }
  },
)

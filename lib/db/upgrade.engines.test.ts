import { expect, onTestFinished, test } from 'vitest'
import { closeDatabase, openDatabase } from '#lib/db/db.server'
import { isMigrated, migrate } from '#lib/db/migrate.server'
import { as, rowsOfFirstRelease } from '#lib/tools/testing/first-release'
import { fillAt, ownDatabase } from '#lib/tools/testing/own-database'

// A server over it answers requests: lib/db/upgrade.engines.machine.test.ts.
test('a database of the first release is brought up to date, with all that is in it', async () => {
  const settings = await ownDatabase()
  await fillAt(settings, 1, rowsOfFirstRelease('a hash'))
  const database = openDatabase(settings)
  onTestFinished(() => closeDatabase(database))
  await migrate(database)
  expect(await isMigrated(database)).toBe(true)
  const { read } = database
  const nicks = await read.selectFrom('users').select(['id', 'nick', 'password_hash']).execute()
  expect(nicks).toEqual([{ id: 9, nick: as.nick, password_hash: 'a hash' }])
  const machines = await read.selectFrom('virtual_machines').select(['id', 'name', 'enterprise_id']).execute()
  expect(machines).toEqual([{ id: 10, name: 'Mühle', enterprise_id: 7 }])
  const ips = await read.selectFrom('nat_ips').select(['id', 'ip', 'quarantine']).orderBy('id').execute()
  expect(ips).toEqual([
    { id: 13, ip: '10.9.8.1', quarantine: 0 },
    { id: 14, ip: '10.9.8.2', quarantine: 1 },
  ])
  const rules = await read.selectFrom('nat_rules').select(['id', 'nat_ip_id', 'private_ip_id']).execute()
  expect(rules).toEqual([{ id: 15, nat_ip_id: 13, private_ip_id: 11 }])
})

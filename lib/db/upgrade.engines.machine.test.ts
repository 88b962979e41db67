import { expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { closeDatabase, openDatabase } from '#lib/db/db.server'
import { isMigrated } from '#lib/db/migrate.server'
import { ask, startApi } from '#lib/tools/testing/api-process'
import { as, rowsOfFirstRelease } from '#lib/tools/testing/first-release'
import { fillAt, ownDatabase } from '#lib/tools/testing/own-database'

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

import { expect, test } from 'vitest'
import { call, expectStatus } from '#lib/tools/testing/client'
import { databaseNumber, renewDatabase } from '#lib/tools/testing/fresh-database'
import { create } from '#lib/tools/testing/resources'
import { newScope } from '#lib/tools/testing/scopes'

const scopes = async (): Promise<number[]> => {
  const { collection } = await expectStatus(200, call('GET', '/api/admin/scopes?limit=0'))
  return collection.map(({ id }: { id: number }) => id)
}

test('a renewed database has the rows of a first start alone, and its ids go on', async () => {
  const first = await scopes()
  const { id } = await newScope()
  for (let name = 0; name < 3; name += 1) await create('/api/admin/enterprises', { name: `Renewed ${name}` })
  const before = databaseNumber()
  await renewDatabase()
  expect(databaseNumber()).toBe(before + 1)
  expect(await scopes()).toEqual(first)
  expect(await expectStatus(200, call('GET', '/api/admin/enterprises'))).toMatchObject({ totalSize: 1 })
  expect((await newScope()).id).toBeGreaterThan(id)
})

import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { list } from '#lib/db/list.server'
import { migrate } from '#lib/db/migrate.server'
import { unique } from '#lib/tools/testing/client'

beforeAll(() => migrate(database()))

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/** Seven ended sessions, and the list of them. */
async function sevenRows() {
  const group = unique('list')
  const insert = (name: string) =>
    transaction((trx) =>
      trx
        .insertInto('ended_sessions')
        .values({ id: `${group} ${name}`, expires_at: Date.now() })
        .execute(),
    )
  for (const name of names) await insert(name)
  const page = async (
    startwith: number,
    { limit = 3, asc = true, meanwhile = async (): Promise<unknown> => undefined } = {},
  ) => {
    const { collection, totalSize } = await list({
      from: (db) => db.selectFrom('ended_sessions').select('id').where('id', 'like', `${group} %`),
      orders: { id: [] },
      id: 'ended_sessions.id',
      paging: { by: 'id', has: '', startwith, limit, asc },
      views: (rows) => rows.map(({ id }) => ({ name: id.slice(-1) })),
      path: '/ended',
    })
    await meanwhile()
    const shown: object[] = []
    for await (const view of collection) shown.push(...(Array.isArray(view) ? view : [view]))
    return { names: (shown as { name: string }[]).map(({ name }) => name).join(''), totalSize }
  }
  return { page, insert }
}

test('the pages join without gaps or repeats, in both directions', async () => {
  const { page } = await sevenRows()
  const pages = await Promise.all([0, 3, 6].map((start) => page(start)))
  expect(pages.map(({ names }) => names)).toEqual(['abc', 'def', 'g'])
  const back = await Promise.all([0, 3, 6].map((start) => page(start, { asc: false })))
  expect(back.map(({ names }) => names)).toEqual(['gfe', 'dcb', 'a'])
  expect(await page(0, { limit: 0 })).toEqual({ names: 'abcdefg', totalSize: 7 })
})

test('a row added meanwhile displaces no other from a full export', async () => {
  const { page, insert } = await sevenRows()
  const { names } = await page(0, { limit: 0, meanwhile: () => insert('aa') })
  expect(names).toBe('aabcdefg')
})

test('a total is cached until the next write', async () => {
  const { page, insert } = await sevenRows()
  const queries = vi.spyOn(database().scan, 'executeQuery')
  onTestFinished(() => queries.mockRestore())
  const counts = () =>
    queries.mock.calls.filter(([query]) => 'sql' in query && query.sql.includes('count(*)')).length
  // On PostgreSQL a write of another test empties this cache too, so the attempt is repeated.
  await vi.waitFor(async () => {
    queries.mockClear()
    await page(0)
    await page(3)
    await page(6)
    expect(counts()).toBeLessThan(2)
  }, 15_000)
  queries.mockClear()
  await insert('h')
  expect(await page(6)).toEqual({ names: 'gh', totalSize: 8 })
  expect(counts()).toBeGreaterThan(0)
})

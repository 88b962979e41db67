import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, type Database, type Db, openDatabase, transaction } from '#lib/db/db.server'
import { migrate } from '#lib/db/migrate.server'
import { forgetNames, paddedIds, statement, together } from '#lib/db/statements.server'
import { ownDatabase } from '#lib/tools/testing/own-database'

let database: Database

beforeAll(async () => {
  // The other tests of this worker have used some of the names, of which there are not many.
  forgetNames()
  database = openDatabase(await ownDatabase())
  await migrate(database)
})

afterAll(() => closeDatabase(database))

type Filter = { id: number; roots?: boolean; name?: string | undefined }

let builds = 0
const scopes = statement('scopes of a test', (db, { id, roots, name }: Filter) => {
  builds += 1
  return db
    .selectFrom('scopes')
    .select(['id', 'name'])
    .where('id', '>=', id)
    .$if(roots === false, (query) => query.where('parent_id', 'is not', null))
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
})

test('a statement is compiled once for all numbers and texts, and again for each flag and absent value', async () => {
  const { read } = database
  const [{ name } = { name: '' }] = await scopes(read, { id: 1 })
  expect(name).not.toBe('')
  expect(await scopes(read, { id: 9 })).toEqual([])
  expect(builds).toBe(1)
  expect(await scopes(read, { id: 1, roots: true })).toHaveLength(1)
  expect(await scopes(read, { id: 1, roots: false })).toEqual([])
  expect(await scopes(read, { id: 1, name })).toHaveLength(1)
  expect(await scopes(read, { id: 1, name: '?' })).toEqual([])
  expect(builds).toBe(4)
  expect(await scopes(read, { id: 1, name: '' })).toEqual([])
})

const named = statement('names of a test', (db, { names }: { names: string[] }) =>
  db.selectFrom('scopes').select('name').where('name', 'in', names),
)

test('lists of another length are another statement, whatever texts are in them', async () => {
  const { read } = database
  const [{ name } = { name: '' }] = await scopes(read, { id: 1 })
  for (const names of [[name], [name, ''], ['', name], ['', '', name], [name, '']])
    expect([names, await named(read, { names })]).toEqual([names, [{ name }]])
})

test('a statement of many shapes is compiled each time beyond the first ones', async () => {
  const { read } = database
  for (let length = 1; length < 200; length += 1)
    expect(await named(read, { names: Array.from({ length }, () => 'nobody') })).toEqual([])
})

test('of statements that travel together the first failure counts', async () => {
  const work = transaction(
    (trx) =>
      together(
        sql`select 1`.execute(trx),
        sql`select * from no_table_of_a_test`.execute(trx).then(({ rows }) => rows),
        trx.updateTable('racks').set({ name: 'x' }).where('id', '=', -1).execute(),
      ),
    { on: database },
  )
  await expect(work).rejects.toThrow('no_table_of_a_test')
})

test('lists of ids are padded to the batch sizes of prepared statements', () => {
  const idsOf = (count: number) => paddedIds(Array.from({ length: count }, (_, index) => ({ id: index + 1 })))
  expect([0, 1, 2, 25, 26, 500, 501].map((count) => idsOf(count).length)).toEqual([
    1, 1, 25, 25, 100, 500, 501,
  ])
  expect(idsOf(3).filter((id) => id > 0)).toEqual([1, 2, 3])
})

/** The statements that PostgreSQL has prepared on this connection; undefined on SQLite. */
async function prepared(db: Db): Promise<string[] | undefined> {
  if (database.engine === 'sqlite') return undefined
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  return rows.map(({ statement }) => statement)
}

const racks = statement('racks of a test', (db, { id }: { id: number }) =>
  db.selectFrom('racks').select('name').where('id', '=', id),
)

test('PostgreSQL prepares changes that recur, and no searches', () =>
  database.write.connection().execute(async (db) => {
    for (let time = 0; time < 10; time += 1) {
      await db.updateTable('racks').set({ name: 'other' }).where('id', '=', -1).execute()
      await db.selectFrom('racks').select('id').where('name', 'like', 'recurring%').execute()
    }
    const texts = await prepared(db)
    if (texts)
      expect(texts.filter((text) => /update "racks"|"name" like/.test(text))).toEqual([
        'update "racks" set "name" = $1 where "id" = $2',
      ])
  }))

test('PostgreSQL prepares declared statements at once, and they still work after a column was added', () =>
  database.write.connection().execute(async (db) => {
    await racks(db, { id: 1 })
    await db.selectFrom('racks').select('id').where('name', '=', 'none').execute()
    const texts = await prepared(db)
    if (texts)
      expect(texts.filter((text) => /^select .*racks/.test(text))).toEqual([
        'select "name" from "racks" where "id" = $1',
      ])
    await sql`alter table racks add column later text`.execute(db)
    expect(await racks(db, { id: 2 })).toEqual([])
  }))

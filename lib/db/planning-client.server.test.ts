import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, type Database, type Db, openDatabase } from '#lib/db/db.server'
import { migrate } from '#lib/db/migrate.server'
import { ownDatabase } from '#lib/testing/own-database'

let database: Database

beforeAll(async () => {
  database = openDatabase(await ownDatabase())
  await migrate(database)
})

afterAll(() => closeDatabase(database))

/** What one connection is asked. */
const onOne = (work: (db: Db) => Promise<void>) => database.write.connection().execute(work)

async function often(ask: () => Promise<unknown>): Promise<void> {
  for (let times = 0; times < 8; times += 1) await ask()
}

/** The texts that PostgreSQL has plans of for this connection; undefined on SQLite. */
async function planned(db: Db): Promise<string[] | undefined> {
  if (database.engine === 'sqlite') return undefined
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  return rows.map(({ statement }) => statement)
}

test('what is asked often is planned once, and answered for each value', () =>
  onOne(async (db) => {
    const nameOf = (id: number) => db.selectFrom('scopes').select('name').where('id', '=', id).execute()
    await often(() => nameOf(1))
    const plans = await planned(db)
    if (plans) expect(plans).toContain('select "name" from "scopes" where "id" = $1')
    expect(await nameOf(1)).toHaveLength(1)
    expect(await nameOf(0)).toEqual([])
  }))

test('it is planned each time where it has a pattern, or is for whatever columns there are', () =>
  onOne(async (db) => {
    const scopes = db.selectFrom('scopes')
    await often(() => scopes.selectAll().where('name_key', '=', 'nobody').execute())
    await often(() => scopes.select('id').where('name_key', 'like', '%nobody%').execute())
    for (const text of (await planned(db)) ?? []) expect(text).not.toMatch(/^select .*name_key/)
  }))

test('it is answered after a column has come', () =>
  onOne(async (db) => {
    const all = () => db.selectFrom('racks').selectAll().execute()
    const names = () => db.selectFrom('racks').select('name').execute()
    await often(all)
    await often(names)
    await sql`alter table racks add column later text`.execute(db)
    expect(await all()).toEqual([])
    expect(await names()).toEqual([])
  }))

test('only so many queries of a connection have a plan, and the others are answered as well', () =>
  onOne(async (db) => {
    for (let number = 1; number <= 120; number += 1)
      await often(async () => {
        const { rows } =
          await sql`select id from scopes where id = ${1} and id <> ${sql.lit(-number)}`.execute(db)
        expect(rows).toHaveLength(1)
      })
    const plans = await planned(db)
    if (plans) expect(plans).toHaveLength(100)
  }))

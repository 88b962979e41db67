import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Database, transaction } from '#lib/db/db.server'
import { migrateTo } from '#lib/db/migrate.server'
import { fillAt, ownDatabase } from '#lib/tools/testing/own-database'

/* The upgrade marks what was deleted before it, and the past shows it as before. */

/** The migration that adds `past_rows.ended`. */
const ENDED = 45

const enterprise = (
  id: number,
) => `insert into enterprises (id, name, name_key, default_scope_id, two_factor_mandatory, properties)
  values (${id}, 'Old ${id}', 'old ${id}', 1, 0, '{}')`

/** Each in a transaction of its own. */
const history = [
  enterprise(7),
  enterprise(8),
  enterprise(9),
  `update enterprises set name = 'Changed' where id = 7`,
  'delete from enterprises where id = 7',
  'delete from enterprises where id = 8',
  enterprise(8),
  `update enterprises set name = 'Changed' where id = 9`,
  `update enterprises set name = 'Changed again' where id = 8`,
  'delete from enterprises where id = 8',
]

const writtenTo = (database: Database, statement: string) =>
  transaction((trx) => sql.raw(statement).execute(trx), { on: database, anySchema: true })

const namesIn = async (db: Database['read']) =>
  (
    await db
      .selectFrom('enterprises')
      .where('id', 'in', [7, 8, 9])
      .select(['id', 'name'])
      .orderBy('id')
      .execute()
  ).map(({ id, name }) => `${id} ${name}`)

const lastMoment = async ({ read }: Database) =>
  Number(
    (
      await read
        .selectFrom('past_rows')
        .select(({ fn }) => fn.max('until').as('last'))
        .executeTakeFirst()
    )?.last,
  )

test('the past of rows that were deleted before the upgrade is what it was', async () => {
  const settings = await ownDatabase()
  await fillAt(settings, ENDED - 1, [], async (database) => {
    const seen: [moment: number, names: string[]][] = []
    for (const statement of history) {
      await writtenTo(database, statement)
      seen.push([await lastMoment(database), await namesIn(database.read)])
    }
    await migrateTo(database, ENDED)
    for (const [moment, names] of seen) expect(await namesIn(database.at(moment))).toEqual(names)
    const ended = await database.read
      .selectFrom('past_rows')
      .where('source', '=', 'enterprises')
      .where('ended', '=', 1)
      .select('id')
      .orderBy('id')
      .execute()
    expect(ended.map(({ id }) => id)).toEqual([7, 8, 8])
  })
})

test('a row that is changed and deleted in one transaction is as before it', async () => {
  const settings = await ownDatabase()
  await fillAt(settings, ENDED, [enterprise(7)], async (database) => {
    const moment = await lastMoment(database)
    await transaction(
      async (trx) => {
        await sql.raw(`update enterprises set name = 'Changed' where id = 7`).execute(trx)
        await sql.raw('delete from enterprises where id = 7').execute(trx)
      },
      { on: database, anySchema: true },
    )
    expect(await namesIn(database.at(moment))).toEqual(['7 Old 7'])
    expect(await namesIn(database.at(await lastMoment(database)))).toEqual([])
  })
})

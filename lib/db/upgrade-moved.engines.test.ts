import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Database, transaction } from '#lib/db/db.server'
import { migrateTo } from '#lib/db/migrate.server'
import { fillAt, ownDatabase } from '#lib/tools/testing/own-database'

/* The journal marks changes of hidden columns alone, also those from before the upgrade. */

/** The migration that adds `past_rows.moved`. */
const MOVED = 48

const scope = (id: number) =>
  `insert into scopes (id, name, name_key, natural_key, all_datacenters, all_enterprises) values (${id}, 'S${id}', 's${id}', 's${id}', 0, 0)`
const enterprise = `insert into enterprises (id, name, name_key, default_scope_id, two_factor_mandatory, properties)
  values (7, 'Old', 'old', 1, 0, '{}')`
const set = (columns: string) => `update enterprises set ${columns} where id = 7`

const write = (on: Database, ...statements: string[]) =>
  transaction(
    async (trx) => {
      for (const statement of statements) await sql.raw(statement).execute(trx)
    },
    { on, anySchema: true },
  )

/** The scope after each change that only moved the enterprise, or null. */
async function movedIn({ read }: Database): Promise<(number | null)[]> {
  const rows = await read
    .selectFrom('past_rows')
    .where('source', '=', 'enterprises')
    .where('id', '=', 7)
    .select('moved')
    .orderBy('until')
    .execute()
  return rows.map(({ moved }) => moved && JSON.parse(moved).default_scope_id)
}

test('changes before the upgrade', async () => {
  await fillAt(await ownDatabase(), MOVED - 1, [scope(8), scope(9)], async (database) => {
    for (const statement of [
      enterprise,
      set('default_scope_id = 8'),
      set(`name = 'New'`),
      set(`name = 'Newer', default_scope_id = 9`),
      set('default_scope_id = 1'),
      set('default_scope_id = 8'),
    ])
      await write(database, statement)
    await migrateTo(database, MOVED)
    expect(await movedIn(database)).toEqual([null, 8, null, null, 1, 8])
  })
})

test('changes after it, of which several are in one transaction', async () => {
  await fillAt(await ownDatabase(), MOVED, [scope(8), scope(9), enterprise], async (database) => {
    await write(database, set('default_scope_id = 8'))
    await write(database, set('default_scope_id = 9'), set('default_scope_id = 1'))
    await write(database, set('default_scope_id = 8'), set(`name = 'New'`))
    await write(database, set(`name = 'Newer'`), set('default_scope_id = 9'))
    await write(database, set('default_scope_id = 8'), 'delete from enterprises where id = 7')
    expect(await movedIn(database)).toEqual([null, 8, 1, null, null, null])
  })
})

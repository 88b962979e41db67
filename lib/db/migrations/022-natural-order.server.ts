import type { Trx } from '#lib/db/db.server'
import type { MigrationTypes } from '#lib/db/dialect.server'
import { naturalKey } from '#lib/db/fold'

async function fill(trx: Trx): Promise<void> {
  const scopes = await trx.selectFrom('scopes').select(['id', 'name']).execute()
  for (const { id, name } of scopes)
    await trx
      .updateTable('scopes')
      .set({ natural_key: naturalKey(name) })
      .where('id', '=', id)
      .execute()
}

/** The children of a scope in their natural order. */
export const statements = ({ key }: MigrationTypes) => [
  `alter table scopes add column natural_key ${key} not null default ''`,
  fill,
  'drop index scopes_parent',
  'create index scopes_parent on scopes (parent_id, natural_key, id)',
]

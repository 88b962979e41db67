import type { Trx } from '#lib/db/db.server'
import type { MigrationTypes } from '#lib/db/dialect.server'
import { fold } from '#lib/db/fold'

type Noted = {
  table: string
  /** The table has a description already. */
  isDescribed?: boolean
  /** The search reads its descriptions. */
  isSearched?: boolean
}

/**
 * The description and the tags of resources: JSON lists of names, as they were sent and folded. A trigger keeps the index of tags, so that no
 * code can change a row and forget it.
 */
export const notes = (types: MigrationTypes, { table, isDescribed, isSearched }: Noted) => [
  ...(isDescribed ? [] : [`alter table ${table} add column description text not null default ''`]),
  ...(isSearched ? [`alter table ${table} add column description_key text not null default ''`] : []),
  ...(isDescribed && isSearched ? [foldDescriptions(table)] : []),
  `alter table ${table} add column tags text not null default '[]'`,
  `alter table ${table} add column tags_key text not null default '[]'`,
  ...types.tagTriggers(table),
]

const foldDescriptions = (table: string) => async (trx: Trx) => {
  const rows = trx.selectFrom(table as 'users').where('description', '<>', '')
  for (const { id, description } of await rows.select(['id', 'description']).execute())
    await trx
      .updateTable(table as 'users')
      .set({ description_key: fold(description) })
      .where('id', '=', id)
      .execute()
}

const searched = [
  'scopes',
  'enterprises',
  'roles',
  'datacenters',
  'virtual_datacenters',
  'virtual_appliances',
  'virtual_machines',
  'nat_networks',
]

/** `label`: the table and the folded name, so that the resources of a table with a tag are together, and its tags by name. */
export const statements = (types: MigrationTypes) => [
  `create table tags (
    label ${types.key} not null,
    resource_id bigint not null,
    name text not null,
    primary key (label, resource_id)
  ) ${types.withoutRowId}`,
  ...types.tagFunctions,
  ...searched.flatMap((table) => notes(types, { table, isSearched: true })),
  ...['users', 'devices'].flatMap((table) => notes(types, { table, isDescribed: true, isSearched: true })),
  ...notes(types, { table: 'templates' }),
]

export const ofIps = (types: MigrationTypes) => notes(types, { table: 'nat_ips' })

export const ofRules = (types: MigrationTypes) => notes(types, { table: 'nat_rules' })

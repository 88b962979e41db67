import type { Insertable } from 'kysely'
import type { Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { statement } from '#lib/db/statements.server'
import type { Tables } from '#lib/db/tables.server'
import { unlessTaken } from '#lib/db/unique.server'

/*
 * The names that a directory has for users and roles here: its id and, of a user, the name that it shows. Each user under whom a directory
 * acts has names of their own.
 */

export type NamedKind = 'user' | 'role'
export type ExternalNames = { externalId?: string | undefined; displayName?: string | undefined }
type Named = { owner: number; kind: NamedKind; id: number }

type NameRow = Insertable<Tables['external_names']>

const saveNames = statement('external names', (db, row: NameRow) =>
  db
    .insertInto('external_names')
    .values(row)
    .onConflict((same) =>
      same.columns(['owner_id', 'kind', 'resource_id']).doUpdateSet(({ ref }) => ({
        external_id: ref('excluded.external_id'),
        display_name: ref('excluded.display_name'),
        display_key: ref('excluded.display_key'),
        changed_at: ref('excluded.changed_at'),
      })),
    ),
)

/** The row stays: it knows when the names changed. */
const clearNames = statement(
  'no external names',
  (db, { owner, kind, id, changed_at }: Named & { changed_at: number }) =>
    db
      .updateTable('external_names')
      .set({ external_id: null, display_name: null, display_key: null, changed_at })
      .where('owner_id', '=', owner)
      .where('kind', '=', kind)
      .where('resource_id', '=', id),
)

/** Throws SCIM-3 if the owner has this external id for another resource. */
export async function setExternalNames(trx: Trx, named: Named, names: ExternalNames): Promise<void> {
  const { externalId: external_id = null, displayName: display_name = null } = names
  const { owner, kind, id } = named
  const display_key = display_name === null ? null : fold(display_name)
  const changed_at = Date.now()
  const row = { owner_id: owner, kind, resource_id: id, external_id, display_name, display_key, changed_at }
  if (external_id === null && display_name === null) await clearNames(trx, { ...named, changed_at })
  else await unlessTaken('external_names', 'SCIM-3', saveNames(trx, row))
}

/** The resource is deleted: a restored one has no names. */
export const removeExternalNamesOf = (trx: Trx, kind: NamedKind, id: number): Promise<unknown> =>
  trx.deleteFrom('external_names').where('kind', '=', kind).where('resource_id', '=', id).execute()

/** All names of a deleted owner. */
export const removeExternalNamesBy = (trx: Trx, owner: number): Promise<unknown> =>
  trx.deleteFrom('external_names').where('owner_id', '=', owner).execute()

import type { Db, Trx } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { unlessTaken } from '#lib/db/unique.server'

/*
 * The names that a directory has for users and roles here: its id and, of a user, the name that it shows. Each user under whom a directory
 * acts has names of their own.
 */

export type NamedKind = 'user' | 'role'
export type ExternalNames = { externalId?: string | undefined; displayName?: string | undefined }
type Named = { owner: number; kind: NamedKind; id: number }

/** Without a name the row is removed. Throws SCIM-3 if the owner has this external id for another resource. */
export async function setExternalNames(
  trx: Trx,
  { owner, kind, id }: Named,
  names: ExternalNames,
): Promise<void> {
  const { externalId: external_id = null, displayName: display_name = null } = names
  if (external_id === null && display_name === null) {
    await trx
      .deleteFrom('external_names')
      .where('owner_id', '=', owner)
      .where('kind', '=', kind)
      .where('resource_id', '=', id)
      .execute()
    return
  }
  const values = { external_id, display_name, display_key: display_name === null ? null : fold(display_name) }
  await unlessTaken(
    'external_names',
    'SCIM-3',
    trx
      .insertInto('external_names')
      .values({ owner_id: owner, kind, resource_id: id, ...values })
      .onConflict((same) => same.columns(['owner_id', 'kind', 'resource_id']).doUpdateSet(values))
      .execute(),
  )
}

/** The resource is deleted: a restored one has no names. */
export const removeExternalNamesOf = (trx: Trx, kind: NamedKind, id: number): Promise<unknown> =>
  trx.deleteFrom('external_names').where('kind', '=', kind).where('resource_id', '=', id).execute()

/** All names of a deleted owner. */
export const removeExternalNamesBy = (trx: Trx, owner: number): Promise<unknown> =>
  trx.deleteFrom('external_names').where('owner_id', '=', owner).execute()

/** The rows of an owner, for a join. */
export const externalNamesBy = (db: Db, owner: number, kind: NamedKind) =>
  db
    .selectFrom('external_names')
    .where('external_names.owner_id', '=', owner)
    .where('external_names.kind', '=', kind)

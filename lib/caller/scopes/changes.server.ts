import type { Change, Creation, Referring } from '#lib/caller/auth/context.server'
import { replaceEntities } from '#lib/caller/scopes/entities.server'
import { flagRefusals, parentFor, previewRemoval, previewUpdate } from '#lib/caller/scopes/preview.server'
import { requireNone } from '#lib/caller/scopes/refusals.server'
import type { ScopeDocument, ScopeInput } from '#lib/caller/scopes/scopes.schema'
import {
  findScope,
  type ScopeRow,
  scopeColumns,
  type scopeReferences,
  showScope,
} from '#lib/caller/scopes/scopes.server'
import { naturalKey } from '#lib/db/fold'
import { insertRow, unlessTaken } from '#lib/db/unique.server'

const columnsOf = (input: ScopeInput, parent: number | null) => ({
  ...scopeColumns.written(input),
  natural_key: naturalKey(input.name),
  parent_id: parent,
})

type Naming = Referring<typeof scopeReferences>

export async function createScope({
  caller,
  db,
  body,
  references: { parent: sent, entities },
}: Creation<ScopeInput> & Naming): Promise<ScopeDocument> {
  const parent = parentFor(caller, body, sent)
  requireNone(flagRefusals(caller, body, parent))
  const id = await unlessTaken('scopes', 'SCOPE-0', insertRow(db, 'scopes', columnsOf(body, parent)))
  await replaceEntities(db, id, { before: [], after: entities })
  return showScope(await findScope({ caller, db }, id), { caller, db })
}

export async function updateScope({
  caller,
  db,
  found: scope,
  body,
  references,
}: Change<ScopeRow, ScopeInput> & Naming): Promise<void> {
  const { refusals, after, entities } = await previewUpdate({ caller, db, references }, scope, body)
  requireNone(refusals)
  await unlessTaken(
    'scopes',
    'SCOPE-0',
    db
      .updateTable('scopes')
      .set(columnsOf(body, after?.parent ?? null))
      .where('id', '=', scope.id)
      .execute(),
  )
  await replaceEntities(db, scope.id, entities)
}

/** Templates that were shared through the scope become private to their enterprise. */
export async function removeScope({ caller, db, found: scope }: Change<ScopeRow>): Promise<void> {
  const { refusals } = await previewRemoval({ caller, db }, scope)
  requireNone(refusals)
  await db.updateTable('templates').set({ scope_id: null }).where('scope_id', '=', scope.id).execute()
  await db.deleteFrom('scope_entities').where('scope_id', '=', scope.id).execute()
  await db.deleteFrom('scopes').where('id', '=', scope.id).execute()
}

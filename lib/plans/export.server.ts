import type { ReadContext } from '#lib/auth/context.server'
import { database } from '#lib/db/db.server'
import type { Listing, Sections } from '#lib/http/render.server'
import { type ExportEntity, type ExportQuery, exportEntities } from '#lib/plans/plans.schema'
import { isReadable, presentOf, requireReadable } from '#lib/plans/present.server'
import { viewsOf } from '#lib/plans/tables.server'

async function* itemsOf(entity: ExportEntity, context: ReadContext): AsyncGenerator<object[]> {
  for await (const batch of presentOf(entity, context)) yield batch.map(({ item }) => item)
}

/** What the caller sees, by names: as a document, and one list as a table. Throws 403 for a list that they may not read. */
export async function exportCloud({
  caller,
  query: { entity },
}: ReadContext & { query: ExportQuery }): Promise<Sections & Pick<Listing, 'collection'>> {
  if (entity) requireReadable({ caller }, entity)
  const wanted = entity ? [entity] : exportEntities.filter((one) => isReadable({ caller }, one))
  const context = { caller, db: database().scan }
  return {
    sections: wanted.map((one) => ({ name: one, items: itemsOf(one, context) })),
    collection: entity ? viewsOf(entity, { caller, db: database().read }) : [],
  }
}

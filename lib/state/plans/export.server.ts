import type { ReadContext } from '#lib/caller/auth/context.server'
import { database } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Listing, Sections } from '#lib/ground/http/render.server'
import type { Context } from '#lib/record/events/operation.server'
import { type ExportEntity, type ExportQuery, exportEntities } from '#lib/state/plans/plans.schema'
import { isReadable, presentOf, requireReadable } from '#lib/state/plans/present.server'
import { viewsOf } from '#lib/state/plans/tables.server'

/** Milliseconds between two looks at the caller's privileges. */
const LOOK = 2000

type Batches = AsyncIterable<object[]>

/** Passes batches of an export on until the caller loses the right to read them: a slow client may take an hour. */
function whileReadable({ presentCaller }: Pick<Context, 'presentCaller'>) {
  let looked = performance.now()
  return async function* (entity: ExportEntity, batches: Batches): AsyncGenerator<object[]> {
    for await (const batch of batches) {
      if (performance.now() > looked + LOOK) {
        looked = performance.now()
        const caller = await presentCaller()
        if (!caller) throw new ApiError('403-FORBIDDEN')
        requireReadable({ caller }, entity)
      }
      yield batch
    }
  }
}

async function* itemsOf(entity: ExportEntity, context: ReadContext): AsyncGenerator<object[]> {
  for await (const batch of presentOf(entity, context)) yield batch.map(({ item }) => item)
}

/** The resources that the caller sees, by names: as a document, and one list as a table. Throws 403 for a list that they may not read. */
export async function exportCloud({
  caller,
  query: { entity },
  presentCaller,
}: Context & { query: ExportQuery }): Promise<Sections & Pick<Listing, 'collection'>> {
  if (entity) requireReadable({ caller }, entity)
  const wanted = entity ? [entity] : exportEntities.filter((one) => isReadable({ caller }, one))
  const context = { caller, db: database().scan }
  const readable = whileReadable({ presentCaller })
  return {
    sections: wanted.map((one) => ({
      name: one,
      items: readable(one, itemsOf(one, context)),
    })),
    collection: entity ? readable(entity, viewsOf(entity, { caller, db: database().read })) : [],
  }
}

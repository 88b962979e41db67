import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { MOST_PREFERENCES, type PreferencesInput, TOO_MANY } from '#lib/caller/preferences/preferences.schema'
import type { Db, Trx } from '#lib/db/db.server'
import { ApiError, fieldFault } from '#lib/ground/http/errors'
import { type LinkDocument, link } from '#lib/ground/http/view'

type PreferencesView = { links: LinkDocument[]; properties: Map<string, string> }

const preferencesOf = (db: Db, user: number) =>
  db.selectFrom('preferences').where('user_id', '=', user).select(['name', 'value']).orderBy('name')

async function findPreferences({ caller, db }: ReadContext): Promise<PreferencesView> {
  const rows = await preferencesOf(db, caller.id).execute()
  return {
    links: [link('edit', '/session/preferences', 'preferences')],
    properties: new Map(rows.map(({ name, value }) => [name, value])),
  }
}

export const preferencesTarget = {
  ids: {},
  find: findPreferences,
  view: (preferences: PreferencesView) => preferences,
}

/** Sets the named preferences and removes the empty ones. Throws CONSTR-MAX if there would be too many. */
export async function updatePreferences({
  caller,
  db,
  body,
}: WriteContext & { body: PreferencesInput }): Promise<PreferencesView> {
  const sent = Object.entries(body.properties)
  const removed = sent.flatMap(([name, value]) => (value === '' ? [name] : []))
  const set = sent.flatMap(([name, value]) => (value === '' ? [] : [{ user_id: caller.id, name, value }]))
  if (removed.length > 0)
    await db.deleteFrom('preferences').where('user_id', '=', caller.id).where('name', 'in', removed).execute()
  if (set.length > 0)
    await db
      .insertInto('preferences')
      .values(set)
      .onConflict((same) =>
        same.columns(['user_id', 'name']).doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })),
      )
      .execute()
  const view = await findPreferences({ caller, db })
  if (view.properties.size > MOST_PREFERENCES)
    throw new ApiError(fieldFault('CONSTR-MAX', 'properties', TOO_MANY))
  return view
}

export async function removePreferencesOf(trx: Trx, user: number): Promise<void> {
  await trx.deleteFrom('preferences').where('user_id', '=', user).execute()
}

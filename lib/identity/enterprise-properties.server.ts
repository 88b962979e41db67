import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import type { Note } from '#lib/events/operation.server'
import { type LinkDocument, link } from '#lib/http/view'
import type { EnterprisePropertiesInput } from '#lib/identity/identity.schema'
import { requireEnterprise } from '#lib/scopes/visibility.server'

type PropertiesView = { links: LinkDocument[]; properties: Map<string, string> }
type Path = { params: { enterprise: number } }

const propertiesOf = async ({ db }: ReadContext, enterprise: number): Promise<Map<string, string>> => {
  const { properties } = await db
    .selectFrom('enterprises')
    .where('id', '=', enterprise)
    .select('properties')
    .executeTakeFirstOrThrow()
  return new Map(Object.entries(JSON.parse(properties) as Record<string, string>))
}

/** Throws EN-0. */
export async function readProperties(asked: ReadContext & Path): Promise<PropertiesView> {
  const { id, name } = await requireEnterprise(asked, asked.params.enterprise)
  const path = `/admin/enterprises/${id}`
  return {
    links: [
      link('edit', `${path}/properties`, 'enterpriseproperties', name),
      link('enterprise', path, 'enterprise', name),
    ],
    properties: await propertiesOf(asked, id),
  }
}

/** Replaces all properties. They are stored in alphabetical order, so that equal properties give equal documents. */
export async function updateProperties(
  context: WriteContext & Path & { body: EnterprisePropertiesInput; note: Note },
): Promise<PropertiesView> {
  const { db, params, body, note } = context
  const { properties: before } = await readProperties(context)
  const after = new Map(Object.entries(body.properties).sort(([one], [other]) => (one < other ? -1 : 1)))
  await db
    .updateTable('enterprises')
    .set({ properties: JSON.stringify(Object.fromEntries(after)) })
    .where('id', '=', params.enterprise)
    .execute()
  noteProperties(note, before, after)
  return readProperties(context)
}

function noteProperties(note: Note, before: Map<string, string>, after: Map<string, string>): void {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)]
    if (was !== is) note(`properties.${key}`, was, is)
  }
}

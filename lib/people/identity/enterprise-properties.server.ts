import type { ReadContext, WriteContext } from '#lib/caller/auth/context.server'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { requireEnterprise } from '#lib/caller/scopes/visibility.server'
import { type LinkDocument, link } from '#lib/ground/http/view'
import type { EnterprisePropertiesInput } from '#lib/people/identity/identity.schema'
import type { Note } from '#lib/record/events/operation.server'

type PropertiesView = { links: LinkDocument[]; properties: Map<string, string> }
type Found = Awaited<ReturnType<typeof findProperties>>

/** Throws EN-0. */
async function findProperties(context: ReadContext, path: { enterprise: number }) {
  const { id, name } = await requireEnterprise(context, path.enterprise)
  const { properties } = await context.db
    .selectFrom('enterprises')
    .where('id', '=', id)
    .select('properties')
    .executeTakeFirstOrThrow()
  return { id, name, properties: new Map(Object.entries(JSON.parse(properties) as Record<string, string>)) }
}

function propertiesView({ id, name, properties }: Found): PropertiesView {
  const path = pathOf(kinds.enterprise, { id })
  return {
    links: [
      link('edit', `${path}/properties`, 'enterpriseproperties', name),
      link('enterprise', path, 'enterprise', name),
    ],
    properties,
  }
}

export const propertiesTarget = {
  ids: { enterprise: 'EN-0' },
  find: findProperties,
  view: propertiesView,
} as const

/** Replaces all properties. Stores them in alphabetical order, so that equal properties are equal documents. */
export async function updateProperties({
  db,
  found,
  body,
  note,
}: WriteContext & { found: Found; body: EnterprisePropertiesInput; note: Note }): Promise<void> {
  const after = new Map(Object.entries(body.properties).sort(([one], [other]) => (one < other ? -1 : 1)))
  await db
    .updateTable('enterprises')
    .set({ properties: JSON.stringify(Object.fromEntries(after)) })
    .where('id', '=', found.id)
    .execute()
  noteProperties(note, found.properties, after)
}

function noteProperties(note: Note, before: Map<string, string>, after: Map<string, string>): void {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)]
    if (was !== is) note(`properties.${key}`, was, is)
  }
}

import { idOf, PLATFORM, type Scene } from '#lib/tools/sample/scenes.server'
import * as story from '#lib/tools/sample/story'
import type { ApiDocument, Visit } from '#lib/tools/sample/visits.server'

const parentLink = (id: number) => ({ rel: 'scopeParent', href: `/api/admin/scopes/${id}` })

/** Scopes are made, renamed, moved and removed. */
export const scopeScenes = (): Scene[] => [
  ...story.madeScopes.map(({ day, name, parent }) => scene(day, (visit) => makeScope(visit, name, parent))),
  ...story.renamedScopes.map(({ day, from, to }) =>
    scene(day, (visit) => changeScope(visit, from, { name: to })),
  ),
  ...story.movedScopes.map(({ day, name, to }) =>
    scene(day, async (visit) => changeScope(visit, name, { links: [parentLink(await idOf('scopes', to))] })),
  ),
  scene(story.removedScope.day, async ({ send }) =>
    send('DELETE', `/admin/scopes/${await idOf('scopes', story.removedScope.name)}`),
  ),
]

const scene = (day: number, act: (visit: Visit) => Promise<unknown>): Scene => ({
  day,
  hour: 15,
  play: ({ visit }) => visit(PLATFORM, act),
})

/** A scope with everything that its parent holds. */
async function makeScope({ send }: Visit, name: string, parent: string): Promise<void> {
  const id = await idOf('scopes', parent)
  const { scopeEntities } = (await send('GET', `/admin/scopes/${id}`)) as ApiDocument & {
    scopeEntities: object[]
  }
  await send('POST', '/admin/scopes', { name, scopeEntities, links: [parentLink(id)] })
}

async function changeScope({ send }: Visit, name: string, change: object): Promise<void> {
  const path = `/admin/scopes/${await idOf('scopes', name)}`
  await send('PUT', path, { ...(await send('GET', path)), ...change })
}

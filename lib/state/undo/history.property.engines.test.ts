import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { call, expectStatus, unique } from '#lib/tools/testing/client'
import { command, newWorld, passMillisecond, snapshot, type World } from '#lib/tools/testing/histories'
import { networksPath } from '#lib/tools/testing/nat'
import { ipsPath } from '#lib/tools/testing/nat-rules'
import { create } from '#lib/tools/testing/resources'
import { search, searchTime } from '#lib/tools/testing/search'

/* Random histories: the state at a moment equals a snapshot of that moment, and undoing everything backwards leads to the beginning. */

/** Everything that can be read as it was. */
const watched = ({ mark, place, scopes, roles, natIps }: World): string[] => [
  ...scopes.map((id) => `/api/admin/scopes/${id}`),
  ...roles.map((id) => `/api/admin/roles/${id}`),
  ...natIps.map((id) => `${ipsPath(place.network)}/${id}`),
  `/api/admin/enterprises/${place.enterprise}`,
  `${networksPath(place.network.datacenter)}/${place.network.id}`,
  place.path,
  `/api/admin/scopes?has=${encodeURIComponent(mark)}`,
  `/api/admin/roles?has=${encodeURIComponent(mark)}`,
  `/api/admin/scopes/action/tree?has=${encodeURIComponent(mark)}`,
  networksPath(place.network.datacenter),
]

const lastEvent = async () =>
  (await expectStatus(200, call('GET', '/api/events?limit=1&by=id&asc=false'))).collection[0]

let world: World

beforeAll(async () => {
  world = await newWorld()
}, 60_000)

test('the state of a moment equals its snapshot, and undoing everything backwards leads to the beginning', {
  timeout: searchTime(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 6, maxLength: 12 }), async (commands) => {
      const moments = [passMillisecond()]
      const seen = [await snapshot(watched(world))]
      // A change that changes nothing has no event.
      let latest: number = (await lastEvent()).id
      const events: number[] = []
      for (const each of commands) {
        const [method, path, body] = each(world)
        const answer = await call(method, path, { ...(body && { body }) })
        expect(answer.status).toBeLessThan(500)
        if (!answer.ok) continue
        const { id } = await lastEvent()
        if (id !== latest) events.push(id)
        latest = id
        moments.push(passMillisecond())
        seen.push(await snapshot(watched(world)))
      }
      for (const [index, moment] of moments.entries())
        expect(await snapshot(watched(world), { moment })).toEqual(seen[index])
      const last = await undoAll(events.toReversed())
      expect(await snapshot(watched(world))).toEqual(seen[0])
      // Undo of each undo is the first change again.
      const again = await undoAll(last.toReversed())
      expect(await snapshot(watched(world))).toEqual(seen.at(-1))
      await undoAll(again.toReversed())
      expect(await snapshot(watched(world))).toEqual(seen[0])
    }),
    { ...search(3), endOnFailure: true },
  )
})

/** Undoes the events, and returns the events of the undos. */
async function undoAll(events: readonly number[]): Promise<number[]> {
  const undos: number[] = []
  for (const event of events)
    undos.push((await expectStatus(200, call('POST', `/api/events/${event}/action/undo`))).id)
  return undos
}

test('of two undos of one event at once, one wins', async () => {
  const scope = await create('/api/admin/scopes', { name: unique('Scope') })
  await expectStatus(200, call('PUT', `/api/admin/scopes/${scope.id}`, { body: { name: unique('Renamed') } }))
  const { id } = await lastEvent()
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', `/api/events/${id}/action/undo`)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
})

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { call, expectStatus, unique } from '#lib/tools/testing/client'
import { centerPath, privateIpsPath, refer } from '#lib/tools/testing/inventory'
import { networksPath } from '#lib/tools/testing/nat'
import {
  attachPath,
  ipsPath,
  type MachineWithIps,
  newMachineWithIps,
  releasePath,
} from '#lib/tools/testing/nat-rules'
import { create, linkTo } from '#lib/tools/testing/resources'
import { search, searchTime } from '#lib/tools/testing/search'

/* Random histories: the state at a moment equals a snapshot of that moment, and undoing everything backwards leads to the beginning. */

type Command = (world: World) => [method: string, path: string, body?: object]

type World = {
  mark: string
  place: MachineWithIps
  scopes: number[]
  roles: number[]
  natIps: number[]
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

const scopeBody = ({ mark, scopes, place }: World, [name, parent, holds]: [number, number, boolean]) => ({
  name: `${mark} scope ${name}`,
  scopeEntities: holds ? [{ idResource: place.enterprise, type: 'ENTERPRISE' }] : [],
  links: parent % 3 === 0 ? [] : [linkTo('scopeParent', `/admin/scopes/${pick(scopes, parent)}`)],
})

const ruleBody = ({ place }: World, port: number, natIp: number) => ({
  snat: false,
  protocol: 'TCP',
  originalPort: port,
  translatedPort: port,
  links: [
    refer('original', `${ipsPath(place.network)}/${natIp}`),
    refer('translated', `${privateIpsPath(place.center)}/${place.privateIps[0]}`),
  ],
})

const n = fc.nat({ max: 20 })

/** Some are refused, as in life. */
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(n, n, fc.boolean()).map(
    (of): Command =>
      (world) => ['POST', '/api/admin/scopes', scopeBody(world, of)],
  ),
  fc.tuple(n, n, n, fc.boolean()).map(
    ([at, ...of]): Command =>
      (world) => ['PUT', `/api/admin/scopes/${pick(world.scopes, at)}`, scopeBody(world, of)],
  ),
  n.map(
    (at): Command =>
      ({ scopes }) => ['DELETE', `/api/admin/scopes/${pick(scopes, at)}`],
  ),
  fc.tuple(n, n, fc.subarray([1, 2, 3, 4])).map(
    ([at, name, privileges]): Command =>
      ({ roles, mark }) => [
        'PUT',
        `/api/admin/roles/${pick(roles, at)}`,
        {
          name: `${mark} role ${name}`,
          links: privileges.map((id) => linkTo('privilege', `/config/privileges/${id}`)),
        },
      ],
  ),
  n.map(
    (at): Command =>
      ({ roles }) => ['DELETE', `/api/admin/roles/${pick(roles, at)}`],
  ),
  n.map(
    (name): Command =>
      ({ place, mark }) => [
        'PUT',
        `/api/admin/enterprises/${place.enterprise}`,
        { name: `${mark} enterprise ${name}`, twoFactorAuthenticationMandatory: false },
      ],
  ),
  n.map(
    (name): Command =>
      ({ place, mark }) => [
        'PUT',
        `/api/admin/datacenters/${place.network.datacenter}`,
        { name: `${mark} datacenter ${name}`, location: `${name % 3}` },
      ],
  ),
  fc.tuple(n, fc.boolean(), fc.boolean()).map(
    ([at, available, quarantine]): Command =>
      ({ natIps, place }) => [
        'PUT',
        `${ipsPath(place.network)}/${pick(natIps, at)}`,
        { available, quarantine },
      ],
  ),
  n.map(
    (at): Command =>
      ({ natIps, place }) => ['PUT', attachPath(place.center, pick(natIps, at))],
  ),
  n.map(
    (at): Command =>
      ({ natIps, place }) => ['PUT', releasePath(place.center, pick(natIps, at))],
  ),
  n.map(
    (at): Command =>
      ({ natIps, place }) => [
        'PUT',
        `${centerPath(place.center)}/natips/${pick(natIps, at)}`,
        { defaultSnat: true },
      ],
  ),
  n.map(
    (at): Command =>
      ({ natIps, place }) => ['DELETE', `${ipsPath(place.network)}/${pick(natIps, at)}`],
  ),
  fc.constant<Command>(({ place }) => ['POST', ipsPath(place.network), { numips: 3 }]),
  fc.tuple(n, n).map(
    ([port, at]): Command =>
      (world) => ['POST', `${world.place.path}/natrules`, ruleBody(world, 80 + port, pick(world.natIps, at))],
  ),
  fc.tuple(n, n).map(
    ([port, at]): Command =>
      (world) => [
        'PUT',
        world.place.path,
        { name: 'Machine', label: `${port}`, natrules: [ruleBody(world, 80 + port, pick(world.natIps, at))] },
      ],
  ),
)

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

const at = (path: string, moment: string | undefined): string =>
  moment === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}asof=${moment}`

/** The documents, without the links to other pages, which name the moment. */
async function snapshot(world: World, moment?: string): Promise<unknown[]> {
  const states: unknown[] = []
  for (const path of watched(world)) {
    const answer = await call('GET', at(path, moment))
    const text = await answer.text()
    const { collection, links, ...document } = JSON.parse(text)
    states.push([path, answer.status, collection ?? links, document])
  }
  return states
}

const lastEvent = async () =>
  (await expectStatus(200, call('GET', '/api/events?limit=1&by=id&asc=false'))).collection[0]

let world: World

beforeAll(async () => {
  const mark = unique('History').replaceAll(' ', '')
  const place = await newMachineWithIps()
  const scopes: number[] = []
  const roles: number[] = []
  for (const number of [1, 2, 3]) {
    scopes.push((await create('/api/admin/scopes', { name: `${mark} first ${number}` })).id)
    roles.push((await create('/api/admin/roles', { name: `${mark} first ${number}` })).id)
  }
  const { collection } = await expectStatus(200, call('GET', `${ipsPath(place.network)}?all=true&limit=6`))
  world = { mark, place, scopes, roles, natIps: collection.map(({ id }: { id: number }) => id) }
}, 60_000)

/** The next event is in another millisecond, which `asof` can distinguish. */
function passMillisecond(): string {
  const now = Date.now()
  while (Date.now() === now);
  return new Date(now).toISOString()
}

test('the state of a moment equals its snapshot, and undoing everything backwards leads to the beginning', {
  timeout: searchTime(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 6, maxLength: 12 }), async (commands) => {
      const moments = [passMillisecond()]
      const seen = [await snapshot(world)]
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
        seen.push(await snapshot(world))
      }
      for (const [index, moment] of moments.entries())
        expect(await snapshot(world, moment)).toEqual(seen[index])
      const last = await undoAll(events.toReversed())
      expect(await snapshot(world)).toEqual(seen[0])
      // Undo of each undo is the first change again.
      const again = await undoAll(last.toReversed())
      expect(await snapshot(world)).toEqual(seen.at(-1))
      await undoAll(again.toReversed())
      expect(await snapshot(world)).toEqual(seen[0])
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

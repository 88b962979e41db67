import fc from 'fast-check'
import { sql } from 'kysely'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, type User, unique } from '#lib/tools/testing/client'
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

/* Random histories of one place: changes through the front door, and snapshots of what can be read as it was. */

export type Command = (world: World) => [method: string, path: string, body?: object]

export type World = {
  mark: string
  place: MachineWithIps
  scopes: number[]
  roles: number[]
  natIps: number[]
}

export const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

const scopeBody = ({ mark, scopes, place }: World, [name, parent, holds]: [number, number, boolean]) => ({
  name: `${mark} scope ${name}`,
  scopeEntities: holds ? [{ idResource: place.enterprise, type: 'ENTERPRISE' }] : [],
  links: parent % 3 === 0 ? [] : [linkTo('scopeParent', `/admin/scopes/${pick(scopes, parent)}`)],
})

const ruleBody = ({ place }: World, port: number, natIp: number) => ({
  snat: false,
  protocol: 'TCP',
  tags: port % 2 === 0 ? ['web'] : [],
  originalPort: port,
  translatedPort: port,
  links: [
    refer('original', `${ipsPath(place.network)}/${natIp}`),
    refer('translated', `${privateIpsPath(place.center)}/${place.privateIps[0]}`),
  ],
})

export const n = fc.nat({ max: 20 })

/** Some are refused, as in life. */
export const command: fc.Arbitrary<Command> = fc.oneof(
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
        {
          available,
          quarantine,
          description: `line ${at}\nsecond`,
          tags: available ? ['web', 'other'] : ['Web'],
        },
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
  fc.tuple(n, fc.boolean()).map(
    ([port, enabled]): Command =>
      ({ place }) => [
        'POST',
        `${networksPath(place.network.datacenter)}/action/changerules`,
        { filter: `has=192.0.2.${port}`, enabled },
      ],
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

/** The address of a document at a moment. */
const at = (path: string, moment: string | undefined): string =>
  moment === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}asof=${moment}`

/** Fields that come from reports of gateways, which have no past. */
const reported = new Set(['deviceState', 'packets', 'bytes', 'status'])

const withoutReports = (text: string) =>
  JSON.parse(text, (key, value) => (reported.has(key) ? undefined : value))

/** The documents at these paths, without the links to other pages, which name the moment. */
export async function snapshot(
  paths: readonly string[],
  { moment, as }: { moment?: string | undefined; as?: User } = {},
): Promise<unknown[]> {
  const states: unknown[] = []
  for (const path of paths) {
    const answer = await call('GET', at(path, moment), { ...(as && { as }) })
    const { collection, links, ...document } = withoutReports(await answer.text())
    states.push([path, answer.status, collection ?? links, document])
  }
  return states
}

export async function newWorld(): Promise<World> {
  const mark = unique('History').replaceAll(' ', '')
  const place = await newMachineWithIps()
  const scopes: number[] = []
  const roles: number[] = []
  for (const number of [1, 2, 3]) {
    scopes.push((await create('/api/admin/scopes', { name: `${mark} first ${number}` })).id)
    roles.push((await create('/api/admin/roles', { name: `${mark} first ${number}` })).id)
  }
  const { collection } = await expectStatus(200, call('GET', `${ipsPath(place.network)}?all=true&limit=6`))
  return { mark, place, scopes, roles, natIps: collection.map(({ id }: { id: number }) => id) }
}

/** The next event is in another millisecond, which `asof` can distinguish. */
export function passMillisecond(): string {
  const now = Date.now()
  const began = performance.now()
  while (Date.now() === now) if (performance.now() - began > 1000) throw new Error('The clock is stopped')
  return new Date(now).toISOString()
}

const HOUR = 3_600_000_000

/**
 * As if the last change of the row had been made two hours ago. The journal's clock never goes back, so it may be ahead of the machine's after
 * tests that set the time.
 */
export const age = (source: string, id: number): Promise<unknown> =>
  transaction((trx) =>
    sql`update past_rows set until = until - (
      select max(until) - ${Date.now() * 1000 - 2 * HOUR} from past_rows where source = ${source} and id = ${id}
    ) where source = ${source} and id = ${id}`.execute(trx),
  )

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { routeOf } from '#lib/tools/testing/conformance'
import {
  type Command,
  command,
  n,
  newWorld,
  passMillisecond,
  pick,
  snapshot,
  type World,
} from '#lib/tools/testing/histories'
import {
  appliancesPath,
  centerPath,
  privateIpsPath,
  refer,
  templatesPath,
} from '#lib/tools/testing/inventory'
import { networksPath } from '#lib/tools/testing/nat'
import { ipsPath } from '#lib/tools/testing/nat-rules'
import { create } from '#lib/tools/testing/resources'
import { newScope } from '#lib/tools/testing/scopes'
import { search, searchTime, swept } from '#lib/tools/testing/search'

/* Random histories: each list at a moment is the list that was read at that moment, with its filters and in its orders. */

type Past = World & {
  users: number[]
  networks: string
  device: string
  limited: User
  /** Users move there and back. */
  elsewhere: number
}

const nameOf = (mark: string, name: number) => `${mark} ${name}`

const tagsAt = (mark: string, at: number): string[] => (at % 2 === 0 ? [mark] : [mark, 'other'])

/** Changes of what the histories of undo leave alone. */
const others: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(n, fc.boolean(), fc.boolean()).map(
    ([at, active, locked]): Command =>
      (world) => {
        const { users, place, mark } = world as Past
        const id = pick(users, at)
        const path = `/api/admin/enterprises/${place.enterprise}/users/${id}`
        const links = [refer('role', `/api/admin/roles/${pick(world.roles, at)}`)]
        const ends = `209${at % 3}-01-01T00:00:00Z`
        return [
          'PUT',
          path,
          {
            nick: `${mark.toLowerCase()}${id}`,
            name: nameOf(mark, at),
            active,
            locked,
            ends,
            links,
            tags: active ? [mark, 'other'] : [],
          },
        ]
      },
  ),
  fc.tuple(n, fc.boolean()).map(
    ([at, isBack]): Command =>
      (world) => {
        const { users, place, mark, elsewhere } = world as Past
        const id = pick(users, at)
        const links = [
          refer('role', `/api/admin/roles/${pick(world.roles, at)}`),
          refer('enterprise', `/api/admin/enterprises/${isBack ? place.enterprise : elsewhere}`),
        ]
        const nick = `${mark.toLowerCase()}${id}`
        return ['PUT', `/api/admin/enterprises/_/users/${id}`, { nick, name: nameOf(mark, at), links }]
      },
  ),
  n.map(
    (at): Command =>
      (world) => [
        'PUT',
        (world as Past).device,
        { name: nameOf(world.mark, at), links: [], tags: tagsAt(world.mark, at) },
      ],
  ),
  n.map(
    (at): Command =>
      ({ mark, place }) => [
        'PUT',
        centerPath(place.center),
        {
          name: nameOf(mark, at),
          tags: tagsAt(mark, at),
          links: [refer('enterprise', `/api/admin/enterprises/${place.enterprise}`)],
        },
      ],
  ),
  n.map(
    (at): Command =>
      ({ place, natIps }) => [
        'PUT',
        `${centerPath(place.center)}/natips/${pick(natIps, at)}`,
        { defaultSnat: false, ends: `209${at % 3}-01-01T00:00:00Z` },
      ],
  ),
  n.map(
    (at): Command =>
      ({ mark, place }) => [
        'POST',
        appliancesPath(place.center),
        { name: nameOf(mark, at), tags: tagsAt(mark, at) },
      ],
  ),
  n.map(
    (at): Command =>
      ({ place }) => ['POST', privateIpsPath(place.center), { ip: `10.0.0.${at + 3}` }],
  ),
  n.map(
    (at): Command =>
      ({ mark, place }) => [
        'POST',
        templatesPath(place.enterprise, place.network.datacenter),
        { name: nameOf(mark, at), tags: tagsAt(mark, at) },
      ],
  ),
)

const orders = {
  ips: ['ip', 'network', 'available', 'quarantine', 'virtualdatacenter', 'enterprise'],
  rules: ['ip', 'protocol', 'originalport', 'translatedport', 'snat', 'virtualmachine'],
}

const inOrders = (path: string, names: readonly string[]) =>
  names.flatMap((by) => [`${path}&by=${by}`, `${path}&by=${by}&asc=false&startwith=2&limit=3`])

/** The filters of NAT IPs. */
const ipFilters = ({ place }: World) => [
  ...['free', 'attached', 'quarantine', 'unavailable'].map((state) => `state=${state}`),
  'all=true&limit=0',
  'available=false',
  'quarantine=true&all=true',
  'attached=true',
  'attached=false&all=true',
  'snatdefault=true',
  'has=2.1',
  'has=192.0.2.3',
  'address=192.0.2.4',
  'within=192.0.2.2-192.0.2.5&all=true',
  'within=192.0.2.0/29',
  `enterprise=${place.enterprise}&all=true`,
  `virtualdatacenter=${place.center}`,
  'changed=<1h&all=true',
  'changed=>1h&all=true',
  'rules=>0&all=true',
  'rules=<1',
  'tag=web&all=true',
  'tag=WEB&tag=other',
  'endsbefore=2091-06-01T00:00:00Z&all=true',
]

const machineOf = ({ path }: World['place']): number => Number(path.split('/').at(-1))

const ruleFilters = ({ place }: World) => [
  '',
  'snat=true',
  'snat=false&limit=0',
  'protocol=TCP',
  'enabled=false',
  'tag=web',
  'endsbefore=2091-06-01T00:00:00Z',
  'has=machine',
  'has=192.0.2.1',
  'within=192.0.2.1-192.0.2.3',
  `enterprise=${place.enterprise}`,
  `virtualmachine=${machineOf(place)}`,
  'changed=<1h',
  'changed=>1h',
]

const natLists = (world: Past): string[] => {
  const { network } = world.place
  const { networks } = world
  const all = '/api/admin/natnetworks'
  const own = `datacenter=${network.datacenter}`
  return [
    ...ipFilters(world).flatMap((filter) => [
      `${ipsPath(network)}?${filter}`,
      `${networks}/action/allips?${filter}`,
      `${all}/action/allips?${own}&${filter}`,
      `${networks}/action/ipstates?${filter.replace('&limit=0', '')}`,
      `${all}/action/ipstates?${own}&${filter.replace('&limit=0', '')}`,
      `${networks}/action/ipposition?ip=192.0.2.4&${filter}`,
      `${all}/action/ipposition?ip=192.0.2.4&asc=false&${own}&${filter}`,
    ]),
    ...inOrders(`${ipsPath(network)}?all=true`, orders.ips),
    ...inOrders(`${networks}/action/allips?all=true`, orders.ips),
    `${networks}/action/ipposition?ip=192.0.2.7&all=true`,
    `${networks}/action/ipposition?ip=192.0.2.3&attached=true`,
    `${all}/action/ipposition?ip=192.0.2.7&${own}`,
    ...ruleFilters(world).flatMap((filter) => [
      `${networks}/${network.id}/rules?${filter}`,
      `${networks}/action/allrules?${filter}`,
      `${all}/action/allrules?${own}&${filter}`,
    ]),
    ...inOrders(`${networks}/${network.id}/rules?snat=false`, orders.rules),
    `${networks}/${network.id}/action/addressmap`,
    `${networks}/${network.id}/action/addressmap?block=192.0.2.0/28`,
    ...networkFilters.flatMap((filter) => [`${networks}?${filter}`, `${all}?${own}&${filter}`]),
    `${networks}?device=${world.device.split('/').at(-1)}`,
    `${networks}/${network.id}`,
    ...['allips?limit=3', 'ipstates?all=false', 'ipposition?ip=192.0.2.3', 'allrules?limit=3'].flatMap(
      (list) => [networks, all].map((path) => `${path}/action/${list}&network=${network.id}`),
    ),
    `${all}/action/use?has=${encodeURIComponent(world.mark)}`,
    ...['', '/purchased', '/topurchase'].map(
      (list) => `${centerPath(world.place.center)}/natips${list}?by=ip`,
    ),
    ...['/natips', '/natips/purchased'].flatMap((list) =>
      ['usable=true', 'freefor=TCP:81', 'snatdefault=true', 'endsbefore=2091-06-01T00:00:00Z'].map(
        (filter) => `${centerPath(world.place.center)}${list}?${filter}`,
      ),
    ),
    `/api/cloud/natips?virtualdatacenter=${world.place.center}`,
    `/api/cloud/natips?virtualdatacenter=${world.place.center}&within=192.0.2.0-192.0.2.3&by=enterprise`,
    `/api/cloud/natips?virtualdatacenter=${world.place.center}&endsbefore=2091-06-01T00:00:00Z`,
    `${centerPath(world.place.center)}/natips/topurchase?by=network`,
    ...['/natips', '/natips/purchased', '/natips/topurchase'].map(
      (list) => `${centerPath(world.place.center)}${list}?tag=web`,
    ),
    `/api/cloud/natips?virtualdatacenter=${world.place.center}&tag=WEB`,
    ...world.natIps.flatMap((id) => [
      `${ipsPath(network)}/${id}`,
      ...[
        '',
        'snat=false',
        'protocol=TCP',
        'has=192',
        'within=192.0.2.0/30',
        'overlaps=TCP:80-81',
        'tag=web',
      ].map((filter) => `${ipsPath(network)}/${id}/rules?${filter}`),
      `${centerPath(world.place.center)}/natips/${id}`,
      `${centerPath(world.place.center)}/natips/${id}/rules?snat=true&tag=web`,
      `${centerPath(world.place.center)}/natips/${id}/rules?overlaps=TCP:80-81`,
    ]),
  ]
}

const networkFilters = [
  'by=use',
  'by=cidr&asc=false',
  'has=192',
  'overlaps=192.0.2.0/28',
  'overlaps=198.51.100.0/24',
  'rules=>0',
  'rules=<2',
  'used=<40',
  'used=>10',
  'changed=<1h',
]

const otherLists = (world: Past): string[] => {
  const { place, mark, users, device } = world
  const { datacenter } = place.network
  const users_ = `/api/admin/enterprises/${place.enterprise}/users`
  const appliance = place.path.slice(0, place.path.indexOf('/virtualmachines'))
  const has = `has=${encodeURIComponent(mark)}`
  return [
    users_,
    `${users_}?by=name&asc=false`,
    `${users_}?active=false`,
    `${users_}?locked=true`,
    `${users_}?endsbefore=2091-06-01T00:00:00Z`,
    `${users_}?role=${world.roles[0]}`,
    `/api/admin/enterprises/_/users?${has.toLowerCase()}`,
    ...users.map((id) => `${users_}/${id}`),
    `/api/admin/enterprises?${has}`,
    `/api/admin/datacenters?${has}`,
    `/api/admin/datacenters/${datacenter}`,
    `/api/cloud/locations?${has}`,
    `/api/cloud/locations/${datacenter}`,
    `/api/cloud/locations/${datacenter}/devices`,
    device,
    '/api/cloud/devices?limit=0',
    `/api/cloud/virtualdatacenters?enterprise=${place.enterprise}`,
    centerPath(place.center),
    appliancesPath(place.center),
    appliance,
    `${appliance}/virtualmachines`,
    `${place.path}/natrules`,
    `${place.path}/natrules?snat=true`,
    `${place.path}/natrules?tag=web`,
    `${place.path}/natrules?overlaps=ANY:80`,
    '/api/cloud/virtualmachines?limit=0',
    privateIpsPath(place.center),
    `${privateIpsPath(place.center)}?has=10.0.0.5`,
    `${privateIpsPath(place.center)}/${place.privateIps[0]}`,
    templatesPath(place.enterprise, datacenter),
    ...scopeLists(world),
    ...['twofactor=false', 'service=false', 'changed=<1h', `idScope=${world.scopes[0]}`].map(
      (filter) => `${users_}?${filter}`,
    ),
    ...users.flatMap((id) =>
      ['', '?changed=<1h'].map((filter) => `${users_}/${id}/action/virtualmachines${filter}`),
    ),
    ...['datacenters', 'enterprises'].map((list) => `/api/admin/${list}?${has}&changed=<1h`),
    `/api/admin/enterprises/${place.enterprise}`,
    `/api/admin/enterprises?${has}&idScope=1`,
    `/api/cloud/locations/${datacenter}/devices?changed=<1h&nat=true`,
    '/api/cloud/devices?changed=<1h&nat=true',
    ...[appliancesPath(place.center), `${appliance}/virtualmachines`].map((list) => `${list}?changed=<1h`),
    ...[`datacenter=${datacenter}`, `device=${device.split('/').at(-1)}`, 'changed=<1h'].map(
      (filter) => `/api/cloud/virtualdatacenters?${filter}`,
    ),
    ...['state=ON', 'vmlabel=7', 'changed=<1h', `enterprise=${place.enterprise}`, `datacenter=${datacenter}`]
      .concat(`virtualdatacenter=${place.center}`, `user=${users[0]}`)
      .map((filter) => `/api/cloud/virtualmachines?${filter}`),
    place.path,
  ]
}

const scopeLists = ({ mark, scopes, roles, place }: World): string[] => {
  const has = `has=${encodeURIComponent(mark)}`
  const filters = [has, `${has}&changed=<1h`, `${has}&enterprise=${place.enterprise}`]
  return [
    ...filters.flatMap((filter) => [
      `/api/admin/scopes?${filter}&by=id&asc=false`,
      `/api/admin/scopes/action/tree?${filter}`,
    ]),
    ...scopes.flatMap((id) => [
      `/api/admin/scopes/${id}`,
      `/api/admin/scopes/action/tree?parent=${id}`,
      `/api/admin/scopes/action/tree?scope=${id}`,
    ]),
    ...['changed=<1h', `identerprise=${place.enterprise}`, `idScope=${scopes[0]}`].map(
      (filter) => `/api/admin/roles?${has}&${filter}`,
    ),
    ...roles.flatMap((id) => [`/api/admin/roles/${id}`, `/api/admin/roles/${id}/action/privileges`]),
  ]
}

/** The lists of everything that has tags, by a tag. */
const taggedLists = ({ place, mark, users, networks }: Past): string[] =>
  [
    ...['scopes', 'scopes/action/tree', 'roles', 'enterprises', 'datacenters', 'natnetworks'].map(
      (list) => `/api/admin/${list}`,
    ),
    `/api/admin/enterprises/${place.enterprise}/users`,
    `/api/admin/enterprises/${place.enterprise}/users/${users[0]}/action/virtualmachines`,
    networks,
    '/api/cloud/devices',
    `/api/cloud/locations/${place.network.datacenter}/devices`,
    '/api/cloud/virtualdatacenters',
    '/api/cloud/virtualmachines',
    appliancesPath(place.center),
    `${place.path.slice(0, place.path.indexOf('/virtualmachines'))}/virtualmachines`,
    templatesPath(place.enterprise, place.network.datacenter),
  ].flatMap((list) => [
    `${list}?tag=${encodeURIComponent(mark)}`,
    `${list}?tag=other&tag=${encodeURIComponent(mark)}`,
  ])

/** Lists that are offered as tables. That of rules has reports of gateways, which have no past. */
const tables = (world: Past): string[] => {
  const has = `has=${encodeURIComponent(world.mark)}`
  return [
    ...['scopes', 'roles', 'enterprises', 'datacenters'].map((list) => `/api/admin/${list}?${has}`),
    `/api/admin/roles?${has}&limit=0`,
    `/api/admin/scopes?${has}&limit=0`,
    `/api/admin/enterprises/${world.place.enterprise}/users?limit=0`,
    world.networks,
    `${ipsPath(world.place.network)}?all=true&limit=0`,
  ]
}

let world: Past

beforeAll(async () => {
  const first = await newWorld()
  const { place } = first
  const users: number[] = []
  const path = `/api/admin/enterprises/${place.enterprise}/users`
  for (let made = 0; made < 3; made += 1) {
    const nick = unique('user').replaceAll(' ', '').toLowerCase()
    const links = [refer('role', `/api/admin/roles/${pick(first.roles, made)}`)]
    users.push((await create(path, { nick, name: 'Ann', password: 'a long enough secret', links })).id)
  }
  const { id: scopeId } = await newScope({ datacenters: [place.network.datacenter] })
  const networks = networksPath(place.network.datacenter)
  const network = await expectStatus(200, call('GET', `${networks}/${place.network.id}`))
  const { href } = network.links.find(({ rel }: { rel: string }) => rel === 'device')
  const limited = await newUser({ scopeId, privileges: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_ENUMERATE'] })
  const elsewhere = (await newEnterprise()).id
  world = { ...first, users, networks, device: new URL(href).pathname, limited, elsewhere }
}, 60_000)

/** A tenth of the lists a day: each is read twice for each change of the history. */
const PART = 10

/** The administrator's lists, and those of a caller who sees another enterprise alone. */
const readBy = async (moment?: string) => [
  ...(await snapshot(swept([...natLists(world), ...otherLists(world), ...taggedLists(world)], PART), {
    moment,
  })),
  ...(await snapshot(swept(natLists(world), PART), { moment, as: world.limited })),
  ...(await snapshotTables(swept(tables(world)), moment)),
]

/** As `snapshot`, of tables: their rows are made when they are sent. */
async function snapshotTables(paths: readonly string[], moment?: string): Promise<unknown[]> {
  const read: unknown[] = []
  for (const path of paths) {
    const at = moment === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}asof=${moment}`
    const table = await call('GET', at, { headers: { accept: 'text/csv' } })
    read.push([path, table.status, await table.text()])
  }
  return read
}

/** What is not in the histories: a finding that is set aside, a template by its id, and single rules, which have no ids before they are made. */
const unread = [
  '/api/admin/datacenters/[datacenter]/setasides/[setaside]',
  '/api/admin/enterprises/[enterprise]/datacenterrepositories/[datacenter]/virtualmachinetemplates/[virtualmachinetemplate]',
  '/api/cloud/virtualdatacenters/[virtualdatacenter]/virtualappliances/[virtualappliance]/virtualmachines/[virtualmachine]/natrules/[natrule]',
]

/** Filters that have no past, and those of rules that the rules of one NAT IP or machine share with the lists of all. */
const unfiltered = ['faulty', 'fillswithin', 'faults']

test('the search reads every list and document that has a past, by each of its filters', async () => {
  const routes = (await loadRoutes()).filter(({ handlers }) => {
    const spec = handlers.GET?.spec
    return spec?.kind === 'reads' && spec.asOf
  })
  const paths = [...natLists(world), ...otherLists(world), ...taggedLists(world)]
  const asked = new Map<string, Set<string>>()
  for (const path of paths) {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const name = routeOf(routes, pathname)?.path ?? ''
    asked.set(name, new Set([...(asked.get(name) ?? []), ...searchParams.keys()]))
  }
  const missing = routes
    .filter(({ path }) => !unread.includes(path))
    .flatMap(({ path, handlers }) => {
      const spec = handlers.GET?.spec
      const names = asked.get(path)
      const query = spec?.kind === 'reads' ? Object.keys(spec.query?.shape ?? {}) : []
      const filters = query.filter((name) => !['startwith', 'limit', 'by', 'asc', 'has'].includes(name))
      const absent = filters.filter((name) => !unfiltered.includes(name) && !names?.has(name))
      return names ? absent.map((name) => `${path}?${name}`) : [path]
    })
  expect(missing).toEqual([])
})

test('each list at a moment is the list that was read then', { timeout: searchTime(240_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(command, others), { minLength: 4, maxLength: 8 }),
      async (commands) => {
        const moments = [passMillisecond()]
        const read = [await readBy()]
        for (const each of commands) {
          const [method, path, body] = each(world)
          const answer = await call(method, path, { ...(body && { body }) })
          expect(answer.status).toBeLessThan(500)
          if (!answer.ok) continue
          moments.push(passMillisecond())
          read.push(await readBy())
        }
        for (const [index, moment] of moments.entries())
          for (const [place, state] of (await readBy(moment)).entries()) {
            const then = read[index]?.[place]
            if (JSON.stringify(state) === JSON.stringify(then)) continue
            // Says what differs, unless it is the order of fields.
            expect(state).toEqual(then)
            expect(JSON.stringify(state)).toBe(JSON.stringify(then))
          }
      },
    ),
    { ...search(1), endOnFailure: true },
  )
})

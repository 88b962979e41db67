import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventDocument } from '#lib/record/events/events.schema'
import { loadRoutes, type Route } from '#lib/request/pipeline/routes.server'
import { newAccessToken } from '#lib/tools/testing/access-tokens'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  unique,
} from '#lib/tools/testing/client'
import { routeOf } from '#lib/tools/testing/conformance'
import { centerPath, nicLink, privateIpsPath, refer } from '#lib/tools/testing/inventory'
import { ipOf, networksPath } from '#lib/tools/testing/nat'
import { attachPath, ipsPath, newMachineWithIps, newTenIps, releasePath } from '#lib/tools/testing/nat-rules'
import { create, linkTo, ownPath, type Resource, resources } from '#lib/tools/testing/resources'
import { newScope } from '#lib/tools/testing/scopes'
import { hasItsDay } from '#lib/tools/testing/search'
import { newWebhook } from '#lib/tools/testing/webhooks'

/* Each operation with an event is done and undone, and the whole documents are compared. */

let routes: Route[]
let all: Resource[]
const undone = new Set<string>()
/** The last event of other tests. */
let before: number

beforeAll(async () => {
  routes = await loadRoutes()
  all = await resources()
  before = (await lastEvent())?.id ?? 0
}, 60_000)

const read = (path: string) => expectStatus(200, call('GET', path))

/** The documents at these paths; 404 for missing ones. */
const statesOf = async (paths: readonly string[]): Promise<unknown[]> => {
  const states: unknown[] = []
  for (const path of paths) {
    const answer = await call('GET', path)
    states.push(answer.status === 404 ? 404 : await expectStatus(200, answer))
  }
  return states
}

const lastEvent = async () => (await read('/api/events?limit=1&by=id&asc=false')).collection[0]

const undoPath = (id: number): string => `/api/events/${id}/action/undo`

type States = { was: unknown[]; is: unknown[]; paths: readonly string[] }

/**
 * A user with every privilege, who sees the linked enterprises and datacenters but not other scopes with their content, undoes the event,
 * or is refused and changes nothing. Returns the event whose undo restores the former state.
 */
async function tryInPart(event: { id: number }, { was, is, paths }: States): Promise<{ id: number }> {
  const linked = JSON.stringify([event, was, is])
  const enterprises = await existing('/api/admin/enterprises', linked.matchAll(/\/enterprises\/(\d+)/g))
  const datacenters = await existing(
    '/api/admin/datacenters',
    linked.matchAll(/\/(?:datacenters|locations)\/(\d+)/g),
  )
  const { id: scopeId } = await newScope({ enterprises, datacenters })
  const answer = await call('POST', undoPath(event.id), { as: await newUser({ scopeId }) })
  if (answer.status === 200) {
    expect(await statesOf(paths)).toEqual(was)
    return expectStatus(200, call('POST', undoPath((await expectStatus(200, answer)).id)))
  }
  const refused = [answer.status, ...new Set(await codesOf(answer))].join(' ')
  expect(['404 EVENT-0', '409 UNDO-1', '403 GEN-15']).toContain(refused)
  expect(await statesOf(paths)).toEqual(is)
  return event
}

/** The ids of the matches that the list finds. */
async function existing(list: string, matches: Iterable<RegExpExecArray>): Promise<number[]> {
  const ids = [...new Set([...matches].map(([, id]) => Number(id)))]
  const answers = await Promise.all(ids.map((id) => call('GET', `${list}/${id}`)))
  return ids.filter((_, index) => answers[index]?.status === 200)
}

/** Runs the operation, undoes it, undoes the undo, and undoes that: the documents follow. Returns the operation's response. */
async function thereAndBack(
  method: string,
  path: string,
  { body, watch }: { body?: object; watch: (answer: { links?: [] }) => readonly string[] },
) {
  const before = await statesOf(watch({}))
  const answer = await call(method, path, { ...(body && { body }) })
  const document = answer.status === 204 ? {} : await expectStatus(answer.status, answer)
  expect([method, path, answer.status, document]).toEqual([
    method,
    path,
    expect.toBeOneOf([200, 201, 204]),
    document,
  ])
  const paths = watch(document)
  const was = paths.map((_, index) => before[index] ?? 404)
  const is = await statesOf(paths)
  expect(is).not.toEqual(was)
  const event = await tryInPart(await lastEvent(), { was, is, paths })
  const dry = await expectStatus(200, call('POST', `${undoPath(event.id)}?dryrun=true`))
  expect(await statesOf(paths)).toEqual(is)
  const undo = await expectStatus(200, call('POST', undoPath(event.id)))
  expect(dry).toMatchObject({ action: undo.action, entityName: undo.entityName, changes: undo.changes })
  expect(await statesOf(paths)).toEqual(was)
  const again = await expectStatus(200, call('POST', undoPath(undo.id)))
  expect(await statesOf(paths)).toEqual(is)
  await expectStatus(200, call('POST', undoPath(again.id)))
  expect(await statesOf(paths)).toEqual(was)
  undone.add(`${method} ${routeOf(routes, path)?.path}`)
  return document
}

/** A change of each field that can be changed freely. */
const changed: Record<string, object> = {
  natip: { available: true, quarantine: false },
  privateip: { mac: '52:54:00:00:00:99' },
  user: { name: 'Another', description: '', allowedCIDRs: ['192.0.2.0/24'], active: false },
  device: { description: 'another', endpoint: '' },
  datacenter: { location: 'elsewhere' },
  enterprise: { twoFactorAuthenticationMandatory: false },
  virtualmachine: { label: 'Another', state: 'ON' },
  natsetaside: { reason: 'another reason' },
}

const kinds = [
  'scope',
  'datacenter',
  'device',
  'natnetwork',
  'natip',
  'enterprise',
  'role',
  'user',
  'virtualdatacenter',
  'virtualappliance',
  'virtualmachine',
  'privateip',
  'virtualmachinetemplate',
  'natsetaside',
]

const isWhole = kinds.every((_, index) => hasItsDay(index))

// One engine undoes changes of all kinds.
test.each(kinds.filter((_, index) => hasItsDay(index)))('%s: creation, change and deletion', async (kind) => {
  const resource = all.find(({ name }) => name === kind)
  if (!resource) throw new Error(`no resource ${kind}`)
  await thereAndBack('POST', resource.list, {
    body: await resource.body(),
    watch: (made) => (made.links ? [ownPath(made as never)] : []),
  })
  const document = await create(resource.list, await resource.body())
  const path = ownPath(document)
  const name = 'name' in document && document.name !== undefined ? { name: unique('Renamed') } : {}
  await thereAndBack('PUT', path, {
    body: { ...(await read(path)), ...name, ...changed[kind], ...(kind === 'natip' && { ip: undefined }) },
    watch: () => [path],
  })
  await thereAndBack('DELETE', path, { watch: () => [path] })
})

test('the test covers every kind of resource', () => {
  expect(all.map(({ name }) => name).sort()).toEqual(kinds.toSorted())
})

test.runIf(hasItsDay(0))('the properties of an enterprise', async () => {
  const path = `/api/admin/enterprises/${(await newEnterprise()).id}/properties`
  await expectStatus(200, call('PUT', path, { body: { properties: { one: '1', two: '2' } } }))
  await thereAndBack('PUT', path, { body: { properties: { two: '3', three: '4' } }, watch: () => [path] })
})

test.runIf(hasItsDay(1))('the deletion of an enterprise with properties, which scopes contain', async () => {
  const { id } = await newEnterprise()
  const path = `/api/admin/enterprises/${id}`
  await expectStatus(200, call('PUT', `${path}/properties`, { body: { properties: { one: '1' } } }))
  const body = { name: unique('Scope'), scopeEntities: [{ idResource: id, type: 'ENTERPRISE' }] }
  const scope = ownPath(await create('/api/admin/scopes', body))
  await thereAndBack('DELETE', path, { watch: () => [path, `${path}/properties`, scope] })
})

test.runIf(hasItsDay(2))('the deletion of a scope that shares a template', async () => {
  const [enterprise, datacenter] = [
    await newEnterprise(),
    await create('/api/admin/datacenters', { name: unique('DC'), location: '' }),
  ]
  const scope = await create('/api/admin/scopes', { name: unique('Sharing') })
  const list = `/api/admin/enterprises/${enterprise.id}/datacenterrepositories/${datacenter.id}/virtualmachinetemplates`
  const template = await create(list, {
    name: unique('Template'),
    links: [linkTo('scope', `/admin/scopes/${scope.id}`)],
  })
  await thereAndBack('DELETE', ownPath(scope), { watch: () => [ownPath(scope), ownPath(template)] })
})

test.runIf(hasItsDay(3))('the privileges of a role', async () => {
  const links = (...ids: number[]) => ids.map((id) => linkTo('privilege', `/config/privileges/${id}`))
  const role = await create('/api/admin/roles', { name: unique('Role'), links: links(1, 2) })
  const privileges = `${ownPath(role)}/action/privileges`
  await thereAndBack('PUT', ownPath(role), {
    body: { name: role.name, links: links(2, 3) },
    watch: () => [privileges],
  })
  await thereAndBack('DELETE', ownPath(role), { watch: () => [ownPath(role), privileges] })
})

test.runIf(hasItsDay(4))('the deletion of a user who has machines', async () => {
  const { path: machine, center } = await newMachineWithIps()
  const user = await newUser()
  const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}`
  const document = await read(machine)
  const links = [...document.links.filter(({ rel }: { rel: string }) => rel !== 'user'), refer('user', path)]
  await expectStatus(200, call('PUT', machine, { body: { ...document, links } }))
  await thereAndBack('DELETE', path, { watch: () => [path, machine, centerPath(center)] })
})

const centerOf = (id: number, natIp: number): string => `${centerPath(id)}/natips/${natIp}`

test.runIf(hasItsDay(5))(
  'attaching, releasing, the default SNAT, and the deletion of a virtual datacenter',
  async () => {
    const { network, center, natIps } = await newMachineWithIps()
    const free = await ipOf(network, '192.0.2.5')
    const watch = () =>
      [free.id, ...natIps].map((id) => `${ipsPath(network)}/${id}`).concat(networksPath(network.datacenter))
    await thereAndBack('PUT', attachPath(center, free.id), { watch })
    await thereAndBack('PUT', releasePath(center, natIps[1]), { watch })
    await thereAndBack('PUT', centerOf(center, natIps[0]), { body: { defaultSnat: true }, watch })
    await expectStatus(200, call('PUT', centerOf(center, natIps[0]), { body: { defaultSnat: true } }))
    await thereAndBack('PUT', centerOf(center, natIps[1]), { body: { defaultSnat: true }, watch })
  },
)

test.runIf(hasItsDay(6))('the rules of a machine: one, all, and with the machine', async () => {
  const { path: machine, network, center, natIps, privateIps } = await newMachineWithIps()
  const rules = `${machine}/natrules`
  const watch = () => [
    machine,
    `${rules}?by=originalport`,
    `${networksPath(network.datacenter)}/${network.id}`,
  ]
  const rule = (port: number) => ({
    snat: false,
    protocol: 'TCP',
    originalPort: port,
    translatedPort: port,
    links: [
      refer('original', `${ipsPath(network)}/${natIps[0]}`),
      refer('translated', `${privateIpsPath(center)}/${privateIps[0]}`),
    ],
  })
  const snat = {
    snat: true,
    links: [
      refer('original', `${privateIpsPath(center)}/${privateIps[1]}`),
      refer('translated', `${ipsPath(network)}/${natIps[1]}`),
    ],
  }
  await thereAndBack('POST', rules, { body: rule(80), watch })
  for (const body of [rule(81), rule(82), snat]) await expectStatus(201, call('POST', rules, { body }))
  const [first] = (await read(rules)).collection
  const other = { ...rule(first.originalPort), originalPort: 84, enabled: false }
  await thereAndBack('PUT', `${rules}/${first.id}`, { body: other, watch })
  await thereAndBack('DELETE', `${rules}/${first.id}`, { watch })
  const document = await read(machine)
  await thereAndBack('PUT', machine, { body: { ...document, natrules: [rule(82), rule(83)] }, watch })
  await thereAndBack('DELETE', machine, {
    watch: () => [...watch(), `${privateIpsPath(center)}/${privateIps[0]}`],
  })
})

test.runIf(hasItsDay(7))('a private IP that a machine gets', async () => {
  const { path: machine, center } = await newMachineWithIps()
  const more = await create(privateIpsPath(center), { ip: '10.0.0.77' })
  const document = await read(machine)
  const links = [...document.links, nicLink(7 as 0, center, more.id)]
  await thereAndBack('PUT', machine, { body: { ...document, links }, watch: () => [machine, ownPath(more)] })
})

test.runIf(hasItsDay(8))('a run of IPs, and bulk changes', async () => {
  const network = await newTenIps()
  const list = `${ipsPath(network)}?all=true`
  const counts = `${networksPath(network.datacenter)}/${network.id}`
  const watch = () => [list, counts]
  await thereAndBack('POST', ipsPath(network), { body: { numips: 20 }, watch })
  const action = (name: string) => `${networksPath(network.datacenter)}/action/${name}`
  const ids = (await read(list)).collection.map(({ id }: { id: number }) => id)
  await thereAndBack('POST', action('changeips'), { body: { ids, quarantine: true }, watch })
  const enterprise = await newEnterprise()
  const center = await create('/api/cloud/virtualdatacenters', {
    name: unique('Center'),
    links: [
      linkTo('enterprise', `/admin/enterprises/${enterprise.id}`),
      linkTo('location', `/cloud/locations/${network.datacenter}`),
    ],
  })
  const attached = {
    ids: ids.slice(0, 3),
    links: [{ rel: 'virtualdatacenter', href: ORIGIN + ownPath(center) }],
  }
  await thereAndBack('POST', action('attachips'), { body: attached, watch })
  await expectStatus(200, call('POST', action('attachips'), { body: attached }))
  await thereAndBack('POST', action('releaseips'), { body: { ids: ids.slice(0, 2) }, watch })
  await thereAndBack('POST', action('deleteips'), { body: { ids: ids.slice(5) }, watch })
  await thereAndBack('DELETE', ownPath(center), { watch: () => [ownPath(center), ...watch()] })
})

test.runIf(hasItsDay(9))('bulk changes of users', async () => {
  const { id: enterpriseId } = await newEnterprise()
  const users = [await newUser({ enterpriseId }), await newUser({ enterpriseId })]
  const list = `/api/admin/enterprises/${enterpriseId}/users`
  const ids = users.map(({ id }) => id)
  await thereAndBack('POST', `${list}/action/changeusers`, {
    body: { ids, active: false },
    watch: () => [list],
  })
  await thereAndBack('POST', `${list}/action/deleteusers`, { body: { ids }, watch: () => [list] })
})

test.runIf(hasItsDay(10))('bulk changes of rules', async () => {
  const { path: machine, network, center, natIps, privateIps } = await newMachineWithIps()
  const links = [
    refer('original', `${ipsPath(network)}/${natIps[0]}`),
    refer('translated', `${privateIpsPath(center)}/${privateIps[0]}`),
  ]
  for (const protocol of ['TCP', 'UDP'])
    await expectStatus(201, call('POST', `${machine}/natrules`, { body: { snat: false, protocol, links } }))
  const ids = (await read(`${machine}/natrules`)).collection.map(({ id }: { id: number }) => id)
  const action = (name: string) => `${networksPath(network.datacenter)}/action/${name}`
  const watch = () => [machine, `${machine}/natrules`]
  await thereAndBack('POST', action('changerules'), { body: { ids, enabled: false }, watch })
  await thereAndBack('POST', action('deleterules'), { body: { ids }, watch })
})

test.runIf(isWhole)('each event links what it changed where that can be read', async () => {
  const token = ownPath(await newAccessToken(await newUser({})))
  const { secret: _secret, ...webhook } = await newWebhook()
  await expectStatus(204, call('DELETE', token))
  await expectStatus(200, call('PUT', ownPath(webhook), { body: { ...webhook, name: unique('Renamed') } }))
  await expectStatus(204, call('DELETE', ownPath(webhook)))
  const { collection } = await read('/api/events?limit=1000&by=id&asc=false')
  const events = new Map(
    collection
      .filter(({ id }: EventDocument) => id > before)
      .map((event: EventDocument) => [`${event.action} ${event.entityType}`, event]),
  ) as Map<string, EventDocument>
  const answers = [...events].flatMap(([kind, { links }]) =>
    links
      .filter(({ rel }) => rel === 'before' || rel === 'after')
      .map(async ({ rel, href }) => [kind, rel, (await call('GET', new URL(href).pathname)).status]),
  )
  expect(answers.length).toBeGreaterThan(40)
  const refused = (await Promise.all(answers)).filter(([, , status]) => status !== 200)
  expect(refused).toEqual([])
})

/** Each changing operation can be undone, or its declaration has the reason against it. */
afterAll(() => {
  if (!isWhole) return
  const declared = routes.flatMap(({ path, handlers }) =>
    Object.entries(handlers).flatMap(([method, { spec }]) => {
      if (spec.kind !== 'writes') return []
      const { event, inSteps, answers } = spec
      const isUndoable =
        (inSteps && answers?.as === 'bulkreport') ||
        typeof event === 'string' ||
        (event !== null && event.cannotUndo === undefined)
      return isUndoable ? [`${method} ${path}`] : []
    }),
  )
  expect([...undone].sort()).toEqual(declared.sort())
})

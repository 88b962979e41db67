import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { dayIn } from '#lib/cloud/nat/set-asides.schema'
import type { EventDocument } from '#lib/record/events/events.schema'
import { loadRoutes, type Route } from '#lib/request/pipeline/routes.server'
import type { Described } from '#lib/request/pipeline/spec.server'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import type { User } from '#lib/tools/testing/client'
import { routeOf } from '#lib/tools/testing/conformance'
import { ownDatabase } from '#lib/tools/testing/own-database'
import { daily, isLong, swept } from '#lib/tools/testing/search'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import { together } from '#lib/tools/testing/together'
import { webhookBody } from '#lib/tools/testing/webhooks'

/*
 * Three callers who see only a part of an installation read everything they can. Each hidden name contains a marker of its enterprise, its
 * datacenter or its scope.
 */

const ENTERPRISE = 'Unseen-E'
const DATACENTER = 'Unseen-D'
const SCOPE = 'Unseen-S'

type Document = { id: number; name: string; links: { rel: string; href: string }[] }

let api: ApiProcess
/** The id of a user who was moved to a hidden enterprise. */
let actor: number
/** Moments at which something had a visible place that is hidden now. */
const moments: string[] = []
const noteMoment = (): void => void moments.push(new Date().toISOString())
const root: User = { nick: adminNick, password: adminPassword }
const password = 'a password for tests'
/** A colleague who is visible to all callers, and sees everything. */
const insider: User = { nick: 'insider', password }

const link = (rel: string, path: string) => ({ rel, href: `${api.url}/api${path}` })

async function send(method: string, path: string, body: object | undefined, as = insider): Promise<Document> {
  const answer = await ask(api, `/api${path}`, { as, ...(body && { body }) }, method)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Document
}

const post = (path: string, body: object, as?: User) => send('POST', path, body, as)
const remove = (path: string) => send('DELETE', path, undefined)

/** Changes some fields and links of a resource. */
async function put(
  path: string,
  { links = [], ...fields }: { links?: Document['links']; [field: string]: unknown },
) {
  const is = await send('GET', path, undefined)
  const others = is.links.filter(({ rel }) => !links.some((each) => each.rel === rel))
  return send('PUT', path, { ...is, ...fields, links: [...others, ...links] })
}

const scopeEntity = (type: 'ENTERPRISE' | 'DATACENTER', { id }: { id: number }) => ({ idResource: id, type })

const privilegeLinks = (names: readonly Privilege[]) =>
  names.map((name) => link('privilege', `/config/privileges/${allPrivileges.indexOf(name) + 1}`))

async function scopes(mine: Document, here: Document, entities: object[]) {
  const above = await post('/admin/scopes', { name: `${SCOPE} above`, scopeEntities: entities })
  const below = (name: string, fields: object) =>
    post('/admin/scopes', { name, ...fields, links: [link('scopeParent', `/admin/scopes/${above.id}`)] })
  const ofMine = [scopeEntity('ENTERPRISE', mine)]
  const ofHere = [scopeEntity('DATACENTER', here)]
  return {
    above,
    below,
    hidden: await below(`${SCOPE} beside`, { scopeEntities: entities }),
    byEnterprise: await post('/admin/scopes', {
      name: 'Of my enterprise',
      automaticAddDatacenter: true,
      scopeEntities: ofMine,
    }),
    byDatacenter: await post('/admin/scopes', {
      name: 'Of this datacenter',
      automaticAddEnterprise: true,
      scopeEntities: ofHere,
    }),
    byBoth: await below('Of both', { scopeEntities: [...ofMine, ...ofHere] }),
  }
}

type Callers = Record<'byEnterprise' | 'byDatacenter' | 'byBoth', User>

async function people(mine: Document, of: Awaited<ReturnType<typeof scopes>>): Promise<Callers> {
  const limited = await post('/admin/roles', {
    name: 'Of my enterprise alone',
    links: [
      link('enterprise', `/admin/enterprises/${mine.id}`),
      ...privilegeLinks([
        'EVENTLOG_VIEW_ALL',
        'VDC_ENUMERATE',
        'USERS_VIEW',
        'USERS_VIEW_PRIVILEGES',
        'VDC_MANAGE',
      ]),
    ],
  })
  const everything = await post('/admin/roles', { name: 'Everything', links: privilegeLinks(allPrivileges) })
  const user = async (nick: string, role: Document, scope: Document): Promise<User> => {
    const links = [link('role', `/admin/roles/${role.id}`), link('scope', `/admin/scopes/${scope.id}`)]
    await post(`/admin/enterprises/${mine.id}/users`, { nick, name: nick, password, links })
    const signedIn = { nick, password }
    // A password that an administrator chose must be changed at the first sign-in.
    const own = `${password} of ${nick}`
    await send('PUT', '/session/password', { oldPassword: password, password: own }, signedIn)
    return { nick, password: own }
  }
  return {
    byEnterprise: await user('by-enterprise', everything, of.byEnterprise),
    byDatacenter: await user('by-datacenter', everything, of.byDatacenter),
    byBoth: await user('by-both', limited, of.byBoth),
  }
}

/** A virtual datacenter with a machine that has a private IP. Hidden ones have marked names. */
async function center(mark: string, enterprise: Document, datacenter: Document, ip: string) {
  const place = await post('/cloud/virtualdatacenters', {
    name: `${mark} center`,
    links: [
      link('enterprise', `/admin/enterprises/${enterprise.id}`),
      link('location', `/cloud/locations/${datacenter.id}`),
    ],
  })
  const path = `/cloud/virtualdatacenters/${place.id}`
  const appliance = await post(`${path}/virtualappliances`, { name: `${mark} appliance` })
  const privateIp = await post(`${path}/privateips`, { ip })
  const nic = link('nic0', `${path}/privateips/${privateIp.id}`)
  const machines = `${path}/virtualappliances/${appliance.id}/virtualmachines`
  const machine = await post(machines, { name: `${mark} machine`, links: [nic] })
  return { path, machine: `${machines}/${machine.id}`, privateIp: `${path}/privateips/${privateIp.id}` }
}

async function natOf(mark: string, datacenter: Document, cidr: string) {
  const { collection } = (await (await ask(api, '/api/config/devicetypes', { as: root })).json()) as {
    collection: (Document & { nat: boolean })[]
  }
  const type = collection.find(({ nat }) => nat)
  const device = await post(`/cloud/locations/${datacenter.id}/devices`, {
    name: `${mark} device`,
    links: [link('devicetype', `/config/devicetypes/${type?.id}`)],
  })
  const networks = `/admin/datacenters/${datacenter.id}/natnetworks`
  const network = await post(networks, {
    name: `${mark} network`,
    cidr,
    links: [link('device', `/cloud/locations/${datacenter.id}/devices/${device.id}`)],
  })
  const one = await post(`${networks}/${network.id}/ips`, {})
  const two = await post(`${networks}/${network.id}/ips`, {})
  return {
    networks,
    network,
    ips: [one, two].map(({ id }) => ({ id, path: `${networks}/${network.id}/ips/${id}` })),
  }
}

type Nat = Awaited<ReturnType<typeof natOf>>

/** Attaches two NAT IPs, adds rules, and releases one of the IPs again. */
async function hold(nat: Nat, holder: Awaited<ReturnType<typeof center>>): Promise<void> {
  for (const { id } of nat.ips) await send('PUT', `${holder.path}/natips/topurchase/${id}`, undefined)
  await send('PUT', `${holder.path}/natips/${nat.ips[0]?.id}`, { defaultSnat: true })
  const rule = {
    snat: true,
    links: [link('original', holder.privateIp), link('translated', nat.ips[1]?.path ?? '')],
  }
  const made = await post(`${holder.machine}/natrules`, rule)
  await put(nat.ips[1]?.path ?? '', { quarantine: false, available: true })
  await remove(`${holder.machine}/natrules/${made.id}`)
  await send('PUT', `${holder.path}/natips/purchased/${nat.ips[1]?.id}`, undefined)
  await put(holder.machine, {
    natrules: [{ ...rule, links: [rule.links[0], link('translated', nat.ips[0]?.path ?? '')] }],
  })
}

/** Creates visible and hidden resources, and changes that involve both. */
async function build(): Promise<Callers> {
  const everybody = await post(
    '/admin/roles',
    { name: 'Insiders', links: privilegeLinks(allPrivileges) },
    root,
  )
  const global = link('scope', '/admin/scopes/1')
  const mine = await post('/admin/enterprises', { name: 'Mine', links: [global] }, root)
  const links = [link('role', `/admin/roles/${everybody.id}`), global]
  await post(`/admin/enterprises/${mine.id}/users`, { ...insider, name: 'Insider', links }, root)
  await send('PUT', '/session/password', { oldPassword: password, password: `${password}.` })
  insider.password = `${password}.`
  const here = await post('/admin/datacenters', { name: 'Here' })
  const there = await post('/admin/datacenters', {
    name: `${DATACENTER} there`,
    location: `${DATACENTER} town`,
  })
  const foreign = await post('/admin/enterprises', { name: `${ENTERPRISE} foreign`, links: [global] })
  const of = await scopes(mine, here, [
    ...[mine, foreign].map((each) => scopeEntity('ENTERPRISE', each)),
    ...[here, there].map((each) => scopeEntity('DATACENTER', each)),
  ])
  const callers = await people(mine, of)
  await post('/admin/webhooks', webhookBody(), root)
  await changeScopes(of, { mine, foreign, here, there })
  await changePeople({ mine, foreign, hidden: of.hidden })
  await actAndLeave({ mine, foreign, here, everybody })
  await changeMachines({ mine, foreign, here, there, hidden: of.hidden, shared: of.byDatacenter })
  const gone = await post('/admin/enterprises', { name: `${ENTERPRISE} gone`, links: [global] })
  await remove(`/admin/enterprises/${gone.id}`)
  const closed = await post('/admin/datacenters', { name: `${DATACENTER} closed` })
  await remove(`/admin/datacenters/${closed.id}`)
  return callers
}

type Places = Record<'mine' | 'foreign' | 'here' | 'there', Document>

async function changeScopes(
  { above, below, hidden, byBoth, byEnterprise }: Awaited<ReturnType<typeof scopes>>,
  { mine, foreign, here, there }: Places,
): Promise<void> {
  const child = (name: string, parent: Document, scopeEntities: object[] = []) =>
    post('/admin/scopes', { name, scopeEntities, links: [link('scopeParent', `/admin/scopes/${parent.id}`)] })
  const move = (scope: Document, to: Document) =>
    put(`/admin/scopes/${scope.id}`, { links: [link('scopeParent', `/admin/scopes/${to.id}`)] })
  const moved = await child(`${SCOPE} moved out`, byBoth)
  await move(moved, above)
  const back = await child('Moved in', hidden)
  await move(back, byBoth)
  const wide = await below('Widened and narrowed', { scopeEntities: [scopeEntity('ENTERPRISE', mine)] })
  const both = [scopeEntity('ENTERPRISE', foreign), scopeEntity('DATACENTER', there)]
  await put(`/admin/scopes/${wide.id}`, { scopeEntities: [scopeEntity('ENTERPRISE', mine), ...both] })
  await put(`/admin/scopes/${wide.id}`, { scopeEntities: [scopeEntity('DATACENTER', here)] })
  await move(wide, byEnterprise)
  const gone = await child(`${SCOPE} gone`, above)
  await remove(`/admin/scopes/${gone.id}`)
  await put(`/admin/enterprises/${mine.id}`, { links: [link('scope', `/admin/scopes/${hidden.id}`)] })
}

async function changePeople({ mine, foreign, hidden }: Record<'mine' | 'foreign' | 'hidden', Document>) {
  const role = (name: string, enterprise: Document, links: Document['links'] = []) =>
    post('/admin/roles', {
      name,
      links: [link('enterprise', `/admin/enterprises/${enterprise.id}`), ...links],
    })
  const theirs = await role(`${ENTERPRISE} role`, foreign)
  const shared = await role('Tied', mine, [link('scope', `/admin/scopes/${hidden.id}`)])
  const user = async (nick: string, enterprise: Document, held: Document) => {
    const links = [link('role', `/admin/roles/${held.id}`), link('scope', `/admin/scopes/${hidden.id}`)]
    const body = { nick, name: nick, password, links }
    const { id } = await post(`/admin/enterprises/${enterprise.id}/users`, body)
    const path = `/admin/enterprises/${enterprise.id}/users/${id}`
    await post(`${path}/applications`, {
      name: `${enterprise === foreign ? ENTERPRISE : 'My'} program of ${nick}`,
    })
    const token = `${enterprise === foreign ? ENTERPRISE : 'My'} token of ${nick}`
    await post(`${path}/tokens`, { name: token }, { nick, password })
    return path
  }
  await user(`${ENTERPRISE}-them`, foreign, theirs)
  await user('colleague', mine, shared)
  const moving = await user(`${ENTERPRISE}-mover`, mine, shared)
  const leaving = await user(`${ENTERPRISE}-left`, mine, shared)
  const given = await role(`${ENTERPRISE} given away`, mine)
  const lost = await role(`${ENTERPRISE} given away and removed`, mine)
  noteMoment()
  const away = [link('enterprise', `/admin/enterprises/${foreign.id}`)]
  await put(moving, { links: away })
  await put(leaving, { links: away })
  await remove(leaving.replace(/\d+/, String(foreign.id)))
  await put(`/admin/roles/${lost.id}`, { links: away })
  await remove(`/admin/roles/${lost.id}`)
  const held = await user('holder', mine, shared)
  await put(held, { links: [link('role', `/admin/roles/${theirs.id}`)] })
  noteMoment()
  await put(`/admin/roles/${given.id}`, { links: away })
}

/** A user changes a visible datacenter, and is then moved to a hidden enterprise. */
async function actAndLeave({
  mine,
  foreign,
  here,
  everybody,
}: Record<'mine' | 'foreign' | 'here' | 'everybody', Document>) {
  const nick = `${ENTERPRISE}-actor`
  const links = [link('role', `/admin/roles/${everybody.id}`), link('scope', '/admin/scopes/1')]
  const body = { nick, name: nick, password, links }
  const { id } = await post(`/admin/enterprises/${mine.id}/users`, body)
  const own = `${password} of theirs`
  await send('PUT', '/session/password', { oldPassword: password, password: own }, { nick, password })
  const as = { nick, password: own }
  await send('PUT', `/admin/datacenters/${here.id}`, { name: 'Here', location: 'Moved' }, as)
  await put(`/admin/enterprises/${mine.id}/users/${id}`, {
    links: [link('enterprise', `/admin/enterprises/${foreign.id}`)],
  })
  actor = id
}

async function changeMachines(places: Places & { hidden: Document; shared: Document }): Promise<void> {
  const { mine, foreign, here, there, hidden, shared } = places
  const [ours, theirs] = [
    await center('My', mine, here, '10.1.1.1'),
    await center(ENTERPRISE, foreign, here, '10.66.66.1'),
  ]
  const away = await center(DATACENTER, mine, there, '10.77.77.1')
  const [nat, far] = [
    await natOf('My', here, '192.0.2.0/24'),
    await natOf(DATACENTER, there, '198.51.100.0/24'),
  ]
  await hold(nat, theirs)
  await hold(far, away)
  const library = (enterprise: Document, datacenter: Document) =>
    `/admin/enterprises/${enterprise.id}/datacenterrepositories/${datacenter.id}/virtualmachinetemplates`
  const scope = link('scope', `/admin/scopes/${hidden.id}`)
  const template = await post(library(foreign, here), { name: 'Shared template', links: [scope] })
  await post(library(mine, here), { name: 'My template', links: [scope] })
  const lent = await post(library(foreign, here), { name: `${ENTERPRISE} lent`, links: [scope] })
  noteMoment()
  const { id, name } = lent
  await send('PUT', `${library(foreign, here)}/${id}`, { id, name, links: [] })
  await post(library(mine, there), { name: `${DATACENTER} template` })
  const users = (await (
    await ask(api, `/api/admin/enterprises/${foreign.id}/users`, { as: insider })
  ).json()) as { collection: Document[] }
  const user = link('user', `/admin/enterprises/${foreign.id}/users/${users.collection[0]?.id}`)
  await put(ours.machine, { links: [user] })
  await put(ours.machine, {
    links: [link('virtualmachinetemplate', `${library(foreign, here)}/${template.id}`)],
  })
  const distant = await post(library(foreign, there), {
    name: `${DATACENTER} shared`,
    links: [link('scope', `/admin/scopes/${shared.id}`)],
  })
  await put(away.machine, {
    links: [link('virtualmachinetemplate', `${library(foreign, there)}/${distant.id}`)],
  })
  const passing = await center(ENTERPRISE, foreign, here, '10.66.66.2')
  await remove(passing.machine)
  await changeByJob(there, 'changeips', { quarantine: true })
  await changeByJob(here, 'attachips', { links: [link('virtualdatacenter', theirs.path)] })
  await changeByJob(here, 'changeips', { quarantine: true })
  await setAside(here, (links) => (links.some(isOf(foreign)) ? ENTERPRISE : 'Our'))
  await setAside(there, () => DATACENTER)
}

const isOf =
  ({ id }: Document) =>
  ({ href }: Document['links'][number]) =>
    href.endsWith(`/admin/enterprises/${id}`)

/** Lists to which no document links. */
const unlinked: string[] = []

/** Sets all findings of the NAT check of a datacenter aside, with marked reasons. */
async function setAside({ id }: Document, markOf: (links: Document['links']) => string): Promise<void> {
  const path = `/admin/datacenters/${id}`
  const { collection } = (await send('GET', `${path}/natnetworks/action/check`, undefined)) as unknown as {
    collection: { identity: string }[]
  }
  if (collection.length === 0) throw new Error('The NAT check finds nothing')
  unlinked.push(`/api${path}/setasides`)
  for (const { identity } of collection) {
    const body = { finding: identity, reason: 'Known', until: dayIn(3) }
    const made = await post(`${path}/setasides`, body)
    await put(`${path}/setasides/${made.id}`, { reason: `${markOf(made.links)} reason` })
  }
}

/** Changes NAT IPs of a datacenter by a job, and waits for its end. */
async function changeByJob(datacenter: Document, action: string, change: object): Promise<void> {
  const path = `/api/admin/datacenters/${datacenter.id}/natnetworks/action/${action}`
  const body = { filter: 'all=true', ...change }
  const begun = await ask(api, path, { as: insider, body, headers: { prefer: 'respond-async' } })
  if (begun.status !== 202) throw new Error(`${path}: ${begun.status} ${await begun.text()}`)
  const { pathname } = new URL(begun.headers.get('location') ?? '')
  await (await ask(api, pathname, { as: insider, headers: { accept: 'text/event-stream' } })).text()
}

/** The path of every readable resource, as a user who sees everything finds it. */
async function addresses(): Promise<Readable[]> {
  const routes = (await loadRoutes()).filter(({ handlers }) => {
    const spec = handlers.GET?.spec
    // The stream of events has no end. Its own tests read it (lib/record/events/stream.engines.test.ts).
    return spec?.kind === 'reads' && !spec.answers?.stream
  })
  const found = new Set([
    ...routes.filter(({ path }) => !path.includes('[')).map(({ path }) => path),
    ...unlinked,
  ])
  const known = new Map<string, Record<string, string>>()
  let unread = [...found]
  while (unread.length > 0) {
    const linked: string[] = []
    await together(unread, async (path) => {
      const text = await (await ask(api, path, { as: root })).text()
      for (const [, href = ''] of text.matchAll(/"href":"([^"]+)"/g)) {
        const { pathname } = new URL(href)
        const route = routeOf(routes, pathname)
        if (!route || found.has(pathname)) continue
        found.add(pathname)
        known.set(pathname, idsIn(route.path, pathname))
        linked.push(pathname)
      }
    })
    unread = linked
  }
  for (const { path } of routes) for (const filled of fillings(path, [...known.values()])) found.add(filled)
  const readable = [...found].flatMap((path) => {
    const route = routeOf(routes, path)
    const spec = route?.handlers.GET?.spec
    return route && spec?.kind === 'reads' ? [{ path, route, spec }] : []
  })
  const reached = new Set(readable.map(({ route }) => route.path))
  const missing = routes.map(({ path }) => path).filter((path) => !reached.has(path) && !without.has(path))
  expect(missing).toEqual([])
  // All privileges are alike, and the same for everybody.
  return readable.filter(({ path }) => !/\/privileges\/([2-9]|\d\d+)$/.test(path))
}

/** A readable path with its route and the declaration of GET. */
type Readable = { path: string; route: Route; spec: Extract<Described, { kind: 'reads' }> }

/** Only the sample cloud has racks and remote services, and plans are readable only by their owner. Types and schemas are the same for all. */
const without = new Set([
  '/scim/v2/ResourceTypes/[type]',
  '/scim/v2/Schemas/[schema]',
  '/api/plans/[plan]',
  '/api/admin/webhooks/[webhook]/deliveries/[delivery]',
  '/api/admin/datacenters/[datacenter]/racks/[rack]',
  '/api/admin/datacenters/[datacenter]/remoteservices/[remoteservice]',
])

function idsIn(pattern: string, path: string): Record<string, string> {
  const words = path.split('/')
  const ids = pattern.split('/').map((part, index) => [part, words[index] ?? ''] as const)
  return Object.fromEntries(ids.filter(([part]) => part.startsWith('[')))
}

/** Fills a path pattern with ids that occur together in another path, or else with every combination of known ids. */
function fillings(pattern: string, known: Record<string, string>[]): string[] {
  const wanted = pattern.split('/').filter((part) => part.startsWith('['))
  const fitting = known.filter((ids) => wanted.every((name) => Object.hasOwn(ids, name)))
  const idsOf = (name: string) => [...new Set(known.flatMap((ids) => ids[name] ?? []))]
  const combined = wanted.reduce<Record<string, string>[]>(
    (made, name) => made.flatMap((ids) => idsOf(name).map((id) => ({ ...ids, [name]: id }))),
    [{}],
  )
  return (fitting.length > 0 ? fitting : combined).map((ids) =>
    pattern
      .split('/')
      .map((part) => ids[part] ?? part)
      .join('/'),
  )
}

let callers: Callers
let readable: Readable[]
let past: Readable[]

beforeAll(async () => {
  api = await startApi(await ownDatabase(), { CHEAP_HASHES: '1' })
  callers = await build()
  readable = await addresses()
  past = await pastAddresses()
}, 240_000)

afterAll(async () => {
  await api.stop()
})

const SLOW = { timeout: 240_000 }

const unseen: Record<keyof Callers, string[]> = {
  byEnterprise: [ENTERPRISE, SCOPE, '10.66.66.'],
  byDatacenter: [DATACENTER, SCOPE, '10.77.77.', '198.51.100.'],
  byBoth: [ENTERPRISE, DATACENTER, SCOPE, '10.66.66.', '10.77.77.', '198.51.100.'],
}

/** Data for gateways is complete, with addresses only, for everyone who may read it (docs/api/devices.md, "Gateways"). */
const isForGateways = (path: string): boolean => path.endsWith('/translations')

/** A list that can be filtered by a word. */
const takesWord = ({ spec }: Readable): boolean => Object.hasOwn(spec.query?.shape ?? {}, 'has')

const hasTable = ({ spec: { answers } }: Readable): boolean => Boolean(answers?.csv || answers?.tables)

/** Each for one caller, another one each day; in a long search all for all. */
function ofCaller<T>(all: readonly T[], name: keyof Callers): T[] {
  const names = Object.keys(unseen)
  return isLong ? [...all] : all.filter((_, at) => (at + daily()) % names.length === names.indexOf(name))
}

/** Begins elsewhere for each caller, so that a sweep walks other parts for each. */
function turned(all: Readable[], name: keyof Callers): Readable[] {
  const start = Object.keys(unseen).indexOf(name)
  return [...all.slice(start), ...all.slice(0, start)]
}

/** The marks in a response, each with the text before it. */
const marksIn = (text: string, marks: string[]): string[] =>
  marks.flatMap((mark) => {
    const at = text.indexOf(mark)
    return at === -1 ? [] : [text.slice(Math.max(0, at - 200), at + 40)]
  })

/** The documents and lists of the past, also of what has another address now, or none. */
async function pastAddresses(): Promise<Readable[]> {
  const routes = readable.filter(({ spec }) => spec.asOf).map(({ route }) => route)
  const found = new Map(readable.filter(({ spec }) => spec.asOf).map((each) => [each.path, each]))
  await together(
    [...found.keys()].flatMap((path) => moments.map((moment) => `${path}?asof=${moment}`)),
    async (path) => {
      const text = await (await ask(api, path, { as: root })).text()
      for (const [, href = ''] of text.matchAll(/"href":"([^"]+)"/g)) {
        const { pathname } = new URL(href)
        const route = routeOf(routes, pathname)
        const spec = route?.handlers.GET?.spec
        if (route && spec?.kind === 'reads') found.set(pathname, { path: pathname, route, spec })
      }
    },
  )
  return [...found.values()]
}

describe.each(Object.keys(unseen) as (keyof Callers)[])('a caller who is limited %s', (name) => {
  test('reads no hidden name at a moment at which it was not hidden', SLOW, async () => {
    const as = callers[name]
    const leaks: string[] = []
    let allowed = 0
    const tables = new Set(swept(past))
    await together(ofCaller(past, name), async (each) => {
      for (const moment of moments)
        for (const accept of ['application/json', 'text/csv']) {
          if (accept === 'text/csv' && !(tables.has(each) && hasTable(each))) continue
          const path = `${each.path}?asof=${moment}`
          const answer = await ask(api, path, { as, headers: { accept } })
          leaks.push(...marksIn(await answer.text(), unseen[name]).map((text) => `${path}: ${text}`))
          if (answer.ok) allowed += 1
        }
    })
    expect(leaks).toEqual([])
    expect(allowed).toBeGreaterThan(isLong ? 60 : 15)
  })

  test('reads no hidden name', SLOW, async () => {
    const as = callers[name]
    const leaks: string[] = []
    let allowed = 0
    const read = async (path: string, accept: string): Promise<boolean> => {
      const answer = await ask(api, path, { as, headers: { accept } })
      const marks = unseen[name].filter((mark) => !(isForGateways(path) && /^\d/.test(mark)))
      leaks.push(...marksIn(await answer.text(), marks).map((found) => `${accept} ${path}: ${found}`))
      return answer.ok
    }
    // XML and tables are rendered from the same data as JSON.
    const inAllForms = new Set(swept(readable))
    await together(ofCaller(readable, name), async (each) => {
      // A refusal is the same in every form.
      if (!(await read(each.path, 'application/json'))) return
      allowed += 1
      if (inAllForms.has(each)) await read(each.path, 'application/xml')
      if (inAllForms.has(each) && hasTable(each)) await read(each.path, 'text/csv')
    })
    for (const accept of ['application/json', 'application/xml', 'text/csv'])
      expect(await read('/api/events?limit=0', accept)).toBe(true)
    expect(leaks).toEqual([])
    expect(allowed).toBeGreaterThan(isLong ? 80 : 20)
  })

  test('reads no hidden name in the rows of an event', SLOW, async () => {
    const events = await (await ask(api, '/api/events?limit=0', { as: root })).json()
    const ids = (events as { collection: EventDocument[] }).collection.map(({ id }) => id)
    const leaks: string[] = []
    let [allowed, many] = [0, 0]
    await together(ids, async (id) => {
      for (const query of ['limit=0', 'format=csv']) {
        const answer = await ask(api, `/api/events/${id}/rows?${query}`, { as: callers[name] })
        const text = await answer.text()
        leaks.push(...marksIn(text, unseen[name]).map((found) => `event ${id} ${query}: ${found}`))
        if (answer.ok) allowed += 1
        if (/"totalSize":([2-9]|\d\d)/.test(text)) many += 1
      }
    })
    expect(leaks).toEqual([])
    expect([allowed > 50, many > 0]).toEqual([true, true])
  })

  test('gets no such name from the impact of a change', SLOW, async () => {
    const leaks: string[] = []
    const scopePaths = readable.filter(({ path }) => /\/scopes\/\d+$/.test(path))
    await together(scopePaths, async ({ path }) => {
      const impact = await ask(api, `${path}/action/impact`, { as: callers[name] }, 'POST')
      leaks.push(...marksIn(await impact.text(), unseen[name]).map((found) => `${path}: ${found}`))
    })
    expect(leaks).toEqual([])
  })

  test('finds nothing by a hidden name', SLOW, async () => {
    const as = callers[name]
    const found: string[] = []
    let read = 0
    // Another fifth for each caller.
    const lists = swept(turned(readable.filter(takesWord), name))
    await together(lists, async ({ path }) => {
      for (const has of unseen[name]) {
        const answer = await ask(api, `${path}?has=${has}`, { as })
        const text = await answer.text()
        // A list is refused whatever the filter.
        if (!answer.ok) return
        read += 1
        if (/"totalSize":[1-9]/.test(text)) found.push(`${path}?has=${has}: ${text}`)
      }
    })
    expect(found).toEqual([])
    expect(read).toBeGreaterThan(isLong ? 60 : 0)
  })
})

test('a template of a hidden enterprise that is shared with a visible one keeps its name', async () => {
  const path = '/api/events?limit=0&entity=virtualmachine&action=update'
  const text = await (await ask(api, path, { as: callers.byEnterprise })).text()
  expect(text).toContain('Shared template (')
})

test('the number of queries for a page of events does not depend on the number of names', async () => {
  const ran = async () => {
    const figures = await (await ask(api, '/metrics')).text()
    const counts = [...figures.matchAll(/^database_query_duration_seconds_count\{.*\} (\d+)$/gm)]
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  }
  const read = async (limit: number) => {
    const before = await ran()
    const answer = await ask(api, `/api/events?by=id&limit=${limit}`, { as: callers.byEnterprise })
    const { collection } = (await answer.json()) as { collection: unknown[] }
    return { queries: (await ran()) - before, events: collection.length }
  }
  const [some, many] = [await read(25), await read(100)]
  expect([some.events, many.events > 60]).toEqual([25, true])
  // One query for each type of named resource, three for the visibility, and the queries of every request.
  expect(some.queries).toBeGreaterThan(3)
  expect(Math.max(some.queries, many.queries)).toBeLessThan(42)
})

test('changes by a user who became hidden stay visible, without the name of the user', async () => {
  const events = async (query: string) => {
    const answer = await ask(api, `/api/events?limit=0&${query}`, { as: callers.byEnterprise })
    return ((await answer.json()) as { collection: EventDocument[] }).collection
  }
  const [change] = (await events('entity=datacenter&action=update')).filter(({ userHidden }) => userHidden)
  expect(change).toMatchObject({ entityName: 'Here' })
  for (const name of ['user', 'enterprise', 'ip']) expect(change).not.toHaveProperty(name)
  expect(await events(`user=${actor}`)).toEqual([])
  expect(await events(`entity=user&entityid=${actor}`)).toEqual([])
})

/** The JSON document at this path, or an empty object if there is none. */
async function documentOf(path: string, as: User): Promise<object> {
  const answer = await ask(api, path, { as })
  return answer.headers.get('content-type')?.includes('json') ? ((await answer.json()) as object) : {}
}

/** A refusal must not confirm that a hidden resource exists. */
test.each(Object.keys(unseen) as (keyof Callers)[])(
  'no refusal shows a hidden name to a caller who is limited %s',
  SLOW,
  async (name) => {
    const as = callers[name]
    const leaks: string[] = []
    for (const { path, route } of swept(turned(readable, name))) {
      if (route.path.startsWith('/api/session') || route.path === '/api/logout') continue
      for (const method of ['POST', 'PUT', 'DELETE'] as const) {
        if (!route.handlers[method]) continue
        const body = method === 'DELETE' ? undefined : { ...(await documentOf(path, as)), name: 'Mine' }
        const text = await (await ask(api, path, { as, ...(body && { body }) }, method)).text()
        leaks.push(...marksIn(text, unseen[name]).map((found) => `${method} ${path}: ${found}`))
      }
    }
    expect(leaks).toEqual([])
  },
)

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { transaction } from '#lib/db/db.server'
import { linkOf } from '#lib/ground/http/view'
import type { AccessExplanation } from '#lib/request/access/access.schema'
import { loadRoutes, type Method, type Route } from '#lib/request/pipeline/routes.server'
import type { Described } from '#lib/request/pipeline/spec.server'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { routeOf } from '#lib/tools/testing/conformance'
import { centerPath, newTemplateOf, templatesPath } from '#lib/tools/testing/inventory'
import { newDevice } from '#lib/tools/testing/nat'
import { dnat, ipsPath, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { create, ownPath } from '#lib/tools/testing/resources'
import { newScope } from '#lib/tools/testing/scopes'
import { fewer, swept } from '#lib/tools/testing/search'
import { newWebhook } from '#lib/tools/testing/webhooks'

/*
 * Every operation, asked about callers with random privileges, scopes and duties, and about resources of two places: the explanation
 * matches the actual response, and the listed users are those whose explanation allows the call.
 */

type State = 'inactive' | 'locked' | 'owesPassword' | 'owesTwoFactor' | 'ready'
type Person = User & { id: number; enterpriseId: number; state: State; token: string }
type MethodAndPath = { method: Method; path: string }

/** A machine with NAT, and the resources around it. */
async function place() {
  const { network, center, enterprise, natIps, path, ...rest } = await newMachineWithIps()
  const { datacenter } = network
  const device = await newDevice(datacenter)
  const body = ruleBody({ network, center, enterprise, natIps, path, ...rest }, dnat(80))
  const rule = await expectStatus(201, call('POST', `${path}/natrules`, { body }))
  const template = await newTemplateOf(enterprise, datacenter)
  const columns = { datacenter_id: datacenter }
  const [rack, service] = await transaction(async (trx) => [
    await trx
      .insertInto('racks')
      .values({ ...columns, name: 'Rack', name_key: 'rack', short_description: '' })
      .returning('id')
      .executeTakeFirstOrThrow(),
    await trx
      .insertInto('remote_services')
      .values({ ...columns, type: 'DHCP', uri: 'https://192.0.2.1', status: 1 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  ])
  const home = `/api/admin/datacenters/${datacenter}`
  return {
    datacenter,
    enterprise,
    paths: [
      `/api/cloud/locations/${datacenter}/devices/${device.id}`,
      `${ipsPath(network)}/${natIps[0]}`,
      `${path}/natrules/${rule.id}`,
      `${centerPath(center)}/natips/${natIps[0]}`,
      `${centerPath(center)}/natips/topurchase/${natIps[0]}`,
      `${centerPath(center)}/natips/purchased/${natIps[0]}`,
      `${centerPath(center)}/privateips/${rest.privateIps[0]}`,
      `${templatesPath(enterprise, datacenter)}/${template.id}`,
      `${home}/racks/${rack?.id}`,
      `${home}/remoteservices/${service?.id}`,
      `${home}/storage/tiers`,
      `${home}/network`,
    ],
  }
}

const states: State[] = ['inactive', 'locked', 'owesPassword', 'owesTwoFactor']
const PERSONS = 9
/** Owns resources that only their owner sees, and may ask about them. */
const OWNER = 6

const role = fc.oneof(
  fc.subarray(allPrivileges, { minLength: 1 }),
  fc.constant(allPrivileges),
  fc.subarray<Privilege>(['USERS_MANAGE_USERS', 'USERS_VIEW', 'EVENTLOG_VIEW_ENTERPRISE']),
)
const described = fc.record({
  roles: fc.array(role, { minLength: PERSONS, maxLength: PERSONS }),
  choices: fc.infiniteStream(fc.nat({ max: 10_000 })),
})

const columnsOf: Partial<Record<State, object>> = {
  inactive: { active: 0 },
  locked: { locked: 1 },
  owesPassword: { first_login: 1 },
}

async function newPerson(
  nick: string,
  more: { enterpriseId: number; scopeId?: number; privileges: Privilege[] },
  state: State,
): Promise<Person> {
  const user = await newUser({ nick, ...more })
  const signedIn = await call('GET', '/api/login', { as: user })
  const columns = columnsOf[state]
  if (columns)
    await transaction((trx) => trx.updateTable('users').set(columns).where('id', '=', user.id).execute())
  return { ...user, state, token: signedIn.headers.get('x-service-token') ?? '' }
}

/** A row of each kind that only its owner, or no operation, makes. */
const insertRows = ({
  application,
  webhook,
  user,
  event,
}: Record<'application' | 'webhook' | 'user' | 'event', number>) =>
  transaction(async (trx) => {
    const token = { token: unique('token'), secret: '', callback: null, verifier_hash: null, last_used: null }
    const authorization = await trx
      .insertInto('oauth_tokens')
      .values({ ...token, application_id: application, user_id: user, created_at: 0, expires_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const none = { due_at: null, attempted_at: null, duration: null, request: null, answer_status: null }
    const delivery = await trx
      .insertInto('webhook_deliveries')
      .values({
        webhook_id: webhook,
        event_id: event,
        message: unique('msg'),
        status: 'failed',
        attempts: 1,
        created_at: 0,
        expires_at: 0,
        ...none,
        answer: null,
        problem: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const session = await trx
      .insertInto('sessions')
      .values({
        chain: unique('chain'),
        user_id: user,
        epoch: 0,
        in_console: 0,
        began: 0,
        proved_at: null,
        last_used: 0,
        expires_at: Date.now() + 3_600_000,
        address: '192.0.2.1',
        user_agent: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const key = await trx
      .insertInto('access_tokens')
      .values({
        user_id: user,
        name: 'Token',
        name_key: 'token',
        digest: unique('digest'),
        privileges: '',
        allowed_cidrs: '[]',
        created_at: 0,
        created_by: user,
        expires_at: 0,
        last_used: null,
        last_used_from: null,
        reminded_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const passkey = await trx
      .insertInto('passkeys')
      .values({
        user_id: user,
        name: 'Passkey',
        name_key: 'passkey',
        credential_id: unique('credential'),
        public_key: '',
        counter: 0,
        transports: '[]',
        multi_device: 0,
        backed_up: 0,
        created_at: 0,
        last_used: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return {
      passkey: passkey.id,
      token: key.id,
      authorization: authorization.id,
      delivery: delivery.id,
      session: session.id,
    }
  })

/** Users of two places, and the paths of all resources. */
async function newWorld(roles: Privilege[][]) {
  const mark = unique('why').replace(' ', '-')
  const [one, other] = [await place(), await place()]
  const strict = (await newEnterprise()).id
  const parent = await newScope({ enterprises: [one.enterprise], datacenters: [one.datacenter] })
  const child = await newScope({ parent: parent.id, datacenters: [one.datacenter, other.datacenter] })
  const leaf = await newScope({ parent: child.id, enterprises: [other.enterprise, strict] })
  const half = await newScope({ automaticAddDatacenter: true })
  const like = await newScope({ automaticAddDatacenter: true })
  const scopes = [parent, child, leaf, half, like].map(({ id }: { id: number }) => id)
  const persons: Person[] = []
  for (const [at, privileges] of roles.entries()) {
    const state = states[at] ?? 'ready'
    const enterpriseId = state === 'owesTwoFactor' ? strict : at % 2 ? one.enterprise : other.enterprise
    const scopeId = [undefined, ...scopes][at % 6]
    const held = at === OWNER ? [...new Set([...privileges, 'USERS_VIEW' as const])] : privileges
    const more = { enterpriseId, privileges: held, ...(scopeId !== undefined && { scopeId }) }
    persons.push(await newPerson(`${mark}-${at}`, more, state))
  }
  await transaction((trx) =>
    trx.updateTable('enterprises').set({ two_factor_mandatory: 1 }).where('id', '=', strict).execute(),
  )
  const users = persons.map(({ enterpriseId, id }) => `/api/admin/enterprises/${enterpriseId}/users/${id}`)
  const application = await create(`${users[OWNER]}/applications`, { name: unique('Application') })
  const webhook = await newWebhook()
  const own = await expectStatus(200, call('GET', users[OWNER] ?? ''))
  const events = await expectStatus(200, call('GET', '/api/events?by=id&asc=false&limit=200'))
  // A creation has no document before it, and a deletion none after it.
  const changes = (events.collection as { id: number; action: string; links: { rel: string }[] }[])
    .filter(({ links }) => ['before', 'after'].every((side) => links.some(({ rel }) => rel === side)))
    .map(({ id }) => id)
  const rows = await insertRows({
    application: application.id,
    webhook: webhook.id,
    user: persons[OWNER]?.id ?? 0,
    event: events.collection.at(-1).id,
  })
  const things = [
    ...one.paths,
    ...other.paths,
    ...scopes.map((id) => `/api/admin/scopes/${id}/action/impact`),
    ...users.map((path) => `${path}/action/enable2fa`),
    `${ownPath(application)}/action/rotatesecret`,
    `${users[OWNER]}/tokens/${rows.token}`,
    new URL(linkOf(own, 'role')?.href ?? '').pathname,
    `/api/admin/webhooks/${webhook.id}/deliveries/${rows.delivery}`,
    '/api/config/devicetypes/1',
    '/api/config/privileges/3',
    ...changes.map((id) => `/api/events/${id}/before`),
  ]
  const ofOwner = [
    `/api/session/sessions/${rows.session}`,
    `/api/session/authorizations/${rows.authorization}`,
    `/api/session/passkeys/${rows.passkey}`,
    `${ownPath(application)}/signaturefailures`,
  ]
  return { mark, persons, things, owner: persons[OWNER], ofOwner }
}

const operationsOf = (routes: Route[]): MethodAndPath[] =>
  routes
    .filter(({ path }) => path.startsWith('/api/') && !path.includes('[...'))
    .flatMap(({ path, handlers }) => (Object.keys(handlers) as Method[]).map((method) => ({ method, path })))

const namesIn = (path: string): string[] => [...path.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name)

/** The paths of the operation with the ids of matching resources. */
function pathsOf(routes: Route[], path: string, things: string[]): string[] {
  const names = namesIn(path)
  if (names.length === 0) return [path]
  const filled = things.flatMap((thing) => {
    const pattern = routeOf(routes, thing)?.path.replaceAll(/\[(\w+)\]/g, '(?<$1>[^/]+)')
    const ids = new RegExp(`^${pattern}$`).exec(thing)?.groups ?? {}
    return names.every((name) => name in ids)
      ? [path.replaceAll(/\[(\w+)\]/g, (_, name: string) => ids[name] ?? '')]
      : []
  })
  return [...new Set(filled)]
}

const explain = async (as: User, user: number, { method, path }: MethodAndPath): Promise<AccessExplanation> =>
  expectStatus(200, call('POST', '/api/access/action/explain', { as, body: { user, method, path } }))

async function whoMay(as: User, mark: string, { method, path }: MethodAndPath): Promise<number[]> {
  const query = new URLSearchParams({ method, path, has: mark, limit: '100', by: 'id' })
  const { collection } = await expectStatus(200, call('GET', `/api/access/action/who?${query}`, { as }))
  return collection.map(({ id }: { id: number }) => id)
}

type Sent = { status: number; code: string }

/** The parameters that some operations need. */
const queryOf = (spec: Described): URLSearchParams =>
  new URLSearchParams(
    Object.entries({ of: 'role', ids: '1', ip: '192.0.2.1' }).filter(
      ([name]) => 'query' in spec && spec.query && name in spec.query.shape,
    ),
  )

/** Sends a request without effect: with an outdated tag, and an invalid document. */
async function send(
  { state, token, ...user }: Person,
  { method, path }: MethodAndPath,
  spec: Described,
): Promise<Sent> {
  // A refused password would count as a failure.
  const byToken = state === 'inactive' || state === 'locked'
  const response = await call(method, `${path}?${queryOf(spec)}`, {
    as: byToken ? null : user,
    headers: { 'if-match': '"another"', ...(byToken && { authorization: `Token ${token}` }) },
    ...(spec.takes && { body: [] }),
  })
  if (response.headers.get('content-type') === 'text/event-stream') {
    await response.body?.cancel()
    return { status: response.status, code: '' }
  }
  return { status: response.status, code: /[A-Z0-9]+-\d+/.exec(await response.text())?.[0] ?? '' }
}

/** Operations that would end a session or delete data that the test needs, send a message, or need the console. */
const unsent =
  /logout|\/session(\/sessions.*|\/authorizations.*)?$|\/test$|\/seeas$|\/session\/(code|enrolment|proof|passkeys)/

/** Whether the answer is the explained one, but for rules about the document, the query and other rows, which are not foreseen. */
function agrees({ status, granted }: AccessExplanation, sent: Sent, path: string): boolean {
  if (sent.status === status) return true
  if (!granted) return false
  const isUnforeseen = [400, 409, 412].includes(sent.status) || sent.code === 'GEN-15'
  return isUnforeseen || (sent.status === 404 && !/\/\d+/.test(path))
}

type World = Awaited<ReturnType<typeof newWorld>>

/** Compares explanations of one operation with the responses, and with the list of users who may. */
async function compare(
  world: World,
  operation: MethodAndPath,
  { spec, sample }: { spec: Described; sample: Person[] },
) {
  const { mark, persons, owner, ofOwner } = world
  const asker = (ofOwner.includes(operation.path) && owner) || admin
  const granted: number[] = []
  for (const person of persons) {
    const explained = await explain(asker, person.id, operation)
    if (explained.granted) granted.push(person.id)
    const isSent = sample.includes(person) && spec.kind !== 'open'
    if (!isSent || unsent.test(operation.path)) continue
    // An undo is granted to readers of the event. Its inverse operation has rules of its own, and would be done.
    if (explained.granted && operation.path.endsWith('/undo')) continue
    const sent = await send(person, operation, spec)
    const seen = JSON.stringify({ operation, person, explained, sent })
    expect(agrees(explained, sent, operation.path), seen).toBe(true)
  }
  expect([operation, await whoMay(asker, mark, operation)]).toEqual([operation, granted])
}

test('each operation declares how the row in its path is found', async () => {
  for (const { path, handlers } of await loadRoutes())
    for (const [method, { spec }] of Object.entries(handlers)) {
      if (spec.kind === 'open' || !spec.target || Object.keys(spec.target.ids).length === 0) continue
      const { find, seen } = spec.target
      // A body is checked once the row is found: 404 precedes 400.
      const isFound = (spec.takes ? find : (find ?? seen)) !== undefined
      expect([method, path, isFound]).toEqual([method, path, true])
    }
})

test('an explanation matches the response, and the listed users are those whose explanation allows it', {
  timeout: 300_000,
}, async () => {
  const routes = await loadRoutes()
  const property = fc.asyncProperty(described, async ({ roles, choices }) => {
    const world = await newWorld(roles)
    const things = [...world.things, ...world.ofOwner]
    const choose = <T>(all: readonly T[], count: number): T[] =>
      [...choices.take(count)].flatMap((choice) => all[choice % all.length] ?? [])
    const asked = new Set<string>()
    const operations = operationsOf(routes)
    const compared = new Set(swept(operations, fewer(5, 20)))
    for (const operation of operations) {
      const { method, path } = operation
      const spec = routes.find((route) => route.path === path)?.handlers[method]?.spec
      const paths = pathsOf(routes, path, things)
      if (paths.length > 0) asked.add(`${method} ${path}`)
      if (!compared.has(operation)) continue
      for (const chosen of new Set(choose(paths, 1)))
        if (spec) await compare(world, { method, path: chosen }, { spec, sample: choose(world.persons, 3) })
    }
    expect(asked.size).toBeGreaterThan(180)
  })
  await fc.assert(property, {
    numRuns: 1,
    endOnFailure: true,
  })
})

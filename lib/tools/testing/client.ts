import { hash } from '@node-rs/argon2'
import type { ExpressionBuilder } from 'kysely'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { GLOBAL_SCOPE } from '#lib/caller/scopes/scopes.schema'
import { closeDatabase, type Database, database, transaction } from '#lib/db/db.server'
import { migrate } from '#lib/db/migrate.server'
import type { Tables } from '#lib/db/tables.server'
import { responseOf } from '#lib/ground/http/answer.server'
import { exchangeOf } from '#lib/ground/http/exchange.server'
import { insertEnterprise } from '#lib/people/identity/enterprises.server'
import { insertRole } from '#lib/people/identity/roles.server'
import { insertUser } from '#lib/people/identity/users.server'
import { loadRoutes, type Route } from '#lib/request/pipeline/routes.server'
import { firstStart } from '#lib/server/first-start.server'
import { createRouter, type Router } from '#lib/server/router.server'
import { requireConformance, routeOf } from '#lib/tools/testing/conformance'
import { keepRows } from '#lib/tools/testing/fresh-database'
import { cheapHash } from '#lib/tools/testing/settings'

/** Where the tests' requests seem to go; nothing listens there: a test calls the router itself. */
export const ORIGIN = 'http://console.localhost'

/** The client address of a test's requests, unless the test gives another one. */
export const LOOPBACK = '127.0.0.1'

let started: Promise<TestRouter> | undefined
let loaded: Promise<Route[]> | undefined

function routes(): Promise<Route[]> {
  loaded ??= loadRoutes()
  return loaded
}

type TestRouter = Router & { fetch: (request: Request, from?: string) => Promise<Response> }

/** Replaces the front server, which passes the client address of each request to the router. */
export const testRouter = (router: Router): TestRouter => ({
  ...router,
  fetch: async (request, from = LOOPBACK) => responseOf(await router.serve(exchangeOf(request, from))),
})

/** The router over this worker's database, brought up as a first start does it. */
export function router(): Promise<TestRouter> {
  started ??= (async () => {
    await migrate(database())
    await firstStart()
    await keepRows()
    return testRouter(createRouter(await routes()))
  })()
  return started
}

/** Resets the counter of wrong passwords before each test, because all tests use one client network. */
export async function forgetSprays(): Promise<void> {
  if (!started) return
  await started
  const spray = (key: ExpressionBuilder<Tables, 'sign_in_failures'>) => key('key', 'like', '% * %')
  const counted = await database()
    .read.selectFrom('sign_in_failures')
    .where(spray)
    .select('key')
    .executeTakeFirst()
  if (counted) await transaction((trx) => trx.deleteFrom('sign_in_failures').where(spray).execute())
}

/** Closes this worker's database. The next use opens it again. */
export async function forgetDatabase(): Promise<void> {
  const shared = globalThis as { __database?: Database }
  if (shared.__database) await closeDatabase(shared.__database)
  delete shared.__database
}

export type User = { nick: string; password: string }

export const admin: User = { nick: 'admin', password: process.env.ADMIN_PASSWORD ?? '' }

export const basicOf = ({ nick, password }: User): string =>
  `Basic ${Buffer.from(`${nick}:${password}`).toString('base64')}`

export type Call = {
  /** The caller, with Basic; null: no credentials. The administrator by default. */
  as?: User | null
  /** A document to send as JSON, or a text as it is. */
  body?: unknown
  headers?: Record<string, string>
  /** The address of the connection; loopback by default. */
  from?: string
}

/** Calls an operation through the front door. */
export async function call(
  method: string,
  path: string,
  { as = admin, body, headers = {}, from = LOOPBACK }: Call = {},
): Promise<Response> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const request = new Request(path.startsWith('http') ? path : ORIGIN + path, {
    method,
    ...(sent !== undefined && { body: sent }),
    headers: {
      ...(as && { authorization: basicOf(as) }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  const response = await (await router()).fetch(request, from)
  await requireDeclared(request, response)
  return response
}

/** A list that is read whole may be a stream that a test takes in pieces, as a stream of events is. */
async function requireDeclared(request: Request, response: Response): Promise<void> {
  const { pathname, searchParams } = new URL(request.url)
  const handlers = routeOf(await routes(), pathname)?.handlers
  const spec = handlers?.[request.method as keyof Route['handlers']]?.spec
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  if (spec && !isStream && searchParams.get('limit') !== '0')
    await requireConformance(spec, request, response.clone())
}

type Anything = ReturnType<typeof JSON.parse>

/** Calls an operation, expects the status, and reads the JSON document (or text) of the answer. */
export async function expectStatus(status: number, answer: Promise<Response> | Response): Promise<Anything> {
  const response = await answer
  const text = await response.text()
  if (response.status !== status) throw new Error(`expected ${status}, got ${response.status}: ${text}`)
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

/** The codes of a refusal, in order. */
export async function codesOf(answer: Promise<Response> | Response): Promise<string[]> {
  const { collection, detail } = (await (await answer).json()) as {
    collection: { code: string }[]
    /** Of a refusal by SCIM. */
    detail?: string
  }
  return detail === undefined
    ? collection.map(({ code }) => code)
    : detail.split('; ').map((fault) => fault.split(':', 1)[0] ?? '')
}

let serial = 0

/** A name that no other test uses. Of one word they are in the order in which they were made, also after the ninth and the 99th; six digits would be a code in a mail. */
export const unique = (word: string): string => {
  serial += 1
  return `${word} ${process.pid}-${String(serial).padStart(5, '0')}`
}

type Person = {
  privileges?: readonly Privilege[]
  scopeId?: number
  enterpriseId?: number
  nick?: string
  email?: string
  locale?: string
}

const password = 'a password for tests'
const weakHash = hash(password, cheapHash)

/** A user with a role of their own and a chosen password. Defaults: all privileges and the global scope. */
export async function newUser({
  privileges = allPrivileges,
  scopeId,
  enterpriseId,
  nick,
  email,
  locale,
}: Person = {}): Promise<User & { id: number; enterpriseId: number }> {
  await router()
  const password_hash = await weakHash
  return transaction(async (trx) => {
    const enterprise =
      enterpriseId ?? (await insertEnterprise(trx, { name: unique('Enterprise'), scopeId: GLOBAL_SCOPE }))
    const roleId = await insertRole(trx, { name: unique('Role'), privileges })
    const user = {
      nick: nick ?? unique('user').replace(' ', '-'),
      name: 'Test',
      enterpriseId: enterprise,
      roleId,
      scopeId,
      email,
      locale,
      password_hash,
      passwordChosen: true,
    }
    return { nick: user.nick, password, id: await insertUser(trx, user), enterpriseId: enterprise }
  })
}

/** A new enterprise with the global scope as its default. */
export async function newEnterprise(
  name = unique('Enterprise'),
  scopeId = GLOBAL_SCOPE,
): Promise<{ id: number; name: string }> {
  await router()
  return { name, id: await transaction((trx) => insertEnterprise(trx, { name, scopeId })) }
}

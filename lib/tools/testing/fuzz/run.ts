import { describeApi } from '#lib/openapi/openapi.server'
import type { JsonSchema } from '#lib/openapi/schema'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { sampleCloud } from '#lib/tools/sample/cloud.server'
import { type Random, seeded } from '#lib/tools/sample/random'
import { newAccessToken } from '#lib/tools/testing/access-tokens'
import { basicOf, newUser, ORIGIN, router } from '#lib/tools/testing/client'
import { requireConformance, routeOf } from '#lib/tools/testing/conformance'
import { operationsOf, pathFor, requestFor } from '#lib/tools/testing/fuzz/requests'
import { spelledPaths } from '#lib/tools/testing/fuzz/spelled'
import type { Making } from '#lib/tools/testing/fuzz/values'
import { connect, register } from '#lib/tools/testing/oauth'
import { authorizationOf, type Program, type Token } from '#lib/tools/testing/oauth-client'

/* Requests without end, the same for the same seed, against the whole API over the sample cloud. */

/** Requests with one set of credentials: it may end its own session, or its user. */
const TURN = 60
const PATIENCE = 120_000
/** The share of requests beside which a path is asked for in another spelling. */
const SPELLED = 0.1

type Identity = {
  basic: string
  token: string
  accessToken: string
  console: string
  program: Program
  access: Token
}

export type Outcome = {
  requests: number
  statuses: Record<string, number>
  slowest: { ms: number; title: string }
}

/** Internals of the program or the machine, which no answer may contain. */
const inside =
  /\bat (async )?\S+ \(|node:internal|node_modules|\.server\.ts|SQLITE_|sqlite3?\b|syntax error at|select .* from |insert into|\/(?:tmp|work|home|root)\//i

/** Throws if the answer is a server error, is not declared by the operation, or contains internals. */
export async function fuzz(
  count: number,
  seed: number,
  progress: (done: number) => void = () => {},
): Promise<Outcome> {
  const random = seeded(seed)
  const app = await router()
  const routes = await loadRoutes()
  const document = describeApi(routes)
  const schemas = (document.components as JsonSchema).schemas as Record<string, JsonSchema>
  const operations = operationsOf(document)
  await sampleCloud()
  const ids = new Pool(random)
  const statuses: Record<string, number> = {}
  let slowest = { ms: 0, title: '' }
  let identity = await newIdentity()
  const spelled = await spelledPaths(app, random)
  for (let number = 0; number < count; number += 1) {
    if (number % TURN === TURN - 1) {
      identity = await newIdentity()
      progress(number)
    }
    const operation = operations[random.below(operations.length)]
    if (!operation) break
    const making = { random, schemas, wild: random.chance(0.5), href: (kind?: string) => ids.href(kind) }
    if (random.chance(SPELLED) && !operation.template.endsWith(ENDLESS)) {
      const path = pathFor(operation, { ...making, wild: false }, (name) => ids.id(name))
      await inTime(
        spelled.check(path, { authorization: identity.basic }, `request ${number} of seed ${seed}`),
        path,
      )
    }
    const request = requestFor(
      operation,
      making,
      (name) => ids.id(name),
      (method, url) => credentials(making, identity, method, url),
    )
    const title = `request ${number} of seed ${seed}: ${request.method} ${request.url}`
    const began = performance.now()
    const response = await inTime(app.fetch(request, addressOfTurn(number)), title)
    const isEndless = response.headers.get('content-type') === 'text/event-stream'
    if (isEndless) await response.body?.cancel()
    const text = isEndless ? '' : await inTime(response.clone().text(), title)
    const ms = performance.now() - began
    if (ms > slowest.ms) slowest = { ms: Math.round(ms), title }
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    if (response.status >= 500) throw new Error(`${title} answered ${response.status}: ${text}`)
    if (response.status >= 400 && inside.test(text)) throw new Error(`${title} reveals internals: ${text}`)
    const { pathname, searchParams } = new URL(request.url)
    const handlers = routeOf(routes, pathname)?.handlers as
      | Record<string, { spec: Parameters<typeof requireConformance>[0] }>
      | undefined
    const spec = handlers?.[request.method]?.spec
    if (spec && !isEndless && searchParams.getAll('limit').at(-1) !== '0')
      await requireConformance(spec, request, response)
    if (response.ok) ids.learn(text)
  }
  spelled.end()
  return { requests: count, statuses, slowest }
}

/** Spelled paths are read to the end of their answers, which a stream does not have. */
const ENDLESS = '/events/stream'

/** Each identity has a client address of its own, because its wrong attempts would slow down the next one. */
const addressOfTurn = (number: number): string => {
  const turn = Math.floor(number / TURN)
  return `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`
}

async function inTime<T>(work: Promise<T>, title: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${title} has no answer`)), PATIENCE)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Addresses from answers, a bounded number of each kind. */
class Pool {
  readonly #random: Random
  readonly #hrefs = new Map<string, string[]>()

  constructor(random: Random) {
    this.#random = random
  }

  learn(text: string): void {
    for (const [, path = ''] of text.matchAll(/"href":"[^"]*?(\/api\/[^"?]+\/\d+)"/g)) {
      const kind = path.split('/').at(-2) ?? ''
      const known = this.#hrefs.get(kind) ?? []
      if (known.length < 60) known.push(path)
      else known[this.#random.below(60)] = path
      this.#hrefs.set(kind, known)
    }
  }

  #anyOf(kinds: readonly string[]): string | undefined {
    const known = this.#hrefs.get(kinds[this.#random.below(kinds.length)] ?? '')
    return known?.[this.#random.below(known.length)]
  }

  href(kind?: string): string {
    const found = kind && this.#anyOf([kind])
    return found || (this.#anyOf([...this.#hrefs.keys()]) ?? '/api/admin/scopes/1')
  }

  /** An id for the path's word of this name: `natnetwork` is found under `natnetworks`. */
  id(name: string): string {
    const path = this.#anyOf([`${name}s`, ...(name === 'natip' ? ['ips'] : [])])
    return path?.split('/').at(-1) ?? String(1 + this.#random.below(8))
  }
}

async function newIdentity(): Promise<Identity> {
  const user = await newUser()
  const basic = basicOf(user)
  const app = await router()
  const login = await app.fetch(new Request(`${ORIGIN}/api/login`, { headers: { authorization: basic } }))
  const { nick, password } = user
  const session = await app.fetch(
    new Request(`${ORIGIN}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ nick, password }),
    }),
  )
  const cookie = session.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const program = await register(user)
  const access = await connect(program, user)
  const { token: accessToken } = await newAccessToken(user)
  const token = login.headers.get('x-service-token') ?? ''
  return { basic, token, accessToken, console: cookie, program, access }
}

/** By each mechanism, sound and forged, or without any. */
function credentials(
  { random, wild }: Making,
  identity: Identity,
  method: string,
  url: string,
): Record<string, string> {
  const { basic, token, accessToken, console: cookie, program, access } = identity
  switch (wild ? random.below(12) : 2 + random.below(10)) {
    case 0:
      return {}
    case 1:
      return {
        authorization: random.pick([
          'Basic',
          'Basic !!',
          'Token x.y',
          'Bearer x',
          'OAuth realm=',
          'OAuth a="b',
          'Digest x',
          `Token ${token}x`,
          `Bearer ${accessToken}x`,
        ]),
      }
    case 2:
    case 3:
      return { authorization: basic }
    case 4:
      return { cookie: `auth=${token}` }
    case 5:
    case 6:
      return { cookie }
    case 7:
      return { authorization: signed(program, access, method, url) }
    case 8:
      return { authorization: `${random.pick(['Token', 'Bearer'])} ${accessToken}` }
    default:
      return { authorization: `Token ${token}` }
  }
}

function signed(program: Program, token: Token, method: string, url: string): string {
  try {
    return authorizationOf(program, method, url, { token })
  } catch {
    // The client cannot read every address that a fuzzer makes.
    return 'OAuth oauth_consumer_key=""'
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { env } from '#lib/ground/env.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import type { Described } from '#lib/request/pipeline/spec.server'
import { ask, environmentOf, started } from '#lib/tools/testing/api-process'
import { admin, call, newUser } from '#lib/tools/testing/client'
import type { Cost } from '#lib/tools/testing/measured-server'
import { isLong, swept } from '#lib/tools/testing/search'
import { tokenOf } from '#lib/tools/testing/session'
import { anyBodies, heads, ownBodies, queries, takenBy } from '#lib/tools/testing/worst-documents'

/*
 * The costs of the worst documents of every operation (docs/security.md, "Worst costs"). Times are processor times of the main thread,
 * which delay other requests. The limits are longer on a machine that takes longer for a harmless document.
 */

const MIB = 1024 * 1024
const MOST = { wait: 100, memory: 64 * MIB }
/** Milliseconds that the harmless document takes on the machine of the table. */
const USUAL_SPEED = 4

let server: ChildProcess
let url = ''
let factor = 1

const answerTo = async <T>(question: 'speed' | 'begin' | 'end'): Promise<T> => {
  const answer = once(server, 'message')
  server.send(question)
  const [message] = await answer
  return message as T
}

beforeAll(async () => {
  await call('GET', '/api/login', { as: admin })
  server = fork('lib/tools/testing/measured-server.ts', {
    env: environmentOf(env()),
    execArgv: ['--max-semi-space-size=16', '--heap-growing-percent=20'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (!server.stdout) throw new Error('the server has no output')
  for await (const line of createInterface({ input: server.stdout })) {
    url = started.exec(line)?.[1] ?? ''
    if (url) break
  }
  const speed = await answerTo<number>('speed')
  factor = Math.max(1, speed / USUAL_SPEED)
}, 120_000)

afterAll(async () => {
  if (isLong) print()
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
})

type Sent = { method: string; path: string; headers: Record<string, string>; text?: string }

/** The status of the answer, even if the server has not read the whole body. */
const statusOf = ({ method, path, headers, text }: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const sending = request(`${url}${path}`, {
      method,
      agent: false,
      headers: { ...headers, ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }) },
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      response.on('error', reject).on('end', () => {
        resolve(response.statusCode ?? 0)
        sending.destroy()
      })
      response.resume()
    })
    sending.end(text)
  })

type Figure = Cost & { group: string; document: string; operation: string; status: number }

const figures: Figure[] = []

/** The cost of the request: the least of three if the first is too high, because on a busy machine single requests are expensive. */
async function measure(group: string, document: string, sent: Sent): Promise<number> {
  let least: (Cost & { status: number }) | undefined
  for (let attempt = 0; attempt < 3 && !(least && isBounded(least)); attempt += 1) {
    await answerTo('begin')
    const status = await statusOf(sent).catch(() => 0)
    const cost = await answerTo<Cost>('end')
    if (!least || cost.wait < least.wait) least = { ...cost, status }
  }
  if (!least) throw new Error('nothing was measured')
  figures.push({ ...least, group, document, operation: `${sent.method} ${sent.path.split('?')[0]}` })
  return least.status
}

const isBounded = ({ wait, memory }: Cost): boolean => wait <= MOST.wait * factor && memory <= MOST.memory

type MeasuredOperation = { method: string; path: string; spec: Described }

const operations: MeasuredOperation[] = (await loadRoutes())
  .filter(({ path }) => !path.includes('[...'))
  .flatMap(({ path, handlers }) =>
    Object.entries(handlers).map(([method, { spec }]) => ({ method, path, spec })),
  )

/** The path with this id in place of each parameter. */
const at = ({ path }: MeasuredOperation, id: number): string => path.replaceAll(/\[\w+\]/g, String(id))
const largest = (spec: Described): number => (spec.kind === 'open' ? (spec.largestBody ?? 8 * 1024) : MIB)
const isLarge = ({ spec }: MeasuredOperation): boolean =>
  spec.kind !== 'open' && spec.takes?.reads !== undefined

/** For signed-in callers whose session is needed again. */
const keepsSession = ({ method, path, spec }: MeasuredOperation): boolean =>
  spec.kind !== 'open' && !spec.answers?.endsSession && !(method === 'DELETE' && path.includes('session'))

const NOWHERE = 999_999

/** All in a long search, else a part that differs from day to day. */
const some = <T>(all: readonly T[], part = 8): T[] => swept(all, part)

const expectBounded = (): void => expect(figures.filter((each) => !isBounded(each))).toEqual([])

test('a stranger costs others little, whatever they send', { timeout: 600_000 }, async () => {
  const open = operations.filter(({ spec }) => spec.kind === 'open')
  const others = operations.filter(({ spec }) => spec.kind !== 'open')
  for (const operation of [...open, ...some(others)]) {
    const { method, spec } = operation
    const path = at(operation, NOWHERE)
    const isOpen = spec.kind === 'open'
    const taken = takenBy(spec)
    const group = isOpen ? 'open' : isLarge(operation) ? 'plans' : 'with credentials'
    for (const [name, headers] of some(Object.entries(heads), 3))
      await measure(`stranger, ${group}`, name, { method, path, headers })
    for (const [name, query] of some(Object.entries(queries), 2))
      await measure(`stranger, ${group}`, name, { method, path: path + query, headers: {} })
    if (method === 'GET' || !(taken || isOpen || isLarge(operation))) continue
    const root = taken?.as ?? 'x'
    const size = isLarge(operation) ? 64 * MIB : largest(spec)
    const all = isOpen
      ? [...anyBodies(size, root), ...(taken ? ownBodies(size, root, taken.body) : [])]
      : anyBodies(size, root).slice(4, 5)
    for (const { kind, type, text } of isOpen ? some(all) : all)
      await measure(`stranger, ${group}`, kind, { method, path, headers: { 'content-type': type }, text })
  }
  expectBounded()
})

const signedIn = async (as: { nick: string; password: string }) => ({
  authorization: `Token ${tokenOf(await ask({ url }, '/api/login', { as }))}`,
})

test('a user without the privilege costs others little', { timeout: 600_000 }, async () => {
  const user = await newUser({ privileges: [] })
  let credentials = await signedIn(user)
  for (const operation of some(operations.filter(keepsSession))) {
    const { method } = operation
    const size = isLarge(operation) ? 64 * MIB : MIB
    const group = isLarge(operation) ? 'plans' : method === 'GET' ? 'reads' : 'writes'
    const taken = takenBy(operation.spec)
    const [body] = method === 'GET' ? [] : anyBodies(size, taken?.as ?? 'x').slice(1)
    const send = () =>
      measure(`no privilege, ${group}`, body?.kind ?? 'a long query', {
        method,
        path: at(operation, NOWHERE) + (body ? '' : queries['a long query']),
        headers: { ...credentials, ...(body && { 'content-type': body.type }) },
        ...(body && { text: body.text }),
      })
    if ((await send()) !== 401) continue
    // An operation before has ended the session.
    credentials = await signedIn(user)
    await send()
  }
  expectBounded()
})

test('a document that is refused costs others little, also from an administrator', {
  timeout: 1_200_000,
}, async () => {
  const credentials = await signedIn(admin)
  for (const operation of some(operations, 12)) {
    const { method, spec } = operation
    const taken = takenBy(spec)
    if (!keepsSession(operation) || !taken) continue
    const send = (id: number, { kind, type, text }: { kind: string; type: string; text: string }) =>
      measure('refused document', kind, {
        method,
        path: at(operation, id),
        headers: { ...credentials, 'content-type': type },
        text,
      })
    for (const body of some(anyBodies(MIB, taken.as), 2)) await send(NOWHERE, body)
    for (const body of some(ownBodies(MIB, taken.as, taken.body), 2)) await send(1, body)
  }
  expectBounded()
})

const most = (group: readonly Figure[], by: 'wait' | 'work' | 'memory'): Figure =>
  group.reduce((largest, each) => (each[by] > largest[by] ? each : largest))

const table = (): string[] =>
  Object.entries(Object.groupBy(figures, ({ group }) => group)).map(([group, all = []]) => {
    const { document, operation, wait } = most(all, 'wait')
    const memory = Math.round(most(all, 'memory').memory / MIB)
    const cells = [group, `${document}: \`${operation}\``, `${Math.ceil(wait)} ms`]
    return `| ${[...cells, `${Math.ceil(most(all, 'work').work)} ms`, `${memory} MB`].join(' | ')} |`
  })

/** The table of docs/security.md, and the requests that cost most. */
function print(): void {
  process.stdout.write(`factor ${factor}, ${figures.length} requests\n${table().join('\n')}\n`)
  for (const by of ['wait', 'memory'] as const)
    for (const each of figures.toSorted((a, b) => b[by] - a[by]).slice(0, 12))
      process.stdout.write(`${JSON.stringify(each)}\n`)
}

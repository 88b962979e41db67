import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ApiOptions, api } from '#lib/client/api'
import { type Call, noteCall, rehearseChange, rehearseRead, takeChanges } from '#lib/client/calls'
import { curlOf } from '#lib/client/curl'
import { createOnce } from '#lib/client/once'

type Seen = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string }

/* A server that records its requests. The console's own requests and the shown commands are both sent to it. */

const seen: Seen[] = []
const server = createServer(async (request, response) => {
  const { method, url, headers } = request
  seen.push({ method, url, headers, body: await text(request) })
  response.setHeader('Content-Type', 'application/json')
  response.end('{"id":7}')
})
let origin = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given out')
  origin = `http://127.0.0.1:${address.port}`
})
afterAll(() => server.close())

const { fetch } = globalThis
const send = (path: string, init?: RequestInit) => fetch(new URL(path, origin), init)
const noNetwork = vi.fn(async () => {
  throw new Error('Nothing is sent in a rehearsal')
})
afterEach(() => vi.unstubAllGlobals())

const secrets = { API_TOKEN: 'sat_1', PASSWORD: 'S3cret-of-the-shell', OLD_PASSWORD: 'old' }

async function run(command: string): Promise<Seen | undefined> {
  seen.length = 0
  const env = { NODE_ENV: 'test' as const, PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...secrets }
  await promisify(execFile)('bash', ['-c', `${command.replace('curl ', 'curl -sS ')}`], { env, cwd: '/' })
  return seen[0]
}

const reading = { meta: undefined }

async function sentByConsole(path: string, options: ApiOptions = reading): Promise<Seen | undefined> {
  vi.stubGlobal('fetch', send)
  seen.length = 0
  await api(path, options)
  return seen[0]
}

/** The call of a request that is not sent. */
function callOf(path: string, options: ApiOptions = reading): Call {
  vi.stubGlobal('fetch', noNetwork)
  const [call] = rehearseRead(() => api(path, options))
  if (!call) throw new Error('A call was expected')
  return call
}

const asRead = (request: Seen | undefined) =>
  request && {
    method: request.method,
    url: request.url,
    accept: request.headers.accept,
    type: request.headers['content-type'],
    match: request.headers['if-match'],
    body: request.body.startsWith('{') ? JSON.parse(request.body) : request.body,
  }

const scopes = '/api/admin/scopes'
const hard = `it's "x" $HOME \`id\` $(id) \\ ! ; & | > < * ? ~ # % {a,b} [1-3] @file\n\tnew line é 日本 😀 ' '' `

const requests: Record<string, [string, ApiOptions?]> = {
  'a list with filters, order and page': [
    scopes,
    {
      query: { has: hard, by: 'name', asc: false, startwith: 25, limit: 25, type: undefined },
      meta: undefined,
    },
  ],
  'a document': [`${scopes}/7`],
  'a path with characters that curl would expand': ['/api/admin/x{1,2}/[1-3]'],
  'a change with its precondition': [
    `${scopes}/7`,
    { method: 'PUT', body: { name: hard, links: [{ rel: "o'hara" }] }, headers: { 'If-Match': `"a'1"` } },
  ],
  'a new thing': [scopes, { method: 'POST', body: { name: '@/etc/passwd', list: [] }, once: createOnce() }],
  'an action without a body': [`${scopes}/7/action/x`, { method: 'POST', once: createOnce() }],
  'a form': [
    '/api/oauth/x',
    { method: 'POST', body: new URLSearchParams({ a: "it's", b: '&=%' }), once: false },
  ],
  'a removal': [`${scopes}/7`, { method: 'DELETE', headers: { 'If-Match': '"a1"' } }],
  'text for private use': [scopes, { method: 'PUT', body: { name: '\uE000API_TOKEN\uE001' } }],
}

describe('the shown command, run in a shell, sends the same request as the console', () => {
  test.for(Object.entries(requests))('%s', async ([, [path, options]]) => {
    const shown = await run(curlOf(callOf(path, options), origin))
    const sent = await sentByConsole(path, options)
    expect(asRead(shown)).toEqual({
      ...asRead(sent),
      url: sent?.url?.replace(/[[\]{}]/g, encodeURIComponent),
      type: asRead(sent)?.type?.replace(';charset=UTF-8', ''),
    })
    expect(shown?.headers.authorization).toBe('Token sat_1')
    expect(shown?.headers['idempotency-key']).toBeUndefined()
  })
})

test('a file is named, not shown', () => {
  const headers = { 'Content-Type': 'text/csv' }
  const call = callOf('/api/plans', { method: 'POST', headers, body: new Blob(['a,b']), once: false })
  expect(curlOf(call, origin).split(' \\\n  ').slice(-2)).toEqual([
    `-H 'Content-Type: text/csv'`,
    '--data-binary @FILE',
  ])
})

test('secrets are variables of the shell', async () => {
  const user = { nick: "o'hara", password: 'as "typed"', nested: { oldPassword: 'typed too' } }
  const command = curlOf(callOf('/api/admin/users/7', { method: 'PUT', body: user }), origin)
  expect(command).not.toContain('typed')
  const shown = await run(command)
  expect(JSON.parse(shown?.body ?? '')).toEqual({
    nick: "o'hara",
    password: secrets.PASSWORD,
    nested: { oldPassword: secrets.OLD_PASSWORD },
  })
})

const hostile = [
  `it's "quoted" \`id\` $(id) \${HOME} $HOME \\`,
  `'; id; '`,
  `''`,
  `"'"'"`,
  '\\',
  "\\'",
  "'\\''",
  'a\nid\nb',
  'a\r\nid\r\n',
  '!id !! !-1 !$ "!id"',
  '-n',
  '--data-binary @/etc/passwd',
  '@/etc/passwd',
  '\uE000API_TOKEN\uE001',
  '\uE000PASSWORD\uE001\uE000"$(id)\uE001',
  '\u0000\u0003\u0004\u001b[201~id\u001b[200~\u007f\u009b31m',
  '\u202eid\u2066\u2028id\u{e0041}',
  '~ * ? [a] {a,b} # & | ; < > ( ) =ls ^a^b %1',
]

/** The arguments of each command, typed into an interactive shell that prints them in place of running curl. */
function typed(shell: string, options: string[], commands: string[]): string[][] {
  const input = `curl() { printf '%s\\0' "$@"; printf '\\0'; }\n${commands.join('\n')}\nexit\n`
  const env = { NODE_ENV: 'test' as const, PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...secrets }
  const { stdout } = spawnSync(shell, [...options, '-i'], { input, env, cwd: '/', encoding: 'utf8' })
  return stdout
    .split('\0\0')
    .slice(0, -1)
    .map((all) => all.split('\0'))
}

describe.each([
  ['bash', ['--norc', '--noprofile']],
  ['zsh', ['-f']],
])('pasted into %s, names stay unchanged', (shell, options) => {
  test('in documents, forms and addresses', () => {
    const calls = hostile.flatMap((name) => [
      callOf(scopes, { method: 'PUT', body: { name, password: 'typed', tags: [name], [name]: { name } } }),
      callOf(scopes, { method: 'POST', body: new URLSearchParams({ name }), once: false }),
      callOf(scopes, { query: { has: name }, meta: undefined }),
    ])
    const commands = calls.map((call) => curlOf(call, 'http://host.invalid'))
    // Only printable characters and line breaks reach the terminal.
    expect(commands.filter((command) => /[^\n\P{C}]|[\p{Zl}\p{Zp}]/u.test(command))).toEqual([])
    const ran = typed(shell, options, commands)
    expect(ran).toHaveLength(commands.length)
    for (const [index, name] of hostile.entries()) {
      const [document = [], form = [], list = []] = ran.slice(3 * index, 3 * index + 3)
      expect(JSON.parse(document.at(-1) ?? '')).toEqual({
        name,
        password: secrets.PASSWORD,
        tags: [name],
        [name]: { name },
      })
      expect(new URLSearchParams(form.at(-1)).get('name')).toBe(name)
      expect(new URL(list[0] ?? '').searchParams.get('has')).toBe(name)
      for (const sent of [document, form, list]) expect(sent).toContain('Authorization: Token sat_1')
    }
  })
})

describe('a rehearsal', () => {
  test('sends the reads of a save, and no change', async () => {
    const fetched = vi.fn(send)
    vi.stubGlobal('fetch', fetched)
    const save = async () => {
      const { id } = await api<{ id: number }>(`${scopes}/7`, reading)
      await Promise.resolve()
      await api(`${scopes}/${id}`, { method: 'PUT', body: { name: 'Retail' } })
      await api(`${scopes}/${id}`, { method: 'DELETE' })
    }
    const calls = await rehearseChange(save)
    expect(calls.map(({ method, address }) => [method, address])).toEqual([['PUT', `${scopes}/7`]])
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  test('passes on another failure, and is over then', async () => {
    await expect(rehearseChange(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(() => noteCall({ method: 'PUT', address: scopes, headers: {} })).not.toThrow()
  })

  test('leaves the session of the console alone', async () => {
    vi.stubGlobal('fetch', send)
    const calls = await rehearseChange(() => api('/api/session/preferences', { method: 'PUT', body: {} }))
    expect(calls).toEqual([])
  })
})

test('a notice takes the changes that were made, once, and nothing that was read or refused', async () => {
  takeChanges()
  vi.stubGlobal('fetch', send)
  await api(`${scopes}/7`, reading)
  await api('/api/session/preferences', { method: 'PUT', body: {} })
  await api(`${scopes}/7`, { method: 'DELETE' })
  vi.stubGlobal('fetch', async () => new Response(null, { status: 409 }))
  await api(`${scopes}/8`, { method: 'DELETE' }).catch(() => undefined)
  expect(takeChanges().map(({ call }) => call.address)).toEqual([`${scopes}/7`])
  expect(takeChanges()).toEqual([])
})

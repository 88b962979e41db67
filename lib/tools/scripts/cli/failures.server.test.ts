import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { type Manual, manualOf } from '#lib/tools/scripts/cli/commands'
import { unwritable } from '#lib/tools/scripts/cli/outcome'
import { commandLine, type Given } from '#lib/tools/testing/command-line'

/* What a command says and ends with where something fails outside of the API. */

let manual: Manual
const folder = mkdtempSync(join(tmpdir(), 'test-cli-failures-'))
beforeAll(async () => {
  manual = manualOf(describeApi(await loadRoutes()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const API = 'http://localhost/api'
const SECRET = 'sat_secret'

const cli = (args: string[], given: Given = {}) =>
  commandLine(manual, args, {
    env: { API_URL: API, API_TOKEN: SECRET, XDG_CONFIG_HOME: folder },
    fetch: () => Promise.reject(new Error('Nothing may be sent')),
    ...given,
  })

const answering = (body: BodyInit | null, init?: ResponseInit) => async () => new Response(body, init)
const json = { headers: { 'content-type': 'application/json' } }

/** An answer whose connection ends after its first letters. */
const cut = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"coll'))
      controller.error(new TypeError('terminated'))
    },
  })

describe('an answer', () => {
  test.each([
    [['list-scopes'], json],
    [['export', '--format', 'csv'], { headers: { 'content-type': 'text/csv' } }],
    [['plan', 'package.json'], json],
  ])('whose connection ends in its middle ends %j with 6', async (args, init) => {
    const { code, notes } = await cli(args, { fetch: answering(cut(), init) })
    expect([code, notes]).toEqual([6, 'The connection was lost in the middle of the answer.\n'])
  })

  test('of a proxy is no result', async () => {
    const page = answering('<html>Sign in to the network</html>', {
      headers: { 'content-type': 'text/html' },
    })
    const said = 'The answer of the server cannot be read: it is text/html, not application/json.\n'
    expect(await cli(['list-scopes'], { fetch: page })).toMatchObject({ code: 6, out: '', notes: said })
    expect(await cli(['get-version'], { fetch: page })).toMatchObject({ code: 6, out: '' })
  })

  test('of a proxy that refuses is reported by its status', async () => {
    const bad = answering('{broken', { status: 502, statusText: 'Bad Gateway', ...json })
    expect(await cli(['list-scopes'], { fetch: bad })).toMatchObject({ code: 6, notes: '502 Bad Gateway\n' })
  })
})

test('a refusal without a reason does not name a privilege where none is needed', async () => {
  const fetch = answering('<html>', { status: 403, statusText: 'Forbidden' })
  const own = await cli(['list-own-passkeys'], { fetch })
  expect([own.code, own.notes]).toEqual([3, expect.stringContaining('access tokens may not do it')])
  expect((await cli(['list-scopes'], { fetch })).notes).toContain('Needs one of the privileges')
})

describe('Ctrl-C', () => {
  test('ends a command with 130', async () => {
    const stop = new AbortController()
    const fetch = () => {
      stop.abort()
      return Promise.reject(stop.signal.reason)
    }
    expect(await cli(['list-scopes'], { fetch, signal: stop.signal })).toEqual({
      code: 130,
      out: '',
      notes: 'Interrupted.\n',
      questions: [],
    })
  })

  test('leaves a job alone, and says how to follow it', async () => {
    const stop = new AbortController()
    const job = { id: 7, state: 'running', links: [], operation: 'natrule.update', created: '' }
    const fetch: typeof globalThis.fetch = async (to) => {
      if (!String(to).endsWith('/jobs/7')) return Response.json(job, { status: 202 })
      stop.abort()
      return new Response(new ReadableStream({ start: (controller) => controller.error(stop.signal.reason) }))
    }
    const change = ['update-nat-rules', '--datacenter', '1', '--follow']
    expect(await cli(change, { fetch, signal: stop.signal, input: '{}', progress: [] })).toMatchObject({
      code: 130,
      notes: 'Interrupted. Job 7 goes on: cloudctl get-job 7 --follow\n',
    })
  })
})

describe('a token', () => {
  test.each(['two words', 'one\nline', 'ü'])(
    'that no header can carry is not shown: %j',
    async (API_TOKEN) => {
      const env = { API_URL: API, API_TOKEN, XDG_CONFIG_HOME: folder }
      const said = 'API_TOKEN must be one word of ASCII letters.\n'
      expect(await cli(['list-scopes'], { env })).toMatchObject({ code: 2, out: '', notes: said })
      const piped = await cli(['login', '--api', API, '--token'], { input: API_TOKEN })
      expect(piped).toMatchObject({ code: 2, notes: expect.stringContaining('must be one word') })
    },
  )

  test('is not a word of the command line, and is not shown again', async () => {
    const { code, notes } = await cli(['login', '--api', API, '--token', SECRET], { input: 'another' })
    expect([code, notes]).toEqual([2, 'login takes no further words. See: cloudctl help\n'])
  })

  test('is not made where it could not be saved', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const { code, notes, questions } = await cli(['login', '--api', API], { env: { XDG_CONFIG_HOME: file } })
    expect([code, notes, questions]).toEqual([
      2,
      expect.stringMatching(/^\S+token\.json cannot be written: /),
      [],
    ])
  })

  test('that is saved and cannot be read is not taken for none', async () => {
    const config = join(folder, 'unreadable')
    mkdirSync(join(config, 'cloudctl/token.json'), { recursive: true })
    const { code, notes } = await cli(['list-scopes'], { env: { XDG_CONFIG_HOME: config } })
    expect([code, notes]).toEqual([2, expect.stringMatching(/token\.json cannot be read: EISDIR/)])
  })
})

test.each([
  [['version', 'more']],
  [['--version', 'more']],
  [['help', 'login', 'more']],
  [['completion', 'bash', 'more']],
  [['login', '--forget', 'more']],
])('%j is refused: each word counts', async (args) => {
  expect(await cli(args)).toMatchObject({ code: 2, out: '' })
})

test('a plan is no job, and an option without its value is named once', async () => {
  expect((await cli(['plan', 'package.json', '--follow'])).notes).toContain('plan is no job')
  const { code, notes } = await cli(['list-scopes', '--limit', '--by', 'name'])
  expect([code, notes]).toEqual([
    2,
    "Option '--limit' argument is ambiguous.\nSee: cloudctl help list-scopes\n",
  ])
})

test('a list without rows is an empty result', async () => {
  const fetch = answering('{"collection":[],"totalSize":0,"links":[]}', json)
  expect(await cli(['list-scopes'], { fetch })).toMatchObject({ code: 0, out: '', notes: '0 in all\n' })
})

test('a result that cannot be written is a failure, but not where the reader needs no more', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(unwritable(full)).toMatchObject({ code: 1, message: expect.stringContaining('no space left') })
  expect(unwritable(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBeUndefined()
})

test('the completion of login has its own options, and --type the names of documents', async () => {
  const after = async (...words: string[]) => (await cli(['complete', ...words])).out.trim().split('\n')
  expect(await after('login')).toEqual(expect.arrayContaining(['--nick', '--token', '--forget']))
  expect(await after('login')).not.toContain('--expand')
  expect(await after('create-nat-ip')).toContain('--type')
  expect(await after('create-nat-ip', '--type')).toContain('ipsbulkcreation')
  expect(await after('get-scope')).not.toContain('--type')
})

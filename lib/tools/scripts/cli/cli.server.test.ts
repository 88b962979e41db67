import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from '#lib/openapi/openapi.server'
import { workDue } from '#lib/request/jobs/worker.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { commonOptions } from '#lib/tools/scripts/cli/arguments'
import { type Command, type Manual, manualOf } from '#lib/tools/scripts/cli/commands'
import { lineOf } from '#lib/tools/scripts/cli/follow'
import { admin, call, expectStatus, unique } from '#lib/tools/testing/client'
import { commandLine, type Given } from '#lib/tools/testing/command-line'
import { newDatacenter } from '#lib/tools/testing/nat'

let manual: Manual
let token: string
const folder = mkdtempSync(join(tmpdir(), 'test-cli-'))

beforeAll(async () => {
  manual = manualOf(describeApi(await loadRoutes()))
  const answer = await call('GET', '/api/login')
  token = answer.headers.get('x-service-token') ?? ''
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ORIGIN = 'http://localhost'

/** Runs the command line and returns its output. */
const cli = (args: string[], given: Given = {}) =>
  commandLine(manual, args, {
    env: { API_URL: `${ORIGIN}/api`, API_TOKEN: token, XDG_CONFIG_HOME: folder },
    ...given,
  })

/** The requests of a command for the given values of all its parameters. */
async function sentBy(command: Command) {
  const requests: Request[] = []
  const values = command.parameters.map(({ option, values: [value = '7'] }) => [`--${option}`, value])
  const file = command.body && !command.body.required ? ['-f', '-'] : []
  const result = await cli(
    [command.id === 'login' ? command.name : command.id, ...values.flat(), ...file, '--format', 'json'],
    {
      input: '{"name":"x"}',
      fetch: async (input, init) => {
        requests.push(new Request(input, init))
        return command.otherType === 'text/event-stream'
          ? new Response('{"collection":[{"code":"EVENT-2","message":"gone"}]}', { status: 410 })
          : Response.json({ ok: true })
      },
    },
  )
  return { requests, result, values }
}

test('with --follow a long change is a job that is followed to its end', async () => {
  const { collection } = await expectStatus(200, call('GET', '/api/admin/datacenters?limit=1'))
  const at = collection[0]?.id ?? (await newDatacenter()).id
  const change = ['update-nat-rules', '--datacenter', String(at), '--follow']
  const input = '{"filter":"has=203.0.113.255","enabled":true}'
  const progress: string[] = []
  const waiting = cli([...change, '--format', 'json'], { input, progress })
  const ended = await untilEnded(waiting)
  expect(ended).toMatchObject({ code: 0, notes: '' })
  expect(JSON.parse(ended.out)).toMatchObject({ total: 0, changed: 0 })
  expect(progress.at(0)).toMatch(/^Job \d+: 0 of /)
  expect(progress.at(-1)).toBe('')
  const [, job = ''] = /^Job (\d+)/.exec(progress[0] ?? '') ?? []
  expect(await cli(['get-job', job, '--follow', '--format', 'json'])).toEqual({
    ...ended,
    notes: `Job ${job}\n`,
  })
  const stopping = { id: 7, state: 'stopped', links: [], operation: 'natrule.update', created: '' }
  for (const [job, code, said] of [
    [stopping, 1, 'Job 7 was stopped. What it did by then stays.\n'],
    [{ ...stopping, state: 'failed', code: 'GEN-15', message: 'You may not' }, 5, 'GEN-15: You may not\n'],
    [
      { ...stopping, state: 'running' },
      6,
      'The connection is lost. Job 7 goes on: cloudctl get-job 7 --follow\n',
    ],
  ] as const) {
    const fetch = async (to: RequestInfo | URL) =>
      String(to).endsWith('/jobs/7')
        ? new Response(`event: job\ndata: ${JSON.stringify(job)}\n\n`)
        : Response.json(stopping, { status: 202 })
    expect(await cli(change, { input, fetch, progress })).toMatchObject({ code, out: '', notes: said })
  }
  const notLong = await cli(['list-scopes', '--follow'])
  expect(notLong).toMatchObject({ code: 2, out: '' })
  expect(notLong.notes).toContain('list-scopes is no job')
})

/** Works on jobs as the server does beside its requests. */
async function untilEnded<T>(command: Promise<T>): Promise<T> {
  let isEnded = false
  const ended = command.finally(() => {
    isEnded = true
  })
  while (!isEnded) {
    await workDue()
    await setImmediate()
  }
  return ended
}

describe('every operation of the description', () => {
  test('is a command that sends its method, path, query, headers and document', async () => {
    expect(manual.commands.length).toBeGreaterThan(190)
    for (const command of manual.commands) {
      const { requests, result } = await sentBy(command)
      const [request] = requests
      const givenFor = (name: string) => command.parameters.find((one) => one.name === name)?.values[0] ?? '7'
      const path = command.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => givenFor(name))
      const url = new URL(request?.url ?? '')
      expect([command.id, request?.method, url.pathname]).toEqual([command.id, command.method, path])
      const named = (place: string) =>
        command.parameters.filter((one) => one.in === place).map(({ name }) => name)
      expect([...url.searchParams.keys()]).toEqual(named('query'))
      for (const name of named('header')) expect(request?.headers.get(name)).toBe(givenFor(name))
      expect(request?.headers.get('authorization')).toBe(`Token ${token}`)
      expect(await request?.text()).toBe(command.body ? '{"name":"x"}' : '')
      expect([command.id, result.code]).toEqual([
        command.id,
        command.otherType === 'text/event-stream' ? 4 : 0,
      ])
    }
  })

  test('is left out if it redirects a browser, or needs a signature', () => {
    const names = manual.commands.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['get-saml-metadata', 'create-access-token']))
    expect(names.filter((name) => /sign-in$|at-root$|^sign-out|^authorize$|oauth/.test(name))).toEqual([])
  })

  test('is in the manual with its summary, and has a page with its parameters and an example', async () => {
    const { out } = await cli(['help'])
    for (const command of manual.commands) {
      expect(out).toContain(`  ${command.name}`)
      const page = (await cli(['help', command.name])).out
      expect(page).toContain(command.summary)
      for (const { option } of command.parameters) expect(page).toContain(`--${option} `)
      if (command.body) expect(page).toContain('\nDocument')
    }
  })

  test('has options that differ from those of all commands', () => {
    const common = Object.keys(commonOptions)
    const taken = manual.commands.flatMap(({ name, parameters }) =>
      parameters.filter(({ option }) => common.includes(option)).map(({ option }) => `${name} --${option}`),
    )
    expect(taken).toEqual([])
    for (const { parameters } of manual.commands)
      expect(new Set(parameters.map(({ option }) => option)).size).toBe(parameters.length)
  })
})

describe('against a server', () => {
  test('lists as a table, JSON and CSV, by an id in either spelling', async () => {
    const name = unique('Europe')
    const body = { name, automaticAddDatacenter: false, automaticAddEnterprise: false, scopeEntities: [] }
    await expectStatus(201, call('POST', '/api/admin/scopes', { body }))
    const table = await cli(['list-scopes', '--has', name, '--format', 'table'])
    expect(table.out).toMatch(/^ID +NAME +AUTOMATICADDDATACENTER.*\n\d+ +Europe/)
    expect(table.notes).toBe('1 in all\n')
    const json = await cli(['--format', 'json', 'listScopes', '--has', name])
    expect(JSON.parse(json.out).collection[0].name).toBe(name)
    const csv = await cli(['list-scopes', `--has=${name}`, '--format=csv'])
    expect(csv.out).toMatch(/^id,name,/)
    expect(csv.out).toContain(name)
  })

  test('creates from standard input, reads by a word, changes by a file, and deletes', async () => {
    const name = unique('From the shell')
    const input = JSON.stringify({ name, scopeEntities: [] })
    const made = JSON.parse((await cli(['create-scope', '--format', 'json'], { input })).out)
    expect((await cli(['get-scope', String(made.id)])).out).toContain(`name                    ${name}\n`)
    expect(await cli(['delete-scope', '--scope', String(made.id)])).toMatchObject({ code: 0, out: '' })
    expect(await cli(['get-scope', '--scope', String(made.id)])).toMatchObject({ code: 4, out: '' })
  })

  test.each([
    [['get-scope', '--scope', '999999'], 4, /^SCOPE-1: /],
    [['create-scope'], 1, /^GEN-3: .*\nSee: cloudctl help create-scope/],
    [['list-scopes', '--by', 'colour'], 1, /QUERY-0/],
    [['list-scopes', '--colour', 'red'], 2, /'--colour'.\nSee: cloudctl help list-scopes/],
    [['list-scopes', '--format', 'yaml'], 2, /--format is one of table, json, csv/],
    [['get-scope'], 2, /get-scope needs --scope/],
    [['get-scope', '1', '2'], 2, /does not expect “2”/],
    [['get-scop'], 2, /Did you mean get-scope/],
    [[], 2, /^cloudctl — /],
  ])('%j ends with %i and advice', async (args, code, notes) => {
    const result = await cli(args)
    expect([result.code, result.out]).toEqual([code, ''])
    expect(result.notes).toMatch(notes)
  })

  test('without or with a wrong token explains how to sign in, and names the missing privilege', async () => {
    const env = { API_URL: ORIGIN, XDG_CONFIG_HOME: join(folder, 'none') }
    expect(await cli(['list-scopes'], { env })).toMatchObject({
      code: 3,
      notes: expect.stringContaining('cloudctl login'),
    })
    const wrong = await cli(['list-scopes'], { env: { ...env, API_TOKEN: 'nonsense' } })
    expect(wrong).toMatchObject({ code: 3, notes: expect.stringContaining('not valid') })
    expect(await cli(['list-scopes'], { env: { XDG_CONFIG_HOME: folder } })).toMatchObject({
      code: 2,
      notes: expect.stringContaining('API_URL'),
    })
  })

  test('a server that cannot be reached ends with 6', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }))
    expect(await cli(['list-scopes'], { fetch })).toMatchObject({
      code: 6,
      out: '',
      notes: `${ORIGIN} cannot be reached: ECONNREFUSED\n`,
    })
  })
})

test('login saves an access token that only the user can read, for its server alone', async () => {
  const config = join(folder, 'login')
  const env = { XDG_CONFIG_HOME: config }
  const signedIn = await cli(['login', '--api', `${ORIGIN}/api`, '--nick', admin.nick], {
    env,
    answers: [admin.password],
  })
  expect(signedIn).toMatchObject({ code: 0, out: '' })
  const file = join(config, 'cloudctl/token.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const saved = JSON.parse(readFileSync(file, 'utf8'))
  expect(saved).toEqual({ api: `${ORIGIN}/api`, token: expect.stringMatching(/^sat_[0-9A-Za-z]{46}$/) })
  expect((await cli(['list-roles'], { env })).code).toBe(0)

  const seen: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    seen.push(new Request(input, init).headers.get('authorization'))
    return Response.json({})
  }
  await cli(['list-roles', '--api', 'https://other.example.com'], { env, fetch })
  expect(seen).toEqual([null])

  expect((await cli(['login', '--api', ORIGIN, '--nick', 'nobody'], { env, answers: ['wrong'] })).code).toBe(
    3,
  )
  expect((await cli(['login', '--forget'], { env })).code).toBe(0)
  expect((await cli(['list-roles'], { env })).code).toBe(2)
})

describe('a plain http address of another machine', () => {
  const plain = 'http://cloud.example.com/api'
  const warning =
    'http://cloud.example.com is not encrypted: others could read the credentials. Use https, or give --insecure.\n'
  const requests: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(new Request(input, init))
    return Response.json({ ok: true })
  }

  test('is refused by every command, before anything is asked or sent', async () => {
    const saved = join(folder, 'plain')
    const login = ['login', '--api', plain, '--token']
    await cli([...login, '--insecure'], { input: token, env: { XDG_CONFIG_HOME: saved } })
    const givens: Given[] = [
      { env: { API_URL: plain, API_TOKEN: token, XDG_CONFIG_HOME: folder } },
      { env: { API_TOKEN: token, XDG_CONFIG_HOME: saved } },
    ]
    const own = [
      ['plan', 'package.json'],
      ['apply', 'package.json', '--yes'],
      ['export'],
      ['events', '--follow'],
    ]
    const all = manual.commands.map(({ name, parameters }) => [
      name,
      ...parameters.flatMap(({ option }) => [`--${option}`, '7']),
    ])
    for (const given of givens)
      for (const args of [...all, ...own])
        expect([args, await cli(args, { ...given, fetch, input: '{}' })]).toEqual([
          args,
          { code: 2, out: '', notes: warning, questions: [] },
        ])
    const nick = ['login', '--api', plain, '--nick', 'ada']
    for (const args of [login, nick])
      expect(await cli(args, { fetch, input: token })).toEqual({
        code: 2,
        out: '',
        notes: warning,
        questions: [],
      })
    expect(requests).toEqual([])
  })

  test('is used with --insecure, also before the name of the command', async () => {
    const env = { API_URL: plain, API_TOKEN: token, XDG_CONFIG_HOME: folder }
    expect((await cli(['list-scopes', '--insecure'], { env, fetch })).code).toBe(0)
    expect((await cli(['--insecure', 'list-scopes'], { env, fetch })).code).toBe(0)
    expect(requests).toHaveLength(2)
  })

  test('gets no credentials by a redirect from https', async () => {
    requests.length = 0
    const redirecting: typeof globalThis.fetch = async (input, init) => {
      requests.push(new Request(input, init))
      return new Response(null, { status: 307, headers: { location: plain } })
    }
    const api = ['--api', 'https://cloud.example.com']
    await cli(['list-scopes', ...api], { fetch: redirecting })
    await cli(['login', '--nick', 'ada', ...api], { fetch: redirecting, answers: ['secret'] })
    expect(requests.map(({ url, redirect }) => [new URL(url).origin, redirect])).toEqual([
      ['https://cloud.example.com', 'manual'],
      ['https://cloud.example.com', 'manual'],
    ])
  })
})

describe('events', () => {
  test('lists the newest first, unless the options say otherwise', async () => {
    const timestamps = async (...args: string[]): Promise<string[]> => {
      const { out } = await cli(['events', '--limit', '3', '--format', 'json', ...args])
      return JSON.parse(out).collection.map(({ timestamp }: { timestamp: string }) => timestamp)
    }
    const newest = await timestamps()
    const oldest = await timestamps('--asc', 'true')
    expect(newest).toEqual(newest.toSorted().reverse())
    expect(oldest).toEqual(oldest.toSorted())
    expect(String(newest[0]) > String(oldest[0])).toBe(true)
  })

  test('lists them, and follows them from the last cursor after the connection is lost', async () => {
    expect((await cli(['events', '--limit', '1', '--format', 'json'])).code).toBe(0)
    const event = {
      timestamp: '2026-11-23T14:00:00.000Z',
      user: 'ada',
      entityType: 'scope',
      action: 'create',
      entityName: 'Europe',
    }
    const cursors: (string | null)[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      cursors.push(request.headers.get('last-event-id'))
      if (cursors.length === 1) return new Response(`: keep-alive\nid: first\n\n`)
      if (cursors.length === 2)
        return new Response(`id: abc\nevent: scope.create\ndata: ${JSON.stringify(event)}\n\n`)
      return Response.json({ collection: [{ code: 'EVENT-2', message: 'No longer kept' }] }, { status: 410 })
    }
    const { code, out, notes } = await cli(['events', '--follow', '--entity', 'scope', '--format', 'json'], {
      fetch,
    })
    expect([code, out, notes]).toEqual([4, `${JSON.stringify(event)}\n`, 'EVENT-2: No longer kept\n'])
    expect(cursors).toEqual([null, 'first', 'abc'])
    expect(lineOf(JSON.stringify(event), 'table')).toBe(
      '2026-11-23T14:00:00.000Z  ada  scope  create  Europe\n',
    )
    expect(lineOf(JSON.stringify(event), 'csv')).toBe('2026-11-23T14:00:00.000Z,ada,scope,create,Europe\r\n')
  })
})

test('export writes the document', async () => {
  const { code, out } = await cli(['export', '--entity', 'roles'])
  expect([code, JSON.parse(out).roles.map(({ name }: { name: string }) => name)]).toEqual([
    0,
    expect.arrayContaining(['CLOUD_ADMIN']),
  ])
})

describe('plan and apply', () => {
  test('show the difference, and apply it', async () => {
    const name = unique('Planned')
    const file = join(folder, 'scopes.csv')
    writeFileSync(file, `name,automaticAddEnterprise\n${name},true\n`)
    const shown = await cli(['plan', file, '--entity', 'scopes'])
    expect(shown.code).toBe(0)
    expect(shown.out).toMatch(new RegExp(`create +scopes +${name} +automaticAddEnterprise: true`))
    expect(shown.notes).toMatch(
      /^1 to create, 0 to change, 0 to delete, 0 as they should be\nLook at it in the console, and apply it there: http\S+\/plans\/\d+\n$/,
    )
    const refused = await cli(['apply', file, '--entity', 'scopes'], { isTTY: true, answers: ['no'] })
    expect([refused.code, refused.notes]).toEqual([1, expect.stringContaining('Nothing was changed')])
    const done = await cli(['apply', file, '--entity', 'scopes'], { isTTY: true, answers: ['yes'] })
    expect([done.code, done.notes]).toEqual([0, expect.stringContaining('was applied')])
    const [, event = ''] = /undo-event --event (\d+)\n$/.exec(done.notes) ?? []
    expect((await cli(['undo-event', '--event', event, '--dryrun', 'true'])).code).toBe(0)
    const again = await cli(['apply', file, '--entity', 'scopes', '--yes'])
    expect([again.code, again.notes]).toEqual([0, expect.stringContaining('Nothing has to change')])
  })

  test('with --follow the application is a job', async () => {
    const name = unique('By a job')
    const file = join(folder, 'job.csv')
    writeFileSync(file, `name\n${name}\n`)
    const done = await untilEnded(cli(['apply', file, '--entity', 'scopes', '--yes', '--follow']))
    expect([done.code, done.notes]).toEqual([
      0,
      expect.stringMatching(
        /\nJob \d+\nPlan \d+ was applied\. To take it back: cloudctl undo-event --event \d+\n$/,
      ),
    ])
    expect((await cli(['list-scopes', '--has', name])).notes).toBe('1 in all\n')
  })

  test('apply without a terminal shows the plan and what refuses it, and applies nothing without --yes', async () => {
    const file = join(folder, 'unasked.csv')
    const name = unique('Unasked')
    writeFileSync(file, `name\n${name}\n`)
    const needed = 'Nothing was changed. Without a terminal, apply needs --yes.\n'
    const unasked = await cli(['apply', file, '--entity', 'scopes'])
    expect(unasked).toMatchObject({ code: 2, questions: [], notes: expect.stringContaining(needed) })
    expect(unasked.out).toMatch(new RegExp(`create +scopes +${name}`))
    // The document takes standard input, so the command cannot ask a question.
    const input = JSON.stringify({ scopes: [{ name }] })
    const piped = await cli(['apply', '-'], { isTTY: true, input })
    expect(piped).toMatchObject({ code: 2, questions: [], notes: expect.stringContaining(needed) })
    expect((await cli(['list-scopes', '--has', name])).notes).toBe('0 in all\n')

    writeFileSync(file, 'name,parent\nLost,nowhere\n')
    const refused = await cli(['apply', file, '--entity', 'scopes'])
    expect([refused.code, refused.notes]).toEqual([1, expect.stringContaining('SCOPE-1: parent')])
    expect(refused.notes).not.toContain('--yes')
    expect((await cli(['apply', '-'], { input: '{"scopes":[]}' })).code).toBe(0)
  })

  test('show on a terminal how far they are', async () => {
    const file = join(folder, 'slow.csv')
    writeFileSync(file, `name\n${unique('Slow')}\n`)
    const progress: string[] = []
    const args = ['apply', file, '--entity', 'scopes', '--yes']
    const done = await cli(args, { progress })
    expect([done.code, done.notes]).toEqual([0, expect.stringContaining('was applied')])
    expect(progress).toEqual(expect.arrayContaining(['Comparing: 0 of 1', '']))
    const refused = await cli(['apply-plan', '--plan', '999999'], { progress })
    expect(refused.code).toBe(4)
    writeFileSync(file, 'name,parent\nLost,nowhere\n')
    expect((await cli(args, { progress })).code).toBe(1)
  })

  test('take a document from standard input, and name its refusal', async () => {
    const input = JSON.stringify({ scopes: [{ name: unique('Lost'), parent: 'nowhere' }] })
    const { code, notes } = await cli(['plan', '-', '--format', 'json'], { input })
    expect([code, notes]).toEqual([
      1,
      expect.stringMatching(/line 1, .*SCOPE-1: parent: there is no scope nowhere/),
    ])
    const sound = await cli(['apply', '-', '--yes', '--format=json'], { input: '{"scopes":[]}' })
    expect(sound.code).toBe(0)
    expect((await cli(['plan'])).code).toBe(2)
  })
})

describe('completion', () => {
  const wordsAfter = async (...words: string[]) => (await cli(['complete', ...words])).out.split('\n')

  test('offers commands, parameters and values', async () => {
    expect(await wordsAfter()).toEqual(expect.arrayContaining(['list-scopes', 'login', '--format']))
    expect(await wordsAfter('--format')).toEqual(['table', 'json', 'csv', ''])
    expect(await wordsAfter('list-scopes')).toEqual(expect.arrayContaining(['--has', '--by', '--format']))
    expect(await wordsAfter('list-scopes', '--by')).toEqual(['name', 'id', ''])
    expect(await wordsAfter('events')).toContain('--follow')
    // The shells evaluate the words, so no text of a user is among them.
    expect(await wordsAfter('list-roles', '--tag')).toEqual(['', ''])
  })

  test('has scripts for bash, zsh and fish', async () => {
    expect((await cli(['completion', 'bash'])).out).toContain('complete -o default -F _cloudctl cloudctl')
    expect((await cli(['completion', 'zsh'])).out).toContain('compdef _cloudctl cloudctl')
    expect((await cli(['completion', 'fish'])).out).toContain('complete --command cloudctl')
    expect((await cli(['completion', 'csh'])).code).toBe(2)
  })
})

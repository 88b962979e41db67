import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeApi } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { formats } from '#lib/tools/scripts/cli/arguments'
import { type Command, manualOf } from '#lib/tools/scripts/cli/commands'
import { commandLine, type Given } from '#lib/tools/testing/command-line'
import { swept } from '#lib/tools/testing/search'

/* Names of other people on the caller's terminal: in results of every format, refusals, progress, differences and events. */

const manual = manualOf(describeApi(await loadRoutes()))
const folder = mkdtempSync(join(tmpdir(), 'test-names-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const codes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** C0 without the line feed, DEL, C1, and bidirectional controls. */
const controls = [
  ...codes(0, 9),
  ...codes(0xb, 0x1f),
  ...codes(0x7f, 0x9f),
  0x61c,
  0x200e,
  0x200f,
  ...codes(0x202a, 0x202e),
  ...codes(0x2066, 0x2069),
].map((code) => String.fromCharCode(code))

const name = `-1${controls.join('')}\x1b[2J\nForged: yes`

/** Tables cut long texts. */
const half = (from: number) => `${controls.slice(from, from + 40).join('')}\nForged: yes`
const item = {
  id: 7,
  name,
  [`key${name}`]: half(0),
  others: half(40),
  names: [name, name],
  nested: { name },
  links: [{ rel: 'enterprise', href: 'http://localhost/1', title: `e${name}` }],
}
const operation = { operation: 'update', entity: name, place: name, name }
const planned = {
  ...item,
  totals: [{ create: 1, update: 0, delete: 0, none: 0 }],
  refused: 2,
  refusals: [{ line: 1, name, code: name, message: name }],
  operations: [{ ...operation, changes: [{ field: name, before: name, after: name }] }],
}
const event = {
  timestamp: '2026-11-23T14:00:00.000Z',
  user: name,
  entityType: 'scope',
  action: name,
  entityName: name,
}

const collection = { collection: [item], totalSize: 2 }
const refusals = { collection: [{ code: 'X-1', message: name }] }

const forHeader = encodeURIComponent(name).slice(0, 200)
const headers = { etag: '"\x9b\x85"', location: `http://localhost/\x9b/${forHeader}`, 'retry-after': '\x9b1' }

type Answer = { name: string; of: () => Response }

const answers: Answer[] = [
  { name: 'list', of: () => Response.json(collection) },
  { name: 'document', of: () => Response.json(item, { headers: { etag: headers.etag } }) },
  { name: 'text', of: () => Response.json(name) },
  { name: 'raw', of: () => new Response(name, { headers: { 'content-type': 'text/plain' } }) },
  { name: 'redirect', of: () => new Response('', { status: 302, headers }) },
  { name: 'refusal', of: () => Response.json(refusals, { status: 409, headers }) },
  { name: 'busy', of: () => Response.json(refusals, { status: 503, headers }) },
  { name: 'other refusal', of: () => new Response(name, { status: 500, statusText: 'a\x9bb' }) },
  {
    name: 'broken',
    of: () => new Response(`{"a":${name}`, { headers: { 'content-type': 'application/json' } }),
  },
]

const argumentsOf = ({ name: command, parameters, body }: Command) => [
  command,
  ...parameters.flatMap(({ option, values: [value = '7'] }) => [`--${option}`, value]),
  ...(body && !body.required ? ['-f', '-'] : []),
]

const run = (args: string[], given: Given) =>
  commandLine(manual, args, { env: { API_URL: 'http://localhost', XDG_CONFIG_HOME: folder }, ...given })

/** Control sequences and bidirectional characters for the terminal, and lines that a name has made. */
const unsafe = (text: string) => [
  ...(text.match(/(?!\n)[\p{Cc}\p{Bidi_C}]/gu) ?? []),
  ...(text.match(/^Forged.*/gm) ?? []),
]

/** CSV and raw texts have the lines of a name. */
const oneLine = (text: string) => text.replaceAll(/^Forged/gm, '')

test('every command shows them without controls, in every format, whatever the answer', async () => {
  const commands = manual.commands.filter(({ otherType }) => otherType !== 'text/event-stream')
  // The formats write the response of any command.
  for (const command of swept(commands))
    for (const { name: kind, of } of answers)
      for (const format of formats) {
        const given = { input: '{}', isTTY: !command.body?.required, fetch: async () => of() }
        const { out, notes } = await run([...argumentsOf(command), '--format', format], given)
        const shown = kind === 'raw' || format === 'csv' ? oneLine(out) : out
        const noted = kind === 'broken' ? oneLine(notes) : notes
        const isPiped = !given.isTTY && (kind === 'raw' || format === 'csv')
        expect([command.name, kind, format, unsafe(isPiped ? '' : shown), unsafe(noted)]).toEqual([
          command.name,
          kind,
          format,
          [],
          [],
        ])
      }
})

test.each([true, false])('JSON stays JSON with the same names (terminal: %s)', async (isTTY) => {
  const shown = await run(['list-scopes', '--format', 'json'], {
    isTTY,
    fetch: async () => Response.json(collection),
  })
  expect(JSON.parse(shown.out)).toEqual(collection)
  expect(shown.out).toContain('\\u009b')
  expect(unsafe(shown.out)).toEqual([])
})

test('CSV that goes to a file keeps the names, and its formulas are guarded as those of the API', async () => {
  const rows = ['=1', '+1', '-1', '@A', '\tA', '\rA', 'A', -5].map((cell) => ({ cell }))
  const { out } = await run(['get-plan', '--plan', '7', '--format', 'csv'], {
    fetch: async () => Response.json({ collection: [...rows, { cell: name }] }),
  })
  expect(out).toBe(`cell\r\n'=1\r\n'+1\r\n'-1\r\n'@A\r\n'\tA\r\n"'\rA"\r\nA\r\n-5\r\n"'${name}"\r\n`)
})

test.each(formats)('plan and apply show them without controls as %s', async (format) => {
  const streamed = (...messages: [string, unknown][]) =>
    new Response(messages.map(([kind, data]) => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`).join(''))
  const step: [string, unknown] = ['progress', { phase: name, done: 1, total: 2 }]
  for (const refused of [0, 2]) {
    const plan = { ...planned, refused }
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      return request.method === 'POST' ? streamed(step, ['plan', plan]) : Response.json(plan)
    }
    for (const word of ['plan', 'apply']) {
      const progress: string[] = []
      const args = [word, 'package.json', '--format', format]
      const shown = await run(args, { isTTY: true, fetch, progress, answers: ['yes'] })
      expect(shown.notes).toContain(refused > 0 ? 'has refusals' : word === 'apply' ? 'was applied' : '1 to')
      expect(progress).toHaveLength(word === 'apply' && refused === 0 ? 4 : 2)
      const out = format === 'csv' ? oneLine(shown.out) : shown.out
      const texts = [out, shown.notes, ...progress, ...shown.questions]
      expect([word, refused, texts.flatMap(unsafe)]).toEqual([word, refused, []])
    }
  }
  const fetch = async () => streamed(step, ['errors', { status: 409, ...refusals }])
  const progress: string[] = []
  const { code, notes } = await run(['plan', 'package.json'], { fetch, progress })
  expect([code, unsafe(notes)]).toEqual([5, []])
})

test.each(formats)('events show them without controls as %s', async (format) => {
  let count = 0
  const fetch = async () => {
    count += 1
    return count === 1
      ? new Response(`id: 1\ndata: ${JSON.stringify(event)}\n\n`)
      : Response.json(refusals, { status: 410, headers })
  }
  const { code, out, notes } = await run(['events', '--follow', '--format', format], { isTTY: true, fetch })
  expect([code, notes]).toEqual([4, expect.any(String)])
  const shown = format === 'csv' ? oneLine(out) : out
  expect(shown).toMatch(/./)
  expect([unsafe(shown), unsafe(notes)]).toEqual([[], []])
})

test('login shows the refusal of a server without controls', async () => {
  for (const { of } of answers) {
    const fetch = async () => of()
    const { code, notes } = await run(['login', '--api', 'http://localhost', '--nick', 'ada'], { fetch })
    expect(code).not.toBe(0)
    expect(unsafe(oneLine(notes))).toEqual([])
  }
})

import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readAs } from '#lib/ground/http/body.server'
import { MOST_INPUT_FAULTS } from '#lib/ground/http/input.schema'
import { checkBody } from '#lib/request/pipeline/check-body.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { formsOf } from '#lib/request/pipeline/spec.server'

/* Parsing a large document blocks all other requests, so faults must be found with little work. The tests count work instead of time. */

afterEach(() => vi.restoreAllMocks())

const MIB = 1024 * 1024

test.each([
  ['arrays within arrays', '['.repeat(MIB)],
  ['objects within objects', '{"a":'.repeat(MIB / 5)],
  ['many values', `[${'1,'.repeat(MIB / 2 - 2)}1]`],
  ['many names', `{${Array.from({ length: 90_000 }, (_, index) => `"${index}":1`).join()}}`],
  ['one name many times', `{${'"a":1,'.repeat(100_000)}"a":1}`],
])('%s beyond the limit are refused before the document is parsed', (_what, text) => {
  const parse = vi.spyOn(JSON, 'parse')
  expect(() => readAs(text, 'json', ['scope'])).toThrow()
  expect(parse).not.toHaveBeenCalled()
})

test('commas and brackets inside strings do not count', () => {
  const name = `${'[{,'.repeat(40_000)}\\"`
  const { document } = readAs(JSON.stringify({ name, more: [name] }), 'json', ['scope'])
  expect(document).toEqual({ name, more: [name] })
})

const bodies = (await loadRoutes()).flatMap(({ path, handlers }) =>
  Object.entries(handlers).flatMap(([method, { spec }]) =>
    formsOf(spec).flatMap(({ takes }) => (takes ? [[`${method} ${path}`, takes.body] as const] : [])),
  ),
)

test.each(bodies)('%s parses only the first of many faulty links', (_operation, body) => {
  const rels = [
    'scopeParent',
    'role',
    'scope',
    'enterprise',
    'privilege1',
    'nic0',
    'location',
    'device',
    'user',
  ]
  const links = Array.from({ length: 9000 }, (_, place) => ({ rel: rels[place % rels.length], href: '//[' }))
  const parse = vi.spyOn(URL, 'parse')
  body.safeParse({ links })
  expect(parse.mock.calls.length).toBeLessThanOrEqual(MOST_INPUT_FAULTS)
})

test('an invalid field is checked once, although the valid fields are checked again', async () => {
  const seen = { wrong: 0, sound: 0 }
  const list = (name: keyof typeof seen, most: number) =>
    z.array(
      z.string().refine((value) => {
        seen[name] += 1
        return value.length <= most
      }),
    )
  const body = z.object({ wrong: list('wrong', 0), sound: list('sound', 9) })
  const items = Array.from({ length: 1000 }, () => 'x')
  const referred: unknown[] = []
  const references = async (_context: unknown, fields: object) => referred.push(fields)
  const document = { wrong: items, sound: items }
  const incoming = { request: { method: 'POST' }, document, schema: body } as never
  const check = checkBody({ takes: { references } } as never, { params: {} } as never, incoming)
  await expect(check).rejects.toThrow()
  expect(seen).toEqual({ wrong: 1000, sound: 2000 })
  expect(referred).toEqual([{ sound: items }])
})

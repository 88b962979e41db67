import { expect, test } from 'vitest'
import { messagesOf } from '#lib/ground/http/event-stream'
import { takesIdempotencyKey } from '#lib/request/pipeline/refusals.server'
import { call, codesOf, expectStatus, unique } from '#lib/tools/testing/client'

/* Idempotency-Key of the making and applying of plans, and of undo. */

const keyed = (path: string, key: string, body?: object | string, more: Record<string, string> = {}) =>
  call('POST', path, { headers: { 'idempotency-key': key, ...more }, ...(body !== undefined && { body }) })

/** The same request again gets the same answer. Returns its document. */
async function twice(path: string, status: number, body?: object) {
  const key = unique('key').replaceAll(' ', '-')
  const [first, again] = [await keyed(path, key, body), await keyed(`${path}/`, key, body)]
  expect([first.status, again.status]).toEqual([status, status])
  expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  const document = await first.json()
  expect(await again.json()).toEqual(document)
  if (body) expect(await codesOf(keyed(path, key, { scopes: [] }))).toEqual(['IDEMPOTENCY-2'])
  return document as { id: number; links: { rel: string; href: string }[] }
}

test('a plan, its application and its undo are done once', async () => {
  const name = unique('Once')
  const plan = await twice('/api/plans', 201, { mode: 'merge', scopes: [{ name, parent: '' }] })
  const done = await twice(`/api/plans/${plan.id}/action/apply`, 200)
  const event = new URL(done.links.find(({ rel }) => rel === 'event')?.href ?? '').pathname
  await twice(`${event}/action/undo`, 200)
})

test('the order of members does not count, and neither does the form of the answer', async () => {
  const [name, key] = [unique('Once'), unique('key').replaceAll(' ', '-')]
  const first = await expectStatus(
    201,
    keyed('/api/plans', key, `{"scopes":[{"name":"${name}","parent":""}]}`),
  )
  const stream = await keyed(
    '/api/plans',
    key,
    `{"scopes" : [{"parent":"","name":"${name}"}],"mode":"merge"}`,
    {
      accept: 'text/event-stream',
    },
  )
  const messages = []
  for await (const message of messagesOf(stream.body)) messages.push(message)
  expect(JSON.parse(messages.at(-1)?.data ?? '{}')).toMatchObject({ id: first.id })
  expect(await codesOf(keyed('/api/plans', key, { scopes: [{ name }] }))).toEqual(['IDEMPOTENCY-2'])
})

test('no other POST beside admin and cloud takes the key', () => {
  expect(
    ['/api/plans', '/api/plans/', '/api/plans/1/action/apply', '/api/events/1/action/undo'].map((path) =>
      takesIdempotencyKey('POST', path),
    ),
  ).toEqual([true, true, true, true])
  expect(
    ['/api/session/code', '/api/plans/1', '/api/events'].some((path) => takesIdempotencyKey('POST', path)),
  ).toBe(false)
})

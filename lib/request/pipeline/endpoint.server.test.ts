import { expect, expectTypeOf, test } from 'vitest'
import { answerOf } from '#lib/ground/http/answer.server'
import { open } from '#lib/request/pipeline/open.server'
import type { Spec, WriteSpec } from '#lib/request/pipeline/spec.server'
import { call, codesOf, expectStatus } from '#lib/tools/testing/client'

test('a request without credentials is offered Basic and Token', async () => {
  const response = await call('GET', '/api/admin/datacenters', { as: null })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe(
    'Token realm="Service API", Basic realm="Service API"',
  )
  expect(response.headers.get('content-type')).toContain('text/html')
})

test('an unknown path is a coded 404', async () => {
  expect(await codesOf(call('GET', '/api/nothing/here'))).toEqual(['404-NOT-FOUND'])
})

test('a datacenter is created, read, changed and deleted', async () => {
  const made = await expectStatus(
    201,
    call('POST', '/api/admin/datacenters', { body: { name: 'One', location: 'Here' } }),
  )
  const path = `/api/admin/datacenters/${made.id}`
  expect(await expectStatus(200, call('GET', path))).toMatchObject({ name: 'One' })
  await expectStatus(200, call('PUT', path, { body: { ...made, name: 'Two' } }))
  await expectStatus(204, call('DELETE', path))
  expect(await codesOf(call('GET', path))).toEqual(['DC-0'])
})

test('a route does not compile unless it declares its callers, and a write also its event and ownAccount', () => {
  type Read = { summary: string; who: { anyOf: 'user' } }
  expectTypeOf<Read>().toExtend<Spec>()
  expectTypeOf<Omit<Read, 'who'>>().not.toExtend<Spec>()
  expectTypeOf<{ summary: string; who: { orOwn: 'user' } }>().not.toExtend<Spec>()

  type Write = { summary: string; who: { anyOf: 'user'; ownAccount: 'never' }; event: null }
  expectTypeOf<Write>().toExtend<WriteSpec>()
  expectTypeOf<Omit<Write, 'event'>>().not.toExtend<WriteSpec>()
  expectTypeOf<Omit<Write, 'who'>>().not.toExtend<WriteSpec>()
  expectTypeOf<Read & { event: null }>().not.toExtend<WriteSpec>()
})

test('an operation that ends names the days in each answer, a year apart at least (RFC 9745, RFC 8594)', async () => {
  const ending = { announced: '2026-12-01', gone: '2027-12-01' }
  const going = (days: typeof ending) =>
    open(async () => answerOf('here', {}), { summary: 'Read what goes', ending: days })
  const { headers } = await going(ending)(new Request('http://127.0.0.1/api/gone'), {
    params: Promise.resolve({}),
  })
  expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([
    '@1796083200',
    'Wed, 01 Dec 2027 00:00:00 GMT',
  ])
  expect(() => going({ ...ending, gone: '2027-11-30' })).toThrow('less than a year')
})

import { expect, test } from 'vitest'
import { call, codesOf, expectStatus } from '#lib/testing/client'

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

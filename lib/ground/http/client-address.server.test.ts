import { expect, test } from 'vitest'
import { rememberPeer } from '#lib/ground/http/client-address.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { createRouter } from '#lib/server/router.server'
import { admin, basicOf, codesOf, ORIGIN, router } from '#lib/tools/testing/client'

await router()
const routes = await loadRoutes()
const bare = createRouter(routes)

const operations = routes.flatMap(({ path, handlers }) =>
  Object.keys(handlers).map((method) => [method, path.replaceAll(/\[[.\w]+\]/g, '1')] as const),
)

const request = (method: string, path: string) =>
  new Request(ORIGIN + path, {
    method,
    headers: { authorization: basicOf(admin), accept: 'application/json' },
  })

test.each(operations)('%s %s refuses a request without a known client address', async (method, path) => {
  const response = await bare.fetch(request(method, path))
  expect([response.status, await codesOf(response)]).toEqual([500, ['GEN-13']])
})

test('an unknown path also requires a client address, and a request with one succeeds', async () => {
  expect((await bare.fetch(request('GET', '/api/nothing'))).status).toBe(500)
  const known = request('GET', '/api/login')
  rememberPeer(known, '192.0.2.7')
  expect((await bare.fetch(known)).status).toBe(200)
})

import { expect, test } from 'vitest'
import { responseOf } from '#lib/ground/http/answer.server'
import { exchangeOf } from '#lib/ground/http/exchange.server'
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

const from = async (peer: string | undefined, sent: Request): Promise<Response> =>
  responseOf(await bare.serve(exchangeOf(sent, peer)))

test.each(operations)('%s %s refuses a request without a known client address', async (method, path) => {
  const response = await from(undefined, request(method, path))
  expect([response.status, await codesOf(response)]).toEqual([500, ['GEN-13']])
})

test('an unknown path also requires a client address, and a request with one succeeds', async () => {
  expect((await from(undefined, request('GET', '/api/nothing'))).status).toBe(500)
  expect((await from('192.0.2.7', request('GET', '/api/login'))).status).toBe(200)
})

import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { loadRoutes, METHODS } from '#lib/request/pipeline/routes.server'
import { newAccessToken, tokensOf, withToken } from '#lib/tools/testing/access-tokens'
import { basicOf, call, expectStatus, newUser, ORIGIN, router, unique } from '#lib/tools/testing/client'
import { newRole } from '#lib/tools/testing/identity'
import { cookiesOf, pairOf } from '#lib/tools/testing/session'

/*
 * A sender lets a request begin while they may send it, and ends its body once they may not. A client may take a minute to send a body, and
 * may send many at a time.
 */

type Sent = { method: string; path: string; headers: Record<string, string>; body?: string }

/** Sends a request up to its body. Returns a function that ends the body and resolves with the status. */
async function begin({ method, path, headers, body = '{}' }: Sent): Promise<() => Promise<number>> {
  const asked = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        asked.resolve()
        await rest.promise
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const init: RequestInit & { duplex: 'half' } = {
    method,
    body: stream,
    duplex: 'half',
    headers: { 'content-type': 'application/json', ...headers },
  }
  const request = new Request(ORIGIN + path, init)
  const { fetch } = await router()
  const answer = (async () => fetch(request))()
  await Promise.race([asked.promise, answer])
  return async () => {
    rest.resolve()
    const response = await answer
    await response.text()
    return response.status
  }
}

const withDocument = (await loadRoutes()).flatMap(({ path, handlers }) =>
  METHODS.flatMap((method) => {
    const spec = handlers[method]?.spec
    const isMeant = spec && spec.kind !== 'open' && spec.takes !== undefined
    return isMeant ? [{ method, path: path.replaceAll(/\[\w+\]/g, '1') }] : []
  }),
)

test('no operation with a document runs for a user who was disabled before the document arrived', async () => {
  expect(withDocument.length).toBeGreaterThan(50)
  const user = await newUser()
  const session = await call('POST', '/api/session', {
    as: null,
    body: { nick: user.nick, password: user.password },
  })
  const headers = { cookie: pairOf(cookiesOf(session).console) }
  const requests = []
  for (const { method, path } of withDocument)
    requests.push({ path, end: await begin({ method, path, headers }) })
  await transaction((trx) => trx.updateTable('users').set({ active: 0 }).where('id', '=', user.id).execute())
  for (const { path, end } of requests) expect([path, await end()]).toEqual([path, 401])
})

const scopeOf = (headers: Record<string, string>): Sent => ({
  method: 'POST',
  path: '/api/admin/scopes',
  headers,
  body: JSON.stringify({ name: unique('Scope') }),
})

test('privileges that a user has lost before the document arrived do not count', async () => {
  const user = await newUser()
  const { id, token } = await newAccessToken(user)
  const ways = [{ authorization: basicOf(user) }, withToken(token)]
  for (const headers of ways) expect(await (await begin(scopeOf(headers)))()).toBe(201)
  const [byPassword, byToken, byOther] = await Promise.all(
    [...ways, withToken((await newAccessToken(user)).token)].map((headers) => begin(scopeOf(headers))),
  )
  await expectStatus(204, call('DELETE', `${tokensOf(user)}/${id}`, { as: user }))
  expect(await byToken?.()).toBe(401)
  const role = await newRole({ privileges: ['USERS_VIEW'] })
  await transaction((trx) =>
    trx.updateTable('users').set({ role_id: role }).where('id', '=', user.id).execute(),
  )
  expect(await byPassword?.()).toBe(403)
  expect(await byOther?.()).toBe(403)
})

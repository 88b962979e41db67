import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { responseOf } from '#lib/ground/http/answer.server'
import { ApiError } from '#lib/ground/http/errors'
import { exchangeOf } from '#lib/ground/http/exchange.server'
import { writes } from '#lib/request/pipeline/endpoint.server'
import { admin, basicOf, LOOPBACK, ORIGIN, router } from '#lib/tools/testing/client'
import { refusal } from '#lib/tools/testing/refusal'

const ran: string[] = []
beforeEach(async () => {
  await router()
  ran.length = 0
})

const spec = {
  summary: 'Change a scope',
  who: { anyOf: 'user', ownAccount: 'never' },
  target: {
    ids: { scope: 'SCOPE-1' },
    find: async (_context: object, { scope }: { scope: number }) => {
      ran.push(`find ${scope}`)
      if (scope === 404) throw new ApiError('SCOPE-1')
      return { scope }
    },
  },
  takes: {
    as: 'scope',
    body: z.object({ name: z.string().min(1), parent: z.number() }),
    references: async (
      { found }: { found: { scope: number } },
      { parent, name }: { parent?: number; name?: string },
    ) => {
      ran.push(`references of ${found.scope}: ${parent} ${name}`)
      if (parent === 404) throw new ApiError('EN-0')
      return { enterprise: parent }
    },
  },
  event: null,
} as const

const handle = async ({ references }: { references: { enterprise: number | undefined } }) => {
  ran.push(`handler: ${references.enterprise}`)
}

const operation = writes(handle, spec)

async function put(scope: number, body: object): Promise<Response> {
  const headers = { authorization: basicOf(admin), 'content-type': 'application/json' }
  const request = new Request(`${ORIGIN}/api/${scope}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  })
  return responseOf(await operation.serve(exchangeOf(request, LOOPBACK), { scope: String(scope) }))
}

test('the handler gets the references of the body, found once', async () => {
  expect((await put(7, { name: 'North', parent: 3 })).status).toBe(204)
  expect(ran).toEqual(['find 7', 'references of 7: 3 North', 'handler: 3'])
})

test('a missing resource in the body is refused before the handler, together with faults of other fields', async () => {
  expect(await refusal(put(7, { name: 'North', parent: 404 }))).toEqual([404, 'EN-0'])
  expect(await refusal(put(7, { name: '', parent: 404 }))).toEqual([404, 'CONSTR-LENGTH', 'EN-0'])
  expect(ran).toEqual(['find 7', 'references of 7: 404 North', 'find 7', 'references of 7: 404 undefined'])
})

test('a missing resource of the path is refused first', async () => {
  expect(await refusal(put(404, { name: '', parent: 404 }))).toEqual([404, 'SCOPE-1'])
  expect(ran).toEqual(['find 404'])
})

test('a handler compiles only on a route that finds its resources', () => {
  const { references, ...takes } = spec.takes
  const other = vi.fn(async () => ({ enterprise: 'another type' }))
  // @ts-expect-error: the route finds nothing
  writes(handle, { ...spec, takes })
  // @ts-expect-error: the route finds something else
  writes(handle, { ...spec, takes: { ...takes, references: other } })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes, describeApi, templateOf } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call } from '#lib/tools/testing/client'
import { swept } from '#lib/tools/testing/search'

/* These rules hold for each query parameter and each text field of every operation. */

type Schema = { type?: string; default?: unknown }
type Described = {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { example: unknown }> }
}
type PathOperation = Described & { method: string; path: string }

let operations: PathOperation[]

beforeAll(async () => {
  const routes = await loadRoutes()
  const { paths } = describeApi(routes) as { paths: Record<string, Record<string, Described>> }
  operations = apiRoutes(routes).flatMap(({ path }) =>
    Object.entries(paths[templateOf(path)] ?? {}).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path: templateOf(path).replaceAll(/\{\w+\}/g, '1'),
    })),
  )
})

const queriesOf = ({ parameters }: Described) => parameters.filter((each) => each.in === 'query')

const isAboutQuery = async (response: Response): Promise<boolean> =>
  /GEN-22|QUERY-0/.test(response.status === 400 ? await response.text() : '')

describe('a boolean in a query (docs/api/conventions.md, "Paths and targets")', () => {
  test('is true or false in any case, for every parameter; other values are refused', async () => {
    const flags = operations.flatMap((operation) =>
      queriesOf(operation).flatMap(({ name, schema }) =>
        schema.type === 'boolean' ? [{ ...operation, name }] : [],
      ),
    )
    expect(flags.length).toBeGreaterThan(40)
    for (const { method, path, name } of swept(flags)) {
      for (const value of ['True', 'FALSE', 'tRuE', 'false']) {
        const response = await call(method, `${path}?${name}=${value}`)
        expect([path, name, value, await isAboutQuery(response)]).toEqual([path, name, value, false])
      }
    }
    for (const value of ['yes', '1', '', 'True%20', 'truee'])
      expect([value, (await call('GET', `/api/admin/scopes?asc=${value}`)).status]).toEqual([value, 400])
  })
})

describe('the character U+0000', () => {
  test('is 400 in every query parameter, declared or not', async () => {
    for (const operation of swept(operations)) {
      const { method, path } = operation
      for (const name of [...queriesOf(operation).map((each) => each.name), 'unknown', 'a%00b']) {
        const body = method === 'POST' || method === 'PUT' ? exampleOf(operation) : undefined
        const url = `${path}?${name}=x%00y`
        // Errors of authentication and authorization take precedence.
        const response = await call(method, url, { ...(body !== undefined && { body }) })
        expect([method, url, response.status]).toEqual([method, url, expect.toBeOneOf([400, 401, 403, 429])])
        if (response.status === 400) expect(await response.text()).toContain('GEN-22')
        const isOfConsole = path.startsWith('/api/session/passkeys')
        if (method === 'GET' && !path.startsWith('/api/auth') && !path.includes('oauth') && !isOfConsole)
          expect([url, response.status]).toEqual([url, 400])
      }
    }
  })

  test.each(['a\u0000b', 'a\uD800b'])(
    'or a lone surrogate is an error in each text field of each body: %j',
    // One request after the other: wrong passwords are among them, and at once they would be too many attempts.
    { timeout: 60_000 },
    async (odd) => {
      const requests = operations.flatMap((operation) =>
        withEachText(exampleOf(operation), odd).map((body) => ({ ...operation, body })),
      )
      expect(requests.length).toBeGreaterThan(60)
      for (const { method, path, body } of swept(requests)) {
        const response = await call(method, path, { body })
        // A plan has a refusal for each faulty item of its document.
        const { refused = 0 } = path === '/api/plans' ? await response.clone().json() : {}
        const status = refused > 0 ? 400 : response.status
        const expected = expect.toBeOneOf([400, 401, 403, 404, 409, 429])
        expect([method, path, body, status]).toEqual([method, path, body, expected])
        if (status === response.status) await expectFieldsOf(body, response)
      }
    },
  )
})

/** Each fault of a field names one of the body (docs/api/errors.md, "Fields of faults"). */
async function expectFieldsOf(body: unknown, response: Response): Promise<void> {
  if (response.status !== 400) return
  const { collection } = (await response.json()) as { collection: { code: string; field?: string }[] }
  for (const { code, field = '' } of collection)
    if (code.startsWith('CONSTR-'))
      expect([code, body]).toEqual([
        code,
        expect.toSatisfy((sent: object) => (field.split('.', 1)[0] ?? '') in sent),
      ])
}

const exampleOf = ({ requestBody }: Described): unknown => requestBody?.content['application/json']?.example

/** A copy of the document for each of its strings, in which this string is replaced by `odd`. */
function withEachText(document: unknown, odd: string): unknown[] {
  if (typeof document === 'string') return [odd]
  if (typeof document !== 'object' || document === null) return []
  // Links with an unknown rel are ignored.
  const fields = Object.entries(document).filter(([name]) => name !== 'links')
  return fields.flatMap(([name, field]) =>
    withEachText(field, odd).map((altered) =>
      Array.isArray(document)
        ? document.map((item, place) => (String(place) === name ? altered : item))
        : { ...document, [name]: altered },
    ),
  )
}

import { describe, expect, test } from 'vitest'
import { loadRoutes, METHODS } from '#lib/request/pipeline/routes.server'
import { basicOf, call, newUser, ORIGIN } from '#lib/tools/testing/client'
import { register, requestToken } from '#lib/tools/testing/oauth'

/*
 * Writes that a page of another site sends with a browser's cookies or its stored Basic credentials. Invalid credentials show who decides:
 * a request that is not refused for its site is 401, and nothing is written.
 */

/** Without the catch-all, which answers 404 whatever is sent. */
const routes = (await loadRoutes()).filter(({ path }) => !path.includes('[...'))

const operations = routes.flatMap(({ path, handlers }) =>
  METHODS.flatMap((method) => {
    const spec = handlers[method]?.spec
    return spec ? [{ method, path: path.replaceAll(/\[\w+\]/g, '1'), spec }] : []
  }),
)
const byPost = operations.filter(({ method }) => method !== 'GET')
const isForOthers = ({ spec }: (typeof operations)[number]) => spec.kind === 'open' && spec.fromOtherSites

const marks: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site', origin: ORIGIN.replace('//', '//sister.') },
]
const credentials: Record<string, string>[] = [
  {},
  { authorization: 'Basic nonsense' },
  { cookie: 'auth=nonsense' },
]

const statusOf = async ({ method, path }: { method: string; path: string }, headers: object) => {
  const response = await call(method, path, { as: null, headers: { ...headers } })
  await response.text()
  return response.status
}

test('no GET is declared as a write, and only messages of SAML providers come from other sites', () => {
  expect(operations.filter(({ method, spec }) => method === 'GET' && spec.kind === 'writes')).toEqual([])
  expect(byPost.filter(isForOthers).map(({ path }) => path)).toEqual([
    '/api/auth/saml/acs',
    '/api/auth/saml/logout',
  ])
})

describe('a write from another site is 403 before anything else is looked at', () => {
  test.each(byPost.filter((operation) => !isForOthers(operation)))('$method $path', async (operation) => {
    for (const mark of marks)
      for (const sent of credentials) expect(await statusOf(operation, { ...mark, ...sent })).toBe(403)
  })
})

test('headers that no browser adds by itself are judged alone', async () => {
  const signedIn = byPost.filter(({ spec }) => spec.kind !== 'open')
  for (const operation of signedIn)
    for (const authorization of ['Token nonsense', 'Bearer nonsense'])
      expect([operation.path, await statusOf(operation, { ...marks[0], authorization })]).toEqual([
        operation.path,
        401,
      ])
})

describe('a browser with stored Basic credentials does not approve an application', () => {
  const browsers: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  ]

  test('a navigation leads to the consent page; a program approves at once', async () => {
    const user = await newUser()
    const application = await register(user)
    for (const headers of browsers) {
      const { key } = await requestToken(application)
      const path = `/oauth/authorize?oauth_token=${key}`
      const response = await call('GET', path, { as: user, headers })
      expect([response.status, response.headers.get('location')]).toEqual([
        302,
        `${ORIGIN}/consent?oauth_token=${key}`,
      ])
      const posted = await call('POST', path, { headers: { ...headers, origin: 'https://evil.example' } })
      expect([302, 403]).toContain(posted.status)
      expect(posted.headers.get('location') ?? '').not.toContain('oauth_verifier')
      const approved = await call('GET', path, {
        as: null,
        headers: { authorization: basicOf(user), 'user-agent': 'curl/8' },
      })
      expect(approved.headers.get('location')).toContain('oauth_verifier')
    }
  })
})

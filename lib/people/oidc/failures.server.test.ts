import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Env } from '#lib/ground/env.server'
import { log } from '#lib/ground/log.server'
import { signInSteps } from '#lib/people/federation/problems'
import { type Browser, newBrowser } from '#lib/tools/testing/browser'
import { unique } from '#lib/tools/testing/client'
import { loginPath, newProvider, passProvider, providerOfFile } from '#lib/tools/testing/oidc'
import { changeUser } from '#lib/tools/testing/session'

/* A failed sign-in: the page shows the step, and the log has the reason, if possible in the provider's own words. */

const there = await providerOfFile()

beforeEach(() => {
  for (const path of ['/token', '/me']) there.alter(path, (answer) => answer)
})

type Line = { requestId?: string; step?: string; reasons?: Record<string, unknown>[] }

/** Runs a sign-in that fails. Returns the parameters of the sign-in page, and the reasons in the log. */
async function failing(work: () => Promise<URL>) {
  const warn = vi.spyOn(log(), 'warn')
  try {
    const { searchParams } = await work()
    const lines = warn.mock.calls.filter(([, message]) => String(message).startsWith('a sign-in by OpenID'))
    const [line] = lines.map(([said]) => said as unknown as Line)
    expect(line?.requestId).toBe(searchParams.get('request'))
    expect(line?.step ?? null).toBe(searchParams.get('step'))
    const [problem, step] = [searchParams.get('problem'), searchParams.get('step')]
    return { problem, step, reasons: JSON.stringify(line?.reasons) }
  } finally {
    warn.mockRestore()
  }
}

const signIn = async (nick: string): Promise<URL> => {
  const browser = newBrowser()
  return (await passProvider(browser, await browser.open(loginPath()), nick)).url
}

/** A browser that has begun, and the way back with other words of the provider. */
async function cameBackWith(query: Record<string, string>): Promise<URL> {
  const browser: Browser = newBrowser()
  const begun = await browser.send(loginPath())
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const back = new URLSearchParams({ state, iss: there.issuer, ...query })
  return (await browser.open(`/api/auth/oidc/callback?${back}`)).url
}

type Failing = {
  what: string
  problem: string
  step: string
  reason: string
  work: () => Promise<URL>
  settings?: Partial<Env>
}

const failures: Failing[] = [
  {
    what: 'a provider that is not there',
    problem: 'unreachable',
    step: 'discovery',
    reason: 'fetch failed',
    settings: { OIDC_ISSUER: 'http://127.0.0.1:1' },
    work: async () => (await newBrowser().open(loginPath())).url,
  },
  {
    what: 'a user who says no there',
    problem: 'refused',
    step: 'authorization',
    reason: 'the user said no',
    work: () => cameBackWith({ error: 'access_denied', error_description: 'the user said no' }),
  },
  {
    what: 'a provider that is in trouble',
    problem: 'unreachable',
    step: 'authorization',
    reason: 'temporarily_unavailable',
    work: () => cameBackWith({ error: 'temporarily_unavailable' }),
  },
  {
    what: 'an answer of another issuer',
    problem: 'invalid',
    step: 'authorization',
    reason: 'iss',
    work: () => cameBackWith({ code: 'x', iss: 'https://x.example' }),
  },
  {
    what: 'an answer without a code',
    problem: 'invalid',
    step: 'authorization',
    reason: 'code',
    work: () => cameBackWith({}),
  },
  {
    what: 'a code that is good no more',
    problem: 'refused',
    step: 'token',
    reason: '"error":"invalid_grant","description":"grant request is invalid"',
    work: () => cameBackWith({ code: 'x' }),
  },
  {
    what: 'a secret that the provider does not know',
    problem: 'refused',
    step: 'token',
    reason: '"error":"invalid_client","description":"client authentication failed"',
    settings: { OIDC_CLIENT_SECRET: 'another' },
    work: async () => signIn((await there.newPerson()).nick),
  },
  {
    what: 'a token endpoint that answers a page',
    problem: 'invalid',
    step: 'token',
    reason: 'OAUTH_PARSE_ERROR',
    work: async () => {
      there.alter('/token', () => '<html>' as never)
      return signIn((await there.newPerson()).nick)
    },
  },
  {
    what: 'an ID token of another nonce',
    problem: 'invalid',
    step: 'answer',
    reason: 'nonce',
    work: async () => {
      const { nick: sub } = await there.newPerson()
      there.alter('/token', async (answer) => ({
        ...answer,
        id_token: await there.sign({
          iss: there.issuer,
          aud: 'console',
          sub,
          nonce: 'x',
          iat: Math.floor(Date.now() / 1000),
          exp: Math.floor(Date.now() / 1000) + 60,
        }),
      }))
      return signIn(sub)
    },
  },
  {
    what: 'an ID token that is none',
    problem: 'invalid',
    step: 'answer',
    reason: 'JWT',
    work: async () => {
      there.alter('/token', (answer) => ({ ...answer, id_token: 'none' }))
      return signIn((await there.newPerson()).nick)
    },
  },
  {
    what: 'a userinfo endpoint that speaks of another subject',
    problem: 'invalid',
    step: 'userinfo',
    reason: 'sub',
    work: async () => {
      there.alter('/me', (answer) => ({ ...answer, sub: 'another' }))
      return signIn((await there.newPerson()).nick)
    },
  },
  {
    what: 'nobody of this nick here',
    problem: 'unknown-user',
    step: 'user',
    reason: 'unknown-user',
    work: () => {
      const nick = unique('nobody')
      there.accounts.set(nick, { preferred_username: nick })
      return signIn(nick)
    },
  },
  {
    what: 'a user who is locked',
    problem: 'inactive-user',
    step: 'user',
    reason: 'The user is inactive or locked',
    work: async () => {
      const person = await there.newPerson()
      await changeUser(person, { locked: 1 })
      return signIn(person.nick)
    },
  },
  {
    what: 'nobody at all in the claims',
    problem: 'invalid',
    step: 'user',
    reason: 'No claim names the user',
    work: () => {
      there.accounts.set('nameless', {})
      return signIn('nameless')
    },
  },
]

describe('a sign-in by OpenID Connect fails by', () => {
  test.each(failures)('$what: $problem, $step', ({ problem, step, reason, work, settings }) =>
    there.on(async () => {
      const found = await failing(work)
      expect([found.problem, found.step]).toEqual([problem, step])
      expect(found.reasons).toContain(reason)
    }, settings),
  )
})

test('each step is looked at here', () => {
  expect([...new Set(failures.map(({ step }) => step))].sort()).toEqual([...signInSteps].sort())
})

test('values as long as a code or a token, written by a provider, are not in the log', () =>
  there.on(async () => {
    const code = 'c0de'.repeat(12)
    const { reasons } = await failing(() =>
      cameBackWith({ error: 'invalid_request', error_description: `no such code: ${code}\nforged: line` }),
    )
    expect(reasons).toContain('no such code: …')
    expect(reasons).not.toContain(code)
  }))

describe('the client proves itself (docs/api/identity-providers.md, "OpenID Connect")', () => {
  const POST = 'client_secret_post'
  const BASIC = 'client_secret_basic'
  const offers = (methods: string[] | undefined) => (metadata: Record<string, unknown>) => ({
    ...metadata,
    token_endpoint_auth_methods_supported: methods,
  })

  test.each<[string, typeof POST | typeof BASIC, string[] | undefined, Env['OIDC_CLIENT_AUTH']]>([
    ['by the form where both are offered', POST, [BASIC, POST], undefined],
    ['by the form where that alone is offered', POST, [POST], undefined],
    ['by Basic where that alone is offered', BASIC, [BASIC], undefined],
    // RFC 8414 §2: the default values of missing metadata.
    ['by Basic where nothing is said', BASIC, undefined, undefined],
    ['by Basic where the settings say so', BASIC, [BASIC, POST], 'basic'],
    ['by the form where the settings say so', POST, [BASIC], 'post'],
  ])('%s', async (_what, clientAuth, methods, OIDC_CLIENT_AUTH) => {
    const strict = await newProvider({ clientAuth })
    strict.alter('/.well-known/openid-configuration', offers(methods))
    await strict.on(
      async () => {
        const { nick } = await strict.newPerson()
        const browser = newBrowser()
        const page = await browser.open(loginPath('/account'))
        expect((await passProvider(browser, page, nick)).url.pathname).toBe('/account')
        const { accessToken, refreshToken } = await (await browser.send('/api/session/tokens')).json()
        const headers = { authorization: `Bearer ${accessToken}` }
        expect((await newBrowser().send('/api/login', { headers })).status).toBe(200)
        const form = { refresh_token: refreshToken }
        expect((await newBrowser().send('/api/auth/oidc/refresh', { form })).status).toBe(200)
      },
      { OIDC_CLIENT_AUTH, OIDC_SCOPES: 'openid profile offline_access' },
    )
    await strict.goDown()
  })
})

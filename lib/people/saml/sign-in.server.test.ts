import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Env } from '#lib/ground/env.server'
import { newBrowser } from '#lib/tools/testing/browser'
import { call, expectStatus, newEnterprise, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import {
  type AtIdp,
  answerOf,
  beginRequest,
  deliver,
  goThere,
  loginPath,
  messageIn,
  newIdpServer,
  outcomeOf,
  ownMetadata,
  signInThere,
} from '#lib/tools/testing/saml'
import { newIdp, newKey, pemOf } from '#lib/tools/testing/saml-idp'
import { changeUser, cookiesOf, rowOf, withSettings } from '#lib/tools/testing/session'

let there: AtIdp

beforeAll(async () => {
  there = await newIdpServer()
})
afterAll(() => there.goDown())

/** The path and the parameters of the sign-in page. */
const problemAt = (url: URL) => [
  url.pathname,
  url.searchParams.get('problem'),
  url.searchParams.get('returnTo'),
]

const nobody = (browser: ReturnType<typeof newBrowser>) => expectStatus(204, browser.send('/api/session'))

const newNick = (word: string) => unique(word).replace(' ', '-')

describe('a good sign-in', () => {
  test('leads to a session of the console, and to where the user was going', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser, url } = await signInThere(person, { returnTo: '/scopes?has=x#top' })
      expect(url.href).toBe(`${ORIGIN}/scopes?has=x#top`)
      expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({ nick: person.nick })
      expect(browser.cookiesFor('/').map(({ name }) => name)).toEqual(['console'])
    }))

  test('is an event, and one of the sessions of the user', () =>
    there.on(async () => {
      const person = await there.newPerson()
      const { browser } = await signInThere(person)
      const { collection } = await expectStatus(200, browser.send(`/api/events?user=${person.id}`))
      expect(collection).toMatchObject([{ action: 'sign-in', changes: { factors: { after: 'SAML' } } }])
      expect((await expectStatus(200, browser.send('/api/session/sessions'))).totalSize).toBe(1)
    }))

  test('asks by redirect, for an answer by POST at our address, and demands no kind of sign-in', () =>
    there.on(async () => {
      const response = await call('GET', loginPath('/scopes'), { as: null })
      const to = new URL(response.headers.get('location') ?? '')
      expect([response.status, to.origin + to.pathname]).toEqual([303, `${there.idp.origin}/sso`])
      expect([...to.searchParams.keys()]).toEqual(['SAMLRequest'])
      const request = messageIn(to)
      expect(request).toMatch(/ ID="_[0-9a-f]{40}"/)
      expect(request).toContain(`Destination="${there.idp.origin}/sso"`)
      expect(request).toContain(`AssertionConsumerServiceURL="${ORIGIN}/api/auth/saml/acs"`)
      expect(request).toContain(`>${ORIGIN}/api/auth/saml/metadata</saml:Issuer>`)
      expect(request).not.toContain('RequestedAuthnContext')
    }))

  test('by POST, where the provider takes nothing else: by a page with one button, and no script', async () => {
    const other = await newIdpServer({ takes: ['post'] })
    await other.on(async () => {
      const page = await call('GET', loginPath('/scopes'), { as: null })
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
      expect(await page.text()).not.toMatch(/<script|<style| on\w+=/)
      const { url } = await signInThere(await other.newPerson(), { returnTo: '/scopes' })
      expect(url.href).toBe(`${ORIGIN}/scopes`)
    })
    await other.goDown()
  })

  test.each([['redirect'], ['post']] as const)('with requests that are signed, by %s', async (binding) => {
    const SAML_PRIVATE_KEY = pemOf(newKey())
    const strict = await newIdpServer({ takes: [binding], strict: true })
    await strict.on(
      async () => {
        const { url } = await signInThere(await strict.newPerson(), { returnTo: '/account' })
        expect(url.href).toBe(`${ORIGIN}/account`)
      },
      { SAML_PRIVATE_KEY },
    )
    await strict.goDown()
  })

  test.each([
    ['assertion', 'assertion'],
    ['assertion', 'both'],
    ['response', 'response'],
    ['response', 'both'],
    ['both', 'both'],
  ] as const)('where %s must be signed, and %s is', (SAML_SIGNED, signed) =>
    there.on(
      async () => {
        const { nick } = await there.newPerson()
        expect(await outcomeOf(await deliver(await answerOf(there, { nick, signed })))).toBe(`nick ${nick}`)
      },
      { SAML_SIGNED },
    ),
  )

  test.each([
    ['assertion', 'assertion'],
    ['assertion', 'both'],
    ['response', 'response'],
    ['both', 'both'],
  ] as const)('with an encrypted assertion, where %s must be signed, and %s is', (SAML_SIGNED, signed) =>
    there.on(
      async () => {
        const { nick } = await there.newPerson()
        const xml = await answerOf(there, { nick, signed, encrypted: true })
        expect(xml).not.toContain(nick)
        expect(await outcomeOf(await deliver(xml))).toBe(`nick ${nick}`)
      },
      { SAML_SIGNED, SAML_PRIVATE_KEY: pemOf(newKey()) },
    ),
  )

  test('behind a proxy is for the address of BASE_URL, with a cookie for https alone', () =>
    there.on(
      async () => {
        const { nick } = await there.newPerson()
        const xml = await answerOf(there, { nick })
        expect(xml).toContain('Destination="https://console.example/api/auth/saml/acs"')
        const response = await deliver(xml)
        expect(response.headers.get('location')).toBe('https://console.example/scopes')
        expect(cookiesOf(response)['__Host-console']).toMatch(/; HttpOnly; Secure; SameSite=Lax$/)
      },
      { BASE_URL: 'https://console.example' },
    ))

  test('for an entity id of ours', () =>
    there.on(
      async () => {
        const { nick } = await there.newPerson()
        const xml = await answerOf(there, { nick })
        expect(xml).toContain('<saml:Audience>urn:example:console</saml:Audience>')
        expect(await outcomeOf(await deliver(xml))).toBe(`nick ${nick}`)
      },
      { SAML_ENTITY_ID: 'urn:example:console' },
    ))

  test('in several tabs of one browser at a time', () =>
    there.on(async () => {
      const { nick } = await there.newPerson()
      const first = await answerOf(there, { nick, requestId: await beginRequest('/first') })
      const second = await answerOf(there, { nick, requestId: await beginRequest('/second') })
      for (const [xml, path] of [
        [second, '/second'],
        [first, '/first'],
      ] as const)
        expect((await deliver(xml)).headers.get('location')).toBe(`${ORIGIN}${path}`)
    }))

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/%09/evil.example',
    '/.//evil.example/',
  ])('never leads off the site: %j', (returnTo) =>
    there.on(async () => {
      const { url } = await signInThere(await there.newPerson(), { returnTo })
      expect(url.origin).toBe(ORIGIN)
      expect(url.pathname).not.toMatch(/^\/[/\\]/)
    }),
  )
})

describe('whom the provider names', () => {
  test('an unknown user is not let in', () =>
    there.on(async () => {
      there.accounts.set('nobody', {})
      const { browser, url } = await signInThere({ nick: 'nobody' }, { returnTo: '/scopes' })
      expect(problemAt(url)).toEqual(['/sign-in', 'unknown-user', '/scopes'])
      expect(url.searchParams.get('request')).toMatch(/^[\w-]{36}$/)
      await nobody(browser)
    }))

  test.each([{ active: 0 as const }, { locked: 1 as const }, { allowed_cidrs: '["10.0.0.0/8"]' }])(
    'a user who may not sign in is not let in: %j',
    (columns) =>
      there.on(async () => {
        const person = await there.newPerson()
        await changeUser(person, columns)
        const { browser, url } = await signInThere(person)
        expect(problemAt(url)).toEqual(['/sign-in', 'inactive-user', '/'])
        await nobody(browser)
      }),
  )

  test('by an attribute, whatever the NameID is', () =>
    there.on(
      async () => {
        const person = await newUser()
        const said = { nick: 'x7Y', attributes: { 'urn:oid:0.9.2342.19200300.100.1.1': person.nick } }
        expect(await outcomeOf(await deliver(await answerOf(there, said)))).toBe(`nick ${person.nick}`)
        const without = await answerOf(there, { nick: person.nick })
        expect(await outcomeOf(await deliver(without))).toBe('problem invalid')
      },
      { SAML_NICK_ATTRIBUTE: 'urn:oid:0.9.2342.19200300.100.1.1' },
    ))

  test('no user, by a NameID that is another one each time', () =>
    there.on(async () => {
      const { nick } = await there.newPerson()
      const values = { NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }
      expect(await outcomeOf(await deliver(await answerOf(there, { nick, values })))).toBe('problem invalid')
    }))

  test('no user, if the provider refuses', () =>
    there.on(async () => {
      const { nick } = await there.newPerson()
      const values = { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }
      const response = await deliver(await answerOf(there, { nick, values }))
      expect(problemAt(new URL(response.headers.get('location') ?? ''))).toEqual([
        '/sign-in',
        'refused',
        '/scopes',
      ])
    }))

  describe('users are made', () => {
    const making = {
      SAML_CREATE_USERS: true,
      SAML_NAME_ATTRIBUTE: 'displayName',
      SAML_EMAIL_ATTRIBUTE: 'mail',
      SAML_ROLE_ATTRIBUTE: 'role',
      SAML_ENTERPRISE_ATTRIBUTE: 'company',
    } satisfies Partial<Env>

    test('of the role and the enterprise that the attributes name', () =>
      there.on(async () => {
        const company = (await newEnterprise()).name
        const nick = newNick('new')
        const attributes = { displayName: 'Ada & Söhne', mail: 'ada@example.test', role: 'USER', company }
        there.accounts.set(nick, attributes)
        const { browser, url } = await signInThere({ nick }, { returnTo: '/account' })
        expect(url.pathname).toBe('/account')
        expect(await expectStatus(200, browser.send('/api/session'))).toMatchObject({
          nick,
          name: 'Ada & Söhne',
          email: 'ada@example.test',
          role: { name: 'USER' },
          enterprise: { name: company },
        })
        expect(await rowOf({ nick, password: '' })).toMatchObject({ auth_type: 'SAML', first_login: 0 })
      }, making))

    test('not without a role or an enterprise that there is', () =>
      there.on(async () => {
        const company = (await newEnterprise()).name
        for (const attributes of [
          {},
          { role: 'USER' },
          { role: 'NOBODY', company },
          { role: 'USER', company: 'x' },
        ])
          expect(
            await outcomeOf(await deliver(await answerOf(there, { nick: newNick('lost'), attributes }))),
          ).toBe('problem no-role')
      }, making))

    test('only where that is wanted', () =>
      there.on(
        async () => {
          const company = (await newEnterprise()).name
          const said = { nick: newNick('new'), attributes: { role: 'USER', company } }
          expect(await outcomeOf(await deliver(await answerOf(there, said)))).toBe('problem unknown-user')
        },
        { ...making, SAML_CREATE_USERS: false },
      ))
  })
})

describe('nick and password', () => {
  const login = (as: Awaited<ReturnType<typeof newUser>>) => call('GET', '/api/login', { as })

  test('are off while SAML is on', () =>
    there.on(async () => {
      const response = await login(await newUser())
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.not.stringContaining('Basic'),
      ])
      expect(await expectStatus(200, call('GET', '/api/session/ways', { as: null }))).toMatchObject({
        password: false,
        saml: true,
      })
    }))

  test('stay on with SAML_ALLOW_BASIC', () =>
    there.on(
      async () => {
        expect((await login(await newUser())).status).toBe(200)
        const ways = await expectStatus(200, call('GET', '/api/session/ways', { as: null }))
        expect(ways).toMatchObject({ password: true, saml: true })
      },
      { SAML_ALLOW_BASIC: true },
    ))
})

describe('the provider', () => {
  test('by its entry point and certificate, without metadata', async () => {
    const idp = newIdp({ origin: 'https://idp.example' })
    const settings = {
      SAML_ENTRY_POINT: 'https://idp.example/sso?tenant=1',
      SAML_CERTIFICATE: idp.certificate,
    }
    const file = join(tmpdir(), `certificate-${process.pid}.pem`)
    await writeFile(file, idp.certificate)
    for (const SAML_CERTIFICATE of [idp.certificate, idp.certificate.replaceAll('\n', '\\n'), file])
      await withSettings({ ...settings, SAML_CERTIFICATE }, async () => {
        const response = await call('GET', loginPath(), { as: null })
        expect(response.headers.get('location')).toMatch(
          /^https:\/\/idp\.example\/sso\?tenant=1&SAMLRequest=/,
        )
        const { nick } = await newUser()
        const xml = await idp.answer({ to: await ownMetadata(), requestId: await beginRequest(), nick })
        expect(await outcomeOf(await deliver(xml))).toBe(`nick ${nick}`)
      })
    await rm(file)
  })

  test('by its metadata in a file', async () => {
    const file = join(tmpdir(), `metadata-${process.pid}.xml`)
    await withSettings({ SAML_IDP_METADATA: file }, async () => {
      expect(problemAt((await newBrowser().open(loginPath('/scopes'))).url)[1]).toBe('unreachable')
      await writeFile(file, `<?xml version="1.0"?><!-- ours -->${there.idp.metadata}`)
      const { nick } = await there.newPerson()
      expect(await outcomeOf(await deliver(await answerOf(there, { nick })))).toBe(`nick ${nick}`)
    })
    await rm(file)
  })

  test('is found as soon as it exists, and may then be missing for a while', async () => {
    const other = await newIdpServer()
    await other.goDown()
    await other.on(async () => {
      const person = await other.newPerson()
      const { url } = await newBrowser().open(loginPath('/scopes'))
      expect(problemAt(url)).toEqual(['/sign-in', 'unreachable', '/scopes'])
      await other.comeBack()
      expect((await signInThere(person)).url.pathname).toBe('/')
      await other.goDown()
      expect(await outcomeOf(await deliver(await answerOf(other, { nick: person.nick })))).toBe(
        `nick ${person.nick}`,
      )
    })
  })

  test('whose metadata cannot be read again keeps the earlier ones', async () => {
    const other = await newIdpServer()
    await other.on(async () => {
      await beginRequest()
      await other.goDown()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
      try {
        expect(await beginRequest()).toMatch(/^_/)
      } finally {
        vi.useRealTimers()
      }
    })
  })

  test.each([
    ['no metadata', '<a/>'],
    [
      'those of a service provider',
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>',
    ],
    ['a DTD', '<!DOCTYPE x><a/>'],
    ['nothing that is XML', 'not found'],
  ])('has no usable content: %s', async (_what, text) => {
    const file = join(tmpdir(), `wrong-${process.pid}.xml`)
    await writeFile(file, text)
    await withSettings({ SAML_IDP_METADATA: file }, async () =>
      expect(problemAt((await newBrowser().open(loginPath())).url)[1]).toBe('unreachable'),
    )
    await rm(file)
  })

  test('whose metadata have run out is not trusted', async () => {
    const file = join(tmpdir(), `old-${process.pid}.xml`)
    await writeFile(
      file,
      there.idp.metadata.replace('<EntityDescriptor', '<EntityDescriptor validUntil="2020-01-01T00:00:00Z"'),
    )
    await withSettings({ SAML_IDP_METADATA: file }, async () =>
      expect(problemAt((await newBrowser().open(loginPath())).url)[1]).toBe('unreachable'),
    )
    await rm(file)
  })

  test('by http elsewhere than on this machine is not asked', () =>
    withSettings({ SAML_IDP_METADATA: 'http://idp.example/metadata' }, async () =>
      expect(problemAt((await newBrowser().open(loginPath())).url)[1]).toBe('unreachable'),
    ))
})

test('redirected metadata: keys of another address than the one that is set are not taken', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(302, { location: there.settings.SAML_IDP_METADATA }).end(),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await withSettings({ SAML_IDP_METADATA: `http://127.0.0.1:${port}/metadata` }, async () =>
    expect(problemAt((await newBrowser().open(loginPath())).url)[1]).toBe('unreachable'),
  )
  server.close()
})

test('without SAML its addresses lead to the sign-in page', async () => {
  expect(problemAt((await goThere(newBrowser(), loginPath('/scopes'))).url)).toEqual([
    '/sign-in',
    'refused',
    '/scopes',
  ])
  expect(await outcomeOf(await deliver('<a/>'))).toBe('problem refused')
  await expectStatus(404, call('GET', '/api/auth/saml/metadata', { as: null }))
})

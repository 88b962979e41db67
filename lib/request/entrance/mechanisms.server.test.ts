import { expect, test } from 'vitest'
import type { Env } from '#lib/ground/env.server'
import { call, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { withSettings } from '#lib/tools/testing/session'

/** Asks by a token, for Basic may be off. */
async function mechanisms(settings: Partial<Env> = {}) {
  const person = await newUser({ privileges: ['SYSCONFIG_VIEW'] })
  const signedIn = await call('GET', '/api/login', { as: person })
  const authorization = `Token ${signedIn.headers.get('x-service-token')}`
  return withSettings(settings, () =>
    expectStatus(200, call('GET', '/api/config/signin', { as: null, headers: { authorization } })),
  )
}

test('nick and password if nothing else is set', async () => {
  const shown = await mechanisms({ PASSWORD_TRIES: 5, SESSION_IDLE_SECONDS: 600 })
  expect(shown).toMatchObject({
    password: { on: true, tries: 5 },
    twoFactor: { providers: ['APP_AUTHENTICATOR'], resetApprovals: 1 },
    sessions: { idleSeconds: 600 },
    oauth: { requestToken: `${ORIGIN}/oauth/request_token` },
  })
  for (const off of ['mail', 'oidc', 'saml']) expect(shown).not.toHaveProperty(off)
})

test('a mail server is shown without its credentials', async () => {
  const shown = await mechanisms({
    SMTP_URL: 'smtp://mailer:mail-secret@mail.example:587',
    MAIL_FROM: 'Console <console@example.test>',
  })
  expect(shown.mail).toEqual({ from: 'Console <console@example.test>', server: 'mail.example:587' })
  expect(shown.twoFactor.providers).toContain('EMAIL')
  expect(JSON.stringify(shown)).not.toContain('mail-secret')
})

test('OpenID Connect, with the addresses to register there and without the secret', async () => {
  const shown = await mechanisms({
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: 'oidc-secret',
    OIDC_CREATE_USERS: true,
  })
  expect(shown.password.on).toBe(false)
  expect(shown.oidc).toMatchObject({
    issuer: 'https://id.example',
    clientId: 'console',
    userClaim: 'preferred_username',
    createUsers: true,
    callback: `${ORIGIN}/api/auth/oidc/callback`,
    afterSignOut: `${ORIGIN}/sign-in`,
  })
  expect(JSON.stringify(shown)).not.toContain('oidc-secret')
})

test('SAML, with the addresses to register there', async () => {
  const shown = await mechanisms({
    SAML_IDP_METADATA: 'https://reader:saml-secret@idp.example/metadata',
    SAML_ALLOW_BASIC: true,
    SAML_NICK_ATTRIBUTE: 'uid',
  })
  expect(shown.password.on).toBe(true)
  expect(shown.saml).toMatchObject({
    providerMetadata: 'https://idp.example/metadata',
    entityId: `${ORIGIN}/api/auth/saml/metadata`,
    metadata: `${ORIGIN}/api/auth/saml/metadata`,
    acs: `${ORIGIN}/api/auth/saml/acs`,
    signed: 'assertion',
    nickAttribute: 'uid',
    allowsPassword: true,
  })
  expect(JSON.stringify(shown)).not.toContain('saml-secret')
})

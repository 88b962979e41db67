import { afterEach, describe, expect, test, vi } from 'vitest'
import { idOfLink } from '#lib/ground/http/view'
import { resetPassword } from '#lib/people/identity/recovery.server'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
} from '#lib/tools/testing/client'
import { eventsOf, newRole, putUser, userBody, usersOf } from '#lib/tools/testing/identity'
import { accept, newInvitation, tokenIn } from '#lib/tools/testing/invitations'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { newAuthenticator, signInWith } from '#lib/tools/testing/passkeys'
import { refusal } from '#lib/tools/testing/refusal'
import { changeUser, cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'

afterEach(() => {
  vi.useRealTimers()
})

const HOUR = 3_600_000
const password = 'quite a long password'

const look = (token: string) => call('POST', '/api/session/invitation', { as: null, body: { token } })
const isOpen = async (token: string): Promise<boolean> => (await look(token)).status === 200
const again = (path: string, how: object = { body: { invite: 'link' } }) =>
  call('POST', `${path}/action/invite`, how)
const read = (path: string) => expectStatus(200, call('GET', path))
const login = async (as: User) => (await call('GET', '/api/login', { as })).status

describe('an invited user (docs/api/users.md, "Invitations")', () => {
  test('gets a link, which the document of the answer has once', async () => {
    const { document, path, token } = await newInvitation({ nick: `ada-${crypto.randomUUID()}` })
    expect(document).toMatchObject({ invited: true, firstLogin: true, active: true })
    expect(token).toMatch(/^[\w-]{43}$/)
    const shown = await read(path)
    expect(shown).toEqual(document)
    expect(shown).not.toHaveProperty('invitation')
    const { collection } = await expectStatus(200, call('GET', `${usersOf('_')}?has=${document.nick}`))
    expect(collection).toEqual([document])
    const { expires, ...invitation } = await expectStatus(200, look(token))
    expect(invitation).toEqual({
      links: [],
      nick: document.nick,
      name: 'Test',
      locale: 'en_US',
      enterprise: expect.stringMatching(/^Enterprise/),
      requiresTwoFactor: false,
      passkey: true,
      passwordMinLength: 12,
    })
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 71 * HOUR)
  })

  test('without a scope link gets a scope with their enterprise alone, not a default scope that sees all enterprises', async () => {
    const { id, name } = await newEnterprise()
    // An older scope that contains other enterprises too is not theirs alone.
    const body = {
      name: `${name} and more`,
      scopeEntities: [
        { idResource: id, type: 'ENTERPRISE' },
        { idResource: 1, type: 'ENTERPRISE' },
      ],
    }
    await expectStatus(201, call('POST', '/api/admin/scopes', { body }))
    const { document } = await newInvitation({ enterpriseId: id })
    const scope = document.links.find(({ rel }: { rel: string }) => rel === 'scope')
    expect(scope.title).toBe(name)
    const made = await read(new URL(scope.href).pathname)
    expect(made).toMatchObject({ automaticAddEnterprise: false, automaticAddDatacenter: false })
    expect(made.scopeEntities).toEqual([expect.objectContaining({ idResource: id, type: 'ENTERPRISE' })])
    expect(await eventsOf('scope', made.id)).toHaveLength(1)
    // The next user gets the same scope.
    const next = await newInvitation({ enterpriseId: id })
    expect(next.document.links).toContainEqual(scope)
    const { collection } = await read(`/api/admin/scopes?has=${encodeURIComponent(name)}`)
    expect(collection.map((each: { name: string }) => each.name)).toEqual([name, body.name])
  })

  test('gets the scope that the link names, a limited default scope, and an existing scope from callers who make none', async () => {
    const { id } = await newEnterprise()
    const named = await newInvitation({ enterpriseId: id, scope: 1 })
    expect(named.document.links).toContainEqual(
      expect.objectContaining({ rel: 'scope', title: 'Global scope' }),
    )
    const inviter = await newUser({
      privileges: ['USERS_VIEW', 'USERS_MANAGE_USERS', 'USERS_MANAGE_OTHER_ENTERPRISES'],
    })
    const scopeOf = async (as?: User) =>
      (await newInvitation({ enterpriseId: id, ...(as && { as }) })).document.links.find(
        ({ rel }: { rel: string }) => rel === 'scope',
      )
    // They may not make a scope, so that the default scope applies until there is one.
    expect(await scopeOf(inviter)).toBeUndefined()
    const made = await scopeOf()
    expect(await scopeOf(inviter)).toEqual(made)
    const limited = await newEnterprise(undefined, idOfLink(made))
    const other = await newInvitation({ enterpriseId: limited.id })
    expect(other.document.links).not.toContainEqual(expect.objectContaining({ rel: 'scope' }))
  })

  test('is invited in XML too, and the list as CSV shows it', async () => {
    const { id } = await newEnterprise()
    const { nick, links } = userBody({ role: await newRole() })
    const [role] = links as { rel: string; href: string }[]
    for (const [how, code] of [
      ['link', 201],
      ['true', 201],
      ['false', 400],
      ['perhaps', 400],
    ] as const) {
      const body = `<user><link rel="role" href="${role?.href}"/><nick>${nick}-${how}</nick><name>N</name><invite>${how}</invite></user>`
      const headers = {
        'content-type': 'application/vnd.service.user+xml',
        accept: 'application/vnd.service.user+xml',
      }
      const answer = await expectStatus(code, call('POST', usersOf(id), { body, headers }))
      if (code === 201)
        expect(answer).toMatch(
          /<invited>true<\/invited>.*<invitation>http:\/\/console\.localhost\/invitation#[\w-]{43}<\/invitation>/,
        )
    }
    const csv = await expectStatus(200, call('GET', usersOf(id), { headers: { accept: 'text/csv' } }))
    expect(csv.match(/,true,,*\r?\n/g)).toHaveLength(2)
  })

  test('chooses a password, is signed in, and is invited no longer', async () => {
    const { document, path, token } = await newInvitation()
    const answer = await accept(token, { password })
    expect(await expectStatus(200, answer.clone())).toMatchObject({
      nick: document.nick,
      mustChangePassword: false,
      mustEnableTwoFactor: false,
    })
    const headers = { cookie: pairOf(cookiesOf(answer).console) }
    await expectStatus(200, call('GET', '/api/session/sessions', { as: null, headers }))
    expect(await read(path)).toMatchObject({ invited: false, firstLogin: false })
    expect(await login({ nick: document.nick, password })).toBe(200)
    expect(await refusal(look(token))).toEqual([409, 'SIGN-IN-10'])
    expect(await refusal(accept(token, { password: `${password} again` }))).toEqual([409, 'SIGN-IN-10'])
    const { collection } = await expectStatus(
      200,
      call('GET', `/api/events?entity=user&entityid=${document.id}&signins=false&asc=true`),
    )
    expect(collection.map(({ action }: { action: string }) => action)).toEqual([
      'create',
      'accept-invitation',
    ])
  })

  test('makes a passkey in place of a password', async () => {
    const { document, token } = await newInvitation()
    const browser = newAuthenticator()
    const options = await expectStatus(
      200,
      call('POST', '/api/session/invitation/options', { as: null, body: { token } }),
    )
    const other = await newInvitation()
    const response = browser.attest(options)
    expect(await refusal(accept(other.token, { passkey: { name: 'Phone', response } }))).toEqual([
      400,
      'PASSKEY-2',
    ])
    expect(await isOpen(other.token)).toBe(true)
    const session = await expectStatus(200, accept(token, { passkey: { name: 'Phone', response } }))
    expect(session).toMatchObject({ nick: document.nick })
    expect((await signInWith(browser)).status).toBe(200)
    expect(await login({ nick: document.nick, password })).toBe(401)
  })

  test('sets up two factor next where the enterprise requires it', async () => {
    const { id } = await newEnterprise()
    const { collection } = await expectStatus(200, call('GET', '/api/admin/enterprises?limit=0'))
    const enterprise = collection.find((each: { id: number }) => each.id === id)
    await expectStatus(
      200,
      call('PUT', `/api/admin/enterprises/${id}`, {
        body: { ...enterprise, twoFactorAuthenticationMandatory: true },
      }),
    )
    const { token } = await newInvitation({ enterpriseId: id })
    expect(await expectStatus(200, look(token))).toMatchObject({ requiresTwoFactor: true })
    const answer = await accept(token, { password })
    expect(await expectStatus(200, answer.clone())).toMatchObject({ mustEnableTwoFactor: true })
    const headers = { cookie: pairOf(cookiesOf(answer).console) }
    expect(await codesOf(call('GET', '/api/admin/scopes', { as: null, headers }))).toEqual(['2FA-9'])
  })

  test('is mailed the link in their language, and the answer has none; without an address it has', () =>
    withMailbox(async (mailbox) => {
      const email = newAddress()
      const { document, path, token } = await newInvitation({ invite: true, email, locale: 'es_ES' })
      expect(token).toBe('')
      const [mail] = await mailbox.of(email)
      expect(mail?.subject).toBe('Tiene una invitación')
      expect(mail?.text).toContain(document.nick)
      const mailed = /\/invitation#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
      expect(await isOpen(mailed)).toBe(true)
      const byLink = await expectStatus(200, again(path))
      expect(tokenIn(byLink.invitation)).not.toBe('')
      expect(await isOpen(mailed)).toBe(false)
      const byMail = await expectStatus(200, again(path, {}))
      expect(byMail).not.toHaveProperty('invitation')
      expect(await mailbox.of(email)).toHaveLength(2)
      expect((await newInvitation({ invite: true })).token).not.toBe('')
    }))

  test('cannot sign in otherwise: not by a link for a new password, nor by any password', () =>
    withMailbox(async (mailbox) => {
      const email = newAddress()
      const { document } = await newInvitation({ email })
      const { nick } = document
      await call('POST', '/api/session/passwordreset', { as: null, body: { nick } })
      await resetsMade()
      expect(await mailbox.of(email)).toEqual([])
      for (const wrong of ['', nick]) {
        expect(await login({ nick, password: wrong })).toBe(401)
        const body = { nick, password: wrong || ' ' }
        expect((await call('POST', '/api/session', { as: null, body })).status).toBe(401)
      }
    }))
})

describe('the link of an invitation', () => {
  test('is good once: of two answers at the same time one is taken', async () => {
    const { document, token } = await newInvitation()
    const words = ['the first of two passwords', 'the other of two passwords']
    const answers = await Promise.all(words.map((each) => accept(token, { password: each })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const taken = words[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect(await login({ nick: document.nick, password: taken })).toBe(200)
  })

  test('is good for INVITATION_HOURS', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { token, path } = await newInvitation()
    vi.setSystemTime(Date.now() + 72 * HOUR - 1000)
    expect(await isOpen(token)).toBe(true)
    vi.setSystemTime(Date.now() + 1000)
    expect(await refusal(accept(token, { password }))).toEqual([409, 'SIGN-IN-10'])
    expect(await read(path)).toMatchObject({ invited: true })
    await withSettings({ INVITATION_HOURS: 1 }, async () => {
      const next = tokenIn((await expectStatus(200, again(path))).invitation)
      vi.setSystemTime(Date.now() + HOUR)
      expect(await isOpen(next)).toBe(false)
    })
  })

  test('ends with a new one, a password of an administrator, another address, disabling and deletion', async () => {
    const endings: [string, (one: Awaited<ReturnType<typeof newInvitation>>) => Promise<unknown>][] = [
      ['a new link', ({ path }) => expectStatus(200, again(path))],
      ['a password', ({ document }) => expectStatus(200, putUser(document, { password }))],
      ['an address', ({ document }) => expectStatus(200, putUser(document, { email: newAddress() }))],
      ['disabling', ({ document }) => expectStatus(200, putUser(document, { active: false }))],
      ['recovery', ({ document }) => resetPassword(document.nick)],
      ['deletion', ({ path }) => expectStatus(204, call('DELETE', path))],
    ]
    for (const [name, end] of endings) {
      const invited = await newInvitation()
      await end(invited)
      expect([name, await refusal(look(invited.token))]).toEqual([name, [409, 'SIGN-IN-10']])
      expect([name, await refusal(accept(invited.token, { password }))]).toEqual([name, [409, 'SIGN-IN-10']])
      if (name === 'disabling') {
        await expectStatus(200, putUser(await read(invited.path), { active: true }))
        expect(await isOpen(invited.token)).toBe(false)
      }
      if (name === 'a password' || name === 'recovery')
        expect(await read(invited.path)).toMatchObject({ invited: false })
    }
  })

  test('does not open while the user is locked, nor from elsewhere than their networks', async () => {
    const { document, token } = await newInvitation()
    await changeUser({ nick: document.nick, password: '' }, { locked: 1 })
    expect(await isOpen(token)).toBe(false)
    await changeUser({ nick: document.nick, password: '' }, { locked: 0, allowed_cidrs: '["192.0.2.0/24"]' })
    expect(await refusal(accept(token, { password }))).toEqual([409, 'SIGN-IN-10'])
    const inside = call('PUT', '/api/session/invitation', {
      as: null,
      from: '192.0.2.7',
      body: { token, password },
    })
    await expectStatus(200, inside)
  })

  test('is not brought back by an undo of the deletion: the user is still invited, and gets a new one', async () => {
    const { path, document, token } = await newInvitation()
    await expectStatus(204, call('DELETE', path))
    const deleted = `/api/events?entity=user&entityid=${document.id}&action=delete`
    const { collection } = await expectStatus(200, call('GET', deleted))
    await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
    expect(await read(path)).toMatchObject({ nick: document.nick, invited: true })
    expect(await isOpen(token)).toBe(false)
    const next = tokenIn((await expectStatus(200, again(path))).invitation)
    await expectStatus(200, accept(next, { password }))
  })

  test('is not shown by a repeated request, nor to a program that acts by a grant', async () => {
    const { id } = await newEnterprise()
    const body = { ...userBody({ role: await newRole(), invite: 'link' }), password: undefined }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const once = () => expectStatus(201, call('POST', usersOf(id), { body, headers }))
    expect(await once()).toHaveProperty('invitation')
    expect(await once()).not.toHaveProperty('invitation')
  })

  test('takes a password or a passkey, and not a weak password', async () => {
    const { document, token } = await newInvitation()
    expect(await refusal(accept(token, {}))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await refusal(accept(token, { password: document.nick }))).toEqual([400, 'CONSTR-PATTERN'])
    expect(await refusal(accept(token, { password: 'short' }))).toEqual([400, 'CONSTR-LENGTH'])
    expect(await refusal(accept('x'.repeat(43), { password }))).toEqual([409, 'SIGN-IN-10'])
    expect(await isOpen(token)).toBe(true)
  })

  test('ends the session of another user in the same browser', async () => {
    const other = await newUser()
    const signedIn = await call('POST', '/api/session', {
      as: null,
      body: { nick: other.nick, password: other.password },
    })
    const cookie = pairOf(cookiesOf(signedIn).console)
    const { document, token } = await newInvitation()
    const session = await expectStatus(200, accept(token, { password }, { cookie, origin: ORIGIN }))
    expect(session.nick).toBe(document.nick)
    expect((await call('GET', '/api/session', { as: null, headers: { cookie } })).status).toBe(204)
  })
})

describe('who may invite', () => {
  test('USER-27: not a user who has a password or has signed in; USER-26: not a service account', async () => {
    const user = await newUser()
    expect(await refusal(again(`${usersOf('_')}/${user.id}`))).toEqual([409, 'USER-27'])
    const { id } = await newEnterprise()
    const body = { ...userBody({ role: await newRole(), authType: 'SERVICE' }), password: undefined }
    const service = await expectStatus(201, call('POST', usersOf(id), { body }))
    expect(await refusal(again(`${usersOf('_')}/${service.id}`))).toEqual([400, 'USER-26'])
    expect(await refusal(call('POST', usersOf(id), { body: { ...body, invite: true } }))).toEqual([
      400,
      'CONSTR-PATTERN',
    ])
  })

  test('not beside a password, nor without either', async () => {
    const { id } = await newEnterprise()
    const body = userBody({ role: await newRole() })
    expect(await refusal(call('POST', usersOf(id), { body: { ...body, invite: 'link' } }))).toEqual([
      400,
      'CONSTR-PATTERN',
    ])
    for (const invite of [undefined, false])
      expect(
        await refusal(call('POST', usersOf(id), { body: { ...body, password: undefined, invite } })),
      ).toEqual([400, 'CONSTR-NOTNULL'])
  })

  test('one who may set their password: not without the privilege, nor one who holds less', async () => {
    const { path, document } = await newInvitation()
    const stranger = await newUser()
    const viewer = await newUser({ privileges: ['USERS_VIEW'] })
    expect((await again(path, { as: viewer })).status).toBe(403)
    const boss = await newInvitation({ enterpriseId: stranger.enterpriseId })
    const role = await newRole({ privileges: ['MANAGE_DEVICES'] })
    const links = [
      ...boss.document.links.filter((each: { rel: string }) => each.rel !== 'role'),
      { rel: 'role', href: `${ORIGIN}/api/admin/roles/${role}` },
    ]
    await expectStatus(200, putUser(boss.document, { links }))
    const clerk = await newUser({ enterpriseId: stranger.enterpriseId, privileges: ['USERS_MANAGE_USERS'] })
    expect(await refusal(again(boss.path, { as: clerk }))).toEqual([403, 'GEN-15'])
    expect(await read(path)).toMatchObject({ id: document.id, invited: true })
  })

  test('USER-28: not where people sign in at an identity provider', async () => {
    const { path, token } = await newInvitation()
    const bearer = { authorization: `Token ${tokenOf(await call('GET', '/api/login'))}` }
    const oidc = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 'x' }
    await withSettings(oidc, async () => {
      expect(await refusal(again(path, { as: null, headers: bearer }))).toEqual([409, 'USER-28'])
      const body = { ...userBody({ role: await newRole(), invite: true }), password: undefined }
      const made = call('POST', usersOf(1), { as: null, headers: bearer, body })
      expect(await refusal(made)).toEqual([409, 'USER-28'])
      expect(await refusal(look(token))).toEqual([409, 'USER-28'])
      expect(await refusal(accept(token, { password }))).toEqual([409, 'USER-28'])
    })
  })
})

describe('an attacker', () => {
  const sessionOf = async ({ nick, password: own }: User) =>
    pairOf(cookiesOf(await call('POST', '/api/session', { as: null, body: { nick, password: own } })).console)
  const whoIs = async (cookie: string) => {
    const answer = await call('GET', '/api/session', { as: null, headers: { cookie } })
    return answer.status === 204 ? undefined : (await answer.json()).id
  }

  test('cannot bend the mailed link by a Host header, nor the mail by names', () =>
    withMailbox(async (mailbox) => {
      const { id } = await newEnterprise()
      const role = await newRole()
      const email = newAddress()
      const invited = { ...userBody({ role, email, invite: true }), password: undefined }
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      }
      const answer = await call('POST', usersOf(id), { body: invited, headers })
      expect([201, 400, 403]).toContain(answer.status)
      if (answer.status === 201) {
        const [mail] = await mailbox.of(email)
        expect(mail?.text).not.toContain('evil.example')
      }
      const evil = 'a@example.com\r\n\r\nBcc: b@example.com'
      for (const field of ['nick', 'email', 'locale']) {
        const body = { ...invited, email: newAddress(), [field]: evil }
        expect([field, (await call('POST', usersOf(id), { body })).status]).toEqual([field, 400])
      }
      const other = newAddress()
      await newInvitation({ invite: true, email: other, name: evil, surname: evil })
      const [mail] = await mailbox.of(other)
      expect(mail?.text).toContain('Hello a@example.com Bcc: b@example.com,')
    }))

  test('who is signed in as somebody else is signed out of that by an acceptance, and nothing is mixed', async () => {
    const other = await newUser()
    const cookie = await sessionOf(other)
    const { document, token } = await newInvitation()
    const answer = await accept(token, { password }, { cookie })
    const session = await expectStatus(200, answer.clone())
    expect(session.id).toBe(document.id)
    expect(await whoIs(cookie)).toBeUndefined()
    expect(await whoIs(pairOf(cookiesOf(answer).console))).toBe(document.id)
  })

  test('cannot accept from a page of another site', async () => {
    const { token } = await newInvitation()
    expect((await accept(token, { password }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await accept(token, { password }, { origin: 'https://evil.example' })).status).toBe(403)
    expect(await isOpen(token)).toBe(true)
  })

  test('gains nothing by a token that is cut, padded, in another case, or the hash of one', async () => {
    const { token } = await newInvitation()
    const hash = (await import('node:crypto')).createHash('sha256').update(token).digest('base64url')
    for (const each of [token.slice(0, -1), `${token}=`, `${token} `, token.toLowerCase(), hash, '', '%'])
      expect([each, (await accept(each, { password })).status >= 400]).toEqual([each, true])
    expect(await isOpen(token)).toBe(true)
  })

  test('reads the token in no event, list, export or feed, also as the inviting administrator', async () => {
    const { document, token, path } = await newInvitation()
    await expectStatus(200, again(path, { body: { invite: 'link' } }))
    for (const address of [
      `/api/events?entity=user&entityid=${document.id}`,
      `${usersOf('_')}?has=${document.nick}`,
      path,
      '/api/export?entity=user',
    ]) {
      const text = await (await call('GET', address)).text()
      expect([address, text.includes(token), text.includes('/invitation#')]).toEqual([address, false, false])
    }
  })

  test('opens no link by the account of an administrator who has gone: it lives as the user does', async () => {
    const { id } = await newEnterprise()
    const inviter = await newUser({ enterpriseId: id })
    const { token, document } = await newInvitation({ enterpriseId: id, as: inviter })
    await expectStatus(204, call('DELETE', `${usersOf('_')}/${inviter.id}`))
    expect(await isOpen(token)).toBe(true)
    await expectStatus(200, putUser(document, { active: false }))
    expect(await isOpen(token)).toBe(false)
  })
})

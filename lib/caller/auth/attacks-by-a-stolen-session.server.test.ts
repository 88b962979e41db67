import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { newAccessToken, tokensOf } from '#lib/tools/testing/access-tokens'
import { call, codesOf, expectStatus, newUser, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { register } from '#lib/tools/testing/oauth'
import { refusal } from '#lib/tools/testing/refusal'
import { changeUser, cookiesOf, pairOf, tokenOf, withSettings } from '#lib/tools/testing/session'
import { codeOf, secretOf } from '#lib/tools/testing/totp'
import { toXml } from '#lib/tools/testing/xml'

/* A thief has a token or a session, but not the password. Each test is named after a way to keep the account for good. */

type Person = Awaited<ReturnType<typeof person>>
type Headers = Record<string, string>

const MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE)

async function person() {
  const user = await newUser({ privileges: [], email: newAddress() })
  return { ...user, application: await register(user) }
}

async function console({ nick, password }: User): Promise<Headers> {
  const answer = await call('POST', '/api/session', { as: null, body: { nick, password } })
  return { cookie: pairOf(cookiesOf(answer).console), origin: ORIGIN }
}

/** The credentials that a thief may have: a token, the cookie of a program, and a console session that is 16 minutes old. */
async function stolen(user: User): Promise<Headers[]> {
  const session = await console(user)
  pass(16)
  const login = await call('GET', '/api/login', { as: user })
  return [{ authorization: `Token ${tokenOf(login)}` }, { cookie: pairOf(cookiesOf(login).auth) }, session]
}

const by = (headers: Headers, method: string, path: string, body?: unknown) =>
  call(method, path, { as: null, headers, body })

const pathOf = ({ id }: { id: number }) => `/api/admin/enterprises/_/users/${id}`

const selfOf = (user: Person) => expectStatus(200, call('GET', pathOf(user), { as: user }))

const applicationOf = (user: Person) => `${pathOf(user)}/applications/${user.application.id}`

const messagesOf = async (response: Response): Promise<string[]> =>
  (await response.json()).collection.map(({ message }: { message: string }) => message)

/** Every operation that requires a proof, with a valid request and the status of its success. */
const guarded: Record<string, (user: Person) => Promise<[path: string, body: object, status: number]>> = {
  'PUT /api/admin/enterprises/[enterprise]/users/[user]': async (user) => [
    pathOf(user),
    { ...(await selfOf(user)), email: newAddress() },
    200,
  ],
  'POST /api/admin/enterprises/[enterprise]/users/[user]/action/enable2fa': async (user) => [
    `${pathOf(user)}/action/enable2fa`,
    { type: 'APP_AUTHENTICATOR' },
    201,
  ],
  'POST /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]/action/rotatesecret':
    async (user) => [`${applicationOf(user)}/action/rotatesecret`, {}, 200],
  'POST /api/admin/enterprises/[enterprise]/users/[user]/tokens': async (user) => [
    tokensOf(user),
    { name: unique('Token') },
    201,
  ],
  'DELETE /api/admin/enterprises/[enterprise]/users/[user]/tokens/[token]': async (user) => [
    `${tokensOf(user)}/${(await newAccessToken(user)).id}`,
    {},
    204,
  ],
}

/** Without a proof this operation hides the secret instead of refusing. */
const showing = 'GET /api/admin/enterprises/[enterprise]/users/[user]/applications/[application]'

/** Passkeys are for the console alone: lib/people/sign-in/passkeys.engines.test.ts. */
const ofConsole = [
  'DELETE /api/session/passkeys/[passkey]',
  'POST /api/session/passkeys',
  'POST /api/session/passkeys/action/options',
  'PUT /api/session/passkeys/[passkey]',
]

test('every operation that requires a proof is tested here', async () => {
  const declared = (await loadRoutes()).flatMap(({ path, handlers }) =>
    Object.entries(handlers).flatMap(([method, { spec }]) =>
      spec.kind !== 'open' && spec.who.proof ? [`${method} ${path}`] : [],
    ),
  )
  expect(declared.sort()).toEqual([...Object.keys(guarded), ...ofConsole, showing].sort())
})

describe.each(Object.entries(guarded))('%s', (operation, sending) => {
  const method = operation.split(' ')[0] ?? ''

  test('a token, a cookie or an old session alone gets SIGN-IN-6, with any wrong password', async () => {
    const user = await person()
    for (const headers of await stolen(user)) {
      const [path, body] = await sending(user)
      expect(await refusal(by(headers, method, path, body))).toEqual([403, 'SIGN-IN-6'])
      const guess = { ...body, oldPassword: 'a guess' }
      expect(await refusal(by(headers, method, path, guess))).toEqual([403, 'SIGN-IN-6'])
    }
  })

  test('succeeds with the password, with Basic, and in a session that has just begun', async () => {
    const ways: ((user: Person) => Promise<{ headers: Headers; proof?: object; as?: User }>)[] = [
      async (user) => ({ headers: (await stolen(user))[0] ?? {}, proof: { oldPassword: user.password } }),
      async (user) => ({ headers: (await stolen(user))[2] ?? {}, proof: { oldPassword: user.password } }),
      async (user) => ({ headers: {}, as: user }),
      async (user) => ({ headers: await console(user) }),
    ]
    for (const way of ways) {
      const user = await person()
      const { headers, proof, as = null } = await way(user)
      const [path, body, status] = await sending(user)
      expect((await call(method, path, { as, headers, body: { ...body, ...proof } })).status).toBe(status)
    }
  })
})

test('five wrong passwords sent with a change, then 429 even for the correct one', async () => {
  const user = await person()
  const [token = {}] = await stolen(user)
  const rotate = (oldPassword: string) =>
    by(token, 'POST', `${applicationOf(user)}/action/rotatesecret`, { oldPassword })
  for (let index = 0; index < 5; index += 1) expect((await rotate(`guess ${index}`)).status).toBe(403)
  expect((await rotate(user.password)).status).toBe(429)
})

describe('without an old password in the body', () => {
  test.each<[string, string | object]>([
    ['another media type', 'oldPassword=a+guess'],
    ['a document that holds none', 'null'],
    ['a number', { oldPassword: 12_345_678 }],
    ['a text that is longer than any password', { oldPassword: 'x'.repeat(2049) }],
  ])('%s is no attempt, and no proof', async (_, body) => {
    const user = await person()
    const [token = {}] = await stolen(user)
    const path = `${applicationOf(user)}/action/rotatesecret`
    for (let index = 0; index < 6; index += 1) {
      const refused = await by(token, 'POST', path, body)
      expect([refused.status, refused.headers.get('x-service-otp')]).toEqual([403, null])
      expect(await messagesOf(refused)).toEqual([expect.stringContaining('Confirm your identity')])
    }
    expect((await by(token, 'POST', path, { oldPassword: user.password })).status).toBe(200)
  })
})

test('the refusal names the wrong proof', async () => {
  const user = await person()
  const [token = {}] = await stolen(user)
  const refused = await by(token, 'POST', `${applicationOf(user)}/action/rotatesecret`, { oldPassword: 'x' })
  expect(await messagesOf(refused)).toEqual(['The password is wrong'])
})

test('a wrong old password counts once, although two parts of the request check it', async () => {
  const user = await person()
  const [token = {}] = await stolen(user)
  const body = {
    ...(await selfOf(user)),
    email: newAddress(),
    password: 'quite another password',
    oldPassword: 'a guess',
  }
  for (let index = 0; index < 5; index += 1)
    expect((await by(token, 'PUT', pathOf(user), body)).status).toBe(403)
  expect((await by(token, 'PUT', pathOf(user), body)).status).toBe(429)
})

describe.each(['a password', '123456789012', ' with <XML> & spaces '])(
  'in XML, with the password %j',
  (password) => {
    const asXml = (headers: Headers, user: Person, body: object) =>
      call('PUT', pathOf(user), {
        as: null,
        headers: {
          ...headers,
          'content-type': 'application/vnd.service.user+xml',
          accept: 'application/json',
        },
        body: toXml('user', body),
      })

    test('the old password is a proof, a wrong one is not', async () => {
      const user = await person()
      await changeUser(user, { password_hash: await hashPassword(password) })
      const known = { ...user, password }
      const [token = {}] = await stolen(known)
      const body = { ...(await selfOf(known)), email: newAddress() }
      expect(await refusal(asXml(token, user, { ...body, oldPassword: `${password}1` }))).toEqual([
        403,
        'SIGN-IN-6',
      ])
      expect((await asXml(token, user, { ...body, oldPassword: password })).status).toBe(200)
    })
  },
)

test('changes other than the e-mail address need no proof', async () => {
  const user = await person()
  const self = await selfOf(user)
  const [token = {}] = await stolen(user)
  await expectStatus(200, by(token, 'PUT', pathOf(user), { ...self, oldPassword: 'a guess' }))
  await expectStatus(200, by(token, 'PUT', pathOf(user), { ...self, surname: 'Another' }))
  const administrator = await newUser({ enterpriseId: user.enterpriseId })
  const login = await call('GET', '/api/login', { as: administrator })
  const headers = { authorization: `Token ${tokenOf(login)}` }
  await expectStatus(200, by(headers, 'PUT', pathOf(user), { ...self, email: newAddress() }))
})

describe('the secret of an application', () => {
  const secretIn = async (headers: Headers, user: Person) =>
    (await expectStatus(200, by(headers, 'GET', applicationOf(user)))).apiSecret

  test('is hidden from a token, a cookie or an old session alone; the rest of the document is shown', async () => {
    const user = await person()
    for (const headers of await stolen(user)) expect(await secretIn(headers, user)).toBeUndefined()
    const basic = await expectStatus(200, call('GET', applicationOf(user), { as: user }))
    expect(basic.apiSecret).toBe(user.application.apiSecret)
    expect(await secretIn(await console(user), user)).toBe(user.application.apiSecret)
  })

  test('is hidden from an access token, which cannot try codes', async () => {
    const user = await person()
    const { token } = await newAccessToken(user)
    const headers = { authorization: `Token ${token}`, 'x-service-otp': '000000' }
    expect(await secretIn(headers, user)).toBeUndefined()
  })

  test('is shown with a code, once; a wrong code is refused', async () => {
    const user = await person()
    const enabled = await call('POST', `${pathOf(user)}/action/enable2fa`, {
      as: user,
      body: { type: 'APP_AUTHENTICATOR' },
    })
    const { authenticatorURL } = await expectStatus(201, enabled.clone())
    const token = { authorization: `Token ${tokenOf(enabled)}` }
    const wrong = await by({ ...token, 'x-service-otp': '000000' }, 'GET', applicationOf(user))
    expect([wrong.status, wrong.headers.get('x-service-otp'), await codesOf(wrong)]).toEqual([
      403,
      'required; type=APP_AUTHENTICATOR',
      ['SIGN-IN-6'],
    ])
    expect(wrong.headers.get('x-service-otp-clock')).toBeNull()
    const secret = secretOf(authenticatorURL)
    const late = { ...token, 'x-service-otp': codeOf(secret, Date.now() - 5 * MINUTE) }
    const behind = await by(late, 'GET', applicationOf(user))
    expect([behind.status, behind.headers.get('x-service-otp-clock')]).toEqual([403, '-300'])
    expect(await messagesOf(behind)).toEqual([expect.stringContaining('The verification code is wrong')])
    const code = { ...token, 'x-service-otp': codeOf(secret) }
    expect(await secretIn(code, user)).toBe(user.application.apiSecret)
    expect((await by(code, 'GET', applicationOf(user))).status).toBe(403)
    // With a token, a proof is valid for one request only.
    expect(await secretIn(token, user)).toBeUndefined()
  })

  test('is shown for a new application, because old programs register theirs by token or cookie', async () => {
    const user = await person()
    for (const headers of await stolen(user)) {
      const made = by(headers, 'POST', `${pathOf(user)}/applications`, { name: 'Another' })
      expect((await expectStatus(201, made)).apiSecret).toMatch(/^[\w-]{40}$/)
    }
  })
})

describe('POST /api/session/proof', () => {
  const prove = (headers: Headers, body: object) => by(headers, 'POST', '/api/session/proof', body)
  const rotate = (headers: Headers, user: Person) =>
    by(headers, 'POST', `${applicationOf(user)}/action/rotatesecret`)

  test('lets the session change its account for fifteen minutes, and no other session', async () => {
    const user = await person()
    const [token = {}, , session = {}] = await stolen(user)
    expect(await refusal(prove(session, { oldPassword: 'wrong' }))).toEqual([409, 'SIGN-IN-3'])
    expect(await refusal(prove(session, {}))).toEqual([400, 'CONSTR-NOTNULL'])
    expect((await rotate(session, user)).status).toBe(403)
    expect((await prove(session, { oldPassword: user.password })).status).toBe(204)
    expect((await rotate(session, user)).status).toBe(200)
    expect((await rotate(token, user)).status).toBe(403)
    pass(14)
    expect((await rotate(session, user)).status).toBe(200)
    pass(2)
    expect((await rotate(session, user)).status).toBe(403)
  })

  test('a proof within a change is remembered as well', async () => {
    const user = await person()
    const [, , session = {}] = await stolen(user)
    const path = `${applicationOf(user)}/action/rotatesecret`
    expect((await by(session, 'POST', path, { oldPassword: user.password })).status).toBe(200)
    expect((await rotate(session, user)).status).toBe(200)
  })

  test('accepts a code; a wrong one is 2FA-8, and any is 2FA-7 without two factor', async () => {
    const user = await person()
    const session = await console(user)
    expect(await refusal(prove(session, { code: '000000' }))).toEqual([409, '2FA-7'])
    const path = `${pathOf(user)}/action/enable2fa`
    const { authenticatorURL } = await expectStatus(
      201,
      by(session, 'POST', path, { type: 'APP_AUTHENTICATOR' }),
    )
    pass(16)
    expect(await refusal(prove(session, { code: '000000' }))).toEqual([409, '2FA-8'])
    expect((await prove(session, { code: codeOf(secretOf(authenticatorURL)) })).status).toBe(204)
    expect((await rotate(session, user)).status).toBe(200)
  })

  test('does not remember a proof for a token', async () => {
    const user = await person()
    const [token = {}] = await stolen(user)
    expect((await prove(token, { oldPassword: user.password })).status).toBe(403)
  })

  test('PROOF_MINUTES limits how long a proof is remembered', async () => {
    const user = await person()
    const session = await console(user)
    pass(3)
    await withSettings({ PROOF_MINUTES: 2 }, async () => {
      expect((await rotate(session, user)).status).toBe(403)
      expect((await prove(session, { oldPassword: user.password })).status).toBe(204)
      expect((await rotate(session, user)).status).toBe(200)
    })
  })
})

test('a password link that was mailed before the address changed is refused', () =>
  withMailbox(async (mailbox) => {
    const administrator = await newUser()
    const changes: ((user: Person) => Promise<User>)[] = [async (user) => user, async () => administrator]
    for (const change of changes) {
      const user = await person()
      const { email } = await selfOf(user)
      expect(
        (await call('POST', '/api/session/passwordreset', { as: null, body: { nick: user.nick } })).status,
      ).toBe(204)
      await resetsMade()
      const token = /new-password#([\w-]+)/.exec((await mailbox.of(email))[0]?.text ?? '')?.[1]
      expect(token).toBeDefined()
      const body = { ...(await selfOf(user)), email: newAddress() }
      await expectStatus(200, call('PUT', pathOf(user), { as: await change(user), body }))
      const password = 'quite another password'
      expect(
        await refusal(call('PUT', '/api/session/passwordreset', { as: null, body: { token, password } })),
      ).toEqual([409, 'SIGN-IN-4'])
      expect((await mailbox.of(email)).at(-1)?.subject).toBe('Your e-mail address was changed')
    }
  }))

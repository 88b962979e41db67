import { expect, test } from 'vitest'
import { findAccountOfIdentity } from '#lib/caller/auth/caller.server'
import { newAccessToken, newServiceAccount, statusBy, tokensOf } from '#lib/tools/testing/access-tokens'
import { call, codesOf, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { putUser, readUser, usersOf } from '#lib/tools/testing/identity'
import { connect, register, signedCall } from '#lib/tools/testing/oauth'
import { newPasskey, signInWith } from '#lib/tools/testing/passkeys'
import { newScope } from '#lib/tools/testing/scopes'
import { changeUser, cookiesOf, hasRow, pairOf, sentTo, tokenOf } from '#lib/tools/testing/session'

/* All credentials, each way to end them, and each way to restore their owner: ended credentials stay invalid. */

type Person = Awaited<ReturnType<typeof newUser>>

const login = async (headers: Record<string, string>) =>
  (await call('GET', '/api/login', { as: null, headers })).status === 200

/** Everything with which the user can sign in, and whether it still opens. */
async function credentialsOf(user: Person) {
  const basic = await call('GET', '/api/login', { as: user })
  const { nick, password } = user
  const console = await call('POST', '/api/session', { as: null, body: { nick, password } })
  const token = await newAccessToken(user)
  const application = await register(user)
  const grant = await connect(application, user)
  const signed = () => signedCall(application, grant, 'GET', '/api/login')
  const chain = tokenOf(await signed())
  const passkey = await newPasskey(user)
  const link = unique('link')
  const identity = await sentTo(user, link)
  const opens = {
    token: () => login({ authorization: `Token ${tokenOf(basic)}` }),
    cookie: () => login({ cookie: pairOf(cookiesOf(basic).auth) }),
    session: () => login({ cookie: pairOf(cookiesOf(console).console) }),
    'token of the grant': () => login({ authorization: `Token ${chain}` }),
    'access token': async () => (await statusBy(token.token)) === 200,
    grant: async () => (await signed()).status === 200,
    passkey: async () => (await signInWith(passkey.authenticator)).status === 200,
    // The nick as password is refused after the link was found right, which leaves the link as it is.
    'reset link': async () => {
      const body = { token: link, password: nick }
      const [code] = await codesOf(call('PUT', '/api/session/passwordreset', { as: null, body }))
      return code !== 'SIGN-IN-4'
    },
    invitation: async () =>
      (await call('POST', '/api/session/invitation', { as: null, body: { token: link } })).status === 200,
    'mailed code': hasRow('mailed_codes', user),
    binding: async () => (await findAccountOfIdentity(identity)) !== undefined,
    'known network': hasRow('sign_in_places', user),
  }
  return { opens, token, application, passkey }
}

type Credentials = Awaited<ReturnType<typeof credentialsOf>>
type Name = keyof Credentials['opens']

async function openOnes({ opens }: Credentials): Promise<Name[]> {
  const open: Name[] = []
  for (const [name, isOpen] of Object.entries(opens)) if (await isOpen()) open.push(name as Name)
  return open
}

const sessions: Name[] = ['token', 'cookie', 'session', 'token of the grant']
const signsIn: Name[] = [
  ...sessions,
  'access token',
  'grant',
  'passkey',
  'reset link',
  'invitation',
  'mailed code',
]
const everything: Name[] = [...signsIn, 'binding', 'known network']

const userPath = ({ id }: Person): string => `${usersOf('_')}/${id}`

type Ended = { user: Person; credentials: Credentials; manager: Person }

const change = async ({ user }: Ended, fields: object) =>
  expectStatus(200, putUser(await readUser(user.id), fields))

const many = ({ user }: Ended, action: string, fields: object = {}) =>
  expectStatus(
    200,
    call('POST', `${usersOf(user.enterpriseId)}/action/${action}`, { body: { ids: [user.id], ...fields } }),
  )

const remove = (path: string, as: Parameters<typeof call>[2] = {}) =>
  expectStatus(204, call('DELETE', path, as))

/** `ends`: for good. `undoes`: how many of the last events are undone; the last one may have no undo. */
type Ending = { ends: Name[]; undoes?: number; refused?: string; by: (ended: Ended) => Promise<unknown> }

const endings: Record<string, Ending> = {
  'the deletion of the user': { ends: everything, by: ({ user }) => remove(userPath(user)) },
  'the deletion of many users': { ends: everything, by: (ended) => many(ended, 'deleteusers') },
  'a plan without the user': {
    ends: everything,
    by: async ({ manager }) => {
      const body = { mode: 'replace', users: [{ nick: manager.nick }] }
      const { id } = await expectStatus(201, call('POST', '/api/plans', { as: manager, body }))
      await expectStatus(200, call('POST', `/api/plans/${id}/action/apply`, { as: manager }))
    },
  },
  'the deletion of the user and the enterprise': {
    ends: everything,
    undoes: 3,
    by: async ({ user, manager }) => {
      await remove(userPath(user))
      await remove(userPath(manager))
      await remove(`/api/admin/enterprises/${user.enterpriseId}`)
    },
  },
  disabling: { ends: signsIn, by: (ended) => change(ended, { active: false }) },
  'disabling many users': { ends: signsIn, by: (ended) => many(ended, 'changeusers', { active: false }) },
  locking: { ends: [...sessions, 'access token'], by: (ended) => change(ended, { locked: true }) },
  'a new password, with another change': {
    ends: [...sessions, 'reset link', 'invitation'],
    by: (ended) => change(ended, { password: 'quite another password', surname: 'Another' }),
  },
  'signing out everywhere': {
    ends: sessions,
    refused: 'UNDO-3',
    by: ({ user }) => remove('/api/session/sessions', { as: user }),
  },
  'a reset of two factor': {
    ends: [...sessions, 'passkey', 'mailed code'],
    refused: 'UNDO-3',
    by: async ({ user }) => {
      await changeUser(user, { two_factor_provider: 'EMAIL' })
      await expectStatus(200, call('POST', `${userPath(user)}/action/reset2fa`))
    },
  },
  'the revocation of a grant': {
    ends: ['grant', 'token of the grant'],
    refused: 'UNDO-3',
    by: async ({ user }) => {
      const { collection } = await expectStatus(200, call('GET', '/api/session/authorizations', { as: user }))
      await remove(`/api/session/authorizations/${collection[0].id}`, { as: user })
    },
  },
  'the deletion of an application': {
    ends: ['grant', 'token of the grant'],
    refused: 'UNDO-3',
    by: ({ user, credentials: { application } }) =>
      remove(`${userPath(user)}/applications/${application.id}`, { as: user }),
  },
  'the revocation of an access token': {
    ends: ['access token'],
    refused: 'UNDO-3',
    by: ({ user, credentials: { token } }) => remove(`${tokensOf(user)}/${token.id}`, { as: user }),
  },
  'the removal of a passkey': {
    ends: ['passkey'],
    refused: 'UNDO-3',
    by: ({ credentials: { passkey } }) =>
      remove(`/api/session/passkeys/${passkey.id}`, { as: null, headers: passkey.browser }),
  },
}

test.each(Object.entries(endings))('%s', async (_name, { ends, undoes = 1, refused, by }) => {
  const { id: enterpriseId } = await newEnterprise()
  const { id: scopeId } = await newScope({ enterprises: [enterpriseId] })
  const manager = await newUser({ enterpriseId, scopeId })
  const nick = unique('a-long-nick').replace(' ', '-')
  const user = await newUser({ nick, enterpriseId, scopeId, privileges: ['VDC_ENUMERATE'] })
  const credentials = await credentialsOf(user)
  expect(await openOnes(credentials)).toEqual(everything)
  await by({ user, credentials, manager })
  const { collection } = await expectStatus(200, call('GET', `/api/events?limit=${undoes}&by=id&asc=false`))
  const left = await openOnes(credentials)
  expect(left.filter((name) => ends.includes(name))).toEqual([])
  for (const { id } of collection) {
    const answer = await call('POST', `/api/events/${id}/action/undo`)
    if (refused) expect(await codesOf(answer)).toEqual([refused])
    else await expectStatus(200, answer)
  }
  expect(await openOnes(credentials)).toEqual(everything.filter((name) => !ends.includes(name)))
})

test('a token for a service account ends with its maker, and is not restored with them', async () => {
  const { account, manager } = await newServiceAccount()
  const { token } = await newAccessToken({ ...account, password: '' }, {}, manager)
  expect(await statusBy(token)).toBe(200)
  await remove(userPath(manager))
  const { collection } = await expectStatus(200, call('GET', '/api/events?limit=1&by=id&asc=false'))
  await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
  expect(await statusBy(token)).toBe(401)
})

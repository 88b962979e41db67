import { expect, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { transaction } from '#lib/db/db.server'
import type { EventDocument } from '#lib/record/events/events.schema'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { call, expectStatus, newUser, ORIGIN, type User, unique } from '#lib/tools/testing/client'
import { enrolled, withCode } from '#lib/tools/testing/enrolled'
import { codeIn, newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser } from '#lib/tools/testing/session'
import { codeOf } from '#lib/tools/testing/totp'

const eventsOf = async (user: { id: number }): Promise<EventDocument[]> =>
  (await expectStatus(200, call('GET', `/api/events?entity=user&entityid=${user.id}`))).collection

const actionsAndReasons = (events: EventDocument[]) =>
  events.map(({ action, changes }) => [action, changes.reason?.after])

const signIn = ({ nick, password }: User, from = '127.0.0.1') =>
  call('POST', '/api/session', { as: null, from, body: { nick, password } })

test('repeated Basic requests with the same password are one sign-in event', async () => {
  const user = await newUser()
  // Test users share one hash, so its cached comparison would hide a sign-in: this user gets another hash.
  const password_hash = await hashPassword(user.password)
  await transaction((trx) =>
    trx.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute(),
  )
  for (const _ of Array(3)) await expectStatus(200, call('GET', '/api/login', { as: user }))
  expect(actionsAndReasons(await eventsOf(user))).toEqual([['sign-in', undefined]])
})

test('each sign-in to the console is an event, and each sign-out', async () => {
  const user = await newUser()
  const session = await signIn(user)
  await expectStatus(200, signIn(user))
  const cookie = session.headers.getSetCookie().find((text) => text.startsWith('console=')) ?? ''
  await expectStatus(204, call('DELETE', '/api/session', { as: null, headers: { cookie, origin: ORIGIN } }))
  expect((await eventsOf(user)).map(({ action }) => action)).toEqual(['sign-in', 'sign-in', 'sign-out'])
})

test('a sign-in event names its factors: the password, and the kind of code', async () => {
  const factorsOf = async (user: { id: number }) =>
    (await eventsOf(user))
      .filter(({ action }) => action === 'sign-in')
      .map(({ changes }) => changes.factors?.after)
  const { user, secret, scratchCodes } = await enrolled()
  await expectStatus(200, withCode(user, codeOf(secret)))
  await expectStatus(200, withCode(user, scratchCodes[0] ?? ''))
  expect((await factorsOf(user)).slice(-2)).toEqual(['password, authenticator', 'password, scratch code'])
  const plain = await newUser()
  await expectStatus(200, signIn(plain))
  expect(await factorsOf(plain)).toEqual(['password'])
  await withMailbox(async (mailbox) => {
    const email = newAddress()
    const mailed = await newUser({ email })
    await changeUser(mailed, { two_factor_provider: 'EMAIL' })
    await expectStatus(401, call('GET', '/api/login', { as: mailed }))
    await expectStatus(200, withCode(mailed, codeIn(await mailbox.of(email))))
    expect(await factorsOf(mailed)).toEqual(['password, mail'])
  })
})

test('a refused sign-in is an event with the reason, which the response does not show', async () => {
  const user = await newUser()
  await expectStatus(401, call('GET', '/api/login', { as: { ...user, password: 'wrong password' } }))
  await expectStatus(401, signIn({ ...user, password: 'wrong password' }))
  await transaction((trx) =>
    trx.updateTable('users').set({ allowed_cidrs: '["192.0.2.0/24"]' }).where('id', '=', user.id).execute(),
  )
  await expectStatus(401, signIn(user))
  await transaction((trx) => trx.updateTable('users').set({ locked: 1 }).where('id', '=', user.id).execute())
  await expectStatus(401, signIn(user))
  expect(actionsAndReasons(await eventsOf(user))).toEqual([
    ['sign-in-refused', 'password'],
    ['sign-in-refused', 'password'],
    ['sign-in-refused', 'address'],
    ['sign-in-refused', 'locked'],
  ])
})

test('no event holds a password, a code or an unknown nick, which may be a password', async () => {
  const user = await newUser()
  await expectStatus(
    401,
    signIn({ nick: unique('horse-battery'), password: 'horse-battery staple' }, '198.51.100.200'),
  )
  await expectStatus(401, signIn({ ...user, password: 'horse-battery staple' }))
  // Attempts at unknown nicks within a minute share one event, which another test may have begun.
  const answer = await expectStatus(200, call('GET', '/api/events?action=sign-in-refused&limit=0'))
  expect(JSON.stringify(answer.collection)).not.toMatch(/horse-battery/)
  expect(answer.collection.some((event: EventDocument) => event.changes.reason?.after === 'unknown')).toBe(
    true,
  )
})

test('enabling and disabling two factor are events without the secret and the codes', async () => {
  const user = await newUser()
  const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}/action`
  const credentials = await expectStatus(
    201,
    call('POST', `${path}/enable2fa`, { as: user, body: { type: 'APP_AUTHENTICATOR' } }),
  )
  const [code] = credentials.scratchCodes
  await expectStatus(
    204,
    call('POST', `${path}/disable2fa`, { as: user, headers: { 'x-service-otp': code } }),
  )
  const events = (await eventsOf(user)).filter(({ action }) => action.endsWith('2fa'))
  expect(events.map(({ action, changes }) => [action, changes.twoFactorProvider])).toEqual([
    ['enable2fa', { after: 'APP_AUTHENTICATOR' }],
    ['disable2fa', { before: 'APP_AUTHENTICATOR' }],
  ])
  const secret = new URL(credentials.authenticatorURL).searchParams.get('secret')
  expect(secret).toBeTruthy()
  for (const hidden of [secret, ...credentials.scratchCodes])
    expect(JSON.stringify(events)).not.toContain(hidden)
})

test('each write declares its event, except SCIM, which runs other operations, requests for codes, proofs, preferences and reports of gateways', async () => {
  const silent = (await loadRoutes()).flatMap(({ path, handlers }) =>
    Object.entries(handlers).flatMap(([method, { spec }]) =>
      spec.kind === 'writes' && !spec.event && !spec.inSteps ? [`${method} ${path}`] : [],
    ),
  )
  // A change in steps and a job write one event for all of them, an undo writes the event of its inverse, unconfirmed changes write one at their
  // start and one at their end, and a consent writes its own, if the user agrees. The end of a view is not one.
  expect(silent.sort()).toEqual([
    'DELETE /api/session/seeas',
    'DELETE /scim/v2/Groups/[role]',
    'DELETE /scim/v2/Users/[user]',
    'PATCH /scim/v2/Groups/[role]',
    'PATCH /scim/v2/Users/[user]',
    'POST /api/cloud/locations/[datacenter]/devices/[device]/action/cancel',
    'POST /api/cloud/locations/[datacenter]/devices/[device]/action/change',
    'POST /api/cloud/locations/[datacenter]/devices/[device]/action/confirm',
    'POST /api/events/[event]/action/undo',
    'POST /api/plans/[plan]/action/apply',
    'POST /api/session/code',
    'POST /api/session/code/mail',
    'POST /api/session/consent',
    'POST /api/session/passkeys/action/options',
    'POST /api/session/proof',
    'POST /scim/v2/Groups',
    'POST /scim/v2/Users',
    'PUT /api/cloud/locations/[datacenter]/devices/[device]/state',
    'PUT /api/session/preferences',
    'PUT /scim/v2/Groups/[role]',
    'PUT /scim/v2/Users/[user]',
  ])
})

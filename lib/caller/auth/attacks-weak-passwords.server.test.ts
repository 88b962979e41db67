import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { isNewPassword } from '#lib/caller/auth/password.schema'
import { isCommon } from '#lib/caller/auth/password-rules.server'
import { parseEnv } from '#lib/ground/env.server'
import { resetsMade } from '#lib/request/entrance/password-resets.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { failingStart } from '#lib/tools/testing/api-process'
import { call, codesOf, expectStatus, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import { newRole, roleLink } from '#lib/tools/testing/identity'
import { newInvitation } from '#lib/tools/testing/invitations'
import { newAddress, withMailbox } from '#lib/tools/testing/mailbox'
import { ownDatabase } from '#lib/tools/testing/own-database'
import { swept } from '#lib/tools/testing/search'
import { changeUser, withSettings } from '#lib/tools/testing/session'

/* Attackers try these passwords first: every operation that sets a password has to refuse them. */

const nick = 'montgomery'
const common = [
  'Administrator',
  'password2026',
  '12345Password!',
  'QWERTYuiop1234',
  'dragonDragon',
  '909090909090',
]
const likeNick = ['Montgomery12', '12!montgomery', 'ＭＯＮＴＧＯＭＥＲＹ2026']
const good = [
  'a password for tests',
  'correct horse battery',
  'my administrator is kind',
  'dragon-7391-8264-1122',
]

test('common passwords are recognized in any case, repeated, and with digits and signs beside them', () => {
  expect(common.filter((password) => !isCommon(password))).toEqual([])
  expect(good.filter(isCommon)).toEqual([])
})

test('the names of the installation are recognized like common passwords', () =>
  withSettings(
    {
      VENDOR: 'initech',
      REALM: 'Umbrella API',
      TWO_FACTOR_ISSUER: 'Hooli Cloud',
      BASE_URL: 'https://tyrell.example.test',
    },
    async () => {
      const guessed = [
        ...['Initech-2026!', 'initechInitech', '123umbrella456', 'Umbrella API!', 'hoolicloud99'],
        ...['Tyrell202611', 'tyrell.example.test', 'cloudmanagementconsole', 'Management2026'],
      ]
      expect(guessed.filter((password) => !isCommon(password))).toEqual([])
      expect(good.filter(isCommon)).toEqual([])
      expect(isCommon('umbrellas are for rain')).toBe(false)
    },
  ))

type Setting = (password: string) => Promise<Response>

/** Each operation that sets a password, for the user `nick`. */
const places: Record<string, () => Promise<Setting>> = {
  'POST /api/admin/enterprises/[enterprise]/users': async () => {
    const { enterpriseId } = await newUser()
    const links = [roleLink(await newRole())]
    return (password) =>
      call('POST', `/api/admin/enterprises/${enterpriseId}/users`, {
        body: { nick, name: 'Test', password, links },
      })
  },
  'PUT /api/admin/enterprises/[enterprise]/users/[user]': async () => {
    const { path, document } = await known()
    return (password) => call('PUT', path, { body: { ...document, password } })
  },
  'PUT /api/session/password': async () => {
    const { user } = await known()
    return (password) =>
      call('PUT', '/api/session/password', { as: user, body: { password, oldPassword: user.password } })
  },
  'PUT /api/session/passwordreset': async () => {
    const { user } = await known()
    const token = await tokenFor(user)
    return (password) => call('PUT', '/api/session/passwordreset', { as: null, body: { token, password } })
  },
  'PUT /api/session/invitation': async () => {
    const { document, token } = await newInvitation()
    await changeUser({ nick: document.nick, password: '' }, { nick })
    return (password) => call('PUT', '/api/session/invitation', { as: null, body: { token, password } })
  },
}

async function known() {
  const user = { ...(await newUser()), nick }
  const { id } = user
  const path = `/api/admin/enterprises/_/users/${id}`
  await changeUser(await expectStatus(200, call('GET', path)), { nick })
  return { user, path, document: await expectStatus(200, call('GET', path)) }
}

async function tokenFor(user: { nick: string }): Promise<string> {
  const email = newAddress()
  await changeUser({ ...user, password: '' }, { email })
  return withMailbox(async (mailbox) => {
    await expectStatus(
      204,
      call('POST', '/api/session/passwordreset', { as: null, body: { nick: user.nick } }),
    )
    await resetsMade()
    return /#([\w-]+)/.exec((await mailbox.of(email))[0]?.text ?? '')?.[1] ?? ''
  })
}

/** Frees the nick for the next operation. */
const leave = () => changeUser({ nick, password: '' }, { nick: unique('gone') })

describe.each(Object.entries(places))('%s', (_, prepare) => {
  test('refuses common passwords, the nick, and passwords shorter than the setting', async () => {
    const set = await prepare()
    for (const password of [...common, ...likeNick]) {
      const refused = await set(password)
      expect([password, refused.status, await codesOf(refused)]).toEqual([password, 400, ['CONSTR-PATTERN']])
    }
    await withSettings({ PASSWORD_MIN_LENGTH: 21 }, async () => {
      const short = await expectStatus(400, set('a password of 20 ch.'))
      expect(short.collection).toEqual([
        {
          code: 'CONSTR-LENGTH',
          message: 'password: must have 21 to 1024 characters',
          field: 'password',
        },
      ])
    })
    await withSettings({ PASSWORD_MIN_LENGTH: 8 }, async () => {
      expect(await codesOf(set('letmein1'))).toEqual(['CONSTR-PATTERN'])
      expect(await codesOf(set('kj8#vq2'))).toEqual(['CONSTR-LENGTH'])
      expect((await set('kj8#vq2z')).status).toBeLessThan(300)
    })
    await leave()
  })
})

test('every field for a new password is covered by these tests', async () => {
  const fields = (await loadRoutes()).flatMap(({ path, handlers }) =>
    Object.entries(handlers).flatMap(([method, { spec }]) =>
      Object.entries((spec.takes?.body.shape ?? {}) as Record<string, z.ZodType>).flatMap(
        ([field, schema]) =>
          /password/i.test(field)
            ? [{ operation: `${method} ${path}`, field, isNew: isNewPassword(schema) }]
            : [],
      ),
    ),
  )
  const held = fields.filter(({ isNew }) => isNew).map(({ operation }) => operation)
  expect(held.sort()).toEqual(Object.keys(places).sort())
  // Old passwords, passwords of sign-ins, and passwords of network devices, which are chosen on the device.
  const others = fields.filter(({ isNew }) => !isNew).map(({ operation, field }) => `${operation} ${field}`)
  expect(others.sort()).toEqual([
    'POST /api/admin/enterprises/[enterprise]/users/[user]/action/enable2fa oldPassword',
    'POST /api/admin/enterprises/[enterprise]/users/[user]/tokens oldPassword',
    'POST /api/cloud/locations/[datacenter]/devices password',
    'POST /api/session password',
    'POST /api/session/passkeys oldPassword',
    'POST /api/session/proof oldPassword',
    'POST /api/session/twofactorreset password',
    'PUT /api/admin/enterprises/[enterprise]/users/[user] oldPassword',
    'PUT /api/cloud/locations/[datacenter]/devices/[device] password',
    'PUT /api/session/passkeys/[passkey] oldPassword',
    'PUT /api/session/password oldPassword',
  ])
})

describe('the settings', () => {
  const database = { SECRET_KEY: 'x'.repeat(32), DATA_DIR: '/nowhere' }

  test('PASSWORD_MIN_LENGTH is 12 by default, and never below 8', () => {
    expect(parseEnv(database).PASSWORD_MIN_LENGTH).toBe(12)
    expect(parseEnv({ ...database, PASSWORD_MIN_LENGTH: '8' }).PASSWORD_MIN_LENGTH).toBe(8)
    const refused = () => parseEnv({ ...database, PASSWORD_MIN_LENGTH: '7' })
    expect(refused).toThrow(/^Setting PASSWORD_MIN_LENGTH: must be at least 8$/)
    const short = () =>
      parseEnv({ ...database, PASSWORD_MIN_LENGTH: '16', ADMIN_PASSWORD: 'fifteen letters' })
    expect(short).toThrow('Setting ADMIN_PASSWORD: must have at least 16 characters')
  })

  const weak: [string, string, Record<string, string>][] = [
    ['ADMIN_PASSWORD', 'administrator', {}],
    ['ADMIN_PASSWORD', 'montgomery12', { ADMIN_NICK: 'montgomery' }],
  ]

  test.each(swept(weak, weak.length))(
    'the first start refuses %s %s with one line',
    async (name, password, others) => {
      const { code, said } = await failingStart(await ownDatabase(), { ADMIN_PASSWORD: password, ...others })
      expect(code).toBe(1)
      expect(said.trim().split('\n')).toEqual([expect.stringMatching(new RegExp(`Setting ${name}: `))])
      expect(said).not.toContain(password)
    },
  )

  test('the console gets the minimum length of passwords', async () => {
    await withSettings({ PASSWORD_MIN_LENGTH: 17 }, async () => {
      const ways = await expectStatus(200, call('GET', '/api/session/ways', { as: null }))
      expect(ways.passwordMinLength).toBe(17)
      const session = await expectStatus(200, call('GET', '/api/session', { headers: { origin: ORIGIN } }))
      expect(session.passwordMinLength).toBe(17)
    })
  })
})

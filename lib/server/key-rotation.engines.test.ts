import { describe, expect, test } from 'vitest'
import { devicePasswordContext } from '#lib/cloud/infrastructure/device-changes.server'
import { database } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { decrypt, encrypt } from '#lib/ground/keys/keys.server'
import { twoFactorSecretContext } from '#lib/people/sign-in/two-factor-codes.server'
import { rotateKeys } from '#lib/server/key-rotation.server'
import { call, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { newDatacenter } from '#lib/tools/testing/nat'
import { linkTo } from '#lib/tools/testing/resources'
import { changeUser, cookiesOf, pairOf, rowOf, tokenOf, withSettings } from '#lib/tools/testing/session'
import { codeOf } from '#lib/tools/testing/totp'

const NEW = 'a new secret of more than thirty-two characters'
const OTHER = 'another secret of more than thirty-two characters'

/** Runs `work` after a change of the secret, with the old one kept, as in the README. */
const rotated = <T>(work: () => Promise<T>): Promise<T> =>
  withSettings({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: [env().SECRET_KEY] }, work)

const replaced = <T>(work: () => Promise<T>): Promise<T> => withSettings({ SECRET_KEY: OTHER }, work)

describe('a new SECRET_KEY with the old one in SECRET_KEY_PREVIOUS', () => {
  test('keeps tokens and console sessions; without the old one they open nothing', async () => {
    const user = await newUser()
    const token = tokenOf(await call('GET', '/api/login', { as: user }))
    const { nick, password } = user
    const signedIn = await call('POST', '/api/session', { as: null, body: { nick, password } })
    const ways: Record<string, string>[] = [
      { authorization: `Token ${token}` },
      { cookie: pairOf(cookiesOf(signedIn).console) },
    ]
    for (const headers of ways) {
      const ask = () => call('GET', '/api/login', { as: null, headers })
      const next = await rotated(ask)
      expect(next.status).toBe(200)
      expect((await replaced(ask)).status).toBe(401)
    }
  })

  test('signs new tokens with the new one alone', async () => {
    const user = await newUser()
    const token = tokenOf(await rotated(() => call('GET', '/api/login', { as: user })))
    const headers = { authorization: `Token ${token}` }
    expect((await call('GET', '/api/login', { as: null, headers })).status).toBe(401)
    const asNew = () => call('GET', '/api/login', { as: null, headers })
    expect((await withSettings({ SECRET_KEY: NEW }, asNew)).status).toBe(200)
  })

  test('keeps authenticators and scratch codes', async () => {
    const user = await newUser()
    const path = `/api/admin/enterprises/${user.enterpriseId}/users/${user.id}/action/enable2fa`
    const answer = call('POST', path, { as: user, body: { type: 'APP_AUTHENTICATOR' } })
    const { authenticatorURL, scratchCodes } = await expectStatus(201, answer)
    const secret = new URL(authenticatorURL).searchParams.get('secret') ?? ''
    for (const code of [codeOf(secret), scratchCodes[0]]) {
      const headers = { 'x-service-otp': code }
      expect((await rotated(() => call('GET', '/api/login', { as: user, headers }))).status).toBe(200)
    }
  })

  test('leaves values that no key opens, and continues with the rest', async () => {
    const [lost, kept] = [await newUser(), await newUser()]
    await changeUser(lost, { two_factor_secret: 'sealed with a key that is gone' })
    const sealed = encrypt('kept', twoFactorSecretContext(kept.id))
    await changeUser(kept, { two_factor_secret: sealed })
    expect(await rotated(rotateKeys)).toBeGreaterThan(0)
    expect((await rowOf(lost)).two_factor_secret).toBe('sealed with a key that is gone')
    expect((await rowOf(kept)).two_factor_secret).not.toBe(sealed)
    await withSettings({ SECRET_KEY_PREVIOUS: [NEW] }, rotateKeys)
    expect(decrypt((await rowOf(kept)).two_factor_secret ?? '', twoFactorSecretContext(kept.id))).toBe('kept')
    for (const user of [lost, kept]) await changeUser(user, { two_factor_secret: null })
  })

  test('encrypts the stored values again, once: then the old key may be removed', async () => {
    const { id: datacenter } = await newDatacenter()
    const body = {
      name: 'Device',
      password: 'of the device',
      links: [linkTo('devicetype', '/config/devicetypes/1')],
    }
    const { id } = await expectStatus(
      201,
      call('POST', `${ORIGIN}/api/cloud/locations/${datacenter}/devices`, { body }),
    )
    const stored = async () => {
      const row = await database()
        .read.selectFrom('devices')
        .where('id', '=', id)
        .select('password')
        .executeTakeFirst()
      return row?.password ?? ''
    }
    const before = await stored()
    expect(await rotateKeys()).toBe(0)
    await rotated(async () => {
      expect(await rotateKeys()).toBeGreaterThan(0)
      expect(await rotateKeys()).toBe(0)
    })
    expect(await stored()).not.toBe(before)
    await withSettings({ SECRET_KEY: NEW }, async () => {
      expect(decrypt(await stored(), devicePasswordContext(id))).toBe('of the device')
    })
    const back = () => rotateKeys()
    await withSettings({ SECRET_KEY_PREVIOUS: [NEW] }, back)
    expect(decrypt(await stored(), devicePasswordContext(id))).toBe('of the device')
  })
})

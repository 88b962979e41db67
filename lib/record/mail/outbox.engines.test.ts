import { createServer } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { mails, notify } from '#lib/record/mail/outbox.server'
import { call, newUser } from '#lib/tools/testing/client'
import { freePort } from '#lib/tools/testing/free-port'
import { newAddress, SENDER, withMailbox } from '#lib/tools/testing/mailbox'
import { changeUser, withSettings } from '#lib/tools/testing/session'

const ADDRESS = '192.0.2.7'

const waiting = async () =>
  (await database().read.selectFrom('mails').selectAll().execute()).map(({ attempts, due_at }) => ({
    attempts,
    due_at,
  }))

const sendNotice = (userId: number) =>
  transaction((trx) => notify(trx, userId, { kind: 'two-factor-disabled', address: ADDRESS }))

afterEach(async () => {
  vi.useRealTimers()
  await transaction((trx) => trx.deleteFrom('mails').execute())
})

describe('a mail', () => {
  test('is sent as text and as HTML, from the sender of the settings, in English', async () => {
    const email = newAddress()
    const user = await newUser({ email })
    await withMailbox(async (mailbox) => {
      await sendNotice(user.id)
      const [mail, ...more] = await mailbox.of(email)
      expect(more).toEqual([])
      expect(mail?.subject).toBe('Two factor authentication is off')
      expect(`${mail?.from?.name} <${mail?.from?.address}>`).toBe(SENDER)
      for (const part of [mail?.text, mail?.html]) {
        expect(part).toContain('Hello Test,')
        expect(part).toContain(ADDRESS)
        expect(part).toContain(user.nick)
      }
      expect(mail?.html).toContain('<html lang="en">')
    })
  })

  test.each([
    ['es_MX', 'El segundo factor está desactivado', 'Hola, Test:'],
    ['fr_FR', 'Two factor authentication is off', 'Hello Test,'],
  ])('for a user of %s is in their language, or in English', async (locale, subject, greeting) => {
    const email = newAddress()
    const user = await newUser({ email, locale })
    await withMailbox(async (mailbox) => {
      await sendNotice(user.id)
      const [mail] = await mailbox.of(email)
      expect(mail?.subject).toBe(subject)
      expect(mail?.text).toContain(greeting)
    })
  })

  test('names the installation', async () => {
    const email = newAddress()
    const user = await newUser({ email })
    await withSettings({ PRODUCT_NAME: 'Nube & Co' }, () =>
      withMailbox(async (mailbox) => {
        await sendNotice(user.id)
        const [mail] = await mailbox.of(email)
        expect(mail?.text).toContain('of Nube & Co (')
        expect(mail?.html).toContain('of Nube &amp; Co (')
      }),
    )
  })

  test('shows a user’s name as text, and takes no header from it', async () => {
    const email = newAddress()
    const user = await newUser({ email })
    await changeUser(user, { name: '<b>Ana</b>\r\nBcc: other@example.test' })
    await withMailbox(async (mailbox) => {
      await sendNotice(user.id)
      const [mail] = await mailbox.of(email)
      expect(mail?.html).toContain('&lt;b&gt;Ana&lt;/b&gt;')
      expect(mail?.html).not.toContain('<b>')
      expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc')
    })
  })

  test('is not sent for a change that was rolled back', async () => {
    const email = newAddress()
    const { id } = await newUser({ email })
    await withMailbox(async (mailbox) => {
      const undone = transaction(async (trx) => {
        await notify(trx, id, { kind: 'two-factor-reset' })
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await mailbox.of(email)).toEqual([])
    })
  })

  test.each(['', 'no address', 'a@b@c'])('is not written to the address "%s"', async (email) => {
    const user = await newUser({ email })
    await withMailbox(async () => {
      await sendNotice(user.id)
      expect(await waiting()).toEqual([])
    })
  })

  test('is not written without a mail server', async () => {
    await sendNotice((await newUser({ email: newAddress() })).id)
    expect(await waiting()).toEqual([])
  })

  test('is encrypted in the database', async () => {
    const email = newAddress()
    const { id } = await newUser({ email })
    await withMailbox(async () => {
      await transaction((trx) => notify(trx, id, { kind: 'code', code: '987654', minutes: 10 }))
      const rows = await database().read.selectFrom('mails').selectAll().execute()
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toMatch(/987654|example\.test/)
    })
  })
})

describe('a mail server that offers no TLS', () => {
  // Still loopback, but as a mapped address that the code does not treat as local.
  const remote = () => (env().SMTP_URL ?? '').replace('127.0.0.1', '[::ffff:127.0.0.1]')

  test('STARTTLS stripping: gets no mail if it is on another machine; the mail waits', async () => {
    const email = newAddress()
    const user = await newUser({ email })
    await withMailbox(async (mailbox) => {
      await sendNotice(user.id)
      await withSettings({ SMTP_URL: remote() }, async () => {
        expect(await mailbox.of(email)).toEqual([])
        expect(await waiting()).toMatchObject([{ attempts: 1 }])
      })
    })
  })

  test('gets mail if the address has ignoreTLS=true', async () => {
    const email = newAddress()
    const user = await newUser({ email })
    await withMailbox(async (mailbox) => {
      await sendNotice(user.id)
      await withSettings({ SMTP_URL: `${remote()}?ignoreTLS=true` }, async () => {
        expect(await mailbox.of(email)).toHaveLength(1)
      })
    })
  })
})

describe('with an unreachable mail server', () => {
  test('the mail waits, is retried with growing delays, and is sent when the server is back', async () => {
    const email = newAddress()
    const user = await newUser({ email })
    vi.useFakeTimers({ toFake: ['Date'] })
    const dead = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: SENDER }
    await withSettings(dead, async () => {
      await sendNotice(user.id)
      for (const [attempts, wait] of [
        [1, 5000],
        [2, 10_000],
        [3, 20_000],
      ] as const) {
        await mails.sendDue()
        expect(await waiting()).toEqual([{ attempts, due_at: Date.now() + wait }])
        vi.setSystemTime(Date.now() + wait)
      }
    })
    await withMailbox(async (mailbox) => {
      expect(await mailbox.of(email)).toHaveLength(1)
      expect(await mailbox.of(email)).toHaveLength(1)
    })
  })

  test('no request waits, even if the server accepts the connection and does not answer', async () => {
    const user = await newUser({ email: newAddress() })
    const silent = createServer().listen(0, '127.0.0.1')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    await withSettings({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: SENDER }, async () => {
      await changeUser(user, { two_factor_provider: 'EMAIL' })
      const began = Date.now()
      expect((await call('GET', '/api/login', { as: user })).status).toBe(401)
      expect(Date.now() - began).toBeLessThan(2000)
      expect(await waiting()).toHaveLength(1)
    })
    silent.close()
  })

  test('an expired mail is not sent', async () => {
    const email = newAddress()
    const { id } = await newUser({ email })
    vi.useFakeTimers({ toFake: ['Date'] })
    await withMailbox(async (mailbox) => {
      await transaction((trx) =>
        notify(trx, id, { kind: 'code', code: '123456', minutes: 10 }, { patience: 600_000 }),
      )
      vi.setSystemTime(Date.now() + 600_001)
      expect(await mailbox.of(email)).toEqual([])
      expect(await waiting()).toEqual([])
    })
  })
})

test('many mails of one enterprise do not delay those of another; a code goes before its own notices', async () => {
  const [many, one] = [await newUser({ email: newAddress() }), await newUser({ email: newAddress() })]
  const addressOf = async ({ id }: { id: number }) =>
    (await database().read.selectFrom('users').where('id', '=', id).select('email').executeTakeFirstOrThrow())
      .email
  const [first, second] = [await addressOf(many), await addressOf(one)]
  await withMailbox(async ({ of, inOrder }) => {
    await transaction(async (trx) => {
      for (let index = 0; index < 45; index += 1)
        await notify(trx, many.id, { kind: 'two-factor-disabled', address: ADDRESS })
    })
    await sendNotice(one.id)
    await transaction((trx) =>
      notify(trx, many.id, { kind: 'code', code: '123456', minutes: 10 }, { patience: 600_000 }),
    )
    const subjects = (await of(first)).map(({ subject }) => subject)
    expect(subjects).toHaveLength(46)
    // A process sends twenty at a time.
    expect(inOrder().slice(0, 20)).toContain(second)
    expect(new Set(subjects.slice(0, 20)).size).toBe(2)
    expect(new Set(subjects.slice(20)).size).toBe(1)
  })
})

test('two processes that send at once send each mail once', async () => {
  const email = newAddress()
  const user = await newUser({ email })
  await withMailbox(async (mailbox) => {
    for (let index = 0; index < 5; index += 1) await sendNotice(user.id)
    await Promise.all([mails.sendDue(), mails.sendDue(), mails.sendDue()])
    expect(await mailbox.of(email)).toHaveLength(5)
  })
})

import { expect, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { admin, call, newUser } from '#lib/tools/testing/client'

test('a flood of sign-ins gets 503 beyond the limit, does not block verified users, and has no lasting effect', async () => {
  const user = await newUser()
  const signIn = (password: string, { nick = user.nick, from = '127.0.0.1' } = {}) =>
    call('POST', '/api/session', { as: null, from, body: { nick, password } })
  expect((await call('GET', '/api/login', { as: admin })).status).toBe(200)
  // Occupies every slot for hashing, so that all further sign-ins have to wait.
  const hashes = Array.from({ length: 64 }, (_, index) => hashPassword(`password ${index}`))
  const flood = Array.from({ length: 20 }, (_, index) =>
    signIn('a wrong password', { nick: `nobody-${index}`, from: `198.51.100.${index}` }),
  )
  await expect(hashPassword('one more')).rejects.toMatchObject({ status: 503 })
  expect((await call('GET', '/api/login', { as: admin })).status).toBe(200)
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
  expect(answers.filter(({ status }) => status === 401).length + refused.length).toBe(20)
  await Promise.all(hashes)
  expect((await signIn(user.password)).status).toBe(200)
})

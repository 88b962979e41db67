import { expect, test } from 'vitest'
import { admin, call, newUser } from '#lib/testing/client'

test('a flood of sign-ins is refused beyond what can be checked, keeps nobody out who is known, and is over when it ends', async () => {
  const user = await newUser()
  const signIn = (password: string, nick = user.nick) =>
    call('POST', '/api/session', { as: null, body: { nick, password } })
  expect((await call('GET', '/api/login', { as: admin })).status).toBe(200)
  const flood = Array.from({ length: 80 }, (_, index) => signIn('a wrong password', `nobody-${index}`))
  expect((await Promise.race(flood)).status).toBe(503)
  expect((await call('GET', '/api/login', { as: admin })).status).toBe(200)
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
  expect(answers.filter(({ status }) => status === 401).length + refused.length).toBe(80)
  expect(refused.length).toBeGreaterThan(0)
  expect((await signIn(user.password)).status).toBe(200)
})

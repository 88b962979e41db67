import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { env } from '#lib/ground/env.server'
import { type ApiProcess, ask, startApi, statusOf } from '#lib/tools/testing/api-process'
import { newUser, type User } from '#lib/tools/testing/client'
import { enrolled } from '#lib/tools/testing/enrolled'
import { changeUser } from '#lib/tools/testing/session'

/* Attempts that arrive at once at two processes with one database: whichever checks them, they are counted as one. */

const WRONG_CODE = '00000000'
const wrong = (user: User): User => ({ ...user, password: 'a wrong password' })
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

let network = 0

/** An address in a /48 of its own, of the addresses for documentation (RFC 9637). */
function newPlace(): string {
  network += 1
  return `3fff:${network.toString(16)}:${(process.pid % 0xffff).toString(16)}:1::1`
}

let servers: ApiProcess[]

beforeAll(async () => {
  await newUser()
  servers = await Promise.all([0, 1].map(() => startApi(env(), { TRUST_PROXY: '127.0.0.1' })))
}, 120_000)

afterAll(async () => {
  for (const server of servers) await server.stop()
})

/** Sends the requests at once, alternating between the processes, and repeats those that a busy process sheds with 503. */
const atBoth = (requests: { as: User; from: string; code?: string }[]) =>
  Promise.all(
    requests.map(async ({ as, from, code }, index) => {
      const server = servers[index % servers.length] as ApiProcess
      const headers = { 'x-forwarded-for': from, ...(code && { 'x-service-otp': code }) }
      for (;;) {
        const status = await statusOf(ask(server, '/api/login', { as, headers }))
        if (status !== 503) return status
      }
    }),
  )

test('count wrong passwords of one account and address as one', async () => {
  const [user, from] = [await newUser(), newPlace()]
  const statuses = await atBoth(Array.from({ length: 40 }, () => ({ as: wrong(user), from })))
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([5, 35])
})

test('count codes from 30 addresses as one: ten are checked', async () => {
  const { user } = await enrolled()
  const requests = Array.from({ length: 30 }, newPlace).map((from) => ({ as: user, from, code: WRONG_CODE }))
  const statuses = await atBoth(requests)
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 20])
})

test('count sprayed passwords as one: thirty are checked', async () => {
  const from = newPlace()
  const users = await Promise.all(Array.from({ length: 30 }, () => newUser()))
  const attempts = users.map((user) => ({ as: wrong(user), from }))
  const first = [await atBoth(attempts.slice(0, 10)), await atBoth(attempts.slice(10, 20))].flat()
  expect(count(first, 401)).toBe(20)
  const statuses = await atBoth(attempts)
  expect([count(statuses, 401), count(statuses, 429)]).toEqual([10, 20])
})

test('let fifty correct sign-ins at once through', async () => {
  const [user, from] = [await newUser(), newPlace()]
  await changeUser(user, { password_hash: await hashPassword(user.password) })
  const statuses = await atBoth(Array.from({ length: 50 }, () => ({ as: user, from })))
  expect(count(statuses, 200)).toBe(50)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiProcess, ask, startApi } from '#lib/tools/testing/api-process'
import { admin } from '#lib/tools/testing/client'
import { ownDatabase } from '#lib/tools/testing/own-database'
import { GROUP_SCHEMA, USER_SCHEMA } from '#lib/tools/testing/scim'
import { together } from '#lib/tools/testing/together'

const USERS = 10_000
const GROUPS = 200

let api: ApiProcess

beforeAll(async () => {
  api = await startApi(await ownDatabase())
}, 60_000)

afterAll(async () => {
  await api.stop()
})

async function send(method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
  const response = await ask(api, `/scim/v2${path}`, { as: admin, body }, method)
  // A busy server sheds requests, which a directory repeats.
  if (response.status === 503) {
    await response.body?.cancel()
    return send(method, path, body)
  }
  const text = await response.text()
  if (response.status > 299) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test(`${USERS} users and ${GROUPS} groups are read in within 120 s, and a filter finds one at once`, async () => {
  const ids: string[] = []
  const made = await timed(async () => {
    await together(numbers(USERS), async (number) => {
      const { id } = await send('POST', '/Users', {
        schemas: [USER_SCHEMA],
        userName: `user-${number}@example.com`,
        externalId: `external-${number}`,
        name: { givenName: 'Given', familyName: `Family ${number}` },
        emails: [{ value: `user-${number}@example.com`, type: 'work', primary: true }],
        active: true,
      })
      ids.push(id)
    })
    // One after another, as directories send them.
    for (const number of numbers(GROUPS))
      await send('POST', '/Groups', {
        schemas: [GROUP_SCHEMA],
        displayName: `Group ${number}`,
        members: ids
          .slice((number * USERS) / GROUPS, ((number + 1) * USERS) / GROUPS)
          .map((value) => ({ value })),
      })
  })
  expect((await send('GET', '/Users?count=0')).totalResults).toBe(USERS + 1)
  expect((await send('GET', '/Groups?filter=displayName%20sw%20%22group%20%22&count=0')).totalResults).toBe(
    GROUPS,
  )
  const filters = [
    'userName eq "user-77@example.com"',
    'externalId eq "external-77"',
    'emails.value eq "user-77@example.com"',
  ]
  const found = []
  for (const filter of [...filters, 'displayName eq "given family 77"', 'name.familyName co "mily 77"'])
    found.push(await timed(() => send('GET', `/Users?count=1&filter=${encodeURIComponent(filter)}`)))
  const report = `read in ${Math.round(made)} ms; filters ${found.map((ms) => Math.round(ms)).join(', ')} ms\n`
  process.stdout.write(report)
  expect(made).toBeLessThan(120_000)
  for (const ms of found.slice(0, filters.length + 1)) expect(ms).toBeLessThan(200)
}, 600_000)

import { describe, expect, test } from 'vitest'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
} from '#lib/tools/testing/client'
import { createdUser, newRole, usersOf } from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const [seen, hidden] = [await newEnterprise(), await newEnterprise()]
const [shared, empty, foreign] = [
  await newRole(),
  await newRole(),
  await newRole({ enterpriseId: hidden.id }),
]
await createdUser(seen.id, { role: shared })
await createdUser(seen.id, { role: shared })
await createdUser(hidden.id, { role: shared })
await createdUser(hidden.id, { role: foreign })

const limited = await newUser({ scopeId: (await newScope({ enterprises: [seen.id] })).id })

const path = (of: string, ids: readonly (number | string)[], enterprise: number | '_' = '_') =>
  `${usersOf(enterprise)}/action/counts?of=${of}&ids=${ids.join()}`

type Count = { id: number; users: number }

async function countsOf(address: string, as: User = admin): Promise<Record<number, number>> {
  const { collection, totalSize } = await expectStatus(200, call('GET', address, { as }))
  expect(totalSize).toBe(collection.length)
  return Object.fromEntries(collection.map(({ id, users }: Count) => [id, users]))
}

describe('the numbers of users', () => {
  test('are those of each role, with zero for a role without users', async () => {
    const counts = await countsOf(path('role', [shared, empty, foreign]))
    expect(counts).toEqual({ [shared]: 3, [empty]: 0, [foreign]: 1 })
  })

  test('are those of each enterprise', async () => {
    expect(await countsOf(path('enterprise', [seen.id, hidden.id]))).toEqual({ [seen.id]: 2, [hidden.id]: 2 })
  })

  test('leave out hidden users, roles and enterprises, as the lists do', async () => {
    expect(await countsOf(path('role', [shared, empty, foreign]), limited)).toEqual({
      [shared]: 2,
      [empty]: 0,
    })
    expect(await countsOf(path('enterprise', [seen.id, hidden.id]), limited)).toEqual({ [seen.id]: 2 })
    const listed = await expectStatus(200, call('GET', `${usersOf('_')}?role=${shared}`, { as: limited }))
    expect(listed.totalSize).toBe(2)
  })

  test('are those of one enterprise, if the path names it', async () => {
    expect(await countsOf(path('role', [shared, foreign], hidden.id))).toEqual({ [shared]: 1, [foreign]: 1 })
    expect(await refusal(call('GET', path('role', [shared], hidden.id), { as: limited }))).toEqual([
      404,
      'EN-0',
    ])
  })

  test('link the role or enterprise, in JSON and XML', async () => {
    const { collection } = await expectStatus(200, call('GET', path('enterprise', [seen.id])))
    expect(collection[0].links).toMatchObject([
      { rel: 'enterprise', href: `${ORIGIN}/api/admin/enterprises/${seen.id}`, title: seen.name },
    ])
    const headers = { accept: 'application/vnd.service.usercounts+xml' }
    expect(await expectStatus(200, call('GET', path('role', [shared]), { headers }))).toMatch(
      /<usercounts>.*<usercount>.*rel="role".*<users>3<\/users><\/usercount><\/usercounts>$/,
    )
  })

  test('are those of 1 to 100 ids', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => index + 1)
    await expectStatus(200, call('GET', path('role', ids.slice(1))))
    for (const wrong of [ids, [], ['x'], [1, ''], [0]])
      expect(await refusal(call('GET', path('role', wrong)))).toEqual([400, 'GEN-22'])
    expect(await refusal(call('GET', path('scope', [1])))).toEqual([400, 'GEN-22'])
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, expectStatus, unique } from '#lib/tools/testing/client'
import { readUser } from '#lib/tools/testing/identity'
import { newDirectory } from '#lib/tools/testing/scim'
import { changeUser } from '#lib/tools/testing/session'

/* meta.created and meta.lastModified (RFC 7643 §3.1) of users. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const MINUTE = 60_000

/** Later by a minute. */
function wait(): string {
  vi.setSystemTime(Date.now() + MINUTE)
  return new Date().toISOString()
}

async function newPerson() {
  const enterprise = (await newDirectory()).user.enterpriseId
  const directory = await newDirectory({ enterpriseId: enterprise })
  const began = new Date().toISOString()
  const made = await directory.create({ externalId: unique('id'), displayName: 'Shown' })
  const path = `/Users/${made.id}`
  const times = async () => {
    const { meta } = await directory.expectFrom(200, 'GET', path)
    return [meta.created, meta.lastModified]
  }
  const set = async (attribute: string, value: unknown) =>
    expectStatus(200, directory.patch(path, { op: 'replace', path: attribute, value }))
  return { directory, enterprise, began, made, path, times, set }
}

describe('the last change of a user', () => {
  test('is that of a field, an enterprise or a name in the directory, not that of a password or a role', async () => {
    const { directory, began, made, path, times, set } = await newPerson()
    expect([made.meta.created, made.meta.lastModified]).toEqual([began, began])
    wait()
    const { meta: _meta, groups: _groups, ...same } = made
    await directory.expectFrom(200, 'PUT', path, { body: same })
    await set('password', 'another long password')
    const group = await directory.expectFrom(201, 'POST', '/Groups', {
      body: { displayName: unique('Group'), members: [{ value: made.id }] },
    })
    expect(group.members).toHaveLength(1)
    expect(await times()).toEqual([began, began])
    for (const [attribute, value] of [
      ['name.familyName', 'Other'],
      ['active', false],
      ['locale', 'es'],
      ['externalId', unique('id')],
      ['displayName', 'Another'],
      ['displayName', ''],
    ] as const) {
      const now = wait()
      await set(attribute, value)
      expect([attribute, await times()]).toEqual([attribute, [began, now]])
    }
    const now = wait()
    const user = await readUser(Number(made.id))
    const document = { ...user, description: 'Changed in the console' }
    await expectStatus(200, call('PUT', `/api/admin/enterprises/_/users/${made.id}`, { body: document }))
    expect(await times()).toEqual([began, now])
  })

  test('is for each directory that of its own names', async () => {
    const { enterprise, began, made, set } = await newPerson()
    const other = await newDirectory({ enterpriseId: enterprise })
    const now = wait()
    expect((await set('externalId', unique('id'))).meta.lastModified).toBe(now)
    expect((await other.expectFrom(200, 'GET', `/Users/${made.id}`)).meta.lastModified).toBe(began)
  })

  test('is not shown where nobody knows it', async () => {
    const { directory, made, path } = await newPerson()
    await directory.patch(path, { op: 'remove', path: 'externalId' }, { op: 'remove', path: 'displayName' })
    await changeUser({ nick: made.userName, password: '' }, { created_at: null, modified_at: null })
    const { meta } = await directory.expectFrom(200, 'GET', path)
    expect(meta).not.toHaveProperty('created')
  })
})

test('searches find users by it, also those whose names in the directory changed', async () => {
  const { directory, began, made, set } = await newPerson()
  const other = await directory.create()
  const found = async (filter: string) => {
    const ids = await directory.found('/Users', `(${filter}) and userName sw "scim"`)
    return [made, other].map(({ id }) => ids.includes(id))
  }
  const first = wait()
  await set('externalId', unique('id'))
  const second = wait()
  expect(await found(`meta.lastModified gt "${began}"`)).toEqual([true, false])
  expect(await found(`meta.lastModified ge "${began}"`)).toEqual([true, true])
  expect(await found(`meta.lastModified ge "${first}"`)).toEqual([true, false])
  expect(await found(`meta.lastModified gt "${first}"`)).toEqual([false, false])
  expect(await found(`meta.lastModified lt "${first}"`)).toEqual([false, true])
  expect(await found(`meta.lastModified eq "${first}"`)).toEqual([true, false])
  expect(await found(`meta.lastModified ne "${first}"`)).toEqual([false, true])
  expect(await found(`meta.created le "${began}"`)).toEqual([true, true])
  expect(await found(`meta.created gt "${began}"`)).toEqual([false, false])
  expect(await found('meta.created pr')).toEqual([true, true])
  expect(await found(`meta.lastModified ge "${first.replace('Z', '+00:00')}"`)).toEqual([true, false])
  expect(await found(`meta.lastModified ge "${first.replace('Z', '')}"`)).toEqual([true, false])
  await set('name.familyName', 'Other')
  expect(await found(`meta.lastModified ge "${second}"`)).toEqual([true, false])
  for (const wrong of ['gt "yesterday"', 'co "2026"', 'gt 7', 'gt true'])
    expect([
      wrong,
      await directory.refused('GET', `/Users?filter=${encodeURIComponent(`meta.lastModified ${wrong}`)}`),
    ]).toEqual([wrong, [400, 'invalidFilter']])
  const newest = '/Users?sortBy=meta.lastModified&sortOrder=descending&count=1'
  const { totalResults } = await directory.expectFrom(200, 'GET', newest)
  expect(totalResults).toBeGreaterThan(1)
})

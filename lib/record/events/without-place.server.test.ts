import { expect, test } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { call, expectStatus, newEnterprise, newUser, type User } from '#lib/tools/testing/client'
import { enterpriseLink, putUser, readUser, relinked } from '#lib/tools/testing/identity'
import { newScope, ofEnterprise, putScope } from '#lib/tools/testing/scopes'
import { newWebhook, WEBHOOKS, webhookBody } from '#lib/tools/testing/webhooks'

/* Settings and webhooks have no enterprise and no datacenter: which callers read events about them, and how much of the user. */

const { id: enterpriseId } = await newEnterprise()
const own = await newScope({ enterprises: [enterpriseId] })
const narrow = allPrivileges.filter((name) => name !== 'EVENTLOG_VIEW_ALL')
const readers = {
  actor: await newUser({ enterpriseId, privileges: narrow }),
  all: await newUser({ privileges: ['EVENTLOG_VIEW_ALL', 'USERS_VIEW'] }),
  limited: await newUser({ enterpriseId, scopeId: own.id }),
  colleague: await newUser({ enterpriseId, privileges: narrow }),
}

const seenBy = async (as: User, query: string, id: number) => {
  const get = (path: string, headers = {}) => call('GET', path, { as, headers })
  const { collection } = await expectStatus(200, get(`/api/events?limit=0&${query}`))
  const csv = await expectStatus(200, get(`/api/events?limit=0&${query}`, { accept: 'text/csv' }))
  const { totalSize } = await expectStatus(200, get(`/api/events?limit=1&${query}`))
  const { users } = await expectStatus(200, get('/api/events/action/summary?users=25'))
  return {
    listed: collection.some((event: { id: number }) => event.id === id),
    inTable: csv.split('\n').some((line: string) => line.startsWith(`${id},`)),
    counted: totalSize > 0,
    single: (await get(`/api/events/${id}`)).status === 200,
    undo: (await call('POST', `/api/events/${id}/action/undo`, { as })).status !== 404,
    summed: JSON.stringify(users).includes('webhook'),
  }
}

/** Changes it until its actor is among the users that the summary names, regardless of other tests. */
async function changeOften(id: number, as: User) {
  const { users } = await expectStatus(200, call('GET', '/api/events/action/summary?users=25'))
  for (let changes = users[24]?.count ?? 0; changes >= 0; changes -= 1)
    await expectStatus(200, call('PUT', `${WEBHOOKS}/${id}`, { as, body: webhookBody({ id }) }))
}

const every = (value: boolean) => ({
  listed: value,
  inTable: value,
  counted: value,
  single: value,
  undo: value,
  summed: value,
})

test('an event without a place is visible to callers who see everything, and to its actor', async () => {
  const { id } = await newWebhook({}, readers.actor)
  await changeOften(id, readers.actor)
  const query = `entity=webhook&entityid=${id}`
  const event = (await expectStatus(200, call('GET', `/api/events?${query}`))).collection[0]
  const seen = Object.entries(readers).map(async ([name, as]) => [name, await seenBy(as, query, event.id)])
  expect(Object.fromEntries(await Promise.all(seen))).toEqual({
    actor: every(true),
    all: every(true),
    limited: every(false),
    colleague: every(false),
  })
  const who = await expectStatus(
    200,
    call('GET', `/api/access/action/who?method=GET&path=/events/${event.id}&limit=0`),
  )
  const ids = who.collection.map((user: { id: number }) => user.id)
  const named = Object.entries(readers).filter(([, user]) => ids.includes(user.id))
  expect(named.map(([name]) => name).sort()).toEqual(['actor', 'all'])
})

test('no response reveals an actor who became hidden', async () => {
  const [before, after] = [await newEnterprise(), await newEnterprise()]
  const actor = await newUser({ enterpriseId: before.id })
  const scope = await newScope({ enterprises: [before.id] })
  const as = await newUser({ scopeId: scope.id })
  await expectStatus(
    200,
    putScope(scope, { scopeEntities: [ofEnterprise(before.id)], name: `${scope.name} 2` }, actor),
  )
  const path = `/api/events?entity=scope&entityid=${scope.id}&action=update`
  const shown = async () => (await expectStatus(200, call('GET', path, { as }))).collection[0]
  expect(await shown()).toMatchObject({ user: actor.nick, enterprise: before.name, ip: '127.0.0.1' })
  const moved = await readUser(actor.id)
  await expectStatus(200, putUser(moved, { links: relinked(moved, 'enterprise', enterpriseLink(after.id)) }))
  const event = await shown()
  expect(event.userHidden).toBe(true)
  for (const name of ['user', 'enterprise', 'ip']) expect(event).not.toHaveProperty(name)
  expect(event.links.map(({ rel }: { rel: string }) => rel)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(user|enterprise)$/)]),
  )
  const csv = await expectStatus(200, call('GET', path, { as, headers: { accept: 'text/csv' } }))
  for (const text of [actor.nick, before.name, '127.0.0.1']) expect(csv).not.toContain(text)
  const { collection } = await expectStatus(200, call('GET', `${path}&enterprise=${before.id}`, { as }))
  expect(collection).toEqual([])
})

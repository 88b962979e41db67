import { expect, test } from 'vitest'
import type { EventDocument } from '#lib/record/events/events.schema'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import {
  createdUser,
  enterpriseLink,
  newRole,
  putUser,
  readUser,
  relinked,
} from '#lib/tools/testing/identity'
import { newScope } from '#lib/tools/testing/scopes'
import { newWebhook } from '#lib/tools/testing/webhooks'

/* docs/api/events.md, "Events": readers of events see those about what they see, also if the user who made the change is hidden. */

const get = (as: User, path: string, headers = {}) => expectStatus(200, call('GET', path, { as, headers }))

const listed = async (as: User, query: string): Promise<EventDocument[]> =>
  (await get(as, `/api/events?limit=0&${query}`)).collection

const ids = async (as: User, query: string): Promise<number[]> =>
  (await listed(as, query)).map(({ id }) => id)

/** The event of a change to a user of an enterprise, made by a user of another enterprise. */
async function changedByOutsider() {
  const [mine, hidden] = [await newEnterprise(), await newEnterprise()]
  const actor = await newUser({ enterpriseId: hidden.id })
  const scope = await newScope({ enterprises: [mine.id] })
  const changed = await createdUser(mine.id, { role: await newRole(), scope: scope.id })
  await expectStatus(200, putUser(changed, { description: 'changed' }, actor))
  const query = `entity=user&entityid=${changed.id}&action=update`
  const [event] = (await expectStatus(200, call('GET', `/api/events?${query}`))).collection
  return { mine, hidden, actor, changed, scope, query, event }
}

const without = ['user', 'ip', 'enterprise']

const expectHidden = (event: EventDocument | undefined) => {
  expect(event?.userHidden).toBe(true)
  for (const name of without) expect(event).not.toHaveProperty(name)
  expect(event?.links.filter(({ rel }) => without.includes(rel))).toEqual([])
}

test('an event of what the reader sees is visible, without the user whom they do not see', async () => {
  const { mine, hidden, actor, changed, scope, query, event } = await changedByOutsider()
  const all = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
  const own = await newUser({
    enterpriseId: mine.id,
    scopeId: scope.id,
    privileges: ['EVENTLOG_VIEW_ENTERPRISE', 'USERS_VIEW'],
  })
  for (const as of [all, own]) {
    expectHidden((await listed(as, query))[0])
    expectHidden(await get(as, `/api/events/${event.id}`))
    const csv = await get(as, `/api/events?${query}`, { accept: 'text/csv' })
    for (const text of [actor.nick, hidden.name, '127.0.0.1']) expect(csv).not.toContain(text)
    expect((await get(as, `/api/events/${event.id}/after`)).description).toBe('changed')
    expect((await get(as, `/api/events/${event.id}/before`)).description).toBe('')
    expect(JSON.stringify(await get(as, '/api/events/action/summary?users=25'))).not.toContain(actor.nick)
  }
  const undo = `/api/events/${event.id}/action/undo`
  expect((await call('POST', undo, { as: own })).status).toBe(403)
  const undone = await expectStatus(200, call('POST', undo, { as: all }))
  expect(undone).toMatchObject({ entityId: changed.id, user: all.nick })
})

test('no filter finds the events of a user, or of an enterprise, that the reader does not see', async () => {
  const { mine, hidden, actor, scope, query, event } = await changedByOutsider()
  const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
  expect(await ids(as, query)).toEqual([event.id])
  for (const filter of [`user=${actor.id}`, `enterprise=${hidden.id}`])
    expect(await ids(as, `${query}&${filter}`)).toEqual([])
  const { totalSize } = await get(as, `/api/events?limit=1&user=${actor.id}`)
  expect(totalSize).toBe(0)
})

test('an actor who came from a hidden enterprise stays hidden in their earlier events', async () => {
  const { mine, actor, scope, query, event } = await changedByOutsider()
  const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
  const user = await readUser(actor.id)
  await expectStatus(200, putUser(user, { links: relinked(user, 'enterprise', enterpriseLink(mine.id)) }))
  const [shown] = await listed(as, query)
  expect(shown?.id).toBe(event.id)
  expectHidden(shown)
  expect(await ids(as, `${query}&user=${actor.id}`)).toEqual([])
})

test('EVENTLOG_VIEW_ENTERPRISE shows what belongs to the own enterprise, and nothing of others', async () => {
  const { mine, hidden, actor, changed, event } = await changedByOutsider()
  const privileges = ['EVENTLOG_VIEW_ENTERPRISE'] as const
  const own = await newUser({ enterpriseId: mine.id, privileges })
  const other = await newUser({ privileges })
  const datacenter = await expectStatus(
    201,
    call('POST', '/api/admin/datacenters', { as: actor, body: { name: unique('Datacenter'), location: '' } }),
  )
  const get = async (as: User, id: number) => (await call('GET', `/api/events/${id}`, { as })).status
  const [made] = (
    await expectStatus(200, call('GET', `/api/events?entity=datacenter&entityid=${datacenter.id}`))
  ).collection
  const [created] = (
    await expectStatus(200, call('GET', `/api/events?entity=user&entityid=${changed.id}&action=create`))
  ).collection
  expect(await Promise.all([event, made, created].map(({ id }) => get(own, id)))).toEqual([200, 404, 200])
  expect(await Promise.all([event, made, created].map(({ id }) => get(other, id)))).toEqual([404, 404, 404])
  const colleague = await newUser({ enterpriseId: hidden.id, privileges })
  expect(await get(colleague, made.id)).toBe(200)
})

test('a reader without sight of the place does not see the event, by any user', async () => {
  const { event, mine } = await changedByOutsider()
  const elsewhere = await newEnterprise()
  const scope = await newScope({ enterprises: [elsewhere.id] })
  const as = await newUser({ enterpriseId: elsewhere.id, scopeId: scope.id })
  for (const path of ['', '/before', '/after'])
    expect(await codesOf(call('GET', `/api/events/${event.id}${path}`, { as }))).toEqual(['EVENT-0'])
  expect(await codesOf(call('POST', `/api/events/${event.id}/action/undo`, { as }))).toEqual(['EVENT-0'])
  expect(await ids(as, `entity=user&enterprise=${mine.id}`)).toEqual([])
})

test('users still see their own event without a place when they have moved to another enterprise', async () => {
  const actor = await newUser()
  const { id } = await newWebhook({}, actor)
  const to = await newEnterprise()
  const user = await readUser(actor.id)
  await expectStatus(200, putUser(user, { links: relinked(user, 'enterprise', enterpriseLink(to.id)) }))
  const scope = await newScope({ enterprises: [to.id] })
  const limited = { scopeId: scope.id, enterpriseId: to.id }
  const query = `entity=webhook&entityid=${id}`
  expect(await ids(await newUser(limited), query)).toEqual([])
  expect(await ids(actor, query)).toHaveLength(1)
})

test('the event of a plan is about the plan, and hidden where its maker is', async () => {
  const [mine, hidden] = [await newEnterprise(), await newEnterprise()]
  const maker = await newUser({ enterpriseId: mine.id })
  const body = { enterprises: [{ name: unique('Planned') }] }
  const plan = await expectStatus(201, call('POST', '/api/plans', { as: maker, body }))
  await expectStatus(200, call('POST', `/api/plans/${plan.id}/action/apply`, { as: maker }))
  const scope = await newScope({ enterprises: [mine.id] })
  const [as, elsewhere] = [
    await newUser({ enterpriseId: mine.id, scopeId: scope.id }),
    await newUser({ enterpriseId: hidden.id, scopeId: (await newScope({ enterprises: [hidden.id] })).id }),
  ]
  const query = `entity=plan&entityid=${plan.id}`
  const [event] = await listed(maker, query)
  expect(event).toMatchObject({ action: 'apply-plan', entityType: 'plan', entityName: '', count: 1 })
  expect(event?.links.map(({ rel }) => rel)).toEqual(['self', 'user', 'enterprise', 'rows', 'undo'])
  expect((await get(maker, `/api/events/${event?.id}/rows`)).totalSize).toBe(1)
  expect(await ids(maker, `entity=user&entityid=${maker.id}&action=apply-plan`)).toEqual([])
  expect([await ids(as, query), await ids(elsewhere, query)]).toEqual([[event?.id], []])
  const user = await readUser(maker.id)
  await expectStatus(200, putUser(user, { links: relinked(user, 'enterprise', enterpriseLink(hidden.id)) }))
  expect([await ids(as, query), await ids(elsewhere, query)]).toEqual([[], []])
  expect(await ids(maker, query)).toEqual([event?.id])
})

import { describe, expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { resetPassword } from '#lib/people/identity/recovery.server'
import type { EventDocument } from '#lib/record/events/events.schema'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import {
  createdUser,
  enterpriseLink,
  newRole,
  PASSWORD,
  putUser,
  ROLES,
  relinked,
  usersOf,
} from '#lib/tools/testing/identity'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, ofEnterprise, parentLink, putScope, scopePath } from '#lib/tools/testing/scopes'

const EVENT = 'application/vnd.service.event+json'

/** The events about one resource, in order. */
const eventsOf = async (entity: string, id: number, as?: User): Promise<EventDocument[]> => {
  const answer = call('GET', `/api/events?entity=${entity}&entityid=${id}`, { ...(as && { as }) })
  return (await expectStatus(200, answer)).collection
}

const linkOf = (event: EventDocument | undefined, rel: string) =>
  event?.links.find((link) => link.rel === rel)

describe('a change', () => {
  test('leaves one event with the user, the address, the resource and the request id', async () => {
    const as = await newUser()
    const began = Date.now()
    const scope = await expectStatus(
      201,
      call('POST', '/api/admin/scopes', {
        as,
        body: { name: unique('Scope') },
        headers: { 'x-request-id': 'trace-of-scope' },
      }),
    )
    const [event, ...more] = await eventsOf('scope', scope.id)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      action: 'create',
      entityType: 'scope',
      entityId: scope.id,
      entityName: scope.name,
      user: as.nick,
      requestId: 'trace-of-scope',
      ip: '127.0.0.1',
    })
    expect(Date.parse(event?.timestamp ?? '')).toBeGreaterThanOrEqual(began)
    const enterprise = `${ORIGIN}/api/admin/enterprises/${as.enterpriseId}`
    expect([linkOf(event, 'user'), linkOf(event, 'enterprise')]).toMatchObject([
      { href: `${enterprise}/users/${as.id}`, title: as.nick, type: 'application/vnd.service.user+json' },
      { href: enterprise, type: 'application/vnd.service.enterprise+json' },
    ])
    expect(linkOf(event, 'entity')?.href).toMatch(new RegExp(`/api/admin/scopes/${scope.id}$`))
  })

  test('leaves an event with fields and links before and after, and with removed and added list items', async () => {
    const [one, two] = [await newEnterprise(), await newEnterprise()]
    const [from, to] = [await newScope(), await newScope()]
    const scope = await newScope({ parent: from.id, enterprises: [one.id] })
    const name = unique('Renamed')
    const change = { name, scopeEntities: [ofEnterprise(two.id)], links: [parentLink(to.id)] }
    await expectStatus(200, putScope(scope, change))
    const [, event] = await eventsOf('scope', scope.id)
    expect(event?.action).toBe('update')
    expect(event?.changes).toEqual({
      name: { before: scope.name, after: name },
      scopeParent: { before: `${from.name} (${from.id})`, after: `${to.name} (${to.id})` },
      scopeEntities: {
        before: `{"idResource":"${one.id}","type":"ENTERPRISE"}`,
        after: `{"idResource":"${two.id}","type":"ENTERPRISE"}`,
      },
    })
  })

  test('that deletes a resource leaves its old values, without a link to it', async () => {
    const { id, name } = await newDatacenter()
    await expectStatus(204, call('DELETE', `/api/admin/datacenters/${id}`))
    const event = (await eventsOf('datacenter', id)).at(-1)
    expect(event).toMatchObject({ action: 'delete', entityName: name, changes: { name: { before: name } } })
    expect(event?.changes.name).not.toHaveProperty('after')
    expect(linkOf(event, 'entity')).toBeUndefined()
  })

  test('by a command on the server leaves an event without a user, which can be read', async () => {
    const user = await newUser()
    await resetPassword(user.nick)
    const event = (await eventsOf('user', user.id)).at(-1)
    expect(event?.action).toBe('reset-password')
    for (const name of ['user', 'userHidden', 'enterprise']) expect(event).not.toHaveProperty(name)
    expect(event?.links.map(({ rel }) => rel)).toEqual(['self', 'entity'])
    expect(await expectStatus(200, call('GET', `/api/events/${event?.id}`))).toEqual(event)
  })

  test('that is refused or changes nothing leaves no event', async () => {
    const scope = await newScope()
    await newScope({ parent: scope.id })
    expect(await refusal(call('DELETE', scopePath(scope.id)))).toEqual([409, 'SCOPE-19'])
    expect(await refusal(putScope(scope, { name: '' }))).toEqual([400, 'CONSTR-LENGTH'])
    await expectStatus(200, putScope(scope))
    expect((await eventsOf('scope', scope.id)).map(({ action }) => action)).toEqual(['create'])
  })
})

describe('the list of events (docs/api/events.md, "Events")', () => {
  test('is filtered by user, enterprise, kind, action, time and text, and ordered by time', async () => {
    const as = await newUser()
    const name = unique('Place')
    const datacenter = await expectStatus(201, call('POST', '/api/admin/datacenters', { as, body: { name } }))
    await expectStatus(
      200,
      call('PUT', `/api/admin/datacenters/${datacenter.id}`, { as, body: { name: `${name}.2` } }),
    )
    const actions = async (query: string) => {
      const { collection } = await expectStatus(
        200,
        call('GET', `/api/events?user=${as.id}&entity=datacenter&${query}`),
      )
      return collection.map((event: EventDocument) => event.action)
    }
    expect(await actions('')).toEqual(['create', 'update'])
    expect(await actions('asc=false')).toEqual(['update', 'create'])
    expect(await actions('by=id&asc=false')).toEqual(['update', 'create'])
    expect(await actions('action=update')).toEqual(['update'])
    expect(await actions('entity=DATACENTER')).toEqual(['create', 'update'])
    expect(await actions('entity=scope')).toEqual([])
    expect([await actions('signins=false'), await actions('signins=true')]).toEqual([
      ['create', 'update'],
      [],
    ])
    await expectStatus(200, call('POST', '/api/session', { as: null, body: as }))
    expect(await actions('entity=user&signins=true')).toEqual(['sign-in'])
    expect(await actions('entity=user&signins=false')).toEqual([])
    expect(await actions(`enterprise=${as.enterpriseId}`)).toEqual(['create', 'update'])
    expect(await actions('enterprise=999999999')).toEqual([])
    expect(await actions(`has=${encodeURIComponent(name.toUpperCase())}`)).toEqual(['create', 'update'])
    expect(await actions(`has=${encodeURIComponent(`${name}.2`)}`)).toEqual(['update'])
    const today = new Date().toISOString().slice(0, 10)
    expect(await actions(`from=2020-01-01&to=${today}`)).toEqual(['create', 'update'])
    expect(await actions('from=2999-01-01T00:00:00Z')).toEqual([])
    expect(await actions('to=2020-01-01T00:00:00%2B02:00')).toEqual([])
    const [first, last] = (await eventsOf('datacenter', datacenter.id)).map(({ timestamp }) => timestamp)
    expect(await actions(`from=${first}&to=${last}`)).toEqual(['create', 'update'])
  })

  test('keeps its filters in the page links', async () => {
    for (const [query, kept] of [
      [
        'entity=scope&action=create&from=2020-01-01',
        'entity=scope&action=create&from=2020-01-01T00%3A00%3A00.000Z',
      ],
      ['to=2020-01-01', 'to=2020-01-01T23%3A59%3A59.999Z'],
      ['user=1&enterprise=1&entity=USER&entityid=1', 'user=1&enterprise=1&entity=user&entityid=1'],
    ] as const) {
      const { links } = await expectStatus(200, call('GET', `/api/events?${query}`))
      expect(links[0].href).toBe(`${ORIGIN}/api/events?${kept}&limit=25&by=timestamp`)
    }
  })

  test.each([
    ['entity=rack', 'GEN-22'],
    ['user=x', 'GEN-22'],
    ['enterprise=0', 'GEN-22'],
    ['from=yesterday', 'GEN-22'],
    ['to=2026-13-01', 'GEN-22'],
    ['by=action', 'QUERY-0'],
  ])('refuses %s with %s', async (query, code) => {
    expect(await refusal(call('GET', `/api/events?${query}`))).toEqual([400, code])
  })

  test('one event is read by its id, in JSON and XML; EVENT-0 if it does not exist', async () => {
    const { id, name } = await newScope()
    const [event] = await eventsOf('scope', id)
    expect(await expectStatus(200, call('GET', `/api/events/${event?.id}`))).toEqual(event)
    const xml = call('GET', `/api/events/${event?.id}`, { headers: { accept: 'application/xml' } })
    expect(await expectStatus(200, xml)).toContain(`<entityName>${name}</entityName>`)
    for (const none of ['999999999', 'abc'])
      expect(await codesOf(call('GET', `/api/events/${none}`))).toEqual(['EVENT-0'])
  })
})

describe('the visibility of events', () => {
  const seen = async (as: User, entity: string, id: number) => (await eventsOf(entity, id, as)).length

  test('EVENTLOG_VIEW_ENTERPRISE shows events of the own enterprise, EVENTLOG_VIEW_ALL those of all visible ones', async () => {
    const { id } = await newScope()
    const own = await newUser({ privileges: ['EVENTLOG_VIEW_ENTERPRISE'] })
    const all = await newUser({ privileges: ['EVENTLOG_VIEW_ALL'] })
    expect([await seen(own, 'scope', id), await seen(all, 'scope', id)]).toEqual([0, 1])
    const colleague = await newUser({ enterpriseId: own.enterpriseId })
    const made = await newScope({}, colleague)
    expect([await seen(own, 'scope', made.id), await seen(all, 'scope', made.id)]).toEqual([1, 1])
  })

  test('a caller who cannot see the resource cannot list, count or read its events', async () => {
    const datacenter = await newDatacenter()
    const scope = await newScope({ enterprises: [1] })
    const as = await newUser({ scopeId: scope.id, enterpriseId: 1 })
    expect(await seen(as, 'datacenter', datacenter.id)).toBe(0)
    const [event] = await eventsOf('datacenter', datacenter.id)
    expect(await codesOf(call('GET', `/api/events/${event?.id}`, { as }))).toEqual(['EVENT-0'])
    const { totalSize } = await expectStatus(
      200,
      call('GET', `/api/events?has=${encodeURIComponent(datacenter.name)}`, { as }),
    )
    expect(totalSize).toBe(0)
    expect(await seen(as, 'scope', scope.id)).toBe(1)
    expect(await seen(as, 'scope', (await newScope()).id)).toBe(0)
  })

  test('follows a resource that moves to another enterprise, and hides where it was', async () => {
    const [mine, hidden] = [await newEnterprise(), await newEnterprise()]
    const insider = await newUser({ enterpriseId: mine.id })
    const scope = await newScope({ enterprises: [mine.id] })
    const as = await newUser({ enterpriseId: mine.id, scopeId: scope.id })
    const made = async (enterprise: number) => {
      const roleId = await newRole({ enterpriseId: enterprise })
      const user = await createdUser(enterprise, { role: roleId }, insider)
      const path = `${usersOf(enterprise)}/${user.id}`
      const post = (list: string, body: object, by: User) =>
        expectStatus(201, call('POST', list, { as: by, body }))
      const application = await post(`${path}/applications`, { name: unique('Application') }, insider)
      const token = await post(`${path}/tokens`, { name: unique('Token') }, { ...user, password: PASSWORD })
      const links = [enterpriseLink(enterprise)]
      const role = await post(ROLES, { name: unique('Role'), links }, insider)
      return { user, application, accesstoken: token, role }
    }
    const move = async ({ user, role }: Awaited<ReturnType<typeof made>>, enterprise: number) => {
      const links = relinked(user, 'enterprise', enterpriseLink(enterprise))
      await expectStatus(200, putUser(user, { links }, insider))
      const body = { ...role, links: relinked(role, 'enterprise', enterpriseLink(enterprise)) }
      await expectStatus(200, call('PUT', `${ROLES}/${role.id}`, { as: insider, body }))
    }
    const kinds = async (things: Awaited<ReturnType<typeof made>>) => {
      const shown: string[] = []
      for (const [kind, { id }] of Object.entries(things)) if (await seen(as, kind, id)) shown.push(kind)
      return shown
    }
    const [leaving, coming] = [await made(mine.id), await made(hidden.id)]
    const all = ['user', 'application', 'accesstoken', 'role']
    expect([await kinds(leaving), await kinds(coming)]).toEqual([all, []])
    await move(leaving, hidden.id)
    await move(coming, mine.id)
    expect([await kinds(leaving), await kinds(coming)]).toEqual([[], []])
  })
})

test('an event links its documents, its undo, and the event that undid it if the reader sees that', async () => {
  const { id, ...scope } = await newScope({}, await newUser())
  const as = await newUser()
  const body = { ...scope, name: unique('Renamed') }
  await expectStatus(200, call('PUT', scopePath(id), { as, body }))
  const rels = (event: EventDocument | undefined) => event?.links.map(({ rel }) => rel)
  const about = ['self', 'user', 'enterprise', 'entity']
  const [created, updated] = await eventsOf('scope', id)
  expect([rels(created), rels(updated)]).toEqual([
    [...about, 'after', 'undo'],
    [...about, 'before', 'after', 'undo'],
  ])
  await expectStatus(200, call('POST', `/api/events/${updated?.id}/action/undo`))
  await expectStatus(204, call('DELETE', scopePath(id), { as }))
  const [, undone, undoing, deleted] = await eventsOf('scope', id)
  expect([rels(undone), rels(undoing), rels(deleted)]).toEqual([
    [...about, 'before', 'after', 'undoneby'],
    [...about, 'before', 'after', 'undoes', 'undo'],
    ['self', 'user', 'enterprise', 'before', 'undo'],
  ])
  const event = (of: EventDocument | undefined, end = '') => `${ORIGIN}/api/events/${of?.id}${end}`
  expect(linkOf(undone, 'undoneby')).toMatchObject({ href: event(undoing), type: EVENT })
  expect(linkOf(undoing, 'undoes')).toMatchObject({ href: event(undone), type: EVENT })
  expect(linkOf(undone, 'self')).toMatchObject({ href: event(undone), type: EVENT })
  expect(linkOf(deleted, 'undo')).toMatchObject({ href: event(deleted, '/action/undo'), type: EVENT })
  expect(linkOf(deleted, 'before')?.href).toBe(event(deleted, '/before'))
  expect(linkOf(created, 'after')?.href).toBe(event(created, '/after'))
  const colleague = await newUser({ enterpriseId: as.enterpriseId, privileges: ['EVENTLOG_VIEW_ENTERPRISE'] })
  const [seen, ...others] = await eventsOf('scope', id, colleague)
  expect(others.map(({ id: other }) => other)).toEqual([deleted?.id])
  expect([seen?.id, rels(seen)]).toEqual([updated?.id, [...about, 'before', 'after']])
})

test('an event from before names had ids shows names by the id in their text', async () => {
  const [parent, hidden] = [await newScope(), await newScope()]
  const { id } = await newScope({ parent: parent.id })
  const { enterpriseId, ...as } = await newUser({ scopeId: parent.id })
  const [event] = await eventsOf('scope', id)
  const texts = { before: `Hidden (${hidden.id})`, after: `Seen (${parent.id})` }
  const changes = JSON.stringify({ scopeParent: texts, name: { after: 'Old' } })
  await transaction((trx) =>
    trx
      .updateTable('events')
      .set({ structured: 0, changes, enterprise_id: enterpriseId })
      .where('id', '=', event?.id ?? 0)
      .execute(),
  )
  expect((await eventsOf('scope', id))[0]?.changes).toEqual({ scopeParent: texts, name: { after: 'Old' } })
  expect((await eventsOf('scope', id, as))[0]?.changes).toEqual({
    scopeParent: { beforeHidden: true, after: texts.after },
    name: { after: 'Old' },
  })
})

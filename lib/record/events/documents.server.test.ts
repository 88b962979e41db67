import { describe, expect, test } from 'vitest'
import { linkOf } from '#lib/ground/http/view'
import type { EventDocument } from '#lib/record/events/events.schema'
import { call, expectStatus, newEnterprise, unique } from '#lib/tools/testing/client'
import { createdUser, enterpriseLink, newRole, putUser, relinked } from '#lib/tools/testing/identity'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, putScope, scopePath } from '#lib/tools/testing/scopes'

const eventsOf = async (entity: string, id: number): Promise<EventDocument[]> =>
  (await expectStatus(200, call('GET', `/api/events?entity=${entity}&entityid=${id}`))).collection

describe('the documents of an event', () => {
  test('are those of GET before and after the change', async () => {
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id] })
    const first = await expectStatus(200, call('GET', scopePath(scope.id)))
    await expectStatus(200, putScope(scope, { name: unique('Renamed'), scopeEntities: [] }))
    const second = await expectStatus(200, call('GET', scopePath(scope.id)))
    await expectStatus(204, call('DELETE', scopePath(scope.id)))
    const [created, changed, deleted] = await eventsOf('scope', scope.id)
    const read = (event: EventDocument | undefined, side: string) =>
      expectStatus(200, call('GET', `/api/events/${event?.id}/${side}`))
    expect(await refusal(call('GET', `/api/events/${created?.id}/before`))).toEqual([404, 'EVENT-1'])
    expect(await read(created, 'after')).toEqual(first)
    expect(await read(changed, 'before')).toEqual(first)
    expect(await read(changed, 'after')).toEqual(second)
    expect(await read(deleted, 'before')).toEqual(second)
    expect(await refusal(call('GET', `/api/events/${deleted?.id}/after`))).toEqual([404, 'EVENT-1'])
    const asof = async (event: EventDocument | undefined) =>
      expectStatus(200, call('GET', `${scopePath(scope.id)}?asof=${event?.timestamp}`))
    expect(await asof(changed)).toEqual(second)
  })

  test('of a user who moves to another enterprise are those in both', async () => {
    const [from, to] = [await newEnterprise(), await newEnterprise()]
    const user = await createdUser(from.id, { role: await newRole() })
    await expectStatus(200, putUser(user, { links: relinked(user, 'enterprise', enterpriseLink(to.id)) }))
    const moved = (await eventsOf('user', user.id)).at(-1)
    for (const [side, enterprise] of [
      ['before', from],
      ['after', to],
    ] as const) {
      const document = await expectStatus(200, call('GET', `/api/events/${moved?.id}/${side}`))
      expect(linkOf(document, 'enterprise')?.title).toBe(enterprise.name)
    }
  })

  test('have no ETag, and can be read as XML', async () => {
    const scope = await newScope()
    const [created] = await eventsOf('scope', scope.id)
    const answer = await call('GET', `/api/events/${created?.id}/after`, {
      headers: { accept: 'application/xml' },
    })
    expect(answer.headers.get('etag')).toBeNull()
    expect(await answer.text()).toContain(`<name>${scope.name}</name>`)
  })
})

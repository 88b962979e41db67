import { describe, expect, test } from 'vitest'
import type { EventDocument } from '#lib/events/events.schema'
import { call, expectStatus, newEnterprise, unique } from '#lib/testing/client'
import { refusal } from '#lib/testing/refusal'
import { newScope, ofEnterprise, putScope, scopePath } from '#lib/testing/scopes'

const eventsOf = async (entity: string, id: number): Promise<EventDocument[]> =>
  (await expectStatus(200, call('GET', `/api/events?entity=${entity}&entityid=${id}&by=id`))).collection

const lastOf = async (entity: string, id: number): Promise<EventDocument> => {
  const last = (await eventsOf(entity, id)).at(-1)
  if (!last) throw new Error(`no event of ${entity} ${id}`)
  return last
}

const undo = (event: { id: number }, query = '') =>
  call('POST', `/api/events/${event.id}/action/undo${query}`)
const read = (path: string) => expectStatus(200, call('GET', path))

describe('undo', () => {
  test('of a deletion brings the resource back under its id, and undo of the undo removes it again', async () => {
    const enterprise = await newEnterprise()
    const scope = await newScope({ enterprises: [enterprise.id] })
    const before = await read(scopePath(scope.id))
    await expectStatus(204, call('DELETE', scopePath(scope.id)))
    const deletion = await lastOf('scope', scope.id)
    const undone = await expectStatus(200, undo(deletion))
    expect(undone).toMatchObject({ action: 'create', entityId: scope.id, entityName: before.name })
    expect(await read(scopePath(scope.id))).toEqual(before)
    expect(await refusal(undo(deletion))).toEqual([409, 'UNDO-2'])
    await expectStatus(200, undo(undone))
    expect(await refusal(call('GET', scopePath(scope.id)))).toEqual([404, 'SCOPE-1'])
  })

  test('of an update takes back only what the event changed', async () => {
    const [one, two] = [await newEnterprise(), await newEnterprise()]
    const scope = await newScope()
    const name = unique('Renamed')
    await expectStatus(200, putScope(scope, { name, scopeEntities: [ofEnterprise(one.id)] }))
    const change = await lastOf('scope', scope.id)
    await expectStatus(
      200,
      putScope(scope, { name, scopeEntities: [ofEnterprise(one.id), ofEnterprise(two.id)] }),
    )
    const dry = await expectStatus(200, undo(change, '?dryrun=true'))
    expect(dry).not.toHaveProperty('id')
    expect((await read(scopePath(scope.id))).name).toBe(name)
    await expectStatus(200, undo(change))
    expect(await read(scopePath(scope.id))).toMatchObject({
      name: scope.name,
      scopeEntities: [{ idResource: two.id, type: 'ENTERPRISE' }],
    })
  })

  test('is refused where a field was changed since', async () => {
    const scope = await newScope()
    await expectStatus(200, putScope(scope, { name: unique('Second') }))
    const change = await lastOf('scope', scope.id)
    await expectStatus(200, putScope(scope, { name: unique('Third') }))
    expect(await refusal(undo(change))).toEqual([409, 'UNDO-1'])
  })
})

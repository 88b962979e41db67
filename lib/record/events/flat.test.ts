import { describe, expect, test } from 'vitest'
import { namedInFlat, shownFlat } from '#lib/record/events/flat'

const nobody = () => false
const everybody = () => true

describe('an event from before migration 11', () => {
  test('reports the type and id of each linked resource', () => {
    const changes = { scopeParent: { before: 'North (7)', after: 'South (8)' }, name: { after: 'Town (9)' } }
    expect(namedInFlat('scope', changes)).toEqual([
      { type: 'scope', id: 7 },
      { type: 'scope', id: 8 },
    ])
  })

  test('shows a name to callers who can see the resource, and plain values to everybody', () => {
    const change = { before: 'North (7)', after: 'South (8)' }
    const sees = ({ id }: { id: number }) => id === 7
    expect(shownFlat('scope', ['scopeParent', change], sees)).toEqual({
      before: 'North (7)',
      afterHidden: true,
    })
    expect(shownFlat('scope', ['name', { after: 'Town (9)' }], nobody)).toEqual({ after: 'Town (9)' })
    expect(shownFlat('device', ['user', { after: 'root (1)' }], nobody)).toEqual({ after: 'root (1)' })
    expect(shownFlat('virtualmachine', ['nic0', { after: '10.0.0.1 (3)' }], nobody)).toEqual({
      afterHidden: true,
    })
  })

  test.each(['application', 'natrules', 'original', 'scopeEntities', 'translated'])(
    'shows %s, which lacks the type of its resources, only to callers who see everything',
    (field) => {
      const change = { before: 'a (1), b', after: 'c' }
      expect(shownFlat('virtualmachine', [field, change], nobody)).toEqual({
        beforeHidden: true,
        afterHidden: true,
      })
      expect(shownFlat('virtualmachine', [field, change], everybody)).toEqual(change)
      expect(namedInFlat('virtualmachine', { [field]: change })).toContainEqual({ type: '', id: 0 })
    },
  )
})

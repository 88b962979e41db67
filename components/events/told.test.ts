import { expect, test } from 'vitest'
import { events } from '#lib/words/en/events'
import { knownActions, sentenceOf } from './told'

const event = { entityType: 'scope', entityName: 'Iberia', user: 'ana' } as const

test('an event is told by what was done to which kind of thing', () => {
  expect(sentenceOf({ ...event, action: 'create' })).toBe('create.scope')
  expect(sentenceOf({ ...event, action: 'sign-in' })).toBe('sign-in')
})

test('nobody known is told as such', () => {
  const user = { entityType: 'user', entityName: 'ana', user: undefined } as const
  expect(sentenceOf({ ...user, action: 'create' })).toBe('create-by-provider')
  expect(sentenceOf({ ...user, userHidden: true, action: 'create' })).toBe('create.user')
  expect(sentenceOf({ ...user, entityName: '', action: 'sign-in-refused' })).toBe('sign-in-refused-unknown')
  expect(sentenceOf({ ...user, action: 'sign-in-refused' })).toBe('sign-in-refused')
})

test('of an action that is new to the console what is known is told', () => {
  expect(sentenceOf({ ...event, action: 'paint' })).toBe('other')
  expect(sentenceOf({ ...event, action: 'toString' })).toBe('other')
})

test('every action that has a name has a sentence', () => {
  expect(Object.keys(events.actions).sort()).toEqual([...knownActions].sort())
})
